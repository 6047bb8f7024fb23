"""Where things lie in a box and under which ids they run; the same in every kind of box."""

from __future__ import annotations

TREES = "/box"  # writable tmpfs, owned by children; trees are folders of it
RUN = "/run/proctor"  # writable for the server only
ARCHIVE = f"{RUN}/box.pyz"
TOOLCHAIN = "/opt/proctor"
EXTRA = "/opt/proctor-extra"  # packages of some suites' tasks, where the box was asked for them
MANIFEST = f"{TOOLCHAIN}/toolchain.json"
PYTHON = f"{TOOLCHAIN}/bin/python3"  # a virtual environment: the box's interpreter and pytest, mypy

CHILD_UID = 10001
PARTNER_UID = 10002  # a second child that the first must not trust (Docker and Podman)

SERVER_PROCESSES = 8  # allowed beside the children, so that the server is not refused a fork
SWEPT = ("/tmp", "/dev/shm", "/dev/mqueue")


def child_environment() -> dict[str, str]:
    """The whole environment of a child: fixed, so that results do not hang on the host's."""
    return {
        "PATH": f"{TOOLCHAIN}/bin:/usr/local/bin:/usr/bin:/bin",
        "HOME": "/tmp",
        "TMPDIR": "/tmp",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
