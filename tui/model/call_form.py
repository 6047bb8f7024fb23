"""A person's tool call: the fields of each tool, completion of paths, and the call they make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tools.schema import function_definitions, validate

# Parameters that are whole pieces of text: they get room, and newlines.
_LONG = frozenset({"content", "new_text", "old_text"})
_PATH = "path"


@dataclass(frozen=True)
class Field:
    """One parameter. hint: what stands in the empty field."""

    name: str
    hint: str
    required: bool
    long: bool
    path: bool


@dataclass(frozen=True)
class ToolFields:
    """One tool as a form."""

    name: str
    description: str
    fields: tuple[Field, ...]


def tool_forms(protocol: str) -> list[ToolFields]:
    """The tools of a protocol, as a model is told of them."""
    return [_form(definition["function"]) for definition in function_definitions(protocol)]


def _form(function: dict[str, Any]) -> ToolFields:
    parameters = function["parameters"]
    fields = tuple(
        Field(
            name=name,
            hint=_hint(about, name in parameters["required"]),
            required=name in parameters["required"],
            long=name in _LONG,
            path=name == _PATH,
        )
        for name, about in parameters["properties"].items()
    )
    return ToolFields(function["name"], function["description"], fields)


def _hint(about: dict[str, Any], required: bool) -> str:
    return str(about["description"]) if required else f"optional: {about['description']}"


def arguments_of(protocol: str, tool: ToolFields, texts: Mapping[str, str]) -> dict[str, Any] | str:
    """The arguments that the fields' texts stand for, or what is wrong with them.

    An empty field is left out, but for a required piece of text, which may be empty.
    """
    given: dict[str, Any] = {
        field.name: texts.get(field.name, "")
        for field in tool.fields
        if texts.get(field.name, "") or (field.required and field.long)
    }
    checked = validate(protocol, tool.name, given)
    if isinstance(checked, str):
        return checked.removeprefix("Error: ")
    return {name: checked[name] for name in given}


def complete(value: str, paths: Iterable[str]) -> tuple[str, list[str]]:
    """Complete a path as a shell does: as far as all candidates agree, and the candidates.

    Candidates are the files and folders (with a slash) at the level that ``value`` has reached.
    """
    level = value.rfind("/") + 1
    found = set()
    for path in paths:
        if path.startswith(value):
            slash = path.find("/", level)
            found.add(path if slash < 0 else path[: slash + 1])
    if not found:
        return value, []
    agreed = _agreed(min(found), max(found))
    if len(found) == 1 and agreed.endswith("/"):
        deeper, more = complete(agreed, [p for p in paths if p.startswith(agreed)])
        return deeper, more
    return agreed, sorted(found)


def _agreed(a: str, b: str) -> str:
    """How far two texts are the same; those between them in order agree as far."""
    same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    return min(a, b, key=len) if same is None else a[:same]


def part_of(text: str, start: str, end: str) -> str:
    """Lines start to end (from 1, both included) of a text; all of it where they are no numbers."""
    lines = text.splitlines(keepends=True)
    try:
        first = max(1, int(start)) if start.strip() else 1
        last = int(end) if end.strip() else len(lines)
    except ValueError:
        return text
    return "".join(lines[first - 1 : last])
