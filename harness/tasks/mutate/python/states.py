"""State: stale, shared, half updated, begun anew; names taken for one another; early closing."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from harness.tasks.mutate.family import Family
from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.python.source import Source, callee, plain

FAMILY: Family[Source] = Family("python")
_FORGETS = {"clear", "cache_clear", "invalidate", "discard", "remove", "pop", "popitem", "reset"}
_UNSEEN = _FORGETS | {"super", "__init__", "sort", "print"}
_COPIES = {"list", "dict", "set", "deepcopy", "copy"}


@FAMILY.kind(
    "stale_state",
    "what is no longer true is not forgotten",
    "It still shows what was true before; a fresh start helps.",
    "It seems to remember something that it should have forgotten.",
)
def stale_state(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.Expr):
        call = node.value
        if isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute):
            name = callee(call)
            if name in _FORGETS or name.startswith(("invalidate", "_invalidate", "forget")):
                yield source.cut(node, f"{name} not called")
    for deletion in source.all(cst.Del):
        yield source.cut(deletion, "not deleted")
    for assign in source.all(cst.Assign):
        if _on_an_object(assign.targets[0].target) and _blank(source, assign.value):
            function = source.function(assign)
            if function is not None and function.name.value != "__init__":
                yield source.cut(assign, "not emptied")


@FAMILY.kind(
    "lost_update",
    "one of two things that belong together is not brought up to date",
    "Two figures that should agree do not any more.",
    "One part of it happens, another does not.",
)
def lost_update(source: Source) -> Iterator[Plant | None]:
    for node in source.nodes:
        if isinstance(node, cst.Assign):
            target: cst.BaseExpression = node.targets[0].target
            if _blank(source, node.value):
                continue
        elif isinstance(node, cst.AugAssign):
            target = node.target
        else:
            continue
        function = source.function(node)
        if function is None or function.name.value == "__init__":
            continue
        if _on_an_object(target) or isinstance(node, cst.AugAssign):
            yield source.cut(node, "an update left out")
    for statement in source.all(cst.Expr):
        call = statement.value
        if isinstance(call, cst.Call) and callee(call) not in _UNSEEN:
            yield source.cut(statement, f"{callee(call)} not called")


@FAMILY.kind(
    "shared_value",
    "a copy is not made, so that two places change one thing",
    "A change in one place shows up in another that has nothing to do with it.",
)
def shared_value(source: Source) -> Iterator[Plant | None]:
    for call in source.all(cst.Call):
        name = callee(call)
        if name == "copy" and isinstance(call.func, cst.Attribute) and not call.args:
            yield source.replace(call, source.code(call.func.value), "not copied")
        elif name in _COPIES and len(call.args) == 1 and plain(call.args[0].value):
            yield source.replace(call, source.code(call.args[0].value), "not copied")
    for node in source.all(cst.Assign):
        value, target = node.value, node.targets[0].target
        if not isinstance(value, cst.BinaryOperation) or not isinstance(value.operator, cst.Add):
            continue
        if source.code(value.left) == source.code(target):  # x = x + y
            text = f"{source.code(target)} += {source.code(value.right)}"
            yield source.replace(node, text, "changed in place")


@FAMILY.kind(
    "begun_anew",
    "a sum or a list is begun anew for each entry",
    "It seems to count only the last one.",
    "What came before is lost.",
)
def begun_anew(source: Source) -> Iterator[Plant | None]:
    for loop in source.nodes:
        if not isinstance(loop, cst.For | cst.While):
            continue
        block = source.parent(loop)
        body = list(getattr(block, "body", ()))
        inner = loop.body
        if loop not in body or not isinstance(inner, cst.IndentedBlock) or not inner.body:
            continue
        for line in body[: body.index(loop)]:
            name = _begins(source, line)
            used = source.code(loop.body)
            if name is None or not re.search(rf"\b{name}\b", used):
                continue
            start, after = source.lines(line)
            stop = source.lines(inner.body[0])[0]
            first = source.text[start:after]
            moved = "".join("    " + each for each in first.splitlines(keepends=True))
            text = source.text[after:stop] + moved
            yield source.change(start, stop, text, loop, f"{name} begun inside the loop")


@FAMILY.kind(
    "wrong_name",
    "a name is taken for another one of the same kind",
    "It seems to take one thing for another.",
    "The value shown belongs to something else.",
)
def wrong_name(source: Source) -> Iterator[Plant | None]:
    for function in source.all(cst.FunctionDef):
        groups = _alike(source, function)
        for node in _inner(function.body):
            if not isinstance(node, cst.Name) or node.value not in groups:
                continue
            parent = source.parent(node)
            if isinstance(parent, cst.Attribute) and parent.attr is node:
                continue
            if isinstance(parent, cst.Arg) and parent.keyword is node:
                continue
            if isinstance(parent, cst.AssignTarget | cst.AugAssign | cst.Param | cst.NameItem):
                continue
            yield source.replace(node, groups[node.value], f"{groups[node.value]}")


@FAMILY.kind(
    "wrong_field",
    "one field of a thing is taken for another",
    "It seems to look at the wrong figure.",
    "The value shown is that of something else.",
)
def wrong_field(source: Source) -> Iterator[Plant | None]:
    twins = _twin_fields(source)
    for node in source.all(cst.Attribute):
        other = twins.get(node.attr.value)
        if other is None or isinstance(source.parent(node), cst.AssignTarget | cst.AugAssign):
            continue
        yield source.replace(node.attr, other, f"{other} for {node.attr.value}")


@FAMILY.kind(
    "early_close",
    "something is used after it was closed",
    "It complains about something that is closed already.",
)
def early_close(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.With):
        if not isinstance(node.body, cst.IndentedBlock) or len(node.body.body) < 2:
            continue
        last = node.body.body[-1]
        start, end = source.lines(last)
        text = source.text[start:end]
        if text.startswith("    "):
            moved = "".join(line.removeprefix("    ") for line in text.splitlines(keepends=True))
            yield source.change(start, end, moved, last, "after the end of the with block")


@FAMILY.kind(
    "double_entries",
    "what occurs twice is no longer taken once",
    "Some entries come twice.",
)
def double_entries(source: Source) -> Iterator[Plant | None]:
    for call in source.all(cst.Call):
        inner = call.args[0].value if len(call.args) == 1 else None
        if not isinstance(call.func, cst.Name) or not isinstance(inner, cst.Call):
            continue
        if callee(call) in ("sorted", "list", "tuple", "len", "sum") and inner.args:
            name = source.code(inner.func)
            if name in ("set", "frozenset", "dict.fromkeys") and len(inner.args) == 1:
                yield source.replace(inner, source.code(inner.args[0].value), "kept twice")
    for node in source.all(cst.If):
        test = node.test
        if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
            continue
        if isinstance(test.comparisons[0].operator, cst.NotIn) and node.orelse is None:
            first = node.body.body[0] if node.body.body else None
            if isinstance(first, cst.SimpleStatementLine) and _collects(first.body[0]):
                start, _ = source.lines(node)
                begin, end = source.lines(first)[0], source.lines(node)[1]
                lines = source.text[begin:end].splitlines(keepends=True)
                text = "".join(line.removeprefix("    ") for line in lines)
                yield source.change(start, end, text, node, "not looked whether it is there")


def _collects(node: cst.CSTNode) -> bool:
    """Whether a statement adds to a collection."""
    if isinstance(node, cst.Expr) and isinstance(node.value, cst.Call):
        return callee(node.value) in ("append", "add", "insert", "appendleft")
    return isinstance(node, cst.AugAssign)


def _on_an_object(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Attribute | cst.Subscript)


def _blank(source: Source, node: cst.BaseExpression) -> bool:
    return source.code(node) in ("None", "[]", "{}", "set()", '""', "0", "False", "True")


def _begins(source: Source, line: cst.CSTNode) -> str | None:
    """The name that a statement gives an empty list, an empty dict or zero to."""
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    node = line.body[0]
    target = node.target if isinstance(node, cst.AnnAssign) else None
    if isinstance(node, cst.Assign):
        target = node.targets[0].target
    value = node.value if isinstance(node, cst.Assign | cst.AnnAssign) else None
    if not isinstance(target, cst.Name) or value is None:
        return None
    blank = ("0", "[]", "{}", "set()", '""', "0.0")
    begins = source.code(value) in blank or source.code(value).startswith(("Decimal(", "Fraction("))
    return target.value if begins else None


def _alike(source: Source, function: cst.FunctionDef) -> dict[str, str]:
    """Parameters with the same annotation, each with its neighbour."""
    kinds: dict[str, list[str]] = {}
    for param in (*function.params.params, *function.params.kwonly_params):
        if param.annotation is not None:
            kind = source.code(param.annotation.annotation)
            kinds.setdefault(kind, []).append(param.name.value)
    return {
        name: names[(place + 1) % len(names)]
        for names in kinds.values()
        if len(names) > 1
        for place, name in enumerate(names)
    }


def _twin_fields(source: Source) -> dict[str, str]:
    """Fields of one class with the same annotation, each with its neighbour."""
    found: dict[str, str] = {}
    for group in source.all(cst.ClassDef):
        kinds: dict[str, list[str]] = {}
        for line in group.body.body:
            if isinstance(line, cst.SimpleStatementLine) and isinstance(
                line.body[0], cst.AnnAssign
            ):
                field = line.body[0]
                if isinstance(field.target, cst.Name):
                    kind = source.code(field.annotation.annotation)
                    kinds.setdefault(kind, []).append(field.target.value)
        for names in kinds.values():
            for place, name in enumerate(names):
                if len(names) > 1 and name not in ("id", "name"):
                    found.setdefault(name, names[(place + 1) % len(names)])
    return found


def _inner(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    for child in node.children:
        if not isinstance(child, cst.FunctionDef | cst.ClassDef | cst.Lambda | cst.Annotation):
            yield child
            yield from _inner(child)
