"""Errors: the wrong one raised, too many or too few caught, not passed on."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from harness.tasks.mutate.family import Family
from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.python.source import Source

FAMILY: Family[Source] = Family("python")
_ALIKE = {
    "ValueError": "TypeError",
    "TypeError": "ValueError",
    "KeyError": "ValueError",
    "IndexError": "KeyError",
    "LookupError": "ValueError",
    "RuntimeError": "ValueError",
    "PermissionError": "OSError",
    "FileNotFoundError": "OSError",
    "OverflowError": "ValueError",
}


@FAMILY.kind(
    "wrong_error",
    "what is wrong is told by the wrong kind of error",
    "It is refused, but not as it should be.",
)
def wrong_error(source: Source) -> Iterator[Plant | None]:
    known = _raised(source)
    for node in source.all(cst.Raise):
        call = node.exc
        name = call.func if isinstance(call, cst.Call) else call
        if not isinstance(name, cst.Name):
            continue
        if name.value in _ALIKE:
            yield source.replace(name, _ALIKE[name.value], f"{_ALIKE[name.value]}")
        elif name.value in known and len(known) > 1:
            other = known[(known.index(name.value) + 1) % len(known)]
            yield source.replace(name, other, f"{other}")


@FAMILY.kind(
    "caught_too_little",
    "one of the errors that can happen is not expected any more",
    "It stops with an error where it used to cope.",
)
def caught_too_little(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.ExceptHandler):
        if isinstance(node.type, cst.Tuple) and len(node.type.elements) > 1:
            start, end = source.span(node.type)
            if not node.type.lpar:
                continue
            for element in node.type.elements:
                rest = [source.code(e.value) for e in node.type.elements if e is not element]
                text = rest[0] if len(rest) == 1 else f"({', '.join(rest)})"
                note = f"without {source.code(element.value)}"
                yield source.change(start - 1, end + 1, text, node, note)


@FAMILY.kind(
    "caught_too_much",
    "errors are caught that have nothing to do with it",
    "An error that I should have been told of is taken for another one.",
)
def caught_too_much(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.ExceptHandler):
        if isinstance(node.type, cst.Name) and node.type.value != "Exception":
            yield source.replace(node.type, "Exception", "everything caught")


@FAMILY.kind(
    "error_kept_quiet",
    "an error is swallowed in place of being passed on",
    "It fails silently.",
)
def error_kept_quiet(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.Raise):
        if node.exc is None:
            line = source.parent(node)
            handler = source.above(node, cst.ExceptHandler)
            if handler is None or not isinstance(line, cst.SimpleStatementLine):
                continue
            plant = source.cut(node, "not raised again")
            yield plant or source.replace(node, "return", "not raised again")


def _raised(source: Source) -> list[str]:
    """Errors that the file itself raises, by name; none that a module writes in capitals."""
    text = source.text
    names = re.findall(r"\braise ([A-Z]\w*(?:Error|Exception|Failure|Refused|Invalid)\w*)\(", text)
    return sorted(set(names) - set(_ALIKE))
