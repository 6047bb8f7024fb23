"""Whether tasks can be written somewhere, asked before the work that makes them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from harness.errors import UsageError


def require_writable(folder: Path, option: str) -> None:
    """Raises UsageError where ``folder``, which ``option`` names, neither is a folder that can be
    written nor can be made. Nothing is left behind."""
    remedy = f"name another folder with {option}"
    there = folder
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        raise UsageError("is no folder", where=str(there), remedy=remedy)
    try:
        with tempfile.TemporaryDirectory(dir=there, prefix=".proctor-"):
            pass
    except OSError as error:
        why = f"cannot be written: {error.strerror}"
        raise UsageError(why, where=str(there), remedy=remedy) from None
