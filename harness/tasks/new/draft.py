"""Dividing a project into gold, starting tree and hidden tests."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from harness.errors import ConfigError, UsageError
from harness.tasks.new.history import Fix
from harness.tasks.new.project import Project
from harness.tasks.patch import apply_patch, parse_patch
from harness.tasks.task import Tree, TreeFile

_HEADS = re.compile(r"^((?:diff |index |--- |\+\+\+ |@@ ).*)\r$", re.MULTILINE)


@dataclass(frozen=True)
class Draft:
    """gold, start: trees as the model sees them (tests in them are the visible ones); hidden: path
    below the tests' folder -> file; changed: files that make the defect; notes: what was left as it
    is, for the person."""

    project: Project
    gold: Tree
    start: Tree
    hidden: Tree
    changed: tuple[str, ...]
    notes: tuple[str, ...] = field(default=())

    def without(self, dropped: Collection[str]) -> Draft:
        """The draft less files of tests that cannot be loaded."""
        gold = {path: file for path, file in self.gold.items() if path not in dropped}
        start = {path: file for path, file in self.start.items() if path not in dropped}
        return replace(self, gold=gold, start=start)

    @property
    def visible(self) -> list[str]:
        """Tests that the model can read."""
        return [path for path in self.gold if self.project.is_test(path)]


def from_fix(project: Project, fix: Fix) -> Draft:
    """The starting tree is the one before the fix; gold is that with the fix's code; the hidden
    tests are those after the fix, and the model sees the tests from before it.

    Documents and packaging stay as they were before: a change log would tell of the fix. Raises
    UsageError when no code was changed.
    """
    notes: list[str] = []
    gold, changed = dict(fix.before), []
    for path in sorted(fix.before.keys() | fix.after.keys()):
        old, new = fix.before.get(path), fix.after.get(path)
        if old == new or path.endswith("/") or not project.is_code(path):
            continue
        if new is None:
            notes.append(f"{path}: deleted by the fix, stays (a task cannot ask for that)")
        elif new.link is not None or not _is_text(new) or (old is not None and not _is_text(old)):
            notes.append(f"{path}: no UTF-8 text, stays as it was before the fix")
        elif old is not None and old.link is not None:
            notes.append(f"{path}: was a link, stays one")
        elif old is None or old.content != new.content:
            gold[path] = new if old is None else type(old)(new.content, old.mode)
            changed.append(path)
    if not changed:
        what = f"; {'; '.join(notes[:4])}" if notes else ": only tests, documents or packaging"
        raise UsageError(
            f"the fix {fix.name} changes no code that a task can ask for{what}",
            remedy="name another commit with --fix",
        )
    hidden = _hidden(project, fix.after)
    if hidden == _hidden(project, fix.before):
        notes.append("the fix changes no test: what decides has to be in the tests already")
    return Draft(
        project, dict(sorted(gold.items())), fix.before, hidden, tuple(changed), tuple(notes)
    )


def from_patch(project: Project, tree: Tree, patch: str, where: str, visible: Tree) -> Draft:
    """Gold is the project as it is, without its tests but for those in ``visible``; ``patch``
    plants the defect. Raises ConfigError for a patch that does not apply, UsageError."""
    hidden = _hidden(project, tree)
    gold = {path: file for path, file in tree.items() if not project.is_test(path)} | visible
    gold = dict(sorted(gold.items()))
    touched = [path for file in parse_patch(patch, where) if project.is_test(path := file.path)]
    if touched:
        raise UsageError(
            f"the patch changes a test, and tests are hidden: {touched[0]}",
            where=where,
            remedy="leave only the code in it",
        )
    start = _planted(gold, patch, where)
    changed = sorted(p for p in gold.keys() | start.keys() if gold.get(p) != start.get(p))
    return Draft(project, gold, start, hidden, tuple(changed))


def _is_text(file: TreeFile) -> bool:
    """Whether a patch can hold the file."""
    try:
        return "\0" not in file.content.decode("utf-8")
    except UnicodeDecodeError:
        return False


def _planted(gold: Tree, patch: str, where: str) -> Tree:
    """``gold`` with the patch: as it is, else with plain ends of its head lines (the project's own
    lines end in CRLF), else of all. Raises ConfigError saying what was wrong with it as it is."""
    tries = [patch, _HEADS.sub(r"\1", patch), patch.replace("\r\n", "\n")]
    first: ConfigError | None = None
    for text in dict.fromkeys(tries):
        try:
            return apply_patch(gold, text, where)
        except ConfigError as error:
            first = first or error
    assert first is not None
    raise first


def _hidden(project: Project, tree: Tree) -> Tree:
    prefix = f"{project.folder}/" if project.folder else ""
    return {
        path.removeprefix(prefix): file
        for path, file in tree.items()
        if project.is_test(path) and not path.endswith("/")
    }
