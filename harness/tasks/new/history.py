"""A fix out of a git repository: the tree before it, the tree after it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from harness.errors import UsageError
from harness.tasks.task import Tree, TreeFile
from harness.tasks.trees import IGNORED, read_folder
from tools.box.files import TREE_LIMIT

_SECONDS = 60
_UNTRUSTED = "dubious ownership"
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
    """Whether ``folder`` lies in a git work tree with a commit. Raises UsageError where git does
    not trust the folder's owner."""
    try:
        _git(folder, "rev-parse", "HEAD")
    except UsageError as error:
        if _UNTRUSTED in error.what:
            raise
        return False
    return True


def fix_of(folder: Path, text: str) -> Fix:
    """The fix that ``text`` names: a commit (against its first parent), or a range ``A..B``. Raises
    UsageError."""
    _require_git(folder)
    first, dots, last = text.partition("..")
    if dots:
        last = last.lstrip(".") or "HEAD"
        before, after = first or "HEAD", last
    else:
        before, after = f"{text}^", text
    new = _commit(folder, after, text)
    if not dots and not _knows(folder, before):
        raise UsageError(
            f"--fix {text}: no commit before it is here",
            where=str(folder),
            remedy="the project before the fix is needed: name a later commit, or fetch the history"
            " of a shallow clone (git fetch --unshallow)",
        )
    old = _commit(folder, before, text)
    if old == new:
        raise UsageError(f"--fix {text}: it is the same commit before and after")
    message = _git(folder, "log", "-1", "--format=%B", new).decode("utf-8", "replace").strip()
    return Fix(_tree(folder, old), _tree(folder, new), new[:7], message)


def recent_fixes(folder: Path, is_code: Callable[[str], bool], is_test: Callable[[str], bool],
                 *, count: int = 10, among: int = 300) -> list[Commit]:  # fmt: skip
    """Of the last ``among`` commits up to ``count`` that change both code and tests."""
    text = _git(
        folder, "log", f"-{among}", "--min-parents=1", "--max-parents=1", "--name-only",
        "--relative", "-z", "--format=%x01%h%x02%s", "--", ".",
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
        sizes = _sizes(folder)
        own = {path for path in _own(sizes) if ".egg-info/" not in path}
        _require_size({path: sizes[path] for path in own}, folder)
        return {p: f for p, f in read_folder(folder, ignored=_SKIPPED).items() if p in own}
    listed = _git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".")
    names = sorted(set(listed.decode("utf-8", "surrogateescape").split("\0")) - {""})
    names = _own([name for name in names if not IGNORED & set(name.split("/"))])
    _require_size(
        {n: (folder / n).lstat().st_size for n in names if os.path.lexists(folder / n)}, folder
    )
    tree = {}
    for name in names:
        path = folder / name
        if path.is_symlink():
            tree[name] = TreeFile(b"", 0o777, str(path.readlink()))
        elif path.is_file():
            mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
            tree[name] = TreeFile(path.read_bytes(), mode)
    return tree


def _own(paths: Collection[str]) -> list[str]:
    """``paths`` less the tasks that were made in the project's folder before: they hold its right
    code and its hidden tests."""
    made = []
    for path in paths:
        at = path.removesuffix("repo.toml")
        if path.endswith("/repo.toml") and all(
            any(each.startswith(at + part) for each in paths) for part in ("gold/", "hidden/")
        ):
            made.append(at)
    return [path for path in paths if not path.startswith(tuple(made))]


def _sizes(folder: Path) -> dict[str, int]:
    """Bytes of each file below a folder that is not in git."""
    found = {}
    for at, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in _SKIPPED]
        for name in files:
            path = Path(at, name)
            found[path.relative_to(folder).as_posix()] = path.lstat().st_size
    return found


def _require_size(sizes: dict[str, int], folder: Path) -> None:
    """Raises UsageError for a project that no box takes, before it is read."""
    total = sum(sizes.values())
    if total > TREE_LIMIT:
        largest = max(sizes, key=lambda name: sizes[name])
        raise UsageError(
            f"the project has {total >> 20} MiB of files, and a box takes {TREE_LIMIT >> 20}; the "
            f"largest is {largest} with {sizes[largest] >> 20} MiB",
            where=str(folder),
            remedy="copy what its tests need to a folder of its own, and name that",
        )


def _require_git(folder: Path) -> None:
    """Raises UsageError in plain words where ``folder`` is no work tree with a commit."""
    patch = "give the defect as a patch instead: --defect FILE"
    try:
        inside = _git(folder, "rev-parse", "--is-inside-work-tree").strip() == b"true"
    except UsageError as error:
        if "not a git repository" not in error.what:
            raise  # git is missing, or does not trust the folder's owner
        what = "--fix names a commit, but this is no git repository"
        raise UsageError(what, where=str(folder), remedy=patch) from None
    if not inside:
        what = "is a bare git repository, without the project's files"
        raise UsageError(what, where=str(folder), remedy="clone it, and name the clone")
    if not is_git(folder):
        what = "--fix names a commit, but this git repository has none yet"
        raise UsageError(what, where=str(folder), remedy=patch)


def _knows(folder: Path, name: str) -> bool:
    try:
        _commit(folder, name, name)
    except UsageError:
        return False
    return True


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
    prefix = os.fsdecode(_git(folder, "rev-parse", "--show-prefix")).removesuffix("\n")
    try:
        listed = _git(folder, "ls-tree", "-r", "-l", "-z", "--full-tree", f"{commit}:{prefix}")
    except UsageError:
        raise UsageError(
            f"the commit {commit[:7]} does not have the folder {prefix.rstrip('/')}",
            where=str(folder),
            remedy="name a fix that was made when the project lay there",
        ) from None
    rows = [row for row in listed.decode("utf-8", "surrogateescape").split("\0") if row]
    entries, sizes = [], {}
    for row in rows:
        facts, _, path = row.partition("\t")
        mode, kind, blob, size = facts.split()
        if kind == "blob":
            entries.append((path, mode, blob))
            sizes[path] = int(size)
    own = set(_own(sizes))
    entries = [entry for entry in entries if entry[0] in own]
    _require_size({path: sizes[path] for path in own}, folder)
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
        what = f"git: {said[0] if said else 'failed'}"
        remedy = "git config --global --add safe.directory FOLDER" if _UNTRUSTED in what else None
        raise UsageError(what, where=str(folder), remedy=remedy)
    return done.stdout
