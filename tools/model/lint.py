"""lint: what the linter and the type checker say about the tree."""

from __future__ import annotations

from typing import Any

from tools.linting.checker import Checker
from tools.outcome import ToolError, ToolOutcome
from tools.workspace.files import Workspace


def run(workspace: Workspace, arguments: dict[str, Any], checker: Checker | None) -> ToolOutcome:
    """One finding a line, sorted; the count is of problems, without notes."""
    place = workspace.locate(arguments["path"], "any")
    if checker is None:
        raise ToolError("lint is not available here; go on without it")
    findings = checker.check(workspace, place)
    if findings is None:
        return ToolOutcome(checker.nothing_to_lint(place), lint_findings=0)
    problems = sum(not finding.is_note for finding in findings)
    text = "\n".join(finding.shown() for finding in findings)
    return ToolOutcome(text or "No problems found.", lint_findings=problems)
