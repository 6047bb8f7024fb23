"""Trees in memory: read from a folder, packed to and unpacked from tar, digested.

A ``Tree`` maps paths (relative, ``/`` between parts) to files. An empty folder is an entry whose
path ends in ``/``; other folders are implied by what they hold.
"""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Collection
from pathlib import Path

from harness.errors import ConfigError, SandboxError
from harness.tasks.task import Tree, TreeFile
from tools.box.files import TREE_LIMIT

# Left behind by tools that read a tree; never part of one.
IGNORED = {".ruff_cache", ".mypy_cache", ".pytest_cache", "__pycache__", "node_modules", ".git"}

# What reading a damaged archive can raise; headers that announce headers end as RecursionError.
_DAMAGE = (tarfile.TarError, KeyError, EOFError, ValueError, OverflowError, RecursionError)


def read_folder(folder: Path, *, ignored: Collection[str] = IGNORED) -> Tree:
    """The tree under ``folder``, less what bears an ``ignored`` name. Modes become 0644 or 0755, so
    that a checkout's umask has no say.

    Raises ConfigError for anything that is no file, folder or link.
    """
    tree: Tree = {}
    stack = [folder]
    while stack:
        current = stack.pop()
        entries = [entry for entry in current.iterdir() if entry.name not in ignored]
        if not entries and current != folder:
            tree[current.relative_to(folder).as_posix() + "/"] = TreeFile(b"", 0o755)
        for entry in entries:
            path = entry.relative_to(folder).as_posix()
            if entry.is_symlink():
                tree[path] = TreeFile(b"", 0o777, str(entry.readlink()))
            elif entry.is_dir():
                stack.append(entry)
            elif entry.is_file():
                executable = entry.stat().st_mode & 0o100
                tree[path] = TreeFile(entry.read_bytes(), 0o755 if executable else 0o644)
            else:
                raise ConfigError("neither a file, a folder nor a link", where=str(entry))
    return dict(sorted(tree.items()))


def write_folder(tree: Tree, folder: Path) -> None:
    """Lay ``tree`` under ``folder`` (made when missing)."""
    folder.mkdir(parents=True, exist_ok=True)
    for path, file in tree.items():
        target = folder / path
        if path.endswith("/"):
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.link is not None:
            target.symlink_to(file.link)
        else:
            target.write_bytes(file.content)
            target.chmod(file.mode)


def pack(tree: Tree) -> bytes:
    """``tree`` as an uncompressed tar; the same tree gives the same bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(_folders(tree)):
            archive.addfile(_header(path, tarfile.DIRTYPE, 0o755))
        for path, file in sorted(tree.items()):
            if path.endswith("/"):
                continue
            if file.link is not None:
                info = _header(path, tarfile.SYMTYPE, 0o777)
                info.linkname = file.link
                archive.addfile(info)
            else:
                info = _header(path, tarfile.REGTYPE, file.mode)
                info.size = len(file.content)
                archive.addfile(info, io.BytesIO(file.content))
    return buffer.getvalue()


def unpack(archive: bytes) -> Tree:
    """The tree in an uncompressed tar made by a box. Raises SandboxError when it is damaged.

    Nothing is written anywhere: links are data here, whatever they say.
    """
    if len(archive) < 1024 or any(archive[-1024:]):
        # tarfile takes a cut archive for one that ends there.
        raise SandboxError("the tree's archive is cut off")
    tree: Tree = {}
    folders: set[str] = set()
    total = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:") as tar:
            for member in tar:
                path = _inside(member.name)
                if not path:
                    continue
                if member.isdir():
                    folders.add(path)
                    continue
                file = _file(tar, member, tree)
                if file is None:
                    continue
                total += len(file.content)
                if total > TREE_LIMIT:
                    raise SandboxError(f"the tree is larger than {TREE_LIMIT >> 20} MiB")
                tree[path] = file
    except _DAMAGE as error:
        raise SandboxError(f"the tree's archive cannot be read: {str(error)[:200]}") from None
    held = _folders(tree)
    for folder in folders:
        held.update(_folders({folder: TreeFile(b"")}))
    if both := sorted((held | folders) & tree.keys()):
        raise SandboxError(f"the tree has both a file and a folder {both[0][:200]!r}")
    for folder in folders - held:
        tree[folder + "/"] = TreeFile(b"", 0o755)
    return dict(sorted(tree.items()))


def _inside(name: str) -> str:
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts or "\0" in name:
        raise SandboxError(f"the tree has a name outside of it: {name[:200]!r}")
    return "/".join(parts)


def _file(tar: tarfile.TarFile, member: tarfile.TarInfo, tree: Tree) -> TreeFile | None:
    """A member as a file or a link; None for other kinds, which no tree holds."""
    if member.issparse():  # a kilobyte may claim terabytes
        raise SandboxError(f"the tree's archive has a file of holes: {member.name[:200]!r}")
    if member.issym():
        return TreeFile(b"", 0o777, member.linkname)
    if member.islnk():
        return tree[_inside(member.linkname)]
    if not member.isfile():
        return None
    stream = tar.extractfile(member)
    content = b"" if stream is None else stream.read()
    if len(content) != member.size:
        raise SandboxError("the tree's archive is cut off")
    return TreeFile(content, member.mode & 0o7777)


def tree_digest(tree: Tree) -> str:
    """SHA-256 over paths, modes, links and contents, 64 hex digits."""
    digest = hashlib.sha256()
    for path, file in sorted(tree.items()):
        kind = "folder" if path.endswith("/") else "link" if file.link is not None else "file"
        mode = file.mode if kind == "file" else 0
        body = file.link.encode("utf-8", "surrogateescape") if file.link else file.content
        name = path.encode("utf-8", "surrogateescape")
        digest.update(f"{kind} {mode:o} {len(name)} {len(body)}\n".encode() + name + body)
    return digest.hexdigest()


def _folders(tree: Tree) -> set[str]:
    found: set[str] = set()
    for path in tree:
        parts = path.rstrip("/").split("/")
        depth = len(parts) if path.endswith("/") else len(parts) - 1
        found.update("/".join(parts[: i + 1]) for i in range(depth))
    return found


def _header(path: str, kind: bytes, mode: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(path)
    info.type = kind
    info.mode = mode
    return info
