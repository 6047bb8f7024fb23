"""The tree as an episode left it: taken exactly, compared with the start."""

from __future__ import annotations

import difflib
from typing import Literal

from harness.events.grading import ChangedFile, SnapshotTaken
from harness.grading.assemble import is_protected
from harness.grading.subject import Subject
from harness.tasks.task import Tree, TreeFile
from harness.tasks.trees import tree_digest

_Kind = Literal["added", "modified", "deleted", "mode", "link"]
DIFF_LIMIT = 1024 * 1024


def snapshot_event(subject: Subject, tree: Tree) -> SnapshotTaken:
    """Digest, changed files and unified diff of ``tree`` against the start."""
    diff = unified_diff(subject.start, tree)
    files = [file for path, file in tree.items() if not path.endswith("/")]
    return SnapshotTaken(
        digest=tree_digest(tree),
        files=len(files),
        bytes=sum(len(file.content) for file in files),
        changes=changed_files(subject, tree),
        diff=diff[:DIFF_LIMIT],
        diff_cut=len(diff) > DIFF_LIMIT,
    )


def changed_files(subject: Subject, tree: Tree) -> list[ChangedFile]:
    """Files (not folders) that differ, in order of path."""
    changes = []
    for path in sorted(subject.start.keys() | tree.keys()):
        old, new = subject.start.get(path), tree.get(path)
        if path.endswith("/") or old == new:
            continue
        before, after = _lines(old), _lines(new)
        kind = _kind(old, new)
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        codes = matcher.get_opcodes() if kind in ("modified", "added", "deleted") else []
        changes.append(
            ChangedFile(
                path=path,
                kind=kind,
                added_lines=sum(j2 - j1 for tag, _, _, j1, j2 in codes if tag != "equal"),
                removed_lines=sum(i2 - i1 for tag, i1, i2, _, _ in codes if tag != "equal"),
                protected=is_protected(path, subject),
            )
        )
    return changes


def unified_diff(start: Tree, tree: Tree) -> str:
    """A unified diff with ``a/`` and ``b/`` paths; binary files and links as one line each."""
    parts: list[str] = []
    for path in sorted(start.keys() | tree.keys()):
        old, new = start.get(path), tree.get(path)
        if path.endswith("/") or old == new:
            continue
        if _opaque(old) or _opaque(new):
            parts.append(f"Binary file or link {path}: {_kind(old, new)}\n")
            continue
        if old is not None and new is not None and old.mode != new.mode:
            parts.append(f"mode of {path}: {old.mode:o} -> {new.mode:o}\n")
        before, after = _lines(old), _lines(new)
        names = (f"a/{path}" if old else "/dev/null", f"b/{path}" if new else "/dev/null")
        for line in difflib.unified_diff(before, after, *names):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def _kind(old: TreeFile | None, new: TreeFile | None) -> _Kind:
    if old is None or new is None:
        return "added" if old is None else "deleted"
    if old.link != new.link:
        return "link"
    return "mode" if old.content == new.content else "modified"


def _opaque(file: TreeFile | None) -> bool:
    return file is not None and (file.link is not None or b"\0" in file.content)


def _lines(file: TreeFile | None) -> list[str]:
    """Lines split on LF only, ends kept; none for a binary file."""
    if file is None or _opaque(file):
        return []
    parts = file.content.decode("utf-8", "replace").split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
