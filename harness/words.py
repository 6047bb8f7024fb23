"""What to say of a word that nobody knows."""

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
