"""TypeScript: the compiler's own diagnostics, from a Node process that stays warm."""

from __future__ import annotations

import re
from importlib import resources
from typing import Final

from tools import caps
from tools.linting.config import LintConfig
from tools.linting.findings import Finding
from tools.linting.process import ProcessDiedError, WarmProcess
from tools.linting.sources import Sources

# Cannot find module / no declaration file for it; as mypy's missing imports, these are let pass
# for packages (a name without a leading dot), and so are Node's own globals.
_MISSING_MODULE: Final = frozenset({2307, 2792, 7016})
_NODE_GLOBALS: Final = frozenset({2580, 2591})
_RELATIVE: Final = re.compile(r"""['"]\.""")


class TypeScriptLinter:
    """Options are given in the request; a tsconfig in the tree is never looked at."""

    def __init__(self, config: LintConfig, cwd: str, protocol: str) -> None:
        assert config.node and config.typescript_lib
        data = resources.files("tools.linting")
        source = data.joinpath("tsc_server.cjs").read_text()
        # scores of sacb compare only with the libraries and rules that it uses itself
        plain = protocol == "sacb"
        declared = "" if plain else data.joinpath("node_globals.d.ts").read_text()
        argv = [config.node, "--input-type=commonjs", "-e", source, "--"]
        self._server = WarmProcess([*argv, config.typescript_lib, declared], cwd)

    def start(self) -> None:
        """Start the compiler. Raises ProcessDiedError."""
        self._server.start()

    def close(self) -> None:
        """End the compiler."""
        self._server.close()

    def check(self, sources: Sources) -> list[Finding]:
        """Findings of the whole program. Raises ProcessDiedError, ProcessTimeoutError."""
        files = {**sources.beside, **sources.typescript}
        try:
            answer = self._server.ask({"files": files}, caps.LINT_SECONDS)
        except ProcessDiedError:
            self._server.ask({"files": {}}, caps.LINT_SECONDS)  # is it the tree? An empty one tells
            answer = {"findings": [], "failed": True}
        findings = [
            Finding(path, line, column, f"error TS{code}: {text}")
            for path, line, column, code, text in answer["findings"]
            if code not in _NODE_GLOBALS
            and not (code in _MISSING_MODULE and not _RELATIVE.search(text))
        ]
        if answer.get("failed"):
            text = "note: the type checker failed on this tree; types were not checked"
            findings.append(Finding(".", 0, 0, text, is_note=True))
        return findings
