"""State and calls: stale, shared, half updated; arguments and names taken for one another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from harness.tasks.mutate.family import Family
from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.typescript.source import (
    Node,
    Source,
    above,
    arguments,
    field,
    method,
    plain,
    receiver,
)

FAMILY: Family[Source] = Family("typescript")
_FORGETS = {"delete", "clear", "reset", "invalidate", "forget"}
_UNSEEN = _FORGETS | {"sort", "reverse"}  # kinds of their own
_UPDATES = ("assignment_expression", "augmented_assignment_expression", "update_expression")
_BLANK = ("null", "undefined", "[]", "{}", "0", "''", "false", "new Map()", "new Set()")


@FAMILY.kind(
    "stale_state",
    "what is no longer true is not forgotten",
    "It still shows what was true before; a fresh start helps.",
    "It seems to remember something that it should have forgotten.",
)
def stale_state(source: Source) -> Iterator[Plant | None]:
    for statement in source.all("expression_statement"):
        inner = statement.named_children[0] if statement.named_children else None
        if inner is None:
            continue
        if inner.type == "call_expression" and method(inner) in _FORGETS:
            yield source.cut(statement, f"{method(inner)} not called")
        if inner.type == "unary_expression" and inner.children[0].type == "delete":
            yield source.cut(statement, "not deleted")
        if _sets_blank(source, inner) and _in_a_method(inner):
            yield source.cut(statement, "not emptied")


@FAMILY.kind(
    "lost_update",
    "one of two things that belong together is not brought up to date",
    "Two figures that should agree do not any more.",
    "One part of it happens, another does not.",
)
def lost_update(source: Source) -> Iterator[Plant | None]:
    for statement in source.all("expression_statement"):
        inner = statement.named_children[0] if statement.named_children else None
        if inner is None or not _in_a_method(inner):
            continue
        function = field(inner, "function")
        if inner.type == "call_expression" and function is not None:
            if function.type != "super" and method(inner) not in _UNSEEN:
                yield source.cut(statement, "a call left out")
            continue
        if inner.type not in _UPDATES or _sets_blank(source, inner):
            continue
        target = field(inner, "left") or field(inner, "argument")
        to_a_name = target is not None and target.type == "identifier"
        if inner.type != "assignment_expression" or not to_a_name:
            yield source.cut(statement, "an update left out")


@FAMILY.kind(
    "shared_value",
    "a copy is not made, so that two places change one thing",
    "A change in one place shows up in another that has nothing to do with it.",
)
def shared_value(source: Source) -> Iterator[Plant | None]:
    for node in source.all("array", "object"):
        parts = node.named_children
        if len(parts) == 1 and parts[0].type == "spread_element":
            inner = parts[0].named_children[0]
            if plain(inner):
                yield source.replace(node, source.code(inner), "not copied")
    for call in source.all("call_expression"):
        owner, given = receiver(call), arguments(call)
        if method(call) == "slice" and not given and owner is not None:
            yield source.replace(call, source.code(owner), "not copied")
        function = field(call, "function")
        if function is not None and source.code(function) == "structuredClone" and given:
            yield source.replace(call, source.code(given[0]), "not copied")


@FAMILY.kind(
    "double_entries",
    "what occurs twice is no longer taken once",
    "Some entries come twice.",
)
def double_entries(source: Source) -> Iterator[Plant | None]:
    for node in source.all("array"):
        parts = node.named_children
        if len(parts) != 1 or parts[0].type != "spread_element":
            continue
        inner = parts[0].named_children[0]
        name = field(inner, "constructor") if inner.type == "new_expression" else None
        if name is not None and source.code(name) == "Set" and len(arguments(inner)) == 1:
            yield source.replace(inner, source.code(arguments(inner)[0]), "kept twice")


@FAMILY.kind(
    "swapped_arguments",
    "two things are handed over in the wrong order",
    "It seems to take one thing for the other.",
)
def swapped_arguments(source: Source) -> Iterator[Plant | None]:
    for call in source.all("call_expression", "new_expression"):
        given = arguments(call)
        for one, two in pairwise(given):
            if plain(one) and plain(two) and source.code(one) != source.code(two):
                text = f"{source.code(two)}, {source.code(one)}"
                yield source.change(one.start_byte, two.end_byte, text, call, "swapped")


@FAMILY.kind(
    "lost_argument",
    "something that was said is not handed on",
    "It makes no difference whether I give that option or not.",
)
def lost_argument(source: Source) -> Iterator[Plant | None]:
    for call in source.all("call_expression"):
        given = arguments(call)
        function = field(call, "function")
        own = function is not None and function.type == "identifier"
        if len(given) >= 2 and (own or method(call) in ("padStart", "padEnd", "indexOf", "split")):
            yield source.change(
                given[-2].end_byte, given[-1].end_byte, "", call, "the last argument left out"
            )


@FAMILY.kind(
    "wrong_name",
    "a name is taken for another one of the same kind",
    "It seems to take one thing for another.",
    "The value shown belongs to something else.",
)
def wrong_name(source: Source) -> Iterator[Plant | None]:
    for node in source.all("function_declaration", "method_definition", "arrow_function"):
        body = field(node, "body")
        groups = _alike(source, node)
        if body is None or not groups:
            continue
        for name in _names(body):
            other = groups.get(source.code(name))
            if other is not None:
                yield source.replace(name, other, f"{other} for {source.code(name)}")


@FAMILY.kind(
    "missing_await",
    "something is not waited for",
    "Sometimes it is there and sometimes not, as if it went on too early.",
)
def missing_await(source: Source) -> Iterator[Plant | None]:
    for node in source.all("await_expression"):
        inner = node.named_children[0] if node.named_children else None
        if inner is not None:
            yield source.replace(node, source.code(inner), "not awaited")


@FAMILY.kind(
    "return_in_loop",
    "what is found is given back before all was looked at",
    "It only ever looks at the first one.",
)
def return_in_loop(source: Source) -> Iterator[Plant | None]:
    for loop in source.all("for_in_statement", "for_statement"):
        body, after = field(loop, "body"), loop.next_named_sibling
        if body is None or body.type != "statement_block" or after is None:
            continue
        if after.type != "return_statement" or not after.named_children:
            continue
        end = body.end_byte - 1
        text = f"{source.code(after)} }}"
        yield source.change(end, after.end_byte, text, after, "returned inside the loop")


def _sets_blank(source: Source, node: Node) -> bool:
    left, right = field(node, "left"), field(node, "right")
    if node.type != "assignment_expression" or left is None or right is None:
        return False
    return left.type == "member_expression" and source.code(right) in _BLANK


def _in_a_method(node: Node) -> bool:
    """Whether a statement is part of a function other than a constructor."""
    around = above(node, "method_definition", "function_declaration", "arrow_function")
    name = None if around is None else field(around, "name")
    return around is not None and (name is None or name.text != b"constructor")


def _alike(source: Source, function: Node) -> dict[str, str]:
    """Parameters with the same annotation, each with its neighbour."""
    kinds: dict[str, list[str]] = {}
    given = field(function, "parameters")
    for param in [] if given is None else given.named_children:
        name, kind = field(param, "pattern"), field(param, "type")
        if name is not None and kind is not None and name.type == "identifier":
            kinds.setdefault(source.code(kind), []).append(source.code(name))
    return {
        name: names[(place + 1) % len(names)]
        for names in kinds.values()
        if len(names) > 1
        for place, name in enumerate(names)
    }


def _names(node: Node) -> Iterator[Node]:
    """Names that are read below a node, outside of inner functions."""
    for child in node.named_children:
        if child.type == "identifier":
            parent = child.parent
            target = parent is not None and field(parent, "left") == child
            declared = parent is not None and parent.type in (
                "variable_declarator",
                "required_parameter",
            )
            if not target and not (
                declared and parent is not None and field(parent, "name") == child
            ):
                yield child
        elif child.type not in ("arrow_function", "function_expression", "type_annotation"):
            yield from _names(child)
