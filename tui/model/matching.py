"""What is typed to filter a list, against words: ``no answer`` is one thing, ``resolved`` is not
a part of ``unresolved``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_GAP = re.compile(r"[\W_]+")
_EPOCH = re.compile(r"[#@]\d+")


@dataclass(frozen=True, slots=True)
class Words:
    """name: found by any part of it; labels: each found by its beginning and that of its parts."""

    name: str
    labels: str


def words_of(name: str, labels: Iterable[str]) -> Words:
    """The words of one row of a list."""
    parts = {part for label in labels for part in _parts(label)}
    return Words(name.lower(), " " + " ".join(sorted(parts)))


@lru_cache(maxsize=4096)
def _parts(label: str) -> tuple[str, ...]:
    whole = slug(label)
    return tuple({whole, *whole.split("_")} - {""})


@lru_cache(maxsize=4096)
def slug(label: str) -> str:
    """A label as one word: ``No answer`` and ``no_answer`` are ``no_answer``."""
    return _GAP.sub("_", label.lower()).strip("_")


class Query:
    """All that is typed has to be found, parted by spaces or commas; words that make a known label
    together are one, and ``#2`` or ``@2`` is an epoch, not the beginning of one."""

    def __init__(self, typed: str, labels: Iterable[str] = ()) -> None:
        known = {found for label in labels if "_" in (found := slug(label))}
        parts = [part.split() for part in typed.lower().split(",")]
        self.terms = [term for part in parts for term in _joined(part, known)]

    def matches(self, words: Words) -> bool:
        return all(_found(term, words) for term in self.terms)


def _found(term: str, words: Words) -> bool:
    if _EPOCH.fullmatch(term):
        return f"{term} " in f"{words.name} "
    return term in words.name or f" {term}" in words.labels


def _joined(typed: list[str], known: set[str]) -> list[str]:
    terms: list[str] = []
    start = 0
    while start < len(typed):
        stop = len(typed)
        while stop > start + 1:
            term = "_".join(typed[start:stop])
            # The last one may not be typed to its end.
            last = stop == len(typed) and any(label.startswith(term) for label in known)
            if term in known or last:
                break
            stop -= 1
        terms.append("_".join(typed[start:stop]))
        start = stop
    return terms
