"""``--on-finish CMD``: a command of the user's that hears of a run's end."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from harness.cli.common import said

# A hook that hangs must not keep a finished run from ending.
TIMEOUT_S = 600.0


def run_hook(shell_command: str, folder: Path, summary_json: str) -> None:
    """Run ``shell_command`` with the folder in PROCTOR_RUN and the summary on its stdin.

    A failure is told and changes nothing of the run's result.
    """
    try:
        done = subprocess.run(
            shell_command,
            shell=True,
            input=summary_json.encode(),
            env={**os.environ, "PROCTOR_RUN": str(folder)},
            stdout=2,  # stdout is for the one document
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        said(f"warning: --on-finish failed: {error}")
        return
    if done.returncode:
        said(f"warning: --on-finish ended with code {done.returncode}")
