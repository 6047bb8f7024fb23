"""Off by one: at a limit, at the ends of ranges and slices, in counting and in dates."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from harness.tasks.mutate.family import Family
from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.python.source import Source, callee, integer, positional

FAMILY: Family[Source] = Family("python")
_EDGES: dict[type[cst.BaseCompOp], str] = {
    cst.LessThan: "<=",
    cst.LessThanEqual: "<",
    cst.GreaterThan: ">=",
    cst.GreaterThanEqual: ">",
}
_CALENDAR = re.compile(r"(?:^|_)(?:day|month|year|week|weekday|hour|minute)s?(?:$|_|\d)")
_SPANS = {"days", "weeks", "hours", "minutes", "seconds", "months", "years"}


@FAMILY.kind(
    "edge",
    "a comparison takes the limit itself to the wrong side",
    "Everything well inside or well outside of the limits seems fine.",
    "Most values are all right, it is the ones right at the limit that are not.",
)
def edge(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.ComparisonTarget):
        operator = _EDGES.get(type(node.operator))
        if operator is not None:
            yield source.operator(node.operator, operator)


@FAMILY.kind(
    "range_end",
    "a loop over numbers begins or stops one too early or too late",
    "It looks as if one is left out, or one too many is taken.",
)
def range_end(source: Source) -> Iterator[Plant | None]:
    for call in source.all(cst.Call):
        arguments = positional(call)
        if callee(call) != "range" or not arguments or len(arguments) > 2:
            continue
        last = arguments[-1].value
        yield source.replace(last, _one_less(source, last), "the range's end")
        if len(arguments) == 2:
            first = arguments[0].value
            value = integer(first)
            if value in (0, 1):
                yield source.replace(first, str(1 - value), "the range's beginning")


@FAMILY.kind(
    "slice_end",
    "a part of a text or list is cut one too short or too long",
    "It looks as if something at the beginning or the end gets lost, or slips in.",
)
def slice_end(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.Slice):
        if node.step is not None:
            continue
        for bound, name in ((node.lower, "beginning"), (node.upper, "end")):
            if bound is None:
                continue
            value = integer(bound)
            if value is not None:
                text = str(value + 1 if value < 2 else value - 1)
            elif isinstance(bound, cst.UnaryOperation):
                continue
            else:
                text = _one_less(source, bound)
            yield source.replace(bound, text, f"the slice's {name}")


@FAMILY.kind(
    "first_last",
    "the first is taken for the last, or the other way round",
    "With a single entry all is well, with several it takes the wrong one.",
)
def first_last(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.Index):
        if source.above(node, cst.Annotation) is not None or not _indexes(source, node):
            continue
        if integer(node.value) == 0:
            yield source.replace(node.value, "-1", "first for last")
        elif source.bare(node.value) == "-1":
            yield source.replace(node.value, "0", "last for first")
    for call in source.all(cst.Call):
        first = [integer(arg.value) for arg in call.args] == [0]
        if first and callee(call) == "pop" and isinstance(call.func, cst.Attribute):
            yield source.replace(call, f"{source.code(call.func)}()", "pop from the other end")


@FAMILY.kind(
    "off_by_one",
    "a one that belongs to a sum is left out",
    "It is off by one, as far as I can see.",
)
def off_by_one(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.BinaryOperation):
        if not isinstance(node.operator, cst.Add | cst.Subtract) or integer(node.right) != 1:
            continue
        if not _calendar(source, node):
            yield source.replace(node, source.code(node.left), "a one left out")


@FAMILY.kind("date_step", "a date is a day, a month or another step off", "Dates are a step off.")
def date_step(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.BinaryOperation):
        step = isinstance(node.operator, cst.Add | cst.Subtract) and integer(node.right) == 1
        if step and _calendar(source, node):
            yield source.replace(node, source.code(node.left), "a calendar step left out")
    for call in source.all(cst.Call):
        if callee(call) != "timedelta":
            continue
        for arg in call.args:
            if arg.keyword is None or arg.keyword.value not in _SPANS:
                continue
            value = integer(arg.value)
            text = str(value + 1) if value is not None else f"{source.code(arg.value)} - 1"
            if value != 0:
                yield source.replace(arg.value, text, "a span one step off")


@FAMILY.kind(
    "count_start",
    "counting begins at another number",
    "The numbers that are given out are shifted.",
)
def count_start(source: Source) -> Iterator[Plant | None]:
    for call in source.all(cst.Call):
        if callee(call) != "enumerate" or len(call.args) != 2:
            continue
        start = call.args[1].value
        if integer(start) == 1:
            yield source.replace(call, f"enumerate({source.code(call.args[0].value)})", "from 0")


def _one_less(source: Source, node: cst.BaseExpression) -> str:
    """``n + 1`` -> ``n``; ``n - 1`` -> ``n``; ``n`` -> ``n - 1``."""
    if isinstance(node, cst.BinaryOperation) and integer(node.right) == 1:
        operator = node.operator
        return source.code(node.left if isinstance(operator, cst.Add | cst.Subtract) else node)
    value = integer(node)
    return str(value - 1) if value is not None else f"{source.code(node)} - 1"


def _calendar(source: Source, node: cst.BinaryOperation) -> bool:
    words = re.findall(r"[A-Za-z_]\w*", source.code(node.left))
    return any(_CALENDAR.search(word) for word in words)


def _indexes(source: Source, node: cst.Index) -> bool:
    """Whether the index picks one entry of something that can hold others."""
    subscript = source.above(node, cst.Subscript)
    return isinstance(subscript, cst.Subscript) and len(subscript.slice) == 1
