"""Conditions: and, or, not, grouping, emptiness, any and all."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.tasks.mutate.family import Family
from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.python.source import Source, callee, plain

FAMILY: Family[Source] = Family("python")


@FAMILY.kind(
    "and_or",
    "two conditions are joined the wrong way",
    "It seems to mix up cases that should be treated differently.",
)
def and_or(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.BooleanOperation):
        if not source.in_condition(node) and not _returned(source, node):
            continue
        if _joined(node.left) or _joined(node.right) or _in_a_chain(source, node):
            continue  # a second operator would need other parentheses
        word = "or" if isinstance(node.operator, cst.And) else "and"
        yield source.operator(node.operator, word)


@FAMILY.kind(
    "half_condition",
    "one of the conditions that must hold is forgotten",
    "I believe that not everything that matters is looked at.",
)
def half_condition(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.BooleanOperation):
        if not source.in_condition(node) and not _returned(source, node):
            continue
        for side, other in ((node.left, node.right), (node.right, node.left)):
            yield source.replace(node, source.code(side), f"without {source.code(other)}")


@FAMILY.kind(
    "grouping",
    "conditions are grouped wrongly, as without their parentheses",
    "It depends on the combination, each case alone is right.",
)
def grouping(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.BooleanOperation):
        parent = source.parent(node)
        if not isinstance(parent, cst.BooleanOperation) or not node.lpar:
            continue
        if isinstance(node.operator, cst.Or) and isinstance(parent.operator, cst.And):
            start, end = source.span(node)
            text = source.bare(node)
            yield source.change(start - 1, end + 1, text, node, "parentheses left out")


@FAMILY.kind("lost_not", "a condition is the opposite of what is meant")
def lost_not(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.UnaryOperation):
        if isinstance(node.operator, cst.Not) and not isinstance(
            source.parent(node), cst.If | cst.IfExp
        ):
            yield source.replace(node, source.code(node.expression), "not left out")
    for filtered in source.all(cst.CompIf):
        if isinstance(filtered.test, cst.Comparison) and len(filtered.test.comparisons) == 1:
            operator = filtered.test.comparisons[0].operator
            if isinstance(operator, cst.Equal | cst.NotEqual):
                yield source.operator(operator, "!=" if isinstance(operator, cst.Equal) else "==")


@FAMILY.kind(
    "empty_is_none",
    "zero or empty is taken for missing",
    "It goes wrong when a value is zero or empty, which is something else than none at all.",
)
def empty_is_none(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.Comparison):
        if len(node.comparisons) != 1 or not plain(node.left):
            continue
        target = node.comparisons[0]
        if not isinstance(target.comparator, cst.Name) or target.comparator.value != "None":
            continue
        if isinstance(target.operator, cst.IsNot):
            yield source.replace(node, source.code(node.left), "is not None left out")
        elif isinstance(target.operator, cst.Is):
            yield source.replace(node, f"not {source.code(node.left)}", "not in place of is None")


@FAMILY.kind(
    "none_is_empty",
    "empty is not taken for missing any more",
    "An empty value is not treated as if there were none.",
)
def none_is_empty(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.BooleanOperation):
        if isinstance(node.operator, cst.Or) and plain(node.left):
            if source.in_condition(node):
                continue
            left, right = source.code(node.left), source.code(node.right)
            text = f"{left} if {left} is not None else {right}"
            if isinstance(source.parent(node), cst.BinaryOperation | cst.BooleanOperation):
                continue
            yield source.replace(node, text, "is not None in place of or")


@FAMILY.kind(
    "any_all",
    "one is enough where all are needed, or the other way round",
    "With one entry it is right, with several it is not.",
)
def any_all(source: Source) -> Iterator[Plant | None]:
    swap = {"any": "all", "all": "any"}
    for call in source.all(cst.Call):
        if isinstance(call.func, cst.Name) and callee(call) in swap:
            yield source.replace(call.func, swap[callee(call)], f"{swap[callee(call)]}")


@FAMILY.kind("equal_contains", "a comparison of the whole is one with a part, or of beginnings")
def equal_contains(source: Source) -> Iterator[Plant | None]:
    swap = {"startswith": "endswith", "endswith": "startswith", "fullmatch": "match"}
    for call in source.all(cst.Call):
        if isinstance(call.func, cst.Attribute) and callee(call) in swap:
            word = swap[callee(call)]
            yield source.replace(call.func.attr, word, f"{word} for {callee(call)}")


def _returned(source: Source, node: cst.BooleanOperation) -> bool:
    """Whether a truth is given back or kept, not one of two values."""
    truths = cst.Comparison | cst.UnaryOperation | cst.BooleanOperation
    if not isinstance(node.left, truths) and not isinstance(node.right, truths):
        return False
    return isinstance(source.parent(node), cst.Return | cst.Assign)


def _in_a_chain(source: Source, node: cst.BooleanOperation) -> bool:
    return isinstance(source.parent(node), cst.BooleanOperation) and not node.lpar


def _joined(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.BooleanOperation) and not node.lpar
