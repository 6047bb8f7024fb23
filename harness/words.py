"""Counts in words, and what to say of a word that nobody knows."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def known_words(word: str, known: Iterable[str]) -> str | None:
    """``did you mean 'x'?``, else all that is known; None where nothing is."""
    names = list(known)
    near = difflib.get_close_matches(word, names, 1, 0.6)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"known: {', '.join(sorted(names))}" if names else None


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """``1 task``, ``2 tasks``; ``plural`` where it is not the noun with an s."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"
