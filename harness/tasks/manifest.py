"""``fresh.json``: what a root of fresh tasks was made of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.errors import ConfigError

FILE = "fresh.json"


def write_manifest(root: Path, facts: dict[str, Any]) -> None:
    """What the tasks were made of, for the plan and for people."""
    text = json.dumps(facts, indent=2, sort_keys=True) + "\n"
    (root / FILE).write_text(text, encoding="utf-8")


def read_manifest(root: Path) -> dict[str, Any] | None:
    """The manifest of a root of fresh tasks; None where there is none. Raises ConfigError."""
    path = root / FILE
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot be read: {error}", where=str(path)) from None
    if not isinstance(found, dict):
        raise ConfigError("is no JSON object", where=str(path))
    return found
