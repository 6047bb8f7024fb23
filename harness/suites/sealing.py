"""Digests of tasks: the row, the prompt it is asked with, and what else decides its score;
and whether they are still those of a plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.errors import ConflictError
from harness.ids import canonical_json, sha256_hex
from harness.plan import SuitePlan, task_words
from harness.suites.shot import Prompt


def task_digest(row: str, prompt: Prompt, **more: Any) -> str:
    """SHA-256 over a row's digest, its rendered prompt and further facts."""
    facts = {"row": row, "prompt": prompt.text, "system": prompt.system, **more}
    return sha256_hex(canonical_json(facts))


def require_planned(plan: SuitePlan, found: Mapping[str, str], *, remedy: str) -> None:
    """Raises ConflictError naming planned tasks that are missing, or have another digest; ``found``
    maps the tasks that are there to their digests."""
    planned = {ref.id: ref.digest for ref in plan.tasks}
    words = task_words(planned, {task: found[task] for task in planned if task in found})
    if words:
        raise ConflictError(
            f"suite {plan.name} is not as it was planned: {'; '.join(words)}", remedy=remedy
        )
