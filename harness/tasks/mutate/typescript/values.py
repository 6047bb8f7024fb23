"""Values: arithmetic, units, rounding, texts, order, defaults, errors, names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.tasks.mutate.family import Family
from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.typescript.source import (
    Node,
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
# Factors between units that get mixed up: hours for minutes, cents for tenths of them, ...
_UNITS = {60: "3600", 3600: "60", 24: "60", 1000: "100", 100: "1000", 7: "5", 12: "10", 365: "360"}
_ROUND = {"floor": "ceil", "ceil": "floor", "round": "floor", "trunc": "round"}
_TIDY = {
    *("trim", "trimEnd", "trimStart", "toLowerCase", "toUpperCase", "normalize"),
    *("padStart", "padEnd", "toLocaleLowerCase"),
}
_OTHER = {
    "startsWith": "includes",
    "endsWith": "includes",
    "padStart": "padEnd",
    "padEnd": "padStart",
    "trimStart": "trimEnd",
    "trimEnd": "trimStart",
    "replaceAll": "replace",
}
_TEXT = {"string", "template_string", "array", "object"}


@FAMILY.kind(
    "wrong_sign",
    "something is added that should be subtracted, or the other way round",
    "The figure moves in the wrong direction.",
)
def wrong_sign(source: Source) -> Iterator[Plant | None]:
    for node in source.all("binary_expression"):
        sign = field(node, "operator")
        if sign is None or sign.type not in ("+", "-") or _about_text(node):
            continue
        if number(field(node, "right")) != 1:
            yield source.replace(sign, "-" if sign.type == "+" else "+", "another sign")
    for node in source.all("augmented_assignment_expression"):
        sign, right = field(node, "operator"), field(node, "right")
        if sign is None or right is None or right.type in _TEXT:
            continue
        if sign.type in ("+=", "-="):
            yield source.replace(sign, "-=" if sign.type == "+=" else "+=", "another sign")


@FAMILY.kind(
    "lost_factor",
    "a factor between two units is left out",
    "It looks like a mix-up of units to me.",
    "The figures are too small or too large by a factor.",
)
def lost_factor(source: Source) -> Iterator[Plant | None]:
    for node in source.all("binary_expression"):
        left, right = field(node, "left"), field(node, "right")
        if left is None or right is None:
            continue
        if operator(node) == "*":
            for side, other in ((left, right), (right, left)):
                if side.type != "number":
                    yield source.replace(node, source.code(side), f"without {source.code(other)}")
        elif operator(node) == "/":
            yield source.replace(node, source.code(left), "not divided")


@FAMILY.kind(
    "wrong_unit",
    "a number stands for another unit than the one that is meant",
    "It looks like a mix-up of units to me.",
)
def wrong_unit(source: Source) -> Iterator[Plant | None]:
    for node in source.all("number"):
        text = _UNITS.get(number(node) or 0)
        if text is not None and node.parent is not None and node.parent.type == "binary_expression":
            yield source.replace(node, text, f"{text} for {source.code(node)}")


@FAMILY.kind(
    "rounding",
    "a figure is rounded by another rule",
    "It is about the last digit, and only in some cases.",
)
def rounding(source: Source) -> Iterator[Plant | None]:
    for call in source.all("call_expression"):
        function, owner = field(call, "function"), receiver(call)
        name = None if function is None else field(function, "property")
        other = _ROUND.get(method(call))
        if name is not None and other and owner is not None and source.code(owner) == "Math":
            yield source.replace(name, other, f"{other} for {method(call)}")
            yield source.replace(call, source.code(arguments(call)[0]), "not rounded")


@FAMILY.kind(
    "swapped_operands",
    "two sides of a subtraction or division are the wrong way round",
    "It comes out the wrong way round.",
)
def swapped_operands(source: Source) -> Iterator[Plant | None]:
    for node in source.all("binary_expression"):
        left, right = field(node, "left"), field(node, "right")
        if operator(node) not in ("-", "/", "%") or left is None or right is None:
            continue
        arrow = above(node, "arrow_function")
        if plain(left) and plain(right) and (arrow is None or field(arrow, "body") != node):
            text = f"{source.code(right)} {operator(node)} {source.code(left)}"
            yield source.replace(node, text, "two sides swapped")


@FAMILY.kind(
    "untidy_text",
    "a text is compared or kept as it came, with its spaces or its case",
    "With exactly the same spelling it works.",
)
def untidy_text(source: Source) -> Iterator[Plant | None]:
    for call in source.all("call_expression"):
        owner = receiver(call)
        if method(call) in _TIDY and owner is not None:
            yield source.replace(call, source.code(owner), f"without {method(call)}")


@FAMILY.kind(
    "other_part_of_text",
    "a text is searched, replaced or filled up at the wrong place",
    "It concerns texts in which the same thing occurs elsewhere, too.",
)
def other_part_of_text(source: Source) -> Iterator[Plant | None]:
    for call in source.all("call_expression"):
        function = field(call, "function")
        name = None if function is None else field(function, "property")
        other = _OTHER.get(method(call))
        if name is not None and other is not None:
            yield source.replace(name, other, f"{other} for {method(call)}")


@FAMILY.kind(
    "pattern_flags",
    "a pattern no longer looks everywhere, or minds the case of letters",
    "It finds only some of what it should find.",
)
def pattern_flags(source: Source) -> Iterator[Plant | None]:
    for node in source.all("regex"):
        flags = field(node, "flags")
        for flag in "gi" if flags is not None else "":
            if flags is not None and flag in source.code(flags):
                rest = source.code(flags).replace(flag, "")
                yield source.replace(flags, rest, f"without {flag}")


@FAMILY.kind(
    "unsorted",
    "a list is no longer put into order",
    "The order depends on how things happened to be entered.",
)
def unsorted(source: Source) -> Iterator[Plant | None]:
    for call in source.all("call_expression"):
        owner = receiver(call)
        if method(call) not in ("sort", "toSorted") or owner is None:
            continue
        if call.parent is not None and call.parent.type == "expression_statement":
            yield source.cut(call.parent, "not sorted")
        else:
            yield source.replace(call, source.code(owner), "not sorted")


@FAMILY.kind(
    "reversed_order",
    "a list is sorted the wrong way round",
    "The list seems to be upside down.",
)
def reversed_order(source: Source) -> Iterator[Plant | None]:
    for call in source.all("call_expression"):
        owner = receiver(call)
        alone = call.parent is not None and call.parent.type == "expression_statement"
        if method(call) in ("reverse", "toReversed") and owner is not None and not alone:
            yield source.replace(call, source.code(owner), "not reversed")
    for body in _comparisons(source):
        for node in _terms(body):
            left, right = field(node, "left"), field(node, "right")
            if operator(node) == "-" and left is not None and right is not None:
                text = f"{source.code(right)} - {source.code(left)}"
                yield source.replace(node, text, "an order reversed")


@FAMILY.kind(
    "unsettled_ties",
    "what is equal by the first measure is left in any order",
    "Where two entries are level the order is not what it should be.",
)
def unsettled_ties(source: Source) -> Iterator[Plant | None]:
    for body in _comparisons(source):
        left, right = field(body, "left"), field(body, "right")
        if operator(body) == "||" and left is not None and right is not None:
            yield source.replace(body, source.code(left), "without the last measure")
            yield source.replace(body, source.code(right), "by the last measure alone")


@FAMILY.kind(
    "wrong_default",
    "what is taken when nothing is said is another value",
    "As soon as I say it explicitly it is right.",
)
def wrong_default(source: Source) -> Iterator[Plant | None]:
    defaults = [field(node, "value") for node in source.all("required_parameter")]
    defaults += [
        field(n, "right") for n in source.all("assignment_pattern", "object_assignment_pattern")
    ]
    defaults += [
        field(node, "right") for node in source.all("binary_expression") if operator(node) == "??"
    ]
    for value in defaults:
        if value is None:
            continue
        found = number(value)
        if found is not None:
            yield source.replace(value, str(found + 1 if found < 2 else found - 1), "a default")
        elif value.type in ("true", "false"):
            yield source.replace(value, "false" if value.type == "true" else "true", "a default")


@FAMILY.kind(
    "wrong_error",
    "something is refused with another kind of error than the one that is promised",
    "Our code that catches it does not any more.",
)
def wrong_error(source: Source) -> Iterator[Plant | None]:
    names = re.findall(r"new (\w*Error)\(", source.text)
    known = list(dict.fromkeys(names))
    for node in source.all("throw_statement"):
        made = next((n for n in node.named_children if n.type == "new_expression"), None)
        name = None if made is None else field(made, "constructor")
        if name is None or source.code(name) not in known or len(known) < 2:
            continue
        other = known[(known.index(source.code(name)) + 1) % len(known)]
        yield source.replace(name, other, f"{other} for {source.code(name)}")


def _about_text(node: Node) -> bool:
    """Whether a sum joins texts: a text is written in it or in the sum around it."""
    around: Node | None = node
    while around is not None and around.type == "binary_expression":
        if any(child.type in _TEXT for child in around.named_children):
            return True
        around = around.parent
    left = field(node, "left")
    return left is not None and left.type == "binary_expression" and _about_text_below(left)


def _about_text_below(node: Node) -> bool:
    return any(
        child.type in _TEXT or (child.type == "binary_expression" and _about_text_below(child))
        for child in node.named_children
    )


def _comparisons(source: Source) -> Iterator[Node]:
    """What functions give back that ``sort`` is told to compare by."""
    for call in source.all("call_expression"):
        if method(call) in ("sort", "toSorted"):
            for given in arguments(call):
                body = field(given, "body") if given.type == "arrow_function" else None
                if body is not None and body.type == "binary_expression":
                    yield body


def _terms(body: Node) -> Iterator[Node]:
    if operator(body) == "||":
        for name in ("left", "right"):
            side = field(body, name)
            if side is not None:
                yield from _terms(side)
    else:
        yield body
