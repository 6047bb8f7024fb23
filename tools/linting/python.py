"""Python: ruff for style and plain faults, mypy for types; the tree's configuration has no say."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any, Final

from tools import caps
from tools.linting.config import LintConfig
from tools.linting.findings import Finding
from tools.linting.process import ProcessDiedError, WarmProcess, output, start
from tools.workspace.paths import Place

# Undefined and unused names, syntax, comparisons with None, bare except: faults, not taste
RULES: Final = "E4,E7,E9,F"
TARGET: Final = "3.11"
_BATCH: Final = 400  # files a ruff process; argument lists have a limit


class PythonLinter:
    """ruff runs anew each time, which takes milliseconds; mypy stays."""

    def __init__(self, config: LintConfig, cwd: str) -> None:
        assert config.python
        self._cwd = cwd
        self._ruff = config.ruff or str(Path(config.python).parent / "ruff")
        source = resources.files("tools.linting").joinpath("mypy_server.py").read_text()
        cache = str(Path(config.cache_dir) / "mypy")
        # -I and -P: neither the environment nor the folder can put a module in mypy's way
        argv = [config.python, "-I", "-P", "-c", source, cache, TARGET, str(caps.LINT_SECONDS)]
        self._mypy = WarmProcess(argv, cwd)

    def start(self) -> None:
        """Start mypy. Raises ProcessDiedError."""
        self._mypy.start()

    def close(self) -> None:
        """End mypy."""
        self._mypy.close()

    def seed(self) -> None:
        """Let mypy fill its cache with the standard library. Raises ProcessDiedError."""
        self._mypy.ask({"seed": True}, caps.LINT_SECONDS)

    def check(self, root: str, files: dict[str, str], place: Place) -> list[Finding]:
        """Findings of both; mypy sees every file, ruff those at `place`.

        Raises ProcessDiedError, ProcessTimeoutError.
        """
        deadline = time.monotonic() + caps.LINT_SECONDS
        inside = [p for p in files if _wanted(p, place)]
        batches = [inside[at : at + _BATCH] for at in range(0, len(inside), _BATCH)]
        findings: list[Finding] = []
        first = self._start_ruff(root, batches[0]) if batches else None  # runs beside mypy
        try:
            typed = self._ask_mypy(files, caps.LINT_SECONDS)
        finally:
            said = output(first, deadline) if first else b""
        findings += _ruff_findings(said, root)
        for batch in batches[1:]:
            findings += _ruff_findings(output(self._start_ruff(root, batch), deadline), root)
        findings.sort(key=lambda f: (f.path, f.line, f.column, f.text))
        return [*findings, *typed]

    def _start_ruff(self, root: str, paths: list[str]) -> Any:
        argv = [
            *(self._ruff, "check", "--isolated", "--no-cache", "--no-fix", "--quiet"),
            *("--output-format", "json-lines", "--select", RULES),
            *("--target-version", "py" + TARGET.replace(".", ""), "--"),
            *(f"{root}/{path}" for path in paths),
        ]
        return start(argv, self._cwd, talks=False)

    def _ask_mypy(self, files: dict[str, str], seconds: float) -> list[Finding]:
        try:
            answer = self._mypy.ask({"files": files}, seconds)
        except ProcessDiedError:
            self._mypy.ask({"files": {}}, seconds)  # is it the tree? An empty one tells
            answer = {"failed": True}
        findings = [
            Finding(path, line, column, text, is_note=note)
            for path, line, column, text, note in answer.get("findings", ())
        ]
        if answer.get("failed"):
            path = next(iter(files))
            text = "note: the type checker failed on this tree; types were not checked"
            findings.append(Finding(path, 0, 0, text, is_note=True))
        return findings


def _wanted(path: str, place: Place) -> bool:
    return not place.parts or path == place.path or path.startswith(place.path + "/")


def _ruff_findings(said: bytes, root: str) -> Iterator[Finding]:
    for line in said.split(b"\n"):
        try:
            entry = json.loads(line)
        except ValueError:
            continue  # an empty line, or the last one, cut at the cap
        path = entry["filename"].removeprefix(root + "/")
        code = entry.get("code") or "invalid-syntax"
        location = entry.get("location") or {"row": 0, "column": 0}
        message = entry["message"].removeprefix("SyntaxError: ")
        text = f"error: {message}  [{code}]"
        yield Finding(path, location["row"], location["column"], text)
