"""Digests of tasks: the row, the prompt it is asked with, and what else decides its score."""

from __future__ import annotations

from typing import Any

from harness.ids import canonical_json, sha256_hex
from harness.suites.shot import Prompt


def task_digest(row: str, prompt: Prompt, **more: Any) -> str:
    """SHA-256 over a row's digest, its rendered prompt and further facts."""
    facts = {"row": row, "prompt": prompt.text, "system": prompt.system, **more}
    return sha256_hex(canonical_json(facts))
