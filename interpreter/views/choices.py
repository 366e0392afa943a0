"""A decision in, its options grouped by name and numbered out."""

from collections.abc import Sequence

from interpreter import Decision, Option
from interpreter.views.tables import Paint, plain
from interpreter.views.words import Words

_GAP = 3


def draw_options(decision: Decision, words: Words, width: int = 100, paint: Paint = plain) -> str:
    """Every option with its number; options of one name stand together, in columns when there are many."""
    lines = []
    for name, group in group_options(decision.options).items():
        labels = [(number, words.option(decision.window, option.name, option.picks)) for number, option in group]
        if len(group) > 1:
            lines.append("  " + paint(words.option_title(decision.window, name), "dim"))
        lines += _columns(labels, width, paint)
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


def _label(option: Option, decision: Decision, words: Words) -> str:
    return words.option(decision.window, option.name, option.picks).casefold()
