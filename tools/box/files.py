"""Trees as uncompressed tar archives, both ways; runs under the child's uid, never the server's.

An archive from the harness can hold what a model made, so unpacking trusts nothing: no absolute
name, no "..", no device, and no component of a path is followed when it is a link.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import tarfile
from typing import IO

TREE_LIMIT = 80 * 1024 * 1024  # of an archive out of the box; the frame holds 96 MiB
_COPY = 1 << 20


class Refused(ValueError):
    """An archive that would reach outside its folder or holds what a tree may not."""


def put(folder: str) -> int:
    """Unpack the archive on descriptor 3 at ``folder``. Exit status 0, or 3 with a reason."""
    try:
        with open(3, "rb") as file:
            unpack(file, folder)
    except (Refused, tarfile.TarError, OSError, EOFError, UnicodeError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 3
    return 0


def get(folder: str) -> int:
    """Write ``folder`` as an archive to descriptor 4. Exit status 0, or 3 with a reason."""
    try:
        with open(4, "wb") as file:
            pack(file, folder)
    except (Refused, tarfile.TarError, OSError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 3
    return 0


def _parts(name: str) -> tuple[str, ...]:
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if name.startswith("/") or ".." in parts or "\0" in name:
        raise Refused(f"name outside the tree: {name[:200]!r}")
    return parts


def _open_parent(root: int, parts: tuple[str, ...]) -> int:
    """Descriptor of the folder that holds the last part; missing folders are made."""
    at = os.dup(root)
    for part in parts[:-1]:
        with contextlib.suppress(FileExistsError):
            os.mkdir(part, 0o755, dir_fd=at)
        try:
            below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=at)
        except OSError as error:
            raise Refused(f"path through what is no folder: {'/'.join(parts)[:200]!r}") from error
        finally:
            os.close(at)
        at = below
    return at


def unpack(file: IO[bytes], folder: str) -> None:
    """Unpack over ``folder``, which is made when missing. Raises Refused, TarError, OSError."""
    os.makedirs(folder, exist_ok=True)
    root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    modes: list[tuple[tuple[str, ...], int]] = []
    with tarfile.open(fileobj=file, mode="r:") as archive:
        for member in archive:
            parts = _parts(member.name)
            if not parts:
                modes.append((parts, member.mode & 0o777))
                continue
            parent = _open_parent(root, parts)
            try:
                _place(archive, member, root, parent, parts[-1])
            finally:
                os.close(parent)
            if member.isdir():
                modes.append((parts, member.mode & 0o777))
    for parts, mode in reversed(modes):  # last, as a folder may be read-only
        if not parts:
            os.fchmod(root, mode | 0o700)
            continue
        parent = _open_parent(root, parts)
        os.chmod(parts[-1], mode, dir_fd=parent)
        os.close(parent)
    os.close(root)


def _place(
    archive: tarfile.TarFile, member: tarfile.TarInfo, root: int, parent: int, name: str
) -> None:
    if member.isdir():
        try:
            os.mkdir(name, 0o755, dir_fd=parent)
        except FileExistsError:
            if not stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
                raise
        return
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=parent)
    if member.issym():
        os.symlink(member.linkname, name, dir_fd=parent)
    elif member.islnk():
        source = _parts(member.linkname)
        if not source:
            raise Refused("hard link to the tree itself")
        from_parent = _open_parent(root, source)
        os.link(source[-1], name, src_dir_fd=from_parent, dst_dir_fd=parent, follow_symlinks=False)
        os.close(from_parent)
    elif member.isreg():
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with open(os.open(name, flags, 0o600, dir_fd=parent), "wb") as out:
            content = archive.extractfile(member)
            assert content is not None  # a regular member has content
            shutil.copyfileobj(content, out, _COPY)
            os.fchmod(out.fileno(), member.mode & 0o777)
    else:
        raise Refused(f"neither file, folder nor link: {member.name[:200]!r}")


def pack(file: IO[bytes], folder: str) -> None:
    """Archive ``folder``: sorted, without times and owners, so that equal trees give equal bytes.

    Unreadable files are made readable first; sockets, pipes and devices are left out.
    Raises Refused when the archive would pass TREE_LIMIT.
    """
    seen: dict[tuple[int, int], str] = {}
    with tarfile.open(fileobj=file, mode="w|", format=tarfile.PAX_FORMAT) as archive:
        for path, name, state in _walk(folder, ""):
            member = tarfile.TarInfo(name)
            member.mode = stat.S_IMODE(state.st_mode) & 0o777
            content: IO[bytes] | None = None
            if stat.S_ISDIR(state.st_mode):
                member.type = tarfile.DIRTYPE
            elif stat.S_ISLNK(state.st_mode):
                member.type, member.linkname = tarfile.SYMTYPE, os.readlink(path)
            elif (state.st_dev, state.st_ino) in seen:
                member.type = tarfile.LNKTYPE
                member.linkname = seen[state.st_dev, state.st_ino]
            else:
                if state.st_nlink > 1:
                    seen[state.st_dev, state.st_ino] = name
                if not state.st_mode & stat.S_IRUSR:
                    os.chmod(path, member.mode | stat.S_IRUSR)
                member.size = state.st_size
                if archive.offset + member.size > TREE_LIMIT:
                    raise Refused(f"tree larger than {TREE_LIMIT} bytes")
                content = open(path, "rb")  # noqa: SIM115 - closed below
            try:
                archive.addfile(member, content)
            finally:
                if content is not None:
                    content.close()
            if archive.offset > TREE_LIMIT:
                raise Refused(f"tree larger than {TREE_LIMIT} bytes")


def _walk(folder: str, prefix: str) -> list[tuple[str, str, os.stat_result]]:
    found: list[tuple[str, str, os.stat_result]] = []
    stack = [(folder, prefix)]
    while stack:
        here, name = stack.pop()
        state = os.lstat(here)
        mode = state.st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)):
            continue
        if name:
            found.append((here, name, state))
        if stat.S_ISDIR(mode):
            if mode & 0o500 != 0o500:
                os.chmod(here, mode | 0o700)
            for entry in os.listdir(here):
                stack.append((f"{here}/{entry}", f"{name}/{entry}" if name else entry))
    return sorted(found, key=lambda item: item[1].split("/"))


def sweep(folders: list[str]) -> int:
    """Remove all that is ours in ``folders`` and our SysV objects."""
    for folder in folders:
        _empty(folder)
    _remove_ipc()
    return 0


def _empty(folder: str) -> None:
    """Remove what is in ``folder``. Folders are lifted to its top before they are emptied, so that
    no depth and no path length can hide one; what cannot be removed stays for the caller to see.
    """
    try:
        stack = os.listdir(folder)
    except FileNotFoundError:
        return
    lifted = 0
    while stack:
        path = f"{folder}/{stack.pop()}"
        try:
            if not stat.S_ISDIR(os.lstat(path).st_mode):
                os.unlink(path)
                continue
            os.chmod(path, 0o700)
            for name in os.listdir(path):
                if stat.S_ISDIR(os.lstat(f"{path}/{name}").st_mode):
                    lifted += 1
                    os.chmod(f"{path}/{name}", 0o700)
                    os.rename(f"{path}/{name}", f"{folder}/.swept-{os.getpid()}-{lifted}")
                    stack.append(f".swept-{os.getpid()}-{lifted}")
                else:
                    os.unlink(f"{path}/{name}")
            os.rmdir(path)
        except OSError:
            continue


def _remove_ipc() -> None:
    import ctypes

    libc = ctypes.CDLL(None)
    for kind, call, arguments in (
        ("shm", libc.shmctl, (0, None)),
        ("msg", libc.msgctl, (0, None)),
        ("sem", libc.semctl, (0, 0, None)),
    ):
        try:
            with open(f"/proc/sysvipc/{kind}") as file:
                lines = file.read().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            call(int(line.split()[1]), *arguments)
