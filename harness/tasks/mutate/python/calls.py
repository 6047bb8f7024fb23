"""Calls: arguments swapped or forgotten, defaults, the wrong one of two functions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import libcst as cst

from harness.tasks.mutate.family import Family
from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.python.source import Source, callee, integer, plain, positional

FAMILY: Family[Source] = Family("python")
# Keywords that say how a thing is shown or wired rather than what comes out.
_DULL = {"default_factory", "frozen", "slots", "kw_only", "repr", "compare", "encoding", "file"}
_ORDERING = {"key", "reverse"}  # a family of their own


@FAMILY.kind(
    "swapped_arguments",
    "two arguments are handed over in the wrong order",
    "It looks as if two things were taken for one another.",
    "The two sides seem to be mixed up.",
)
def swapped_arguments(source: Source) -> Iterator[Plant | None]:
    for call in source.all(cst.Call):
        for one, two in itertools.pairwise(call.args):
            if one.keyword or two.keyword or one.star or two.star:
                continue
            if not (plain(one.value) and plain(two.value)):
                continue
            start, _ = source.span(one.value)
            _, end = source.span(two.value)
            text = f"{source.code(two.value)}, {source.code(one.value)}"
            yield source.change(start, end, text, call, "two arguments swapped")


@FAMILY.kind(
    "lost_argument",
    "an argument is not passed on, so the default takes its place",
    "The setting that I give does not seem to be looked at.",
    "It behaves as if I had not asked for anything special.",
)
def lost_argument(source: Source) -> Iterator[Plant | None]:
    for call in source.all(cst.Call):
        for arg in call.args:
            if arg.keyword is None or arg.keyword.value in _DULL | _ORDERING:
                continue
            yield _without(source, call, arg, f"without {arg.keyword.value}")


@FAMILY.kind(
    "wrong_default",
    "something that is left out is taken for another value",
    "It only happens when I leave the setting out; where I spell it out all is well.",
)
def wrong_default(source: Source) -> Iterator[Plant | None]:
    for param in source.all(cst.Param):
        if param.default is not None:
            yield _other_value(source, param.default, "the default of a parameter")
    for node in source.all(cst.AnnAssign):
        around = source.above(node, cst.ClassDef, cst.FunctionDef)
        if node.value is not None and isinstance(around, cst.ClassDef):
            yield _other_value(source, node.value, "the default of a field")


@FAMILY.kind(
    "get_default",
    "what is not there is taken for another value",
    "It concerns what nothing is known of yet, the rest is as it should be.",
)
def get_default(source: Source) -> Iterator[Plant | None]:
    for call in source.all(cst.Call):
        if callee(call) not in ("get", "pop", "setdefault", "getattr", "next", "min", "max"):
            continue
        if isinstance(call.func, cst.Attribute) and len(call.args) == 2:
            yield _other_value(source, call.args[1].value, "the default of a look-up")


@FAMILY.kind(
    "least_greatest",
    "the smallest is taken where the largest is meant, or the other way round",
    "It picks the wrong one of several.",
)
def least_greatest(source: Source) -> Iterator[Plant | None]:
    swap = {"min": "max", "max": "min"}
    for call in source.all(cst.Call):
        if isinstance(call.func, cst.Name) and callee(call) in swap:
            yield source.replace(call.func, swap[callee(call)], swap[callee(call)])


@FAMILY.kind(
    "lost_limit",
    "a value is not kept within its limit any more",
    "The figures go further than they can go.",
)
def lost_limit(source: Source) -> Iterator[Plant | None]:
    for call in source.all(cst.Call):
        arguments = positional(call) or []
        if callee(call) in ("min", "max") and len(arguments) == 2:
            for arg in arguments:
                yield source.replace(call, source.code(arg.value), "a limit left out")


@FAMILY.kind(
    "missing_await",
    "the result of something that takes time is not waited for",
    "It seems not to wait for what it has started.",
)
def missing_await(source: Source) -> Iterator[Plant | None]:
    for node in source.all(cst.Await):
        yield source.replace(node, source.code(node.expression), "await left out")


def _without(source: Source, call: cst.Call, arg: cst.Arg, note: str) -> Plant:
    """The call without one of its arguments, the others as they stand."""
    rest = [each for each in call.args if each is not arg]
    inner = ", ".join(
        each.star
        + (f"{each.keyword.value}=" if each.keyword is not None else "")
        + source.code(each.value)
        for each in rest
    )
    if any("\n" in source.code(each.value) for each in rest):
        inner = f"\n{inner}\n"
    return source.replace(call, f"{source.code(call.func)}({inner})", note)


def _other_value(source: Source, node: cst.BaseExpression, note: str) -> Plant | None:
    value = integer(node)
    if value is not None:
        return source.replace(node, str(1 if value == 0 else value - 1), note)
    if isinstance(node, cst.Name) and node.value in ("True", "False"):
        return source.replace(node, str(node.value == "False"), note)
    if isinstance(node, cst.SimpleString) and source.bare(node) in ("''", '""'):
        return None
    if isinstance(node, cst.SimpleString):
        return _other_word(source, node, note)
    return None


def _other_word(source: Source, node: cst.SimpleString, note: str) -> Plant | None:
    """Another word of the same list of words: the file's ``KINDS`` for a default kind."""
    for group in source.all(cst.Tuple):
        words = [
            source.bare(element.value)
            for element in group.elements
            if isinstance(element.value, cst.SimpleString)
        ]
        if len(words) == len(group.elements) > 1 and source.bare(node) in words:
            place = words.index(source.bare(node))
            return source.replace(node, words[(place + 1) % len(words)], note)
    return None
