"""Run test classes of one module text and report each method over descriptor 4.

Standard input: JSON with ``source`` (candidate and tests in one module), ``classes`` (names of
test classes), ``seed`` (set before each test), ``path`` (folders of packages, appended). Lines
as of ``run_pytest``: ``begin``, ``error`` (kind, message), ``test`` (id ``Class::method``,
outcome, message, seconds), ``end``. A run without ``end`` was ended from within.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import sys
import time
import traceback
import types
import unittest
from pathlib import Path
from typing import Any

from tools.testing.channel import Emit, clip, emitter

MODULE = "candidate"
TEXT = 2_000


class Result(unittest.TestResult):
    """Sends each passed test at once; what did not pass waits for its second try."""

    def __init__(self, emit: Emit, seed: int) -> None:
        super().__init__()
        self.failed: list[tuple[unittest.TestCase, dict[str, Any]]] = []
        self._emit = emit
        self._seed = seed
        self._outcome, self._message = "passed", ""
        self._began = 0.0
        self._before: set[str] = set()
        self._residue: set[str] = set()

    def startTest(self, test: Any) -> None:
        self._outcome, self._message = "passed", ""
        self._before = _entries()
        self._began = time.monotonic()
        random.seed(self._seed)
        numpy = sys.modules.get("numpy")
        if numpy is not None:
            numpy.random.seed(self._seed % (1 << 32))

    def stopTest(self, test: Any) -> None:
        line = {
            "type": "test",
            "id": f"{type(test).__name__}::{test._testMethodName}",
            "outcome": self._outcome,
            "message": clip(self._message, TEXT),
            "seconds": round(time.monotonic() - self._began, 4),
        }
        if self._outcome == "passed":
            self._emit(line)
        else:
            self._residue |= _entries() - self._before
            self.failed.append((test, line))

    def retry(self) -> None:
        """Run what failed once more without the files that failed tests had no time to remove: a
        falsified test must not fail the next one. The first try's word stands where both fail."""
        first, self.failed = self.failed, []
        tidy = bool(self._residue)
        for test, line in first:
            if tidy:
                _remove(self._residue)
                self._residue = set()
                unittest.TestSuite([test]).run(self)
            if not tidy or self.failed:
                self._emit(line)
            self.failed = []

    def _worse(self, outcome: str, error: Any) -> None:
        self._outcome = outcome
        if error is not None and not self._message:
            self._message = "".join(traceback.format_exception(*error)[-3:])

    def addFailure(self, test: Any, err: Any) -> None:
        self._worse("failed", err)

    def addError(self, test: Any, err: Any) -> None:
        self._worse("error", err)

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
        if err is not None:
            self._worse("failed", err)

    def addSkip(self, test: Any, reason: str) -> None:
        self._outcome, self._message = "skipped", reason

    def addUnexpectedSuccess(self, test: Any) -> None:
        self._outcome = "failed"

    def addExpectedFailure(self, test: Any, err: Any) -> None:
        self._outcome = "skipped"


def _entries() -> set[str]:
    return {path.name for path in Path().iterdir()}


def _remove(names: set[str]) -> None:
    for path in map(Path, names):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                path.unlink()


def main() -> None:
    """Run them; ends the process at once afterwards."""
    emit, leave = emitter(), os._exit
    with open(0, "rb", closefd=False) as stream:
        job = json.loads(stream.read())
    sys.path.extend(job["path"])
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    emit({"type": "begin"})
    module = types.ModuleType(MODULE)
    module.__dict__["__file__"] = str(Path.cwd() / "candidate.py")
    sys.modules[MODULE] = module
    try:
        code = compile(job["source"], "<candidate>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        text = f"{type(error).__name__}: {error}"
        emit({"type": "error", "kind": "syntax", "path": MODULE, "message": clip(text, TEXT)})
        emit({"type": "end"})
        leave(0)
    random.seed(job["seed"])
    try:
        exec(code, module.__dict__)
    except Exception as error:  # what it raises is reported, whatever it is
        text = f"{type(error).__name__}: {error}"
        emit({"type": "error", "kind": "import", "path": MODULE, "message": clip(text, TEXT)})
        emit({"type": "end"})
        leave(0)
    result = Result(emit, job["seed"])
    loader = unittest.TestLoader()
    for name in job["classes"]:
        kind = module.__dict__.get(name)
        if isinstance(kind, type) and issubclass(kind, unittest.TestCase):
            loader.loadTestsFromTestCase(kind).run(result)
    result.retry()
    emit({"type": "end"})
    leave(0)


if __name__ == "__main__":
    main()
