"""Off by one: at a limit, at the ends of slices, at the ends of lists, in sums."""

from __future__ import annotations

from collections.abc import Iterator

from harness.tasks.mutate.family import Family
from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.typescript.source import (
    Source,
    above,
    arguments,
    field,
    method,
    number,
    operator,
    plain,
    receiver,
)

FAMILY: Family[Source] = Family("typescript")
_EDGES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_ENDS = {"shift": "pop", "pop": "shift", "push": "unshift", "unshift": "push"}


@FAMILY.kind(
    "edge",
    "a comparison takes the limit itself to the wrong side",
    "Everything well inside or well outside of the limits seems fine.",
    "Most values are all right, it is the ones right at the limit that are not.",
)
def edge(source: Source) -> Iterator[Plant | None]:
    for node in source.all("binary_expression"):
        sign = field(node, "operator")
        if sign is not None and sign.type in _EDGES:
            yield source.replace(sign, _EDGES[sign.type], f"{_EDGES[sign.type]} for {sign.type}")


@FAMILY.kind(
    "slice_end",
    "a part of a text or list is cut one too short or too long",
    "It looks as if something at the beginning or the end gets lost, or slips in.",
)
def slice_end(source: Source) -> Iterator[Plant | None]:
    for call in source.all("call_expression"):
        if method(call) not in ("slice", "substring", "splice"):
            continue
        for bound in arguments(call)[:2]:
            value = number(bound)
            if value is not None:
                yield source.replace(bound, str(value + 1 if value < 2 else value - 1), "a bound")
            elif plain(bound):
                yield source.replace(bound, f"{source.code(bound)} - 1", "a bound one less")
            elif operator(bound) in ("+", "-") and number(field(bound, "right")) == 1:
                left = field(bound, "left")
                if left is not None:
                    yield source.replace(bound, source.code(left), "a bound without its one")


@FAMILY.kind(
    "first_last",
    "the first is taken for the last, or the other way round",
    "With a single entry all is well, with several it takes the wrong one.",
)
def first_last(source: Source) -> Iterator[Plant | None]:
    for call in source.all("call_expression"):
        name = method(call)
        function, given = field(call, "function"), arguments(call)
        named = None if function is None else field(function, "property")
        if name in _ENDS and named is not None and len(given) == int(name in ("push", "unshift")):
            yield source.replace(named, _ENDS[name], f"{_ENDS[name]} for {name}")
        if name == "at" and len(given) == 1:
            yield source.replace(
                given[0], "0" if source.code(given[0]) == "-1" else "-1", "the other end"
            )
        if name in ("indexOf", "lastIndexOf") and named is not None:
            other = "lastIndexOf" if name == "indexOf" else "indexOf"
            yield source.replace(named, other, f"{other} for {name}")
    for node in source.all("subscript_expression"):
        index, owner = field(node, "index"), field(node, "object")
        if number(index) == 0 and index is not None and owner is not None and plain(owner):
            yield source.replace(
                index, f"{source.code(owner)}.length - 1", "the last for the first"
            )


@FAMILY.kind(
    "off_by_one",
    "a one that belongs to a sum is left out",
    "It is off by one, as far as I can see.",
)
def off_by_one(source: Source) -> Iterator[Plant | None]:
    for node in source.all("binary_expression"):
        left = field(node, "left")
        if operator(node) in ("+", "-") and number(field(node, "right")) == 1 and left is not None:
            call = above(node, "call_expression")
            if (
                call is not None
                and node in arguments(call)
                and method(call) in ("slice", "substring")
            ):
                continue  # another kind
            yield source.replace(node, source.code(left), "a one left out")


@FAMILY.kind(
    "loop_start",
    "a loop over numbers begins one too early or too late",
    "It looks as if the first one is left out, or one too many is taken.",
)
def loop_start(source: Source) -> Iterator[Plant | None]:
    for loop in source.all("for_statement"):
        begin = field(loop, "initializer")
        for declared in [] if begin is None else begin.named_children:
            value = field(declared, "value")
            start = number(value)
            if value is not None and start in (0, 1):
                yield source.replace(value, str(1 - start), "the loop's beginning")


@FAMILY.kind(
    "lost_limit",
    "a limit is no longer kept",
    "There used to be a limit to it.",
)
def lost_limit(source: Source) -> Iterator[Plant | None]:
    for call in source.all("call_expression"):
        owner, given = receiver(call), arguments(call)
        if method(call) not in ("min", "max") or owner is None or source.code(owner) != "Math":
            continue
        if len(given) == 2 and all(arg.type != "spread_element" for arg in given):
            for arg in given:
                yield source.replace(call, source.code(arg), "a limit left out")


@FAMILY.kind(
    "least_greatest",
    "the smallest is taken for the largest, or the other way round",
    "It takes the wrong one of several.",
)
def least_greatest(source: Source) -> Iterator[Plant | None]:
    for call in source.all("call_expression"):
        function, owner = field(call, "function"), receiver(call)
        name = None if function is None else field(function, "property")
        if name is not None and owner is not None and source.code(owner) == "Math":
            other = {"min": "max", "max": "min"}.get(method(call))
            if other is not None:
                yield source.replace(name, other, f"{other} for {method(call)}")
