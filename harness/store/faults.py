"""One clear error for whatever the file system refuses."""

from __future__ import annotations

import errno
from pathlib import Path

from harness.errors import StorageError

MORE_DESCRIPTORS = "raise the limit of open files (ulimit -n) or lower --concurrency"
_REMEDIES = {
    errno.ENOSPC: "free some space, then resume the run",
    errno.EDQUOT: "the disk quota is used up: free some space, then resume the run",
    errno.EROFS: "choose a folder that can be written with --out",
    errno.EACCES: "choose a folder that can be written with --out",
    errno.EPERM: "choose a folder that can be written with --out",
    errno.EMFILE: MORE_DESCRIPTORS,
    errno.ENAMETOOLONG: "choose a folder with a shorter path with --out",
}


def storage_error(error: OSError, path: Path) -> StorageError:
    """``error`` as a StorageError that names ``path`` and what helps."""
    remedy = _REMEDIES.get(error.errno or 0)
    return StorageError(error.strerror or str(error), where=str(path), remedy=remedy)
