"""Confinement: what a path from the model names, found out from an open descriptor of the root.

A path is first resolved component by component without letting the kernel follow any link
(`Root.locate`); links that stay inside are followed here, links that lead out are refused. What
comes out is a canonical list of names without links, and only that is ever opened
(`Root.open_folder`, `Root.open_file`), again refusing links, so that a link put there meanwhile
is an error and never an escape.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from tools import caps
from tools.outcome import PathRefusedError, ToolError
from tools.workspace.openat2 import open_beneath
from tools.workspace.show import visible

_MAX_LINKS: Final = 40  # as many as Linux follows
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

Kind = Literal["file", "folder", "missing", "special"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a path leads: canonical names below the root and what is there."""

    parts: tuple[str, ...]
    kind: Kind
    mode: int = 0

    @property
    def path(self) -> str:
        """Relative to the root, "." for the root itself."""
        return "/".join(self.parts) or "."


class Root:
    """The folder that the tools are confined to, held open."""

    def __init__(self, folder: str) -> None:
        """Raises OSError when the folder cannot be opened."""
        real = Path(folder).resolve(strict=True)
        self.folder = str(real)
        self._names = tuple({tuple(Path(folder).absolute().parts), real.parts})
        self._fd = os.open(real, _FOLDER)
        self._kernel_confines = True

    def close(self) -> None:
        """Give the descriptor back; the root is of no use afterwards."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def locate(self, path: str) -> Place:
        """What `path` names. Raises PathRefusedError outside the tree, ToolError otherwise."""
        _check_text(path)
        folders = [os.dup(self._fd)]
        try:
            place = self._walk(path, folders)
        finally:
            for descriptor in folders:
                os.close(descriptor)
        if len(place.parts) > caps.PATH_NAMES:
            raise ToolError(f"the path is too deep; at most {caps.PATH_NAMES} names")
        for part in place.parts:
            if part.startswith("-"):
                raise ToolError(
                    f"the path {visible(path)} has a name that begins with '-'; choose another name"
                )
        return place

    def _walk(self, path: str, folders: list[int]) -> Place:
        names: list[str] = []
        todo = self._components(path, path)
        links = 0
        while todo:
            name = todo.pop()
            if name == "..":
                if not names:
                    raise _outside(path)
                names.pop()
                os.close(folders.pop())
                continue
            try:
                found = os.stat(name, dir_fd=folders[-1], follow_symlinks=False)
            except FileNotFoundError:
                rest = todo[::-1]
                if ".." in rest:
                    raise ToolError(
                        f"there is no folder {visible('/'.join([*names, name]))}"
                    ) from None
                return Place((*names, name, *rest), "missing")
            if stat.S_ISLNK(found.st_mode):
                links += 1
                if links > _MAX_LINKS:
                    raise ToolError(f"the links in {visible(path)} go round in a circle")
                target = os.readlink(name, dir_fd=folders[-1])
                if target.startswith("/"):
                    while len(folders) > 1:
                        os.close(folders.pop())
                    names.clear()
                todo.extend(self._components(target, path))
            elif stat.S_ISDIR(found.st_mode):
                folders.append(os.open(name, _FOLDER, dir_fd=folders[-1]))
                names.append(name)
            elif todo:
                raise ToolError(f"{visible('/'.join([*names, name]))} is a file, not a folder")
            else:
                kind: Kind = "file" if stat.S_ISREG(found.st_mode) else "special"
                return Place((*names, name), kind, stat.S_IMODE(found.st_mode))
        return Place(tuple(names), "folder", 0)

    def _components(self, text: str, path: str) -> list[str]:
        """The names in `text`, last one first; an absolute one must begin with the root."""
        if text.startswith("/"):
            given = tuple(part for part in text.split("/") if part not in ("", "."))
            for root in self._names:
                if given[: len(root) - 1] == root[1:]:
                    return list(given[len(root) - 1 :])[::-1]
            raise _outside(path)
        return [part for part in text.split("/") if part not in ("", ".")][::-1]

    @contextmanager
    def open_folder(self, parts: tuple[str, ...], *, create: bool = False) -> Iterator[int]:
        """A descriptor of a folder given by canonical names. Raises OSError, ELOOP at a link."""
        descriptor = self._open_known(parts) if not create else self._open_stepwise(parts, True)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _open_known(self, parts: tuple[str, ...]) -> int:
        if not parts:
            return os.dup(self._fd)
        if self._kernel_confines:
            try:
                return open_beneath("/".join(parts), _FOLDER, self._fd)
            except OSError as error:
                if error.errno not in (errno.ENOSYS, errno.EPERM, errno.E2BIG, errno.EINVAL):
                    raise
                self._kernel_confines = False
        return self._open_stepwise(parts, False)

    def _open_stepwise(self, parts: tuple[str, ...], create: bool) -> int:
        current = os.dup(self._fd)
        for name in parts:
            try:
                if create:
                    with suppress(FileExistsError):
                        os.mkdir(name, 0o755, dir_fd=current)
                following = os.open(name, _FOLDER, dir_fd=current)
            finally:
                os.close(current)
            current = following
        return current

    @contextmanager
    def open_file(self, parts: tuple[str, ...]) -> Iterator[tuple[int, os.stat_result]]:
        """A regular file for reading, with its stat. Raises OSError; ToolError for other kinds."""
        with self.open_folder(parts[:-1]) as folder:
            # O_NONBLOCK: opening a fifo that took the file's place must not wait for a writer
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
            descriptor = os.open(parts[-1], flags, dir_fd=folder)
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise ToolError(f"{visible('/'.join(parts))} is no regular file")
            yield descriptor, found
        finally:
            os.close(descriptor)


def _check_text(path: str) -> None:
    if not path.strip():
        raise ToolError('the path is blank; name a file or folder, or "." for the whole tree')
    if "\0" in path:
        raise ToolError("the path holds a NUL character, which no file name can")
    if any(ord(c) < 32 or 127 <= ord(c) < 160 for c in path):
        raise ToolError(f"the path {visible(path[:80])} holds a control character")
    if len(os.fsencode(path)) > caps.PATH_BYTES:
        raise ToolError(f"the path is too long; at most {caps.PATH_BYTES} bytes")
    for part in path.split("/"):
        if len(os.fsencode(part)) > caps.NAME_BYTES:
            raise ToolError(
                f"the name {visible(part[:40])}... is too long; at most {caps.NAME_BYTES} bytes"
            )
        if part.startswith("-"):
            raise ToolError(
                f"the name {visible(part)} begins with '-', which tools would take for an option; "
                "choose another name"
            )


def _outside(path: str) -> PathRefusedError:
    return PathRefusedError(
        f"{visible(path[:200])} is outside the tree; use a path relative to its root"
    )
