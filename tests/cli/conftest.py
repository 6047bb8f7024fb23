"""The command line as a user has it: a process of its own, folders of its own."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support import boxes

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Done:
    """A finished command."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)


Proctor = Callable[..., Done]


@dataclass(frozen=True)
class Home:
    """Where a test's user lives: project is the working folder, runs the folder of runs."""

    project: Path
    runs: Path
    env: dict[str, str]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Empty configuration, runs and project; the cache stays the real one, for it holds what
    sandboxes were built of."""
    project = tmp_path / "project"
    project.mkdir()
    env = {k: v for k, v in os.environ.items() if not k.startswith("PROCTOR_")}
    env |= {
        "PYTHONPATH": str(ROOT),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "PROCTOR_RUNS": str(tmp_path / "runs"),
        "TERM": "dumb",
    }
    env.pop("OPENAI_API_KEY", None)
    return Home(project, tmp_path / "runs", env)


@pytest.fixture
def proctor(home: Home) -> Proctor:
    """Run ``proctor ARGUMENTS``; a traceback on the terminal fails any test."""

    def run(*arguments: str, timeout: float = 120.0, **env: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "harness.cli.main", *arguments],
            cwd=home.project,
            env=home.env | env,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=timeout,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert "Traceback" not in done.stderr + done.stdout, done.stderr
        return Done(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
async def bubblewrap_ready() -> None:
    provider = await boxes.require("bubblewrap")
    await provider.close()


OnTerminal = Callable[..., list[str]]


@pytest.fixture
def on_terminal(home: Home) -> OnTerminal:
    """Run ``proctor ARGUMENTS`` on a terminal of so many columns; the lines that it writes."""

    def run(*arguments: str, columns: int = 80) -> list[str]:
        ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        env = {k: v for k, v in home.env.items() if k not in ("COLUMNS", "LINES")}
        with subprocess.Popen(
            [sys.executable, "-m", "harness.cli.main", *arguments],
            cwd=home.project,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=subprocess.PIPE,
        ) as process:
            os.close(theirs)
            written = b""
            with contextlib.suppress(OSError):  # the other end is closed: EIO on Linux
                while part := os.read(ours, 65536):
                    written += part
            os.close(ours)
            assert process.stderr is not None
            errors = process.stderr.read().decode()
        assert process.returncode == 0, errors
        return written.decode().replace("\r\n", "\n").splitlines()

    return run
