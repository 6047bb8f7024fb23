"""Commands of proctor as processes of their own: what is heavy, or may fail, stays out of here."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import harness

_PATIENCE_S = 300.0


@dataclass(frozen=True)
class Done:
    """A command that ended. document: the JSON on its stdout, None when there is none."""

    code: int
    document: Any
    said: str

    @property
    def ok(self) -> bool:
        return self.code == 0 and self.document is not None

    @property
    def problem(self) -> str:
        """What went wrong, in the command's own words."""
        if isinstance(self.document, dict) and isinstance(self.document.get("error"), dict):
            error = self.document["error"]
            parts = (error.get("where"), error.get("what"), error.get("remedy"))
            return "\n".join(str(part) for part in parts if part)
        return self.said.strip()[-600:] or f"the command ended with exit code {self.code}"


async def proctor(*arguments: str) -> Done:
    """Run ``proctor ARGUMENTS`` with nothing on its terminal."""
    environment = dict(os.environ)
    root = str(Path(harness.__file__).resolve().parents[1])
    known = environment.get("PYTHONPATH")
    environment["PYTHONPATH"] = f"{root}{os.pathsep}{known}" if known else root
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "harness.cli.main",
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), _PATIENCE_S)
    except (TimeoutError, asyncio.CancelledError) as stop:
        process.kill()
        await process.wait()
        if isinstance(stop, asyncio.CancelledError):
            raise
        return Done(1, None, f"no answer within {_PATIENCE_S:.0f} s")
    try:
        document = json.loads(out)
    except ValueError:
        document = None
    return Done(process.returncode or 0, document, err.decode("utf-8", "replace"))
