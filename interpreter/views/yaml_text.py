"""Nodes in, YAML text out: a merged ruleset as an author would have written it."""

import re

from interpreter.loader.reader import Mapping, Node, Scalar, Sequence

_PLAIN = re.compile(r"[A-Za-z0-9_(.][^\n]*")
_WIDTH = 110


def write_yaml(node: Node, indent: int = 0) -> str:
    """The node as block-style YAML, without a final line end; short inner maps and lists stay on their line."""
    match node:
        case Scalar():
            return _write_scalar(node, indent, flow=False)
        case Mapping(entries=entries) if entries:
            pad = " " * indent
            return "\n".join(
                f"{pad}{_write_key(entry.key, flow=False)}:{_write_below(entry.node, indent)}"
                for entry in entries.values()
            )
        case Sequence(items=items) if items:
            pad = " " * indent
            return "\n".join(f"{pad}- {write_yaml(item, indent + 2).lstrip(' ')}" for item in items)
        case _:
            return _write_flow(node)


def _write_below(node: Node, indent: int) -> str:
    """What stands behind a key: a value on the same line, or a block below it."""
    if isinstance(node, Scalar):
        text = _write_scalar(node, indent, flow=False)
        return f" {text}" if text else ""
    short = _write_flow(node)
    if "\n" not in short and len(short) + indent < _WIDTH and (node.flow or short in ("{}", "[]")):
        return f" {short}"
    return "\n" + write_yaml(node, indent + 2)


def _write_flow(node: Node) -> str:
    match node:
        case Mapping(entries=entries):
            return (
                "{"
                + ", ".join(
                    f"{_write_key(entry.key, flow=True)}: {_write_flow(entry.node)}" for entry in entries.values()
                )
                + "}"
            )
        case Sequence(items=items):
            return "[" + ", ".join(map(_write_flow, items)) + "]"
        case Scalar():
            return _write_scalar(node, 0, flow=True)


def _write_key(key: Scalar, flow: bool) -> str:
    bad = r"[:#,{}\[\]]|^[^A-Za-z0-9_]|\s$" if flow else r"[:#]|^[^A-Za-z0-9_]|\s$"
    return _quote(key.text) if re.search(bad, key.text) or not key.text else key.text


def _write_scalar(node: Scalar, indent: int, flow: bool) -> str:
    if isinstance(node.value, bool):
        return "true" if node.value else "false"
    if node.value is None:
        return "none" if flow else ""
    if isinstance(node.value, int):
        return str(node.value)
    text = node.text.rstrip("\n")
    if "\n" in text and not flow:
        pad = " " * (indent + 2)
        return "|\n" + "\n".join(pad + line if line else "" for line in text.split("\n"))
    return text if _is_plain(text, flow) else _quote(text)


def _is_plain(text: str, flow: bool) -> bool:
    """Whether YAML reads this text back as itself without quotes."""
    if not _PLAIN.fullmatch(text) or text != text.strip() or ": " in text or " #" in text or text.endswith(":"):
        return False
    if re.fullmatch(r"[0-9_]*\.?[0-9]*|true|false|null", text):
        return False
    return not (flow and re.search(r"[,\[\]{}]", text))


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
