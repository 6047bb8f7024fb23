"""What a benchmark yields, and how it is printed."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One row: a median of ours in ``unit``, the peer's in the same unit, and the target.

    ``target`` is a sentence; ``met`` says whether ours keeps it (None where it is no number).
    """

    name: str
    ours: float
    unit: str
    peer: float | None = None
    peer_name: str = ""
    target: str = ""
    met: bool | None = None
    note: str = ""


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def quantile(values: Sequence[float], q: float) -> float:
    """The q-quantile (0..1) of ``values``, the nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


def show(figures: Sequence[Figure]) -> str:
    """The figures as a plain table."""
    rows = [("figure", "ours", "peer", "ours/peer", "target", "")]
    for f in figures:
        peer = "-" if f.peer is None else f"{f.peer:.3g} {f.unit} ({f.peer_name})"
        ratio = "-" if not f.peer else f"{f.ours / f.peer:.3g}"
        met = {True: "met", False: "MISSED", None: ""}[f.met]
        rows.append((f.name, f"{f.ours:.3g} {f.unit}", peer, ratio, f.target, met))
    widths = [max(len(row[i]) for row in rows) for i in range(6)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    notes = [f"{f.name}: {f.note}" for f in figures if f.note]
    return "\n".join([*lines, *notes])
