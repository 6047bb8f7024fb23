"""Where words may be divided, by a list of patterns (Liang's method)."""

import re
from collections.abc import Iterable
from itertools import pairwise

_PATTERN = re.compile(r"\.?\d?(?:[^\W\d_]\d?)+\.?")
_LETTERS = re.compile(r"[^\W\d_]+")


class Hyphenator:
    """Patterns such as ``hy3ph``: letters with digits between them.

    For each place in a word the greatest digit of all patterns that match there counts; odd
    digits allow a break. ``exceptions`` are words with their breaks written as hyphens.
    """

    def __init__(
        self,
        patterns: Iterable[str],
        exceptions: Iterable[str] = (),
        left: int = 2,
        right: int = 3,
    ) -> None:
        self._patterns: dict[str, list[int]] = {}
        self._exceptions: dict[str, list[int]] = {}
        self._left = left
        self._right = right
        for pattern in patterns:
            self._add_pattern(pattern)
        for word in exceptions:
            self._add_exception(word)

    def _add_pattern(self, pattern: str) -> None:
        if not _PATTERN.fullmatch(pattern):
            raise ValueError(f"not a hyphenation pattern: {pattern!r}")
        letters = re.sub(r"\d", "", pattern).lower()
        values = [0] * (len(letters) + 1)
        at = 0
        for char in pattern:
            if char.isdigit():
                values[at] = int(char)
            else:
                at += 1
        self._patterns[letters] = values

    def _add_exception(self, word: str) -> None:
        points: list[int] = []
        parts = word.lower().split("-")
        for part in parts[:-1]:
            points.append(len(part) + (points[-1] if points else 0))
        self._exceptions["".join(parts)] = points

    def points(self, word: str) -> list[int]:
        """Positions in the word before which it may be divided.

        Punctuation around the word does not count; a word that has anything but letters inside
        is not divided.
        """
        core = word.strip("\"'()[].,;:!?_*`“”‘’«»…")
        if not _LETTERS.fullmatch(core):
            return []
        offset = word.index(core)
        known = self._exceptions.get(core.lower())
        points = self._by_patterns(core.lower()) if known is None else known
        return [offset + point for point in points]

    def _by_patterns(self, word: str) -> list[int]:
        dotted = f".{word}."
        values = [0] * (len(dotted) + 1)
        for start in range(len(dotted)):
            for end in range(start + 1, len(dotted) + 1):
                for shift, value in enumerate(self._patterns.get(dotted[start:end], ())):
                    values[start + shift] = max(values[start + shift], value)
        last = len(word) - self._right
        return [p for p in range(self._left, last + 1) if values[p + 1] % 2]

    def split(self, word: str) -> list[str]:
        """The word in the parts that it may be divided into."""
        cuts = [0, *self.points(word), len(word)]
        return [word[a:b] for a, b in pairwise(cuts)]


def read_patterns(text: str) -> Hyphenator:
    """Patterns and exceptions from a file: words with hyphens are exceptions, ``%`` begins a
    comment."""
    words = [word for line in text.split("\n") for word in line.partition("%")[0].split()]
    return Hyphenator(
        [word for word in words if "-" not in word], [word for word in words if "-" in word]
    )
