"""Where toolchains are kept."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from harness.errors import StorageError


def cache_dir() -> Path:
    """The cache folder, made when missing. PROCTOR_CACHE overrides.

    Root's own is no place for it: bubblewrap boxes drop to an unprivileged user, who cannot look
    into root's home. Raises StorageError.
    """
    told = os.environ.get("PROCTOR_CACHE")
    if told:
        path = Path(told).expanduser().absolute()
    elif os.geteuid() == 0:
        path = Path("/var/cache/proctor")
    else:
        path = Path(platformdirs.user_cache_dir("proctor"))
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o755)
    except OSError as error:
        raise StorageError(
            f"the cache folder cannot be made: {error}",
            where=str(path),
            remedy="set PROCTOR_CACHE to a folder of yours",
        ) from None
    return path
