"""Python: ruff for style and plain faults, mypy for types; the tree's configuration has no say."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Final

from tools import caps
from tools.linting.config import LintConfig
from tools.linting.findings import Finding
from tools.linting.process import ProcessDiedError, WarmProcess, end, output, start
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
        if self._mypy.ask({"seed": True}, caps.LINT_SECONDS)["failed"]:
            raise ProcessDiedError("it does not get through the standard library")

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
            typed, unparsed = self._ask_mypy(files, caps.LINT_SECONDS)
        except BaseException:
            if first:
                end(first)
            raise
        for batch in batches:
            findings += self._finish_ruff(root, batch, first, deadline)
            first = None
        told = {finding.path for finding in findings}
        text = "note: types were not checked: nested too deeply"
        findings += [Finding(p, 0, 0, text, is_note=True) for p in unparsed if p not in told]
        findings.sort(key=lambda f: (f.path, f.line, f.column, f.text))
        return [*findings, *typed]

    def _finish_ruff(
        self,
        root: str,
        paths: list[str],
        running: subprocess.Popen[bytes] | None,
        deadline: float,
    ) -> list[Finding]:
        """ruff's findings; a file that crashes it is found by halving and named."""
        process = running or self._start_ruff(root, paths)
        said, status = output(process, deadline)
        if status in (0, 1):
            return list(_ruff_findings(said, root))
        if running:  # the first crash: is it the tree or ruff itself?
            _, control = output(start([self._ruff, "--version"], self._cwd, talks=False), deadline)
            if control != 0:
                raise ProcessDiedError(f"ruff ends with status {status}")
        if len(paths) == 1:
            text = "note: the linter failed on this file; it may be nested too deeply"
            return [Finding(paths[0], 0, 0, text, is_note=True)]
        half = len(paths) // 2
        return [
            *self._finish_ruff(root, paths[:half], None, deadline),
            *self._finish_ruff(root, paths[half:], None, deadline),
        ]

    def _start_ruff(self, root: str, paths: list[str]) -> subprocess.Popen[bytes]:
        argv = [
            *(self._ruff, "check", "--isolated", "--no-cache", "--no-fix", "--quiet"),
            *("--output-format", "json-lines", "--select", RULES),
            *("--target-version", "py" + TARGET.replace(".", ""), "--"),
            *(f"{root}/{path}" for path in paths),
        ]
        return start(argv, self._cwd, talks=False)

    def _ask_mypy(self, files: dict[str, str], seconds: float) -> tuple[list[Finding], list[str]]:
        try:
            answer = self._mypy.ask({"files": files}, seconds)
            if answer["failed"]:  # a file too deep to parse kills the check
                answer = self._mypy.ask({"files": files, "careful": True}, seconds)
        except ProcessDiedError:
            self._mypy.ask({"files": {}}, seconds)  # is it the tree? An empty one tells
            answer = {"failed": True}
        findings = [
            Finding(path, line, column, text, is_note=note)
            for path, line, column, text, note in answer.get("findings", ())
        ]
        if answer.get("failed"):
            text = "note: the type checker failed on this tree; types were not checked"
            findings.append(Finding(".", 0, 0, text, is_note=True))
        return findings, answer.get("unparsed", [])


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
