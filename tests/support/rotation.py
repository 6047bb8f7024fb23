"""A share of many things that is another one each day, so that all of them have their turn."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TypeVar

_T = TypeVar("_T")
# What repeats a choice; without PROCTOR_SEED it is the day.
SEED = os.environ.get("PROCTOR_SEED") or datetime.now(UTC).date().isoformat()


def share(items: Sequence[_T], count: int, what: str) -> list[_T]:
    """``count`` of ``items`` in their order, all of them where PROCTOR_SOAK is set. what: names
    the choice, so that different ones differ."""
    if os.environ.get("PROCTOR_SOAK") or count >= len(items):
        return list(items)
    chosen = set(random.Random(f"{SEED} {what}").sample(range(len(items)), count))
    return [item for number, item in enumerate(items) if number in chosen]


def containments(what: str) -> tuple[str, str]:
    """Docker and bubblewrap, the one whose turn it is first."""
    first = random.Random(f"{SEED} {what}").choice(["docker", "bubblewrap"])
    return first, "bubblewrap" if first == "docker" else "docker"
