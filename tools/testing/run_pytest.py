"""Run hidden tests (pytest or unittest style) and report each one over descriptor 4.

Configuration: ``folder`` (tests, relative to the tree's root, which is the working directory),
``path`` (folders appended to sys.path), ``order`` (a seed for another order, or null),
``message_chars``, ``brief`` (messages are the exception only), ``plain`` (asserts are not
rewritten, and so say nothing when they fail). Lines: ``begin``, ``collected`` (ids), ``error``
(kind ``syntax``, ``memory`` or ``collection``, path, message), ``test`` (id, outcome, message,
seconds), ``end`` (exit, machinery). A run without ``end`` was ended from within.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from tools.testing import brief, machinery, quick_source
from tools.testing.channel import Emit, clip, emitter, read_config, toolchain

# What could be read from the tree, the environment or installed packages has no say: our own
# ini, root and plugin list, no cache, no plugin autoload, tests found by importlib.
ARGUMENTS = (
    "--import-mode=importlib",
    "--tb=short",
    "--show-capture=no",
    "--no-header",
    "--no-summary",
    "--continue-on-collection-errors",
    "-q",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:faulthandler",
    "-p",
    "no:junitxml",
    "-p",
    "no:pastebin",
)


class Recorder:
    """A pytest plugin that sends every outcome as soon as it is known."""

    def __init__(self, emit: Emit, limit: int, order: int | None) -> None:
        self._emit = emit
        self._limit = limit
        self._order = order
        self._outcomes: dict[str, str] = {}
        self._messages: dict[str, str] = {}
        self._seconds: dict[str, float] = {}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        if self._order is not None:
            random.Random(self._order).shuffle(items)

    def pytest_collection_finish(self, session: Any) -> None:
        self._emit({"type": "collected", "ids": [item.nodeid for item in session.items]})

    def pytest_exception_interact(self, node: Any, call: Any, report: Any) -> None:
        if type(report).__name__ != "CollectReport":
            return
        kind = _kind_of(call.excinfo.value)
        text = clip(str(report.longreprtext), self._limit)
        self._emit({"type": "error", "kind": kind, "path": node.nodeid, "message": text})

    def pytest_runtest_logreport(self, report: Any) -> None:
        test = report.nodeid
        self._seconds[test] = self._seconds.get(test, 0.0) + report.duration
        if report.failed:
            self._outcomes[test] = "failed" if report.when == "call" else "error"
        elif report.skipped:
            # An expected failure is reported as skipped, too: neither is a pass.
            self._outcomes.setdefault(test, "skipped")
        elif report.when == "call" and type(report).__name__ == "TestReport":
            self._outcomes.setdefault(test, "passed")
        if not report.passed and test not in self._messages:
            self._messages[test] = clip(str(report.longreprtext), self._limit)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._emit(
            {
                "type": "test",
                "id": nodeid,
                "outcome": self._outcomes.get(nodeid, "error"),
                "message": self._messages.get(nodeid, ""),
                "seconds": round(self._seconds.get(nodeid, 0.0), 4),
            }
        )


def _kind_of(error: BaseException | None) -> str:
    """``syntax``, ``memory`` or ``collection``, by the errors that this one came of."""
    for _ in range(20):
        if isinstance(error, SyntaxError):
            return "syntax"
        if isinstance(error, MemoryError):
            return "memory"
        error = None if error is None else error.__cause__ or error.__context__
    return "collection"


def main() -> None:
    """Run the tests; ends the process at once afterwards, so that nothing left behind delays."""
    config = read_config()
    emit = emitter()
    leave = os._exit
    root = Path.cwd()
    packages = toolchain(config).get("python_path")
    if packages and packages not in sys.path:
        sys.path.append(packages)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"

    import pytest

    quick_source.install()
    for folder in [*config.get("path", ["."]), config["folder"]]:
        sys.path.append(str((root / folder).resolve()))
    order = config.get("order")
    recorder = Recorder(emit, int(config.get("message_chars", 3000)), order)
    emit({"type": "begin", "runner": "pytest", "version": pytest.__version__})
    before = machinery.fingerprint()
    with tempfile.TemporaryDirectory(prefix="proctor-") as own:
        ini = Path(own) / "pytest.ini"
        ini.write_text("[pytest]\n", encoding="utf-8")
        places = ["-c", str(ini), f"--rootdir={root}", f"--confcutdir={root / config['folder']}"]
        plain = ["--assert=plain"] if config.get("plain") else []
        plugins = [recorder, brief.Brief()] if config.get("brief") else [recorder]
        code = pytest.main([*ARGUMENTS, *plain, *places, config["folder"]], plugins=plugins)
    emit({"type": "end", "exit": int(code), "machinery": machinery.changed(before)})
    sys.stdout.flush()
    leave(0)


if __name__ == "__main__":
    main()
