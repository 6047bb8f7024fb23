"""What keeps a function from going on: guards, branches, early ends of loops."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.tasks.mutate.family import Family
from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.python.source import Source

FAMILY: Family[Source] = Family("python")
_BRACKETS: dict[type[cst.CSTNode], tuple[str, str]] = {
    cst.Tuple: ("(", ")"),
    cst.Set: ("{", "}"),
    cst.List: ("[", "]"),
}


@FAMILY.kind(
    "lost_refusal",
    "a check that refuses what is wrong is missing",
    "I should have been told that this makes no sense.",
    "In earlier versions this was refused.",
)
def lost_refusal(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.If):
        if _ends_in(node, cst.Raise) and node.orelse is None and not _is_elif(source, node):
            yield source.cut(node, "a refusal left out")


@FAMILY.kind(
    "lost_early_return",
    "a special case that ends a function early is missing",
    "The ordinary cases are fine, this one must be a special case that nobody thought of.",
)
def lost_early_return(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.If):
        if _ends_in(node, cst.Return) and node.orelse is None and not _is_elif(source, node):
            yield source.cut(node, "an early return left out")


@FAMILY.kind(
    "lost_skip",
    "a loop no longer passes over what does not concern it",
    "It takes things into account that have nothing to do with it.",
)
def lost_skip(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.If):
        skips = _ends_in(node, cst.Continue, cst.Break) and node.orelse is None
        if skips and not _is_elif(source, node):
            yield source.cut(node, "a skip left out")
    for comp in source.all(cst.CompFor):
        if len(comp.ifs) == 1 and comp.inner_for_in is None:
            start, _ = source.span(comp.iter)
            start += len(source.bare(comp.iter)) + _closing(comp.iter)
            _, end = source.span(comp.ifs[0])
            yield source.change(start, end, "", comp, "a filter left out")


@FAMILY.kind(
    "break_continue",
    "a loop goes on where it should stop, or stops where it should go on",
    "It looks as if it gives up too early, or does not know when to stop.",
)
def break_continue(source: Source) -> Iterator[Plant | None]:
    for node in source.nodes:
        if isinstance(node, cst.Break):
            yield source.replace(node, "continue", "break to continue")
        elif isinstance(node, cst.Continue):
            yield source.replace(node, "break", "continue to break")


@FAMILY.kind(
    "forgotten_branch",
    "one of several cases is not handled any more",
    "The other kinds work, it is just this one.",
    "Nothing of the sort happens with the neighbouring cases.",
)
def forgotten_branch(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.If):
        if _is_elif(source, node):
            start, end = source.lines(node)
            if isinstance(node.orelse, cst.If | cst.Else):
                end = source.lines(node.orelse)[0]
            yield source.change(start, end, "", node, "a branch left out")
    for match in source.all(cst.Match):
        for case in match.cases[:-1]:
            if len(match.cases) > 2:
                start, end = source.lines(case)
                yield source.change(start, end, "", case, "a case left out")


@FAMILY.kind(
    "forgotten_member",
    "one of the values that belong together is left out of a list of them",
    "With the other values it works.",
)
def forgotten_member(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.ComparisonTarget):
        if not isinstance(node.operator, cst.In | cst.NotIn):
            continue
        group = node.comparator
        if not isinstance(group, cst.Tuple | cst.Set | cst.List) or len(group.elements) < 2:
            continue
        texts = [source.code(element.value) for element in group.elements]
        opening, closing = _BRACKETS[type(group)]
        for index in range(len(texts)):
            rest = texts[:index] + texts[index + 1 :]
            comma = isinstance(group, cst.Tuple) and len(rest) == 1
            inner = ", ".join(rest) + ("," if comma else "")
            start, end = source.span(group)
            if isinstance(group, cst.Tuple) and group.lpar:
                text = inner  # the parentheses around it stay
            else:
                text = f"{opening}{inner}{closing}"
            yield source.change(start, end, text, node, f"without {texts[index]}")


@FAMILY.kind(
    "return_in_loop",
    "what is found is given back before all was looked at",
    "It only ever looks at the first one.",
)
def return_in_loop(source: Source) -> Iterator[Plant | None]:
    for loop in source.all(cst.For):
        block = source.parent(loop)
        if not isinstance(block, cst.IndentedBlock) or loop.orelse is not None:
            continue
        place = list(block.body).index(loop)
        after = list(block.body)[place + 1 :]
        if len(after) != 1 or not isinstance(after[0], cst.SimpleStatementLine):
            continue
        ending = after[0].body[0]
        if not isinstance(ending, cst.Return) or ending.value is None:
            continue
        start, end = source.lines(after[0])
        moved = source.text[start:end]
        pad = moved[: len(moved) - len(moved.lstrip(" "))]
        yield source.change(
            start, start + len(pad), pad + "    ", ending, "returned inside the loop"
        )


def _ends_in(node: cst.If, *kinds: type[cst.CSTNode]) -> bool:
    body = node.body.body
    if not body:
        return False
    last = body[-1]
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    return isinstance(last, kinds) and len(body) <= 2


def _is_elif(source: Source, node: cst.If) -> bool:
    parent = source.parent(node)
    return isinstance(parent, cst.If) and parent.orelse is node


def _closing(node: cst.BaseExpression) -> int:
    """Length of the parentheses that close after an expression."""
    return len(node.rpar)
