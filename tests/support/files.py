"""What may lie where a file is looked for."""

from __future__ import annotations

import os
from pathlib import Path

ODD = ("folder", "pipe", "loop", "dangling")


def make_odd(path: Path, kind: str) -> None:
    """Put something at ``path`` that is no file."""
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "loop":
        path.symlink_to(path.name)
    else:
        path.symlink_to("nothing-there")
