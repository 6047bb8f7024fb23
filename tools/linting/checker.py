"""All linters of a tree behind one call."""

from __future__ import annotations

from tools import caps
from tools.linting.config import LintConfig
from tools.linting.findings import Finding, arranged
from tools.linting.process import ProcessDiedError, ProcessTimeoutError, quiet_folder
from tools.linting.python import PythonLinter
from tools.linting.sources import collect
from tools.linting.typescript import TypeScriptLinter
from tools.outcome import InternalToolError, ToolError
from tools.workspace.files import Workspace
from tools.workspace.paths import Place
from tools.workspace.show import visible


class Checker:
    """Lints a tree again and again with processes that stay warm."""

    def __init__(self, config: LintConfig, protocol: str) -> None:
        self._config = config
        cwd = quiet_folder(config.cache_dir)
        self._python = PythonLinter(config, cwd) if config.python else None
        self._typescript = (
            TypeScriptLinter(config, cwd, protocol)
            if config.node and config.typescript_lib
            else None
        )

    def start(self, workspace: Workspace) -> None:
        """Start what the tree will need, without waiting for it."""
        sources = collect(workspace)
        try:
            if self._python and sources.python:
                self._python.start()
            if self._typescript and sources.typescript:
                self._typescript.start()
        except ProcessDiedError:
            return  # the lint itself will tell

    def close(self) -> None:
        """End all processes."""
        if self._python:
            self._python.close()
        if self._typescript:
            self._typescript.close()

    def check(self, workspace: Workspace, place: Place) -> list[Finding] | None:
        """Findings on a file or folder, None where it has no source that can be linted here.

        Raises ToolError when a linter takes too long, InternalToolError when it cannot run.
        """
        sources = collect(workspace)
        findings = list(sources.unreadable)
        linted: set[str] = {finding.path for finding in findings}
        try:
            if self._python and any(_inside(path, place) for path in sources.python):
                findings += self._python.check(workspace.root.folder, sources.python, place)
                linted.update(sources.python)
            if self._typescript and any(_inside(p, place) for p in sources.typescript):
                findings += self._typescript.check(sources)
                linted.update(sources.typescript)
        except ProcessTimeoutError:
            raise ToolError(
                f"lint took longer than {caps.LINT_SECONDS:g} seconds and was stopped; "
                "something in the tree is too large or too deeply nested to check"
            ) from None
        except ProcessDiedError as error:
            raise InternalToolError(f"lint could not run: {error}") from error
        if not any(_inside(path, place) for path in linted):
            return None
        return arranged(findings, place)

    def nothing_to_lint(self, place: Place) -> str:
        """What a place without lintable source is told."""
        language = "TypeScript" if self._config.language == "typescript" else "Python"
        return f"Nothing to lint: {visible(place.path)} holds no {language} source."


def seed(config: LintConfig) -> None:
    """Fill the cache folder, so that the first lint is quick and the folder may be read-only.

    Raises ProcessDiedError, ProcessTimeoutError.
    """
    cwd = quiet_folder(config.cache_dir)
    if config.python:
        linter = PythonLinter(config, cwd)
        try:
            linter.seed()
        finally:
            linter.close()


def _inside(path: str, place: Place) -> bool:
    return not place.parts or path == place.path or path.startswith(place.path + "/")
