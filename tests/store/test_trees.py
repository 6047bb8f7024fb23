"""Trees and blobs come back as they were, or say what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import StorageError
from harness.store.trees import BlobStore, TreeStore


def test_a_tree_comes_back_compressed_or_not(tmp_path: Path) -> None:
    trees = TreeStore(tmp_path / "trees")
    archive = bytes(range(256)) * 5000
    path = trees.save("task@1", archive)
    assert path.stat().st_size < len(archive) / 5
    assert trees.load("task@1") == archive


def test_a_missing_or_damaged_tree_is_one_clear_error(tmp_path: Path) -> None:
    trees = TreeStore(tmp_path / "trees")
    with pytest.raises(StorageError, match="no tree"):
        trees.load("task@1")
    trees.save("task@1", b"x" * 5000).write_bytes(b"not zstd")
    with pytest.raises(StorageError, match="damaged"):
        trees.load("task@1")


def test_a_blob_is_stored_once_and_checked_when_read(tmp_path: Path) -> None:
    blobs = BlobStore(tmp_path / "blobs")
    digest, path = blobs.put(b"content")
    assert path is not None
    assert blobs.put(b"content") == (digest, path)  # not durable yet: who names it sees to that
    blobs.synced([path])
    assert blobs.put(b"content") == (digest, None)
    assert blobs.get(digest) == b"content"
    path.write_bytes(b"other")
    with pytest.raises(StorageError, match="does not match"):
        blobs.get(digest)


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "a" * 63, "A" * 64, "a" * 64 + "\n"])
def test_what_is_no_digest_names_no_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(StorageError, match="not a digest"):
        BlobStore(tmp_path).get(name)
