"""A fix out of a git repository: the tree before it, the tree after it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from harness.errors import UsageError
from harness.tasks.task import Tree, TreeFile
from harness.tasks.trees import IGNORED, read_folder

_SECONDS = 60
_SKIPPED = {*IGNORED, ".venv", "venv", ".tox", ".nox", "build", "dist", ".eggs"}


@dataclass(frozen=True)
class Fix:
    """before, after: trees of the project; name: short and fit for an id; message: of the commit
    (the last of a range)."""

    before: Tree
    after: Tree
    name: str
    message: str


@dataclass(frozen=True)
class Commit:
    """A commit that may be a fix: it changes code and tests."""

    name: str
    title: str


def is_git(folder: Path) -> bool:
    """Whether ``folder`` lies in a git work tree with a commit."""
    try:
        _git(folder, "rev-parse", "HEAD")
    except UsageError:
        return False
    return True


def fix_of(folder: Path, text: str) -> Fix:
    """The fix that ``text`` names: a commit (against its first parent), or a range ``A..B``. Raises
    UsageError."""
    if not is_git(folder):
        raise UsageError(
            "--fix names a commit, but this is no git repository",
            where=str(folder),
            remedy="give the defect as a patch instead: --defect FILE",
        )
    first, dots, last = text.partition("..")
    if dots:
        last = last.lstrip(".") or "HEAD"
        before, after = first or "HEAD", last
    else:
        before, after = f"{text}^", text
    old, new = _commit(folder, before, text), _commit(folder, after, text)
    if old == new:
        raise UsageError(f"--fix {text}: it is the same commit before and after")
    message = _git(folder, "log", "-1", "--format=%B", new).decode("utf-8", "replace").strip()
    return Fix(_tree(folder, old), _tree(folder, new), new[:7], message)


def recent_fixes(folder: Path, is_code: Callable[[str], bool], is_test: Callable[[str], bool],
                 *, count: int = 10, among: int = 300) -> list[Commit]:  # fmt: skip
    """Of the last ``among`` commits up to ``count`` that change both code and tests."""
    text = _git(
        folder, "log", f"-{among}", "--no-merges", "--name-only", "--relative", "-z",
        "--format=%x01%h%x02%s", "--", ".",
    ).decode("utf-8", "replace")  # fmt: skip
    found = []
    for part in text.split("\x01")[1:]:
        head, _, rest = part.partition("\0")
        name, _, title = head.partition("\x02")
        paths = [path.strip("\n") for path in rest.split("\0") if path.strip("\n")]
        if any(map(is_code, paths)) and any(map(is_test, paths)):
            found.append(Commit(name, title.strip()))
    return found[:count]


def working_tree(folder: Path) -> Tree:
    """The project as it lies there: in git what is tracked or could be, else all but what tools
    leave behind. Raises ConfigError, UsageError."""
    if not is_git(folder):
        tree = read_folder(folder)
        return {
            path: file
            for path, file in tree.items()
            if not _SKIPPED & set(path.split("/")) and ".egg-info/" not in path
        }
    listed = _git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".")
    tree = {}
    for name in sorted(set(listed.decode("utf-8", "surrogateescape").split("\0")) - {""}):
        path = folder / name
        if IGNORED & set(name.split("/")):
            continue
        if path.is_symlink():
            tree[name] = TreeFile(b"", 0o777, str(path.readlink()))
        elif path.is_file():
            mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
            tree[name] = TreeFile(path.read_bytes(), mode)
    return tree


def _commit(folder: Path, name: str, given: str) -> str:
    try:
        found = _git(
            folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
        )
    except UsageError:
        raise UsageError(
            f"--fix {given}: git knows no commit {name!r}",
            where=str(folder),
            remedy="see: git log --oneline",
        ) from None
    return found.decode().strip()


def _tree(folder: Path, commit: str) -> Tree:
    """The project's files at a commit, below the folder it lies in."""
    prefix = _git(folder, "rev-parse", "--show-prefix").decode().strip()
    listed = _git(folder, "ls-tree", "-r", "-z", "--full-tree", f"{commit}:{prefix}")
    rows = [row for row in listed.decode("utf-8", "surrogateescape").split("\0") if row]
    entries = []
    for row in rows:
        facts, _, path = row.partition("\t")
        mode, kind, blob = facts.split()
        if kind == "blob":
            entries.append((path, mode, blob))
    contents = _blobs(folder, [blob for _, _, blob in entries])
    tree: Tree = {}
    for (path, mode, _), content in zip(entries, contents, strict=True):
        if mode == "120000":
            tree[path] = TreeFile(b"", 0o777, content.decode("utf-8", "surrogateescape"))
        else:
            tree[path] = TreeFile(content, 0o755 if mode == "100755" else 0o644)
    return dict(sorted(tree.items()))


def _blobs(folder: Path, names: list[str]) -> list[bytes]:
    data = _git(folder, "cat-file", "--batch", text="".join(f"{name}\n" for name in names))
    found, at = [], 0
    for _ in names:
        end = data.index(b"\n", at)
        size = int(data[at:end].split()[-1])
        found.append(data[end + 1 : end + 1 + size])
        at = end + size + 2
    return found


def _git(folder: Path, *arguments: str, text: str = "") -> bytes:
    command = ["git", "-C", str(folder), "-c", "core.fsmonitor=false", *arguments]
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=_SECONDS, check=False
        )
    except FileNotFoundError:
        raise UsageError("git is not installed", remedy="install git") from None
    except subprocess.TimeoutExpired:
        raise UsageError(f"git took more than {_SECONDS} s", where=str(folder)) from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UsageError(f"git: {said[0] if said else 'failed'}", where=str(folder))
    return done.stdout
