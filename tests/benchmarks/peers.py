"""Other harnesses, installed into a venv of their own and measured in the same run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

from platformdirs import user_cache_dir

PACKAGES = ("mini-swe-agent", "inspect-ai")


def peer_python() -> Path | None:
    """Interpreter of the peers' venv, made on first use; None where it cannot be installed."""
    folder = Path(os.environ.get("PROCTOR_PEERS") or Path(user_cache_dir("proctor")) / "peers")
    python = folder / "bin" / "python"
    if not (folder / ".ready").exists():
        venv.create(folder, with_pip=True)
        done = subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], check=False)
        if done.returncode:
            print("peers could not be installed: their columns stay empty", file=sys.stderr)
            return None
        (folder / ".ready").touch()
    return python


def measure(program: str, *args: str, timeout: float = 300.0) -> Any | None:
    """Run ``program`` with the peers' interpreter; its last line of output is JSON. None when the
    peer is not there or fails (said on stderr)."""
    python = peer_python()
    if python is None:
        return None
    env = {**os.environ, "MSWEA_SILENT_STARTUP": "1"}
    done = subprocess.run(
        [python, "-c", program, *args],
        capture_output=True,
        text=True,
        timeout=timeout,
        env=env,
        check=False,
    )
    if done.returncode:
        print(f"peer failed: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return None
    return json.loads(done.stdout.strip().splitlines()[-1])
