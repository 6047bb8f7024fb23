"""Warm processes: large exchanges, deaths, clean surroundings."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from tools.linting.process import (
    ProcessDiedError,
    ProcessTimeoutError,
    WarmProcess,
    output,
    start,
)

ECHO = "import sys\nfor line in sys.stdin: sys.stdout.write(line); sys.stdout.flush()"


def test_questions_larger_than_a_pipe_are_answered(tmp_path: Path) -> None:
    process = WarmProcess([sys.executable, "-I", "-c", ECHO], str(tmp_path))
    question = {"text": "x" * 3_000_000}
    assert process.ask(question, 30) == question
    assert process.ask({"n": 1}, 30) == {"n": 1}
    process.close()


def test_one_death_is_forgiven_and_two_are_not(tmp_path: Path) -> None:
    marker = tmp_path / "once"
    dies_once = (
        f"import os, sys\nif not os.path.exists({str(marker)!r}):\n"
        f"    open({str(marker)!r}, 'w'); sys.exit()\n{ECHO}"
    )
    process = WarmProcess([sys.executable, "-I", "-c", dies_once], str(tmp_path))
    assert process.ask({"n": 1}, 30) == {"n": 1}
    process.close()
    with pytest.raises(ProcessDiedError):
        WarmProcess([sys.executable, "-I", "-c", "pass"], str(tmp_path)).ask({"n": 1}, 30)
    with pytest.raises(ProcessDiedError, match="cannot be started"):
        WarmProcess([str(tmp_path / "none")], str(tmp_path)).ask({"n": 1}, 30)


def test_silence_ends_in_a_timeout(tmp_path: Path) -> None:
    process = WarmProcess([sys.executable, "-I", "-c", "input(); input()"], str(tmp_path))
    with pytest.raises(ProcessTimeoutError):
        process.ask({}, 0.3)


def test_the_environment_is_clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MYPYPATH", "/x")
    monkeypatch.setenv("PYTHONPATH", "/x")
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    monkeypatch.setenv("RUFF_CONFIG", "/x")
    monkeypatch.setenv("NODE_OPTIONS", "--inspect")
    process = start(["/usr/bin/env"], str(tmp_path), talks=False)
    seen, status = output(process, time.monotonic() + 30)
    assert status == 0
    names = {line.partition("=")[0] for line in seen.decode().splitlines()}
    assert names <= {"PATH", "HOME", "LC_ALL", "NO_COLOR", "LD_LIBRARY_PATH"}
