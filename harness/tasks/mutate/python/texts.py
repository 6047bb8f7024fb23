"""Text: normalising forgotten, the wrong end, the wrong one of two similar operations."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.tasks.mutate.family import Family
from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.python.source import Source, callee

FAMILY: Family[Source] = Family("python")
_NORMAL = {"strip", "lstrip", "rstrip", "lower", "upper", "casefold", "title", "capitalize"}
_NORMAL |= {"removeprefix", "removesuffix", "expandtabs"}
_OTHER = {
    "rstrip": "strip",
    "lstrip": "strip",
    "split": "rsplit",
    "rsplit": "split",
    "partition": "rpartition",
    "rpartition": "partition",
    "find": "rfind",
    "rfind": "find",
    "index": "rindex",
    "ljust": "rjust",
    "rjust": "ljust",
    "isdecimal": "isalnum",
    "isdigit": "isalnum",
    "isalnum": "isalpha",
    "isalpha": "isalnum",
    "append": "extend",
}


@FAMILY.kind(
    "not_normalised",
    "a text is compared or kept as it was typed",
    "It depends on how exactly the text is written: spaces, small or capital letters.",
)
def not_normalised(source: Source) -> Iterator[Plant | None]:
    for call in source.all(cst.Call):
        if isinstance(call.func, cst.Attribute) and callee(call) in _NORMAL:
            text = source.code(call.func.value)
            yield source.replace(call, text, f"without {callee(call)}")


@FAMILY.kind(
    "wrong_end",
    "a text is taken apart or filled up from the wrong end",
    "Short and simple texts are fine.",
)
def wrong_end(source: Source) -> Iterator[Plant | None]:
    for call in source.all(cst.Call):
        if isinstance(call.func, cst.Attribute) and callee(call) in _OTHER:
            if callee(call) in ("split", "rsplit") and len(call.args) < 2:
                continue
            if callee(call) == "append":
                continue
            word = _OTHER[callee(call)]
            yield source.replace(call.func.attr, word, f"{word} for {callee(call)}")


@FAMILY.kind(
    "split_limit",
    "a text falls into more or fewer parts than it should",
    "It concerns texts in which the separator occurs more than once.",
)
def split_limit(source: Source) -> Iterator[Plant | None]:
    for call in source.all(cst.Call):
        if callee(call) in ("split", "rsplit", "replace") and len(call.args) > 1:
            last = call.args[-1]
            if callee(call) == "replace" and len(call.args) < 3:
                continue
            rest = ", ".join(source.code(a).rstrip(", ") for a in call.args if a is not last)
            yield source.replace(call, f"{source.code(call.func)}({rest})", "without its limit")


@FAMILY.kind(
    "width",
    "a text or number is laid out in another width",
    "The columns do not line up.",
)
def width(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.FormattedStringExpression):
        for part in node.format_spec or ():
            if isinstance(part, cst.FormattedStringText) and any(c.isdigit() for c in part.value):
                yield source.replace(part, _narrower(part.value), f"for {part.value}")
            elif isinstance(part, cst.FormattedStringText) and part.value[:1] in ("<", ">"):
                other = ">" if part.value[0] == "<" else "<"
                yield source.replace(part, other + part.value[1:], "to the other side")


def _narrower(spec: str) -> str:
    """A format with its last digit one smaller; ``02`` loses its zero."""
    if spec.startswith("0") and len(spec) > 1:
        return spec[1:]
    for place in range(len(spec) - 1, -1, -1):
        if spec[place].isdigit() and spec[place] != "0":
            return spec[:place] + str(int(spec[place]) - 1) + spec[place + 1 :]
    return spec
