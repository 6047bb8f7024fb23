"""Making the box ready for children, once, when the harness has said what it is to be."""

from __future__ import annotations

import os
from typing import Any

from tools.box import kernel, layout, seccomp
from tools.box.child import Confinement


def prepare(hello: dict[str, Any]) -> Confinement:
    """The confinement of this box's children; in bubblewrap also its mounts. Raises OSError."""
    limits, kind = hello["limits"], hello["confinement"]
    trees = (limits["work_bytes"], limits["work_inodes"])
    tmp = (limits["tmp_bytes"], limits["tmp_inodes"])
    shm = (limits["shm_bytes"], limits["shm_inodes"])
    uid, gid = os.getuid(), os.getgid()
    if kind == "namespaces":
        kernel.unshare(kernel.CLONE_NEWUSER | kernel.CLONE_NEWNS)
        kernel.map_own_ids(uid, gid)
        kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
        kernel.mount_tmpfs(layout.TREES, *trees, "0755")
        seal(layout.RUN)
    return Confinement(
        kind=kind,
        ids=(uid, gid),
        memory=limits["memory"],
        pids=limits["pids"],
        trees=trees,
        tmp=tmp,
        shm=shm,
        filter=seccomp.Ready(seccomp.build(memory_counted=kind == "uid")),
    )


def seal(folder: str) -> None:
    """Make a mount read-only; children inherit it locked, as theirs is a lesser namespace."""
    flags = kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY
    kernel.mount(None, folder, None, flags | kernel.MS_NOSUID | kernel.MS_NODEV)
