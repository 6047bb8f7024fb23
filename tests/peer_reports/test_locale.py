"""A run whose texts no old locale can write is told all the same."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.counting_suite import carry_out, make_folder, make_plan

ROOT = Path(__file__).resolve().parents[2]
NAME = "größer \U0001f600 \ud83d \x1b[31m 数"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_run_is_told_in_a_locale_without_its_characters(tmp_path: Path, encoding: str) -> None:
    folder = make_folder(tmp_path, make_plan(2), name=NAME.encode("utf-8", "replace").decode())
    asyncio.run(carry_out(folder))
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PROCTOR_RUNS": str(tmp_path), "LC_ALL": "C"}
    env |= {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": encoding}
    for arguments in (["runs"], ["show", str(folder.path)], ["runs", "--json"]):
        done = subprocess.run(
            [sys.executable, "-P", "-m", "harness.cli.main", *arguments],
            env=env, capture_output=True, timeout=60,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        assert b"Traceback" not in done.stderr
        assert b"\x1b[31m" not in done.stdout, "no colour that the name asks for"
        # click takes ASCII for a locale that was never set, and writes UTF-8.
        said = done.stdout.decode(encoding.replace("ascii", "utf-8"))
        if "--json" in arguments:
            assert json.loads(said)[0]["name"].startswith("größer \U0001f600 ")
        assert folder.path.name in said
        assert "gr" in said or arguments[0] == "show"
