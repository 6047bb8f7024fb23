"""Starts a runner of its own that outlives this process and knows nothing but the folder."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import harness
from harness.errors import ConflictError, ProctorError, StorageError
from harness.store import layout
from harness.store.faults import storage_error
from harness.store.lock import is_running, owner_of
from harness.store.run_folder import RunFolder

# Importing the model's library and probing the endpoint come after the lock; this is for Python.
_PATIENCE_S = 30.0
_SHOWN = 600


def detach(folder: Path) -> int:
    """Start a detached runner for ``folder`` and wait until it owns it; returns its pid.

    What it prints goes to ``runner.log`` in the folder. Raises ConflictError when the folder has a
    runner already, ProctorError with the runner's last words when it ends before it begins.
    """
    if is_running(folder):
        owner = owner_of(folder)
        who = f"process {owner.pid} on {owner.host}" if owner else "another process"
        raise ConflictError(f"{who} is working on this run", where=str(folder))
    process = start(folder)
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        code = process.poll()
        if code is not None:
            if code == 0:
                return process.pid  # nothing was left to do
            raise ProctorError(
                f"the runner ended with exit code {code}: {_last_words(folder)}",
                where=str(folder / layout.RUNNER_LOG),
            )
        owner = owner_of(folder)
        if owner is not None and owner.pid == process.pid and _began(folder, process.pid):
            return process.pid
        time.sleep(0.05)
    raise ProctorError(
        "the runner did not take the folder up in time", where=str(folder / layout.RUNNER_LOG)
    )


def _began(folder: Path, pid: int) -> bool:
    """Whether its session has: one that is refused takes the folder too, to say so."""
    session = RunFolder.open(folder).latest_session()
    return session.started is not None and session.pid == pid


def start(folder: Path) -> subprocess.Popen[bytes]:
    """The process alone: a session of its own, no terminal, no import path of the caller's."""
    path = folder / layout.RUNNER_LOG
    try:
        log = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise storage_error(error, path) from error
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "harness.cli.main", "_runner", str(folder.resolve())],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env=_environment(),
        )
    except OSError as error:
        raise StorageError(f"the runner cannot be started: {error}", where=str(folder)) from error
    finally:
        os.close(log)


def _environment() -> dict[str, str]:
    """The environment; in a checkout that is not installed, ``-P`` needs to be told of it."""
    environment = dict(os.environ)
    root = str(Path(harness.__file__).resolve().parents[1])
    if root not in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        known = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = f"{root}{os.pathsep}{known}" if known else root
    return environment


def _last_words(folder: Path) -> str:
    try:
        text = (folder / layout.RUNNER_LOG).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "it left no message"
    return text.strip()[-_SHOWN:] or "it left no message"
