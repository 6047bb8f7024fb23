"""What keeps a function from going on: guards, branches, early ends of loops, conditions."""

from __future__ import annotations

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
    operator,
    plain,
    receiver,
)

FAMILY: Family[Source] = Family("typescript")
_CONDITIONS = ("if_statement", "while_statement", "ternary_expression", "return_statement")


@FAMILY.kind(
    "lost_refusal",
    "a check that refuses what is wrong is missing",
    "I should have been told that this makes no sense.",
    "In earlier versions this was refused.",
)
def lost_refusal(source: Source) -> Iterator[Plant | None]:
    yield from _guards(source, "throw_statement", "a refusal left out")


@FAMILY.kind(
    "lost_early_return",
    "a special case that ends a function early is missing",
    "The ordinary cases are fine, this one must be a special case that nobody thought of.",
)
def lost_early_return(source: Source) -> Iterator[Plant | None]:
    yield from _guards(source, "return_statement", "an early return left out")


@FAMILY.kind(
    "lost_skip",
    "a loop no longer passes over what does not concern it",
    "It takes things into account that have nothing to do with it.",
)
def lost_skip(source: Source) -> Iterator[Plant | None]:
    for kind in ("continue_statement", "break_statement"):
        yield from _guards(source, kind, "a skip left out")
    for call in source.all("call_expression"):
        owner = receiver(call)
        if method(call) == "filter" and owner is not None and len(arguments(call)) == 1:
            yield source.replace(call, source.code(owner), "a filter left out")


@FAMILY.kind(
    "break_continue",
    "a loop goes on where it should stop, or stops where it should go on",
    "It looks as if it gives up too early, or does not know when to stop.",
)
def break_continue(source: Source) -> Iterator[Plant | None]:
    for node in source.all("break_statement", "continue_statement"):
        around = above(node, "switch_case", "switch_default", "for_statement", "for_in_statement",
                       "while_statement", "do_statement")  # fmt: skip
        if around is None or around.type.startswith("switch") or field(node, "label") is not None:
            continue
        word = "continue" if node.type == "break_statement" else "break"
        yield source.replace(node.children[0], word, f"{word} instead")


@FAMILY.kind(
    "forgotten_branch",
    "one of several cases is not handled any more",
    "The other kinds work, it is just this one.",
    "Nothing of the sort happens with the neighbouring cases.",
)
def forgotten_branch(source: Source) -> Iterator[Plant | None]:
    for clause in source.all("else_clause"):
        inner = next((n for n in clause.named_children if n.type == "if_statement"), None)
        if inner is None:
            continue
        rest = field(inner, "alternative")
        text = "" if rest is None else source.code(rest)
        start = clause.start_byte
        if not text:
            start = _space_before(source, clause)
        yield source.change(start, clause.end_byte, text, clause, "a branch left out")
    for body in source.all("switch_body"):
        cases = [case for case in body.named_children if case.type == "switch_case"]
        for case in cases:
            # one that falls through would hand its values to the next
            if len(cases) > 2 and any(n.type != "comment" for n in case.named_children[1:]):
                yield source.change(
                    _space_before(source, case), case.end_byte, "", case, "a case left out"
                )


@FAMILY.kind(
    "forgotten_member",
    "one of the values that belong together is left out of a list of them",
    "With the other values it works.",
)
def forgotten_member(source: Source) -> Iterator[Plant | None]:
    for group in source.all("array"):
        call = group.parent and group.parent.parent
        members = [n for n in group.named_children if n.type in ("string", "number")]
        named = call is not None and call.type == "call_expression" and method(call) == "includes"
        made = call is not None and call.type == "new_expression"
        if not (named or made) or len(members) < 2 or len(members) != len(group.named_children):
            continue
        texts = [source.code(member) for member in members]
        for place, text in enumerate(texts):
            rest = ", ".join(texts[:place] + texts[place + 1 :])
            yield source.replace(group, f"[{rest}]", f"without {text}")


