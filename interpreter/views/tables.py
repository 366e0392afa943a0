"""Headers and rows in, aligned text out: the one way tables are drawn."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Paint = Callable[..., str]
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def plain(text: str, *_styles: str) -> str:
    """The paint of a pipe: none."""
    return text


def seen_width(text: str) -> int:
    """How many columns a text takes on the screen: colour takes none."""
    return len(_COLOUR.sub("", text))


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
    corner, rest = lines[0][: len(columns[0][0])], lines[0][len(columns[0][0]) :]
    head = (paint(corner, "bold") if corner.strip() else corner) + (paint(rest, "dim") if rest.strip() else rest)
    return [head, *lines[1:]] if lines[0].strip() else lines[1:]


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


def draw_list(title: str, groups: Sequence[tuple[str, str]], width: int = 100, paint: Paint = plain) -> str:
    """A title and groups of things in running text, broken between them: 'Ships  Ann: cog, hulk · Bob: cog'."""
    lines: list[str] = []
    current, used = paint(title, "bold"), len(title)
    indent = min(len(title) + 2, 12)
    for number, (name, text) in enumerate(groups):
        for place, piece in enumerate(text.split(", ")):
            begin = (f"{name}: " if name else "") if place == 0 else ""
            mark = "  " if number == 0 and place == 0 else " · " if place == 0 else ", "
            if used + len(mark) + len(begin) + len(piece) + 2 > width and used > indent:  # a mark may follow
                lines.append(current + mark.rstrip(" "))
                current, used, mark = " " * indent, indent, ""
            current += mark + (paint(begin, "dim") if begin else "") + piece
            used += len(mark) + len(begin) + len(piece)
    return "\n".join([*lines, current])


def beside(blocks: Sequence[str], width: int, gap: int = 3) -> list[str]:
    """Blocks of about the same height put side by side as long as they fit, then below; the lines of it all."""
    shelves: list[list[list[str]]] = []
    used = 0
    for block in blocks:
        lines = block.split("\n")
        size = max(map(seen_width, lines))
        low, high = sorted((len(lines), max(map(len, shelves[-1])))) if shelves else (0, 0)
        if shelves and used + gap + size <= width and high <= 2 * low + 1:
            shelves[-1].append(lines)
            used += gap + size
        else:
            shelves.append([lines])
            used = size
    return [line for shelf in shelves for line in _join(shelf, gap)]


def _join(shelf: list[list[str]], gap: int) -> list[str]:
    sizes = [max(map(seen_width, lines)) for lines in shelf]
    joined = []
    for row in range(max(map(len, shelf))):
        cells = [lines[row] if row < len(lines) else "" for lines in shelf]
        padded = [cell + " " * (size - seen_width(cell)) for cell, size in zip(cells, sizes, strict=True)]
        joined.append((" " * gap).join(padded).rstrip())
    return joined
