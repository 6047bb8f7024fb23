"""The tree to grade: pristine start, the agent's changes except under protected paths, hidden
tests. What is protected is restored, not merely refused."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from harness.grading.globs import matches
from harness.grading.subject import Subject
from harness.tasks.task import Tree

# Whatever steers an interpreter or a test runner from within a tree. pyproject.toml is left to
# each repository's own list: our runs never read it, and a task may ask to change it.
BUILT_IN = (
    "**/conftest.py",
    "**/sitecustomize.py",
    "**/usercustomize.py",
    "**/*.pth",
    "**/*.dist-info",
    "**/*.egg-info",
    "**/__pycache__",
    "pytest.ini",
    ".pytest.ini",
    "tox.ini",
    "setup.cfg",
    "**/node_modules",
    "**/package.json",
    "**/tsconfig.json",
)


@dataclass(frozen=True)
class Assembled:
    """The tree to grade; ``ignored``: protected paths that the agent had changed; ``refused``:
    links that lead out of the tree."""

    tree: Tree
    ignored: tuple[str, ...]
    refused: tuple[str, ...]


def is_protected(path: str, subject: Subject) -> bool:
    """Whether the agent's changes to ``path`` are not graded."""
    tests = subject.tests.folder.strip("/")
    return matches(path, (*BUILT_IN, *subject.protected, f"{tests}/**"))


def assemble(subject: Subject, tree: Tree, hidden: Tree) -> Assembled:
    """Build the tree to grade from the agent's ``tree`` and the ``hidden`` tests (a true or a
    half falsified form)."""
    fixed = {p: f for p, f in subject.start.items() if is_protected(p, subject)}
    fixed.update(hidden)
    needed = {folder for path in fixed for folder in _above(path)}
    result: Tree = {}
    ignored: list[str] = []
    refused: list[str] = []
    for path, file in tree.items():
        if is_protected(path, subject) or (path.rstrip("/") in needed and not path.endswith("/")):
            if subject.start.get(path) != file and not path.endswith("/"):
                ignored.append(path)
        elif file.link is not None and leads_out(path, file.link):
            refused.append(path)
        else:
            result[path] = file
    ignored += [p for p in subject.start if is_protected(p, subject) and p not in tree]
    result.update(fixed)
    return Assembled(dict(sorted(result.items())), tuple(sorted(ignored)), tuple(refused))


def leads_out(path: str, target: str) -> bool:
    """Whether a link at ``path`` points outside of the tree, by its text."""
    if target.startswith("/"):
        return True
    resolved = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    return resolved == ".." or resolved.startswith("../")


def _above(path: str) -> list[str]:
    parts = path.rstrip("/").split("/")
    return ["/".join(parts[:i]) for i in range(1, len(parts))]
