"""What linters report, in one shape."""

from __future__ import annotations

from dataclasses import dataclass

from tools.workspace.paths import Place
from tools.workspace.show import clip_line, visible


@dataclass(frozen=True, slots=True)
class Finding:
    """One report on a line of a file; line and column count from 1, 0 where unknown."""

    path: str
    line: int
    column: int
    text: str
    is_note: bool = False

    def shown(self) -> str:
        """One line for the model (more where the compiler explains itself over several)."""
        where = visible(self.path)
        if self.line:
            where += f":{self.line}:{self.column}" if self.column else f":{self.line}"
        return f"{where}: {clip_line(visible(self.text))}"


def arranged(findings: list[Finding], place: Place) -> list[Finding]:
    """Those on a file or below a folder, by path and line; a note stays behind its problem.

    Findings on the whole tree have the path ".".
    """
    if place.parts:
        inside = place.path + "/"
        findings = [f for f in findings if f.path in (place.path, ".") or f.path.startswith(inside)]
    return sorted(findings, key=lambda finding: (finding.path, finding.line))
