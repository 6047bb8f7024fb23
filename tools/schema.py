"""One declaration a tool: the source of function definitions, validation and documentation.

Two protocols share the names and parameters. `proctor-1` is the project's own. `sacb` keeps what
the Simple Agent Coding Benchmark does, so that scores compare: only inclusive ranges in
`edit_lines`, blank paths refused, plainer answers.

Validation is kind where nothing is lost: an integer may come as a string of digits or as 12.0, a
boolean as "true" or "false", and null stands for an optional argument that is left out.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from typing import Any, Final, Literal

PROTOCOLS: Final = ("proctor-1", "sacb")

Kind = Literal["string", "integer", "boolean"]


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter. `default` counts only where it is not required."""

    name: str
    kind: Kind
    description: str
    required: bool = False
    default: str | int | bool | None = None
    sacb_description: str | None = None
    blank_is_default: bool = False  # proctor-1 only; sacb refuses a blank path


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool; `sacb_description` replaces the description where the protocol differs."""

    name: str
    description: str
    params: tuple[Param, ...]
    sacb_description: str | None = None


_PATH = Param("path", "string", "File, relative to the root of the tree.", required=True)

TOOLS: Final[tuple[Tool, ...]] = (
    Tool(
        "list_files",
        "List every file below a folder with its size in bytes.",
        (
            Param(
                "path",
                "string",
                "Folder to list; the whole tree if left out.",
                default=".",
                blank_is_default=True,
            ),
        ),
    ),
    Tool(
        "read_file",
        "Show a text file with line numbers, at most 400 lines a call. "
        "Ask for a range to see more of a long file.",
        (
            _PATH,
            Param("start_line", "integer", "First line to show, counted from 1.", default=1),
            Param("end_line", "integer", "Last line to show (included)."),
        ),
    ),
    Tool(
        "search",
        "Find lines that match a Python regular expression, at most 60 hits. "
        "Each hit is shown as path:line:text.",
        (
            Param("pattern", "string", "Python regular expression, tried on each line.", True),
            Param(
                "path",
                "string",
                "File or folder to search; the whole tree if left out.",
                default=".",
                blank_is_default=True,
            ),
            Param("glob", "string", "Only files whose name or path matches, such as *.py."),
        ),
    ),
    Tool(
        "edit_lines",
        "Replace the lines from start_line to end_line (both included) by new_text. "
        "With end_line = start_line - 1 nothing is replaced and new_text is inserted before "
        "start_line; start_line = last line + 1 appends. Empty new_text deletes the lines. "
        "The answer shows the lines around the edit with their new numbers.",
        (
            _PATH,
            Param("start_line", "integer", "First line to replace, counted from 1.", True),
            Param(
                "end_line",
                "integer",
                "Last line to replace (included), or start_line - 1 to insert.",
                True,
                sacb_description="Last line to replace (included).",
            ),
            Param(
                "new_text",
                "string",
                "The new lines, without line numbers; a newline at the end makes no extra line.",
                True,
            ),
        ),
        sacb_description="Replace the lines from start_line to end_line (both included, as "
        "read_file numbers them now) by new_text. Empty new_text deletes the lines. Lines below "
        "the edit get new numbers.",
    ),
    Tool(
        "edit_replace",
        "Replace a piece of text in a file. old_text must occur exactly once, "
        "unless replace_all is true.",
        (
            _PATH,
            Param(
                "old_text", "string", "The text to replace, exactly, without line numbers.", True
            ),
            Param("new_text", "string", "The text to put in its place.", True),
            Param(
                "replace_all",
                "boolean",
                "Replace every occurrence instead of exactly one.",
                default=False,
            ),
        ),
    ),
    Tool(
        "write_file",
        "Create a file or replace all of it; folders on the way are created.",
        (_PATH, Param("content", "string", "The whole new content of the file.", True)),
    ),
    Tool(
        "lint",
        "Run the linter and the type checker. Nothing in the tree is executed.",
        (
            Param(
                "path",
                "string",
                "File or folder to report on; the whole tree if left out.",
                default=".",
                blank_is_default=True,
            ),
        ),
    ),
    Tool(
        "finish",
        "Say that the work is done. This ends the session; it is the only way to end it.",
        (Param("summary", "string", "What was changed and why, in a sentence or two."),),
    ),
)

_BY_NAME: Final = {tool.name: tool for tool in TOOLS}
NAMES: Final = tuple(_BY_NAME)


def require_protocol(protocol: str) -> None:
    """Raise ValueError for a protocol that is not declared here."""
    if protocol not in PROTOCOLS:
        raise ValueError(f"unknown protocol {protocol!r}; there are {', '.join(PROTOCOLS)}")


def description(tool: Tool, protocol: str) -> str:
    """What the model is told the tool does."""
    if protocol == "sacb" and tool.sacb_description is not None:
        return tool.sacb_description
    return tool.description


def function_definitions(protocol: str, *, lint: bool = True) -> list[dict[str, Any]]:
    """The tools as OpenAI function definitions; without `lint` where there is no toolchain."""
    require_protocol(protocol)
    definitions: list[dict[str, Any]] = []
    for tool in TOOLS:
        if tool.name == "lint" and not lint:
            continue
        properties: dict[str, Any] = {}
        for param in tool.params:
            text = param.description
            if protocol == "sacb" and param.sacb_description is not None:
                text = param.sacb_description
            properties[param.name] = {"type": param.kind, "description": text}
            if not param.required and param.default is not None:
                properties[param.name]["default"] = param.default
        definitions.append(
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": description(tool, protocol),
                    "parameters": {
                        "type": "object",
                        "properties": properties,
                        "required": [p.name for p in tool.params if p.required],
                        "additionalProperties": False,
                    },
                },
            }
        )
    return definitions


def validate(protocol: str, name: object, arguments: object) -> dict[str, Any] | str:
    """The complete, typed arguments of a call, or an error text for the model."""
    require_protocol(protocol)
    tool = _BY_NAME.get(name) if isinstance(name, str) else None
    if tool is None:
        known = ", ".join(NAMES)
        return f"Error: there is no tool {_quote(name)}.{_meant(name, NAMES)} Use one of: {known}."
    if not isinstance(arguments, dict):
        return f"Error: the arguments of {tool.name} must be a JSON object. {_usage(tool)}"
    accepted = [param.name for param in tool.params]
    for key in arguments:
        if key not in accepted:
            return (
                f"Error: {tool.name} has no parameter {_quote(key)}."
                f"{_meant(key, accepted)} {_usage(tool)}"
            )
    values: dict[str, Any] = {}
    for param in tool.params:
        given = arguments.get(param.name)
        if given is None:
            if param.required:
                state = "must not be null" if param.name in arguments else "is missing"
                return f"Error: {param.name} {state}. {_usage(tool)}"
            values[param.name] = param.default
            continue
        try:
            value: str | int | bool | None = _coerce(param.kind, given)
        except ValueError as problem:
            return f"Error: {param.name} {problem}. {_usage(tool)}"
        if param.blank_is_default and protocol != "sacb" and not str(value).strip():
            value = param.default
        values[param.name] = value
    return values


def reference(protocol: str) -> str:
    """The tools as Markdown, for documentation and for prompts that describe them in words."""
    require_protocol(protocol)
    parts: list[str] = []
    for definition in function_definitions(protocol):
        function = definition["function"]
        required = function["parameters"]["required"]
        lines = [f"### `{function['name']}`", "", function["description"], ""]
        for key, entry in function["parameters"]["properties"].items():
            need = "required" if key in required else "optional"
            lines.append(f"- `{key}` ({entry['type']}, {need}): {entry['description']}")
        parts.append("\n".join(lines).rstrip())
    return "\n\n".join(parts) + "\n"


def _coerce(kind: Kind, value: object) -> str | int | bool:
    if kind == "string":
        if not isinstance(value, str):
            raise ValueError(f"must be a string, not {_kind_of(value)}")
        if any("\ud800" <= c <= "\udfff" for c in value):
            raise ValueError("holds half of a surrogate pair, which is no text")
        return value
    if kind == "boolean":
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.strip().lower() in ("true", "false"):
            return value.strip().lower() == "true"
        raise ValueError(f"must be true or false, not {_kind_of(value)}")
    return _integer(value)


def _integer(value: object) -> int:
    number: int | None = None
    if isinstance(value, int) and not isinstance(value, bool):
        number = value
    elif isinstance(value, float) and value.is_integer():
        number = int(value)
    elif isinstance(value, str):
        digits = value.strip()
        if len(digits) <= 12 and digits.removeprefix("-").isdecimal() and digits.isascii():
            number = int(digits)
    if number is None:
        raise ValueError(f"must be a whole number, not {_kind_of(value)}")
    if abs(number) >= 10**12:  # no file has so many lines, and str() of a huge int raises
        raise ValueError("is too large a number")
    return number


def _kind_of(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the string {_quote(value)}"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, list):
        return "a list"
    return "an object" if isinstance(value, dict) else "null"


def _quote(value: object) -> str:
    """A value from the model, short and in ASCII, so that it cannot disturb the text around it."""
    if not isinstance(value, str):
        return _kind_of(value)
    return json.dumps(value if len(value) <= 60 else value[:57] + "...")


def _meant(value: object, known: tuple[str, ...] | list[str]) -> str:
    close = difflib.get_close_matches(value[:60], known, n=1) if isinstance(value, str) else []
    return f" Did you mean {close[0]}?" if close else ""


def _usage(tool: Tool) -> str:
    if not tool.params:
        return f"{tool.name} takes no arguments."
    each = (
        f"{p.name} ({p.kind}{', required' if p.required else ', optional'})" for p in tool.params
    )
    return f"{tool.name} takes {', '.join(each)}."
