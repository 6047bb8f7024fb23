"""Processes that lint: one that stays and answers JSON lines, and one that runs once."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Final

_MAX_ANSWER: Final = 32 << 20  # bytes


class ProcessDiedError(Exception):
    """The process ended, could not start or answered nonsense."""


class ProcessTimeoutError(Exception):
    """The process did not answer in time; it was killed."""


def quiet_folder(cache_dir: str) -> str:
    """A folder without a file in it, to work in: configuration is looked for from there up."""
    folder = Path(cache_dir) / "cwd"
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return str(folder) if folder.is_dir() else tempfile.mkdtemp(prefix="lint-")


def start(argv: list[str], cwd: str, *, talks: bool) -> subprocess.Popen[bytes]:
    """A process with a clean environment in a session of its own. Raises ProcessDiedError."""
    environment = {
        "PATH": os.defpath,
        "HOME": cwd,
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
    }
    if "LD_LIBRARY_PATH" in os.environ:  # a toolchain may bring its own libraries
        environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
    try:
        return subprocess.Popen(
            argv,
            cwd=cwd,
            env=environment,
            stdin=subprocess.PIPE if talks else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
        )
    except OSError as error:
        raise ProcessDiedError(f"{argv[0]} cannot be started: {error.strerror}") from error


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and all it started, and close its pipes."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()
    process.wait()


def output(process: subprocess.Popen[bytes], deadline: float) -> tuple[bytes, int]:
    """All that a process prints, at most the cap, and its exit status (negative: a signal's).

    Raises ProcessTimeoutError. The process is ended in any case.
    """
    try:
        said = _exchange(process, b"", deadline, until=None)
        if len(said) > _MAX_ANSWER:
            return said, 0  # more than anybody reads; what is there counts
        try:
            return said, process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise ProcessTimeoutError from None
    finally:
        end(process)


class WarmProcess:
    """A server process, started when first needed, that answers one JSON line with another."""

    def __init__(self, argv: list[str], cwd: str) -> None:
        self._argv = argv
        self._cwd = cwd
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process unless it runs. Raises ProcessDiedError."""
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._process is None:
            self._process = start(self._argv, self._cwd, talks=True)

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            end(self._process)
            self._process = None

    def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """One answer; a process that dies meanwhile is started once more.

        Raises ProcessDiedError when it dies again, ProcessTimeoutError.
        """
        deadline = time.monotonic() + seconds
        line = json.dumps(question).encode() + b"\n"
        try:
            return self._ask(line, deadline)
        except ProcessDiedError:
            return self._ask(line, deadline)

    def _ask(self, line: bytes, deadline: float) -> dict[str, Any]:
        self.start()
        assert self._process is not None
        try:
            reply = _exchange(self._process, line, deadline, until=b"\n")
            answer: dict[str, Any] = json.loads(reply)
        except (OSError, ValueError) as error:
            self.close()
            raise ProcessDiedError("the process died") from error
        except ProcessTimeoutError:
            self.close()
            raise
        return answer


def _exchange(
    process: subprocess.Popen[bytes], data: bytes, deadline: float, *, until: bytes | None
) -> bytes:
    """Write and read at once, so that two full pipes cannot block each other."""
    assert process.stdout is not None
    answer = bytearray()
    view = memoryview(data)
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        if data:
            assert process.stdin is not None
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE)
        while True:
            ready = selector.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                raise ProcessTimeoutError
            for key, _ in ready:
                if key.fileobj is process.stdin:
                    with contextlib.suppress(BlockingIOError):
                        view = view[os.write(key.fd, view) :]
                    if not view:
                        selector.unregister(key.fileobj)
                    continue
                piece = os.read(key.fd, 1 << 16)
                answer += piece
                if not piece or len(answer) > _MAX_ANSWER:
                    return bytes(answer)
                if until and answer.endswith(until):
                    return bytes(answer)
