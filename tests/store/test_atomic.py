"""Files that appear whole or not at all, and what is left of writers that were killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.store import layout
from harness.store.atomic import sweep, write_atomic
from harness.store.run_folder import RunFolder
from tests.store.test_run_folder import new_folder

ROOT = Path(__file__).resolve().parents[2]
_KILLED_WHILE_IT_WRITES = """
import os, signal, sys
from pathlib import Path
from harness.store.atomic import write_atomic
os.fsync = lambda fd: os.kill(os.getpid(), signal.SIGKILL)
write_atomic(Path(sys.argv[1]), b"new")
"""


@pytest.mark.parametrize(
    "name", [layout.SUMMARY, f"{layout.SESSIONS}/1.json", f"{layout.TREES}/a.tar.zst", "blobs/ab/c"]
)
def test_what_a_killed_writer_left_goes_when_the_run_is_taken_up(tmp_path: Path, name: str) -> None:
    folder = new_folder(tmp_path)
    path = folder.path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_bytes() if path.exists() else None
    script = [sys.executable, "-c", _KILLED_WHILE_IT_WRITES, str(path)]
    assert subprocess.run(script, cwd=ROOT, timeout=60).returncode == -signal.SIGKILL
    assert len(list(folder.path.rglob("*.tmp"))) == 1
    with RunFolder.open(folder.path).lock():
        pass
    assert list(folder.path.rglob("*.tmp")) == []
    assert (path.read_bytes() if path.exists() else None) == before


def test_a_writer_whose_file_is_swept_away_writes_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace
    swept: list[Path] = []

    def swept_once(self: Path, target: Path) -> Path:
        if not swept:
            swept.append(self)
            sweep(tmp_path)
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", swept_once)
    write_atomic(tmp_path / "labels.json", b"kept")
    assert swept
    assert (tmp_path / "labels.json").read_bytes() == b"kept"
    assert [path.name for path in tmp_path.iterdir()] == ["labels.json"]
