"""finish: the model's word that it is done."""

from __future__ import annotations

from typing import Any

from tools.outcome import ToolOutcome
from tools.workspace.files import Workspace


def run(workspace: Workspace, arguments: dict[str, Any], protocol: str) -> ToolOutcome:
    """Nothing is done to the tree; the loop ends the session."""
    return ToolOutcome("Finished. The session ends here.", finished=True)
