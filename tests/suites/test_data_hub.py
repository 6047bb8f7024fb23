"""The hub: its cache, and what a user is told where there is neither."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_LOAD = """
from harness.suites.data import humaneval
from harness.errors import ConfigError
try:
    humaneval.load(None)
except ConfigError as error:
    print(error)
"""


def test_no_network_and_no_cache_is_one_line_that_names_the_file(tmp_path: Path) -> None:
    env = {k: v for k, v in os.environ.items() if "proxy" not in k.lower()}
    # nothing listens on port 9 of this machine
    env |= {"HF_HOME": str(tmp_path), "HF_ENDPOINT": "http://127.0.0.1:9"}
    done = subprocess.run(
        [sys.executable, "-c", _LOAD],
        env={**env, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "--data PATH: HumanEval.jsonl.gz" in done.stdout
    assert "openai/openai_humaneval is not in the cache" in done.stdout
    assert done.stdout.count("\n") == 1
    assert "Traceback" not in done.stderr and "Retrying" not in done.stderr
