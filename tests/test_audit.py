"""The look for known vulnerabilities stops the lint only when it has found some."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.scripted_server import ScriptedServer, Step

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "audit.py"
CLEAN = {"dependencies": [{"name": "click", "version": "8", "vulns": []}]}
FOUND = {"dependencies": [{"name": "click", "version": "8", "vulns": [{"id": "PYSEC-1"}]}]}


def audit(folder: Path, url: str, program: str | None) -> tuple[int, str]:
    """Run the script with this text as the program ``pip-audit``, or with none."""
    if program is not None:
        (folder / "pip-audit").write_text(f"#!/bin/sh\n{program}\n")
        (folder / "pip-audit").chmod(0o755)
    python = folder / "python3"
    python.symlink_to(sys.executable)
    done = subprocess.run(
        [python, "-I", "-S", SCRIPT, url],
        env={**os.environ, "PATH": f"{folder}:/usr/bin:/bin"},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("program", "code", "said"),
    [
        (f"echo '{json.dumps(CLEAN)}'", 0, "1 locked packages, no known vulnerability"),
        (f"echo '{json.dumps(FOUND)}'; exit 1", 1, "click 8: PYSEC-1"),
        ("echo 'no such host' >&2; exit 1", 0, "not looked for: pip-audit failed: no such host"),
        (None, 0, "not looked for: pip-audit is not installed"),
    ],
    ids=["clean", "found", "failed", "absent"],
)
def test_only_what_was_found_is_a_reason_to_stop(
    tmp_path: Path, program: str | None, code: int, said: str
) -> None:
    with ScriptedServer([], models_answer=Step(answer={"info": {}})) as server:
        got, told = audit(tmp_path, f"{server.url}/models", program)
    assert (got, told.count("\n")) == (code, 1), told
    assert said in told


def test_a_service_that_is_not_there_is_told_and_passed_over(tmp_path: Path) -> None:
    with ScriptedServer([]) as server:
        url = f"{server.url}/nothing"
        code, told = audit(tmp_path, url, f"echo '{json.dumps(FOUND)}'; exit 1")
    assert code == 0 and "does not answer" in told, told
