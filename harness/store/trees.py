"""Final trees (``trees/<key>.tar.zst``) and file contents by digest (``blobs/ab/<sha256>``)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from harness.errors import StorageError
from harness.ids import sha256_hex
from harness.store.atomic import write_atomic
from harness.store.faults import storage_error

_DIGEST = re.compile(r"[0-9a-f]{64}")
# A tree is at most 64 MiB; its archive has headers on top.
_LARGEST_TREE = 128 * 1024 * 1024


class TreeStore:
    """Archives of the trees that episodes left, compressed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, key: str) -> Path:
        return self._folder / f"{key}.tar.zst"

    def save(self, key: str, archive: bytes) -> Path:
        """Store an uncompressed tar. Raises StorageError."""
        import zstandard

        self._folder.mkdir(mode=0o700, exist_ok=True)
        path = self.path(key)
        write_atomic(path, zstandard.ZstdCompressor(level=6).compress(archive))
        return path

    def load(self, key: str) -> bytes:
        """The uncompressed tar. Raises StorageError when there is none or it is damaged."""
        import zstandard

        path = self.path(key)
        try:
            with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as tar:
                archive = tar.read(_LARGEST_TREE + 1)
        except FileNotFoundError:
            raise StorageError("no tree was stored for this sample", where=str(path)) from None
        except OSError as error:
            raise storage_error(error, path) from error
        except zstandard.ZstdError as error:
            raise StorageError(f"the archive is damaged: {error}", where=str(path)) from None
        if len(archive) > _LARGEST_TREE:
            raise StorageError("the archive is larger than any tree", where=str(path))
        return archive


class BlobStore:
    """Contents stored once by their SHA-256."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._unsynced: set[Path] = set()

    def path(self, digest: str) -> Path:
        """Raises StorageError for what is no digest: transcripts are not to name other files."""
        if not _DIGEST.fullmatch(digest):
            raise StorageError("not a digest", where=digest[:80])
        return self._folder / digest[:2] / digest

    def put(self, content: bytes) -> tuple[str, Path | None]:
        """Digest of ``content``, and the file as long as it is not yet synced. Raises
        StorageError."""
        digest = sha256_hex(content)
        path = self.path(digest)
        if path in self._unsynced:
            return digest, path
        if path.exists():
            return digest, None
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise storage_error(error, path) from error
        write_atomic(path, content, sync=False)
        self._unsynced.add(path)
        return digest, path

    def is_synced(self, path: Path) -> bool:
        """Whether a file that ``put`` returned was made durable meanwhile, for another attempt."""
        return path not in self._unsynced

    def synced(self, paths: Iterable[Path]) -> None:
        """``paths`` are durable."""
        self._unsynced.difference_update(paths)

    def get(self, digest: str) -> bytes:
        """Raises StorageError when it is missing or its content is not what its name says."""
        path = self.path(digest)
        try:
            content = path.read_bytes()
        except OSError as error:
            raise storage_error(error, path) from error
        if sha256_hex(content) != digest:
            raise StorageError("content does not match its digest", where=str(path))
        return content
