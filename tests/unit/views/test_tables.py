"""Tables: numbers right, texts left, never wider than asked."""

from interpreter.views.tables import Table, draw_pairs, draw_table


def test_a_table_is_aligned() -> None:
    table = Table("Purses", ("who", "cash"), (("ann", "5"), ("robert", "12")))
    assert draw_table(table).split("\n") == ["Purses", "who     cash", "ann        5", "robert    12"]


def test_too_many_columns_go_on_below() -> None:
    table = Table("", ("who", "aaaaaaaa", "bbbbbbbb"), (("ann", "1", "2"),))
    assert draw_table(table, width=15).split("\n") == [
        "who  aaaaaaaa",
        "ann         1",
        "who  bbbbbbbb",
        "ann         2",
    ]


def test_pairs_fill_lines() -> None:
    assert (
        draw_pairs("T", [("round", "3"), ("start", "blue"), ("heap", "12")], width=22)
        == "T\nround 3 · start blue\nheap 12"
    )


def test_an_empty_table_is_no_trouble() -> None:
    assert draw_table(Table("T", (), ())) == "T"
    assert draw_table(Table("", ("a",), ())) == "a"
