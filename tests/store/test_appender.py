"""Appends are whole or taken back; only what a kill tore is cut."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.errors import StorageError
from harness.store.appender import Appender, cut_torn_line, last_line
from harness.store.atomic import write_atomic


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    folder = tmp_path / "disk"
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)], capture_output=True
    )
    if done.returncode != 0:
        pytest.skip(f"no tmpfs can be mounted here: {done.stderr.decode()[:200]}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_torn_line_is_cut_at_every_byte_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    whole, last = b'{"a":1}\n{"b":2}\n', b'{"c":3333}'
    for length in range(len(last) + 1):
        path.write_bytes(whole + last[:length])
        assert cut_torn_line(path) == length
        assert path.read_bytes() == whole


def test_a_long_torn_line_is_found_across_blocks(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"first\n" + b"x" * 300_000)
    assert last_line(path) == b"first"
    assert cut_torn_line(path) == 300_000
    assert path.read_bytes() == b"first\n"


def test_a_file_without_any_whole_line_becomes_empty(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b'{"a"')
    cut_torn_line(path)
    assert path.read_bytes() == b""
    assert last_line(path) is None


def test_a_full_disk_keeps_every_earlier_line_and_takes_back_the_half(small_disk: Path) -> None:
    out = Appender(small_disk / "run.jsonl")
    line = b"x" * 29_999 + b"\n"
    kept = 0
    with pytest.raises(StorageError, match="free some space"):
        while kept < 100:
            out.append(line)
            kept += 1
    assert kept > 0
    assert (small_disk / "run.jsonl").read_bytes() == line * kept
    with pytest.raises(StorageError, match="No space left"):
        write_atomic(small_disk / "plan.json", b"y" * 100_000)
    assert sorted(path.name for path in small_disk.iterdir()) == ["run.jsonl"]


def test_a_closed_appender_refuses(tmp_path: Path) -> None:
    out = Appender(tmp_path / "run.jsonl")
    out.close()
    out.close()
    with pytest.raises(StorageError):
        out.append(b"late\n")
