"""A checked ruleset and the static schema in, the schema of this very ruleset out, so that editors know its words."""

import copy
from typing import Any

from interpreter.checker.types import Flag, Num, Table, Thing, Type
from interpreter.checker.world import World
from interpreter.pipeline import Front

FAR = 10**9


def derive_schema(front: Front, static: dict[str, Any], paths: list[str]) -> dict[str, Any]:
    """The ruleset schema with the facts of every kind spelled out, and every path a patch can name."""
    schema = copy.deepcopy(static)
    world = front.checked.world
    schema["$id"] = f"{front.document.id}.schema.json"
    schema["title"] = f"A file of {front.document.id}, or of a ruleset that extends it"
    component = schema["$defs"]["component"]
    kinds = schema["properties"]["components"].setdefault("properties", {})
    for name, kind in world.kinds.items():
        if kind.facts:
            facts = {fact: _schema_of(info.type, world) for fact, info in kind.facts.items()}
            described = {**component, "properties": {**component.get("properties", {}), **facts}}
            described["additionalProperties"] = False
            kinds[name] = {
                "description": f"All of the kind {name}.",
                "type": ["object", "null"],
                "additionalProperties": described,
            }
    known = {"anyOf": [{"enum": paths}, {"type": "string"}]}
    patch = schema["$defs"]["patch"]["properties"]
    for verb in ("set", "remove", "replace", "insert before", "insert after"):
        if verb in patch:
            patch[verb] = {"description": patch[verb].get("description", "A path."), "anyOf": list(known["anyOf"])}
    patch["remove"]["anyOf"].append({"type": "array", "items": known})
    return schema


def _schema_of(type_: Type, world: World) -> dict[str, Any]:
    match type_:
        case Num(soft=True):
            return {"type": "integer"}
        case Num(low=low, high=high):
            bounds = {"minimum": low} if low > -FAR else {}
            return {"type": "integer", **bounds, **({"maximum": high} if high < FAR else {})}
        case Flag():
            return {"type": "boolean"}
        case Thing(kind=kind, optional=optional):
            ids: list[str | None] = list(world.kinds[kind].ids)
            return {"enum": ids + (["none", None] if optional else [])} if ids else {"type": ["string", "null"]}
        case Table(index=index, entry=entry):
            inner = _schema_of(entry, world)
            table: dict[str, Any] = {"type": ["array", "object"], "items": inner, "additionalProperties": inner}
            if isinstance(index, Thing) and world.kinds[index.kind].ids:
                table["propertyNames"] = {"enum": list(world.kinds[index.kind].ids)}
            return table
        case _:
            return {}
