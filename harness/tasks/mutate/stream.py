"""Chance that is the same everywhere: every choice is a hash of the seed and of what is chosen."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

from harness.tasks.mutate.plant import Plant

T = TypeVar("T")


class Stream:
    """Choices for one seed and one name; the same words give the same choice, on any machine."""

    def __init__(self, *words: object) -> None:
        self._root = "\0".join(str(word) for word in words)

    def number(self, *words: object) -> int:
        """A number below 2**64."""
        text = "\0".join([self._root, *(str(word) for word in words)])
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")

    def share(self, *words: object) -> float:
        """A number from 0 to below 1."""
        return self.number(*words) / 2**64

    def pick(self, choices: Sequence[T], *words: object) -> T:
        return choices[self.number(*words) % len(choices)]


def in_turn(found: Iterable[Plant], stream: Stream) -> list[Plant]:
    """All defects in the order in which they are tried: kinds take turns, and within a kind the
    functions do, so that any beginning of the list is spread over both."""
    kinds: dict[str, dict[tuple[str, str], list[Plant]]] = {}
    for plant in found:
        kinds.setdefault(plant.kind, {}).setdefault((plant.path, plant.symbol), []).append(plant)
    queues: dict[str, list[Plant]] = {}
    for kind, places in kinds.items():
        ranked: list[tuple[int, int, Plant]] = []
        for group in places.values():
            drawn = sorted(group, key=lambda each: (stream.number("place", each.key), each.key))
            ranked += [
                (rank, stream.number("place", each.key), each) for rank, each in enumerate(drawn)
            ]
        ranked.sort(key=lambda each: (each[0], each[1], each[2].key))
        queues[kind] = [plant for _, _, plant in ranked]
    order: list[Plant] = []
    for turn in range(max((len(queue) for queue in queues.values()), default=0)):
        names = [kind for kind, queue in queues.items() if turn < len(queue)]
        names.sort(key=lambda kind: (stream.number("turn", turn, kind), kind))
        order += [queues[kind][turn] for kind in names]
    return order
