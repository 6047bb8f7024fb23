"""The tree behind the tools: reading, walking and writing files under the caps."""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from tools import caps
from tools.outcome import FileChange, ToolError
from tools.workspace.paths import Place, Root
from tools.workspace.show import visible


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in the tree that is no folder; `link` is where a link points."""

    path: str
    size: int
    kind: str  # file, link, special
    link: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the path."""
        return tuple(self.path.split("/"))


class Workspace:
    """A tree under one root; the only way by which a tool touches files."""

    def __init__(self, folder: str) -> None:
        """Raises OSError when the folder cannot be opened."""
        self.root = Root(folder)
        self._size: tuple[int, int] | None = None

    def close(self) -> None:
        """Release the root."""
        self.root.close()

    def locate(self, path: str, wanted: str | None = None) -> Place:
        """Where a path leads; `wanted` ("file", "folder", "any") must exist as such."""
        place = self.root.locate(path)
        name = visible(place.path)
        if wanted is None:
            return place
        if place.kind == "missing":
            raise ToolError(f"there is no file or folder {name}; list_files shows what there is")
        if place.kind == "special":
            raise ToolError(f"{name} is no regular file (a fifo, socket or device)")
        if wanted == "file" and place.kind == "folder":
            raise ToolError(f"{name} is a folder; name a file in it (list_files shows them)")
        return place

    def read(self, place: Place) -> bytes:
        """A file's bytes. Raises ToolError beyond the cap."""
        return self.read_parts(place.parts, caps.READ_BYTES)[0]

    def read_parts(self, parts: tuple[str, ...], cap: int) -> tuple[bytes, int]:
        """Bytes and mode of the file with these canonical names. Raises ToolError beyond `cap`."""
        with self.root.open_file(parts) as (descriptor, found):
            if found.st_size > cap:
                raise ToolError(
                    f"{visible('/'.join(parts))} is too large: {found.st_size} bytes, "
                    f"at most {cap} can be read"
                )
            pieces: list[bytes] = []
            left = cap + 1
            while left > 0 and (piece := os.read(descriptor, min(left, 1 << 20))):
                pieces.append(piece)
                left -= len(piece)
            return b"".join(pieces)[:cap], stat.S_IMODE(found.st_mode)

    def walk(
        self, parts: tuple[str, ...] = (), skip: frozenset[str] = frozenset()
    ) -> Iterator[Entry]:
        """Everything below a folder but folders, sorted by name; links are told, not followed."""
        try:
            with self.root.open_folder(parts) as folder:
                names = sorted(entry.name for entry in os.scandir(folder))
                found = [(name, _lstat(name, folder)) for name in names]
                links = {
                    name: os.readlink(name, dir_fd=folder)
                    for name, status in found
                    if status and stat.S_ISLNK(status.st_mode)
                }
        except PermissionError:
            return
        for name, status in found:
            if status is None:
                continue
            path = "/".join((*parts, name))
            if stat.S_ISDIR(status.st_mode):
                if name not in skip:
                    yield from self.walk((*parts, name), skip)
            elif name in links:
                yield Entry(path, 0, "link", links[name])
            else:
                kind = "file" if stat.S_ISREG(status.st_mode) else "special"
                yield Entry(path, status.st_size, kind)

    def write(self, place: Place, content: bytes) -> list[FileChange]:
        """Put a file in place atomically, keeping its mode; no change if it has the content.

        Raises ToolError beyond a cap or where the file system refuses.
        """
        if len(content) > caps.WRITE_BYTES:
            raise ToolError(
                f"{visible(place.path)} would have {len(content)} bytes; "
                f"at most {caps.WRITE_BYTES} can be written to a file"
            )
        before: bytes | None = None
        mode_before: int | None = None
        if place.kind == "file":
            before, mode_before = self.read_parts(place.parts, caps.TREE_BYTES)
            if before == content:
                return []
        self._reserve(len(content) - len(before or b""), 0 if place.kind == "file" else 1)
        mode = 0o644 if mode_before is None else mode_before & 0o777
        try:
            with self.root.open_folder(place.parts[:-1], create=True) as folder:
                _replace(folder, place.parts[-1], content, mode)
        except OSError as error:
            self._size = None
            raise ToolError(_why(place, error)) from error
        return [
            FileChange(
                place.path,
                None if before is None else _digest(before),
                _digest(content),
                mode_before,
                mode,
                content,
            )
        ]

    def _reserve(self, more_bytes: int, more_files: int) -> None:
        if self._size is None:
            entries = list(self.walk())
            self._size = (sum(entry.size for entry in entries), len(entries))
        size, files = self._size
        if size + more_bytes > caps.TREE_BYTES and more_bytes > 0:
            raise ToolError(f"the tree would have more than {caps.TREE_BYTES} bytes; write less")
        if files + more_files > caps.TREE_FILES and more_files > 0:
            raise ToolError(f"the tree would have more than {caps.TREE_FILES} files")
        self._size = (size + more_bytes, files + more_files)


def _lstat(name: str, folder: int) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _replace(folder: int, name: str, content: bytes, mode: int) -> None:
    temporary = f".proctor-{secrets.token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, 0o600, dir_fd=folder)
    try:
        try:
            view = memoryview(content)
            while view:
                view = view[os.write(descriptor, view) :]
            os.fchmod(descriptor, mode)
        finally:
            os.close(descriptor)
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        os.unlink(temporary, dir_fd=folder)
        raise


def _why(place: Place, error: OSError) -> str:
    name = visible(place.path)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"{name} was not written: there is no space left for the tree"
    if error.errno in (errno.ENOTDIR, errno.ELOOP):
        return f"{name} was not written: a part of its path is no folder"
    return f"{name} was not written: {error.strerror}"
