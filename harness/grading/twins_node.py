"""Finds what can be falsified in node test files: TypeScript parses them in a box of its own, that
holds nothing of a model's."""

from __future__ import annotations

import re
from typing import Any

from harness.errors import SandboxError
from harness.grading.subject import Subject
from harness.grading.twin_pairs import TwinSet
from harness.grading.twins import Edit, Literal, Site, TestFile, Unit
from harness.sandbox.protocol import Box, ChildSpec
from harness.tasks.task import Tree

_CLASS = re.compile(r"\bclass\s+(\w+)\s+extends\s+([\w.]+)")
_BUILTIN = ("TypeError", "RangeError", "SyntaxError", "ReferenceError")
_TEST = re.compile(r".*[.](test|spec)[.](ts|mts|js|mjs)")


def finder(subject: Subject) -> ChildSpec:
    """The program that finds the sites of a task's tests."""
    files = {
        path: file.content.decode("utf-8")
        for path, file in subject.hidden.items()
        if _TEST.fullmatch(path) and file.link is None
    }
    config = {"files": files, "classes": class_bases(subject.gold or subject.start)}
    return ChildSpec(program="run_find_twins", config=config, wall_s=60.0, cpu_s=60.0)


async def node_twins(subject: Subject, box: Box) -> TwinSet:
    """The twins of a TypeScript task. Raises SandboxError when the finder fails."""
    report = await box.run(finder(subject))
    return read_twins(subject, report.results, report.stderr)


def read_twins(subject: Subject, lines: list[dict[str, Any]], stderr: str) -> TwinSet:
    """The finder's lines as twins. Raises SandboxError when they are not complete."""
    if not lines or lines[-1].get("type") != "end":
        raise SandboxError(f"twins of {subject.id} could not be made: {stderr[-1000:]}")
    files = [_file(line) for line in lines if line.get("type") == "file"]
    classes = class_bases(subject.gold or subject.start)
    parents = {name: {base} for name, base in classes.items()}
    parents.update({name: {"Error"} for name in _BUILTIN})
    # ``Hierarchy.apart`` asks for a known root; in JavaScript that is Error.
    parents["Error"] = {"BaseException"}
    return TwinSet(subject.hidden, files, parents)


def class_bases(tree: Tree) -> dict[str, str]:
    """Class -> the class that it extends, over all TypeScript files of a tree."""
    found: dict[str, str] = {}
    for path, file in tree.items():
        if path.endswith((".ts", ".mts", ".js", ".mjs")):
            for name, base in _CLASS.findall(file.content.decode("utf-8", "replace")):
                found[name] = base
    return found


def _file(line: dict[str, Any]) -> TestFile:
    units = [
        Unit(tuple(unit["ids"]), [_site(site) for site in unit["sites"]]) for unit in line["units"]
    ]
    pool = [Literal(**literal) for literal in line["pool"]]
    return TestFile(line["path"], line["text"], units, pool, _BUILTIN)


def _site(site: dict[str, Any]) -> Site:
    value, flip = site["value"], site["flip"]
    return Site(
        None if value is None else Literal(**value),
        None if flip is None else Edit(**flip),
        bool(site["strong"]),
    )
