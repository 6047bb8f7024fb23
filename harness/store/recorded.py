"""Recorded runs that ship with the program: one zip each, unpacked into the cache on demand."""

from __future__ import annotations

import re
import secrets
import shutil
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path

from harness.errors import StorageError
from harness.ids import sha256_hex
from harness.store import layout
from harness.store.faults import storage_error

_NAME = re.compile(r"[a-z0-9-]{1,40}")
# Far above what ships; a guard against a file that was tampered with.
_MOST_BYTES = 16 << 20


def recorded_dir() -> Path:
    """Where the zips lie."""
    return Path(__file__).resolve().parents[1] / "_data" / "recorded"


def recorded_names() -> list[str]:
    """Names of the recorded runs."""
    return sorted(path.stem for path in recorded_dir().glob("*.zip"))


def recorded_run(name: str) -> Path | None:
    """The folder of a recorded run, None when none is called so. Raises StorageError."""
    packed = recorded_dir() / f"{name}.zip"
    if not _NAME.fullmatch(name) or not packed.is_file():
        return None
    try:
        content = packed.read_bytes()
    except OSError as error:
        raise storage_error(error, packed) from error
    target = _cache() / f"{name}-{sha256_hex(content)[:12]}"
    try:
        if not target.is_dir():
            _unpack(packed, target)
        return next(path.parent for path in target.glob(f"*/{layout.PLAN}"))
    except (OSError, zipfile.BadZipFile, StopIteration) as error:
        raise StorageError(
            f"the recorded run cannot be unpacked: {error}", where=str(packed)
        ) from None


def _cache() -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_dir("proctor")) / "recorded"


def _unpack(packed: Path, target: Path) -> None:
    """Beside its place first, so that what has the name is whole."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = Path(
        tempfile.mkdtemp(prefix=f".{target.name}-{secrets.token_hex(2)}", dir=target.parent)
    )
    try:
        with zipfile.ZipFile(packed) as archive:
            if sum(member.file_size for member in archive.infolist()) > _MOST_BYTES:
                raise zipfile.BadZipFile("it is larger than any that ships")
            archive.extractall(temporary)  # names that lead out are taken for names inside
        with suppress(FileExistsError):
            temporary.rename(target)
    except OSError:
        if not target.is_dir():  # another process was quicker when it is
            raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
