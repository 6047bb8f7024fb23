"""What a bubblewrap box sees of the host: an interpreter, system libraries, the toolchain.

Everything else does not exist in it: no home, no run folder, no repositories, and not the
environment that Proctor itself runs from, where gold and hidden tests could be read.
"""

from __future__ import annotations

import shutil
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from harness.sandbox import bootstrap
from tools.box import layout

LIBRARIES = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec/coreutils")
LINKED = ("/lib", "/lib32", "/lib64")
PROGRAMS = ("sh", "env", "true", "false", "cat", "ls", "sleep")
_PACKAGES = ("site-packages", "dist-packages")


def interpreter() -> Path | None:
    """The system's Python, resolved; None when there is none in /usr/bin."""
    for name in ("/usr/bin/python3", f"/usr/bin/python{sysconfig.get_python_version()}"):
        path = Path(name).resolve()
        if path.is_file() and path.parent == Path("/usr/bin"):
            return path
    return None


def arguments(
    bwrap: str,
    python: Path,
    toolchain: Path,
    marker: str,
    *,
    writable: bool = False,
    extra: Path | None = None,
    command: Sequence[str] = ("/usr/bin/python3", *bootstrap.ARGUMENTS),
) -> list[str]:
    """The whole command line of a box. It holds no secret: a child can read it.

    writable: the toolchain, while it is made. extra: a folder of further packages.
    """
    line = [
        bwrap,
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--uid",
        str(layout.CHILD_UID),
        "--gid",
        str(layout.CHILD_UID),
        "--hostname",
        "box",
        "--clearenv",
        "--setenv",
        "PATH",
        "/usr/bin",
        "--setenv",
        "PROCTOR_BOX",
        marker,
    ]
    for name, value in bootstrap.ENVIRONMENT.items():
        line += ["--setenv", name, value]
    for folder in LIBRARIES:
        if Path(folder).is_dir():
            line += ["--ro-bind", folder, folder]
    foreign = _foreign_packages()
    for packages in foreign:
        line += ["--tmpfs", packages]
    for folder in LINKED:
        path = Path(folder)
        if path.is_symlink():
            line += ["--symlink", str(path.readlink()), folder]
        elif path.is_dir():
            line += ["--ro-bind", folder, folder]
    line += ["--ro-bind", str(python), str(python), "--symlink", python.name, "/usr/bin/python3"]
    for name in PROGRAMS:
        found = shutil.which(name, path="/usr/bin:/bin")
        if found:
            line += ["--ro-bind", str(Path(found).resolve()), f"/usr/bin/{name}"]
    line += ["--symlink", "usr/bin", "/bin"]
    line += ["--bind" if writable else "--ro-bind", str(toolchain), layout.TOOLCHAIN]
    if extra is not None:
        line += ["--ro-bind", str(extra), layout.EXTRA]
    line += [
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--tmpfs" if writable else "--dir",
        "/tmp",
        "--dir",
        layout.TREES,
    ]
    line += ["--tmpfs", layout.RUN]
    for point in (*foreign, "/dev", "/"):
        line += ["--remount-ro", point]
    return [*line, "--chdir", "/", *command]


def _foreign_packages() -> list[str]:
    """Package folders of the system's Pythons: covered, Proctor may be installed in one."""
    found = []
    for folder in LIBRARIES:
        for path in Path(folder).glob("python3*"):
            found += [str(path / name) for name in _PACKAGES if (path / name).is_dir()]
    return found
