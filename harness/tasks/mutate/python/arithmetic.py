"""Arithmetic: signs, units, division, rounding, the order of operands."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.tasks.mutate.family import Family
from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.python.source import Source, callee, integer, plain

FAMILY: Family[Source] = Family("python")
# Factors between units that get mixed up: hours for minutes, cents for tenths of them, ...
_UNITS = {60: "3600", 3600: "60", 24: "60", 1000: "100", 100: "1000", 7: "5", 12: "10", 365: "360"}


@FAMILY.kind(
    "wrong_sign",
    "something is added that should be subtracted, or the other way round",
    "The figure moves in the wrong direction.",
)
def wrong_sign(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.BinaryOperation):
        if integer(node.right) == 1 or not _number(node.left) or not _number(node.right):
            continue
        if isinstance(node.operator, cst.Add):
            yield source.operator(node.operator, "-")
        elif isinstance(node.operator, cst.Subtract):
            yield source.operator(node.operator, "+")
    for aug in source.all(cst.AugAssign):
        if isinstance(aug.operator, cst.AddAssign) and _number(aug.value):
            yield source.operator(aug.operator, "-=")
        elif isinstance(aug.operator, cst.SubtractAssign):
            yield source.operator(aug.operator, "+=")


@FAMILY.kind(
    "lost_minus", "a sign is lost", "It looks as if what should be negative counts as positive."
)
def lost_minus(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.UnaryOperation):
        written_out = integer(node.expression) is not None
        if isinstance(node.operator, cst.Minus) and not written_out:
            inner = source.above(node, cst.Lambda)  # a key of an order: another kind
            if inner is None:
                yield source.replace(node, source.code(node.expression), "minus left out")


@FAMILY.kind(
    "lost_factor",
    "a factor between two units is left out",
    "It looks like a mix-up of units to me.",
    "The figures are too small or too large by a factor.",
)
def lost_factor(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.BinaryOperation):
        if isinstance(node.operator, cst.Multiply):
            for side, other in ((node.left, node.right), (node.right, node.left)):
                if _number(side) and _number(other) and not isinstance(side, cst.Integer):
                    yield source.replace(node, source.code(side), f"without {source.code(other)}")
        elif isinstance(node.operator, cst.Divide | cst.FloorDivide) and _number(node.left):
            yield source.replace(node, source.code(node.left), "not divided")


@FAMILY.kind(
    "wrong_unit",
    "a number stands for another unit than the one that is meant",
    "It looks like a mix-up of units to me.",
)
def wrong_unit(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.Integer):
        text = _UNITS.get(integer(node) or 0)
        parent = source.parent(node)
        if text is not None and isinstance(parent, cst.BinaryOperation):
            yield source.replace(node, text, f"{text} for {node.value}")


@FAMILY.kind(
    "division",
    "a division keeps or drops what is left over",
    "Where it divides without a remainder all is well.",
)
def division(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.BinaryOperation):
        operator = node.operator
        if isinstance(operator, cst.FloorDivide):
            outer = source.parent(node)
            if not isinstance(node.left, cst.UnaryOperation):
                yield source.operator(operator, "/")
            elif isinstance(outer, cst.UnaryOperation):
                text = f"{source.code(node.left.expression)} // {source.code(node.right)}"
                yield source.replace(outer, text, "down where up is meant")
        elif isinstance(operator, cst.Divide | cst.Modulo) and _number(node.left):
            yield source.operator(operator, "//")


@FAMILY.kind(
    "rounding",
    "a figure is rounded by another rule",
    "It is about the last digit, and only in some cases.",
)
def rounding(source: Source) -> Iterator[Plant | None]:
    names = {
        "ceil": "floor",
        "floor": "ceil",
        "ROUND_HALF_UP": "ROUND_HALF_EVEN",
        "ROUND_HALF_EVEN": "ROUND_HALF_UP",
        "ROUND_DOWN": "ROUND_UP",
        "ROUND_UP": "ROUND_DOWN",
        "ROUND_CEILING": "ROUND_FLOOR",
        "ROUND_FLOOR": "ROUND_CEILING",
    }
    for name in source.all(cst.Name):
        if name.value in names and not isinstance(source.parent(name), cst.ImportAlias):
            yield source.replace(name, names[name.value], names[name.value])
    for call in source.all(cst.Call):
        if callee(call) == "round" and isinstance(call.func, cst.Name) and len(call.args) == 1:
            yield source.replace(call.func, "int", "cut off in place of rounded")
        elif callee(call) == "round" and len(call.args) == 2:
            digits = integer(call.args[1].value)
            if digits:
                yield source.replace(call.args[1].value, str(digits - 1), "a digit less")
    for node in source.all(cst.BinaryOperation):
        if isinstance(node.operator, cst.Add) and isinstance(node.right, cst.BinaryOperation):
            right = node.right
            if integer(right.right) == 2 and isinstance(right.operator, cst.FloorDivide):
                yield source.replace(node, source.code(node.left), "half of the unit not added")


@FAMILY.kind(
    "swapped_operands",
    "two sides of a subtraction or division are the wrong way round",
    "It comes out the wrong way round.",
)
def swapped_operands(source: Source) -> Iterator[Plant | None]:
    kinds = (cst.Subtract, cst.Divide, cst.FloorDivide, cst.Modulo)
    for node in source.all(cst.BinaryOperation):
        if isinstance(node.operator, kinds) and plain(node.left) and plain(node.right):
            operator = source.bare(node.operator).strip()
            text = f"{source.code(node.right)} {operator} {source.code(node.left)}"
            yield source.replace(node, text, "two sides swapped")


def _number(node: cst.BaseExpression) -> bool:
    """Whether an expression may be a number: no text and no list is written there."""
    return not isinstance(
        node,
        cst.SimpleString
        | cst.FormattedString
        | cst.ConcatenatedString
        | cst.List
        | cst.Tuple
        | cst.Dict
        | cst.ListComp,
    )
