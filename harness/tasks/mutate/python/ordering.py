"""Order: not sorted, sorted by something else, the wrong way round, ties left to chance."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.tasks.mutate.family import Family
from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.python.source import Source, callee

FAMILY: Family[Source] = Family("python")
_SORTS = ("sorted", "sort", "min", "max")


@FAMILY.kind(
    "unsorted",
    "a list is no longer put into order",
    "The order depends on how things happened to be entered.",
)
def unsorted(source: Source) -> Iterator[Plant | None]:
    for call in source.all(cst.Call):
        if callee(call) == "sorted" and isinstance(call.func, cst.Name) and call.args:
            yield source.replace(call, f"list({source.code(call.args[0].value)})", "not sorted")
        if callee(call) == "sort" and isinstance(source.parent(call), cst.Expr):
            yield source.cut(source.parent(call), "not sorted")


@FAMILY.kind(
    "reversed_order",
    "a list is sorted the wrong way round",
    "The list seems to be upside down.",
)
def reversed_order(source: Source) -> Iterator[Plant | None]:
    for call in source.all(cst.Call):
        name = callee(call)
        if name in ("sorted", "sort"):
            given = [a for a in call.args if a.keyword and a.keyword.value == "reverse"]
            rest = [source.code(a).rstrip(", ") for a in call.args if a not in given]
            if not given:
                rest.append("reverse=True")
            yield source.replace(call, f"{source.code(call.func)}({', '.join(rest)})", "reversed")
        if name == "reversed" and call.args:
            yield source.replace(call, source.code(call.args[0].value), "not reversed")


@FAMILY.kind(
    "sort_key",
    "a list is sorted by something else than what is meant",
    "The entries are the right ones, they are just not in the right order.",
)
def sort_key(source: Source) -> Iterator[Plant | None]:
    for call in source.all(cst.Call):
        if callee(call) not in _SORTS:
            continue
        for arg in call.args:
            if arg.keyword is None or arg.keyword.value != "key":
                continue
            rest = [source.code(a).rstrip(", ") for a in call.args if a is not arg]
            text = f"{source.code(call.func)}({', '.join(rest)})"
            yield source.replace(call, text, "without its key")
            if isinstance(arg.value, cst.Lambda):
                yield from _first_swapped(source, arg.value.body)
    for result in _key_results(source):
        yield from _first_swapped(source, result)


@FAMILY.kind(
    "unsettled_ties",
    "what is equal by the first measure is left in any order",
    "Where two entries are level the order is not what it should be.",
)
def unsettled_ties(source: Source) -> Iterator[Plant | None]:
    for call in source.all(cst.Call):
        if callee(call) in _SORTS:
            for arg in call.args:
                if arg.keyword and arg.keyword.value == "key" and isinstance(arg.value, cst.Lambda):
                    yield from _last_dropped(source, arg.value.body)
    for result in _key_results(source):
        yield from _last_dropped(source, result)


@FAMILY.kind(
    "key_sign",
    "one of the measures of an order counts the wrong way",
    "Large comes before small, or small before large, where it should be the other way round.",
)
def key_sign(source: Source) -> Iterator[Plant | None]:
    bodies: list[cst.BaseExpression] = list(_key_results(source))
    for node in source.all(cst.Lambda):
        arg = source.parent(node)
        if isinstance(arg, cst.Arg) and arg.keyword and arg.keyword.value == "key":
            bodies.append(node.body)
    for body in bodies:
        elements = body.elements if isinstance(body, cst.Tuple) else ()
        for value in [body, *(element.value for element in elements)]:
            if isinstance(value, cst.UnaryOperation) and isinstance(value.operator, cst.Minus):
                yield source.replace(value, source.code(value.expression), "a sign left out")


def _key_results(source: Source) -> Iterator[cst.BaseExpression]:
    """What functions return whose name says that they are keys of an order."""
    for node in source.all(cst.Return):
        function = source.function(node)
        if function is not None and "key" in function.name.value and node.value is not None:
            yield node.value


def _first_swapped(source: Source, body: cst.BaseExpression) -> Iterator[Plant | None]:
    if isinstance(body, cst.Tuple) and len(body.elements) >= 2:
        one, two = body.elements[0].value, body.elements[1].value
        start, _ = source.span(one)
        _, end = source.span(two)
        if not one.lpar and not two.rpar:
            text = f"{source.code(two)}, {source.code(one)}"
            yield source.change(start, end, text, body, "the first two measures swapped")


def _last_dropped(source: Source, body: cst.BaseExpression) -> Iterator[Plant | None]:
    if isinstance(body, cst.Tuple) and len(body.elements) >= 2:
        start = source.span(body.elements[-2].value)[1] + len(body.elements[-2].value.rpar)
        end = source.span(body.elements[-1].value)[1] + len(body.elements[-1].value.rpar)
        text = "," if len(body.elements) == 2 else ""
        yield source.change(start, end, text, body, "the last measure left out")
