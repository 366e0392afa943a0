"""A decision in, its options grouped by name and numbered out: one by one, or dense where there is little room."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from interpreter import Decision, Option
from interpreter.views.tables import Paint, plain
from interpreter.views.templates import BLANK, read_slot, slots_of
from interpreter.views.words import Words

_GAP = 3
_TOKEN = re.compile(r"(?:\{[^{}]*\}|[^\s{},;:]|\u00a0)+|[,;:]")  # a word with its slots, or a mark
_MARKS = 3  # letters a heading must have more of: "£…" and "… on …" say nothing
_LONG = 7  # numbers in a row from which on the middle is left out


def draw_options(
    decision: Decision, words: Words, width: int = 100, paint: Paint = plain, height: int | None = None
) -> str:
    """Every option with its number: each by itself in columns, or dense if that does not fit into the height."""
    lines = []
    for name, group in group_options(decision.options).items():
        labels = [(number, words.option(decision.window, option.name, option.picks)) for number, option in group]
        title = words.option_title(decision.window, name)
        if len(group) > 1 and len(re.sub(r"\W", "", title)) > _MARKS:
            lines.append("  " + paint(title, "dim"))
        lines += _columns(labels, width, paint)
    if height is not None and len(lines) > height:
        lines = _dense(decision, words, width, paint)
    return "\n".join(lines)


def group_options(options: Sequence[Option]) -> dict[str, list[tuple[int, Option]]]:
    """Option name -> (number from 1, option), in the order of the decision."""
    groups: dict[str, list[tuple[int, Option]]] = {}
    for number, option in enumerate(options, start=1):
        groups.setdefault(option.name, []).append((number, option))
    return groups


def _columns(labels: list[tuple[int, str]], width: int, paint: Paint) -> list[str]:
    """Down the columns, as few rows as fit into the width."""
    size = max(len(label) for _, label in labels)
    across = max(1, (width - 2) // (size + 5 + _GAP))
    rows = -(-len(labels) // across) if len(labels) > 4 else len(labels)
    lines = []
    for row in range(rows):
        cells = labels[row::rows]
        lines.append(
            "  "
            + (" " * _GAP).join(f"{paint(f'{number:>3}', 'cyan')}  {label:<{size}}" for number, label in cells).rstrip()
        )
    return lines


# ------------------------------------------------------------ dense: one line for what differs in the last pick only
@dataclass(slots=True)
class _Row:
    """What some options have in common, and for each its number, what tells it apart, and that as a number."""

    title: str
    cells: list[tuple[int, str, int | None]]


def _dense(decision: Decision, words: Words, width: int, paint: Paint) -> list[str]:
    lines: list[str] = []
    loose: list[str] = []  # options that stand alone are put on one line
    for group in group_options(decision.options).values():
        rows = _rows(group, decision, words)
        titles = [len(row.title) for row in rows if len(row.cells) > 1 and row.title]
        size = max(titles) if titles and max(titles) <= width // 3 else 0
        for row in rows:
            if len(row.cells) == 1:
                loose.append(_cell(*row.cells[0][:2]))
                continue
            lines += _flow("", loose, width, paint)
            loose = []
            lines += _flow(row.title.ljust(size), list(_shortened(row.cells)), width, paint)
    return [*lines, *_flow("", loose, width, paint)]


def _rows(group: list[tuple[int, Option]], decision: Decision, words: Words) -> list[_Row]:
    """Options of one name, those together that differ in their last pick only."""
    last = _telling_pick(group)
    if last is None:
        return [_Row("", [(number, _say(option, decision, words), None)]) for number, option in group]
    rows: dict[tuple[object, ...], _Row] = {}
    for number, option in group:
        title, label = _split(option, last, decision.window, words)
        key = (title, *(pick for name, pick in option.picks.items() if name != last))
        value = option.picks[last]
        told = value if isinstance(value, int) and not isinstance(value, bool) else None
        rows.setdefault(key, _Row(title, [])).cells.append((number, label, told))
    for row in rows.values():
        if len(row.cells) == 1:
            number = row.cells[0][0]
            row.cells = [(number, _say(decision.options[number - 1], decision, words), None)]
    return list(rows.values())


def _telling_pick(group: list[tuple[int, Option]]) -> str | None:
    """The last pick in which options of a group differ."""
    first = group[0][1].picks
    varying = [name for name in first if len({option.picks.get(name) for _, option in group}) > 1]
    return varying[-1] if varying else None


def _split(option: Option, pick: str, window: str, words: Words) -> tuple[str, str]:
    """What an option says, with the words that name one of its picks taken out, and these words."""
    template = words.option_text(window, option.name)
    tokens = _TOKEN.findall(template) if template is not None else []
    telling = [token for token in tokens if any(_names(slot, pick) for slot in slots_of(token))]
    if not telling:
        rest = {name: value for name, value in option.picks.items() if name != pick}
        return words.option(window, option.name, rest), words.value(option.picks[pick])
    kept = [BLANK if token in telling else token for token in tokens]
    short = [token for place, token in enumerate(kept) if token != BLANK or kept[place - 1 : place] != [BLANK]]
    title = words.fill(_joined(short), {**option.picks, pick: BLANK})
    return ("" if title == BLANK else title), words.fill(_joined(telling), option.picks)


def _joined(tokens: list[str]) -> str:
    return re.sub(r" ([,;:])", r"\1", " ".join(tokens))


def _names(slot: str, pick: str) -> bool:
    read = read_slot(slot)
    return read is not None and read.path[0] == pick


def _shortened(cells: list[tuple[int, str, int | None]]) -> Iterator[str]:
    """The cells; of a long run of numbers that count up only the first two and the last."""
    begin = 0
    while begin < len(cells):
        end = begin + 1
        while end < len(cells) and _follows(cells[end - 1], cells[end]):
            end += 1
        run = cells[begin:end]
        if len(run) >= _LONG:
            yield from (_cell(*run[0][:2]), _cell(*run[1][:2]), BLANK, _cell(*run[-1][:2]))
        else:
            yield from (_cell(number, label) for number, label, _ in run)
        begin = end


def _follows(one: tuple[int, str, int | None], two: tuple[int, str, int | None]) -> bool:
    return one[2] is not None and two[2] == one[2] + 1 and two[0] == one[0] + 1


def _cell(number: int, label: str) -> str:
    return f"{number}) {label}".replace(" ", "\u00a0")


def _flow(title: str, cells: list[str], width: int, paint: Paint) -> list[str]:
    """Cells in running lines behind their title."""
    if not cells:
        return []
    begin = f"  {title}  " if title else "  "
    hanging = " " * (min(len(begin), 20) if title else 2)
    text = "  ".join(cells)
    lines = textwrap.wrap(text, width, initial_indent=begin, subsequent_indent=hanging, break_on_hyphens=False)
    numbers = re.compile(r"(?<![^\s])(\d+\))")
    return [numbers.sub(lambda found: paint(found[1], "cyan"), line.replace("\u00a0", " ")) for line in lines]


def _say(option: Option, decision: Decision, words: Words) -> str:
    return words.option(decision.window, option.name, option.picks)


def match_option(text: str, decision: Decision, words: Words) -> list[Option]:
    """The options a player may mean by a number, an id, or the beginning of what an option says."""
    if text.isdecimal():
        index = int(text) - 1
        return [decision.options[index]] if 0 <= index < len(decision.options) else []
    folded = text.casefold()
    exact = [option for option in decision.options if folded in (option.id.casefold(), _label(option, decision, words))]
    return exact or [
        option
        for option in decision.options
        if option.id.casefold().startswith(folded) or _label(option, decision, words).startswith(folded)
    ]


def nearest_option(text: str, decision: Decision, words: Words) -> Option:
    """The option that reads most like a text; the first one if none does."""

    def likeness(option: Option) -> float:
        ways = (option.id.casefold(), _label(option, decision, words))
        return max(SequenceMatcher(None, text.casefold(), way).ratio() for way in ways)

    return max(decision.options, key=likeness) if text else decision.options[0]


def _label(option: Option, decision: Decision, words: Words) -> str:
    return _say(option, decision, words).replace("\u00a0", " ").casefold()
