"""What the episodes came to: a table of kinds and sandboxes, printed when they are over."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass


@dataclass
class Count:
    """Episodes of one kind in one sandbox."""

    episodes: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0


COUNTS: dict[tuple[str, str], Count] = defaultdict(Count)


def note(kind: str, sandbox: str, outcome: str, seconds: float) -> None:
    """Count an episode: passed, failed or skipped."""
    count = COUNTS[kind, sandbox]
    count.episodes += outcome != "skipped"
    count.failed += outcome == "failed"
    count.skipped += outcome == "skipped"
    count.seconds += seconds


def table(seed: int) -> list[str]:
    """The table's lines; empty when nothing was counted."""
    if not COUNTS:
        return []
    head = f"{'kind':18}{'sandbox':12}{'episodes':>9}{'passed':>8}{'failed':>8}{'seconds':>9}"
    lines = [head]
    total = Count()
    for (kind, sandbox), count in sorted(COUNTS.items()):
        lines.append(_row(kind, sandbox, count))
        total.episodes += count.episodes
        total.failed += count.failed
        total.seconds += count.seconds
    lines += [_row("all", "", total), f"PROCTOR_SEED={seed}"]
    skipped = sum(count.skipped for count in COUNTS.values())
    return [*lines, f"{skipped} skipped"] if skipped else lines


def _row(kind: str, sandbox: str, count: Count) -> str:
    passed = count.episodes - count.failed
    return f"{kind:18}{sandbox:12}{count.episodes:9}{passed:8}{count.failed:8}{count.seconds:9.0f}"
