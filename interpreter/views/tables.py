"""Headers and rows in, aligned text out: the one way tables are drawn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Paint = Callable[..., str]


def plain(text: str, *_styles: str) -> str:
    """The paint of a pipe: none."""
    return text


@dataclass(frozen=True, slots=True)
class Table:
    """A title, a header and rows of texts; columns of numbers are set right."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def draw_table(table: Table, width: int = 100, paint: Paint = plain) -> str:
    """The table as text no wider than asked: too many columns go on below, the first one repeated."""
    lines = [paint(table.title, "bold")] if table.title else []
    columns = [[head, *(row[index] for row in table.rows)] for index, head in enumerate(table.header)]
    for block in _blocks(columns, width):
        lines += _draw_block(block, paint)
    return "\n".join(lines)


def _blocks(columns: list[list[str]], width: int) -> list[list[list[str]]]:
    if not columns:
        return []
    first, blocks = columns[0], []
    current, used = [first], _width(first)
    for column in columns[1:]:
        if len(current) > 1 and used + 2 + _width(column) > width:
            blocks.append(current)
            current, used = [first], _width(first)
        current.append(column)
        used += 2 + _width(column)
    return [*blocks, current]


def _draw_block(columns: list[list[str]], paint: Paint) -> list[str]:
    aligned = [_align(column) for column in columns]
    lines = ["  ".join(cells).rstrip() for cells in zip(*aligned, strict=True)]
    return [paint(lines[0], "dim"), *lines[1:]] if lines[0].strip() else lines[1:]


def _align(column: list[str]) -> list[str]:
    size = _width(column)
    body = [cell for cell in column[1:] if cell]
    right = bool(body) and all(_is_number(cell) for cell in body)
    return [cell.rjust(size) if right else cell.ljust(size) for cell in column]


def _width(column: list[str]) -> int:
    return max(map(len, column))


def _is_number(cell: str) -> bool:
    return cell.lstrip("+-−").removesuffix(" %").replace(".", "").replace(",", "").isdigit() or cell in ("-", "·", "?")


def draw_pairs(title: str, pairs: Sequence[tuple[str, str]], width: int = 100, paint: Paint = plain) -> str:
    """Names and values on as few lines as fit: 'round 3 · start blue · …'."""
    lines = [paint(title, "bold")] if title else []
    current: list[str] = []
    used = 0
    for name, value in pairs:
        piece = f"{name} {value}".strip()
        if current and used + len(piece) > width:
            lines.append(" · ".join(current))
            current, used = [], 0
        current.append(piece)
        used += len(piece) + 3
    if current:
        lines.append(" · ".join(current))
    return "\n".join(lines)