@FAMILY.kind(
    "and_or",
    "two conditions are joined the wrong way",
    "It seems to mix up cases that should be treated differently.",
)
def and_or(source: Source) -> Iterator[Plant | None]:
    for node in _joined(source):
        sides = [field(node, "left"), field(node, "right")]
        parent = node.parent
        if any(side is not None and operator(side) in ("&&", "||", "??") for side in sides):
            continue  # a second operator would need other parentheses
        if parent is not None and operator(parent) in ("&&", "||", "??"):
            continue
        sign = field(node, "operator")
        if sign is not None:
            other = "||" if sign.type == "&&" else "&&"
            yield source.replace(sign, other, f"{other} for {sign.type}")


@FAMILY.kind(
    "half_condition",
    "one of the conditions that must hold is forgotten",
    "I believe that not everything that matters is looked at.",
)
def half_condition(source: Source) -> Iterator[Plant | None]:
    for node in _joined(source):
        left, right = field(node, "left"), field(node, "right")
        if left is not None and right is not None:
            yield source.replace(node, source.code(left), f"without {source.code(right)}")
            yield source.replace(node, source.code(right), f"without {source.code(left)}")


@FAMILY.kind("lost_not", "a condition is the opposite of what is meant")
def lost_not(source: Source) -> Iterator[Plant | None]:
    for node in source.all("unary_expression"):
        inner = field(node, "argument")
        if operator(node) == "!" and inner is not None:
            outer = node.parent
            if outer is not None and outer.type == "parenthesized_expression":
                continue  # the whole condition turned round shows at once
            yield source.replace(node, source.code(inner), "not left out")


@FAMILY.kind(
    "empty_is_none",
    "zero or empty is taken for missing",
    "It goes wrong when a value is zero or empty, which is something else than none at all.",
)
def empty_is_none(source: Source) -> Iterator[Plant | None]:
    for node in source.all("binary_expression"):
        sign, left, right = field(node, "operator"), field(node, "left"), field(node, "right")
        if sign is None or left is None or right is None:
            continue
        if sign.type == "??" and not _mixed(node):
            yield source.replace(sign, "||", "|| for ??")
        missing = source.code(right) in ("undefined", "null")
        if sign.type in ("===", "!==") and missing and plain(left):
            text = f"!{source.code(left)}"
            text = text if sign.type == "===" else f"!{text}"
            yield source.replace(node, text, "empty as none")


@FAMILY.kind("any_all", "one is enough where all are needed, or the other way round")
def any_all(source: Source) -> Iterator[Plant | None]:
    for call in source.all("call_expression"):
        function = field(call, "function")
        name = None if function is None else field(function, "property")
        other = {"some": "every", "every": "some"}.get(method(call))
        if other is not None and name is not None:
            yield source.replace(name, other, f"{other} for {method(call)}")


def _guards(source: Source, kind: str, note: str) -> Iterator[Plant | None]:
    """``if`` without ``else`` that does hardly more than end something."""
    for node in source.all("if_statement"):
        body = field(node, "consequence")
        if body is None or field(node, "alternative") is not None:
            continue
        inner = body.named_children if body.type == "statement_block" else [body]
        if inner and inner[-1].type == kind and len(inner) <= 2:
            yield source.cut(node, note)


def _joined(source: Source) -> Iterator[Node]:
    """Binary ``&&`` and ``||`` whose truth decides or is given back."""
    for node in source.all("binary_expression"):
        if operator(node) in ("&&", "||"):
            around: Node | None = node.parent
            while around is not None and around.type in (
                "binary_expression", "parenthesized_expression", "unary_expression",
            ):  # fmt: skip
                around = around.parent
            if around is not None and around.type in (*_CONDITIONS, "arrow_function"):
                yield node


def _mixed(node: Node) -> bool:
    """Whether ``??`` stands beside ``&&`` or ``||``, which cannot be mixed freely."""
    around = [node.parent, field(node, "left"), field(node, "right")]
    return any(each is not None and operator(each) in ("&&", "||", "??") for each in around)


def _space_before(source: Source, node: Node) -> int:
    """Where the white space before a node begins."""
    before = source.text.encode()[: node.start_byte]
    return len(before.rstrip())
