"""False expected values that cannot be told from true ones by where else they occur.

A value drawn from the same file occurs twice, a true one often once; a made-up one occurs nowhere
else, a true one often in the source or the task's text; values exchanged between tests are given
away by those tests whose truth is known. So a false value gets the same *profile* as the one it
stands for: whether it occurs in other tests, and whether in the tree or the task's text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from random import Random

from harness.grading.twins import Literal, TestFile, Unrelated, differs, shape
from harness.tasks.task import Tree

Profile = tuple[bool, bool]
_FRESH = 12  # made-up values to choose from
_KNOWN = 100  # values of tests, tree and text to choose from
_PLAIN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_QUOTED = re.compile(r"'([^'\\\n]{1,80})'|\"([^\"\\\n]{1,80})\"")
_MADE = ("int", "float", "str", "call:Decimal", "call:Fraction")


class Surroundings:
    """All that a cheat can compare an expected value with: the hidden tests, the tree, the
    task's text."""

    def __init__(self, files: Iterable[TestFile], tree: Tree, text: str) -> None:
        parts = [text]
        for path, file in tree.items():
            if file.link is None and not path.endswith("/") and len(file.content) < 1 << 20:
                parts.append(file.content.decode("utf-8", "replace"))
        self._text = "\n".join(parts)
        self._in_text: dict[str, bool] = {}
        self._numbers = set(re.findall(r"\d+(?:\.\d+)?", self._text))
        self._strings = sorted({a or b for a, b in _QUOTED.findall(self._text)})
        places = {(f.path, x.start, x.kind, x.key) for f in files for x in f.pool}
        self._counts = Counter((kind, key) for _, _, kind, key in places)

    def profile(self, literal: Literal, *, own: int = 0) -> Profile:
        """Whether the value occurs in tests besides ``own`` times, and in the tree or text."""
        elsewhere = self._counts[literal.kind, literal.key] > own
        if literal.kind in ("int", "float"):
            return elsewhere, literal.key.lstrip("-") in self._numbers
        known = self._in_text.get(literal.key)
        if known is None:
            known = self._in_text[literal.key] = literal.key in self._text
        return elsewhere, known

    def numbers(self, like: Literal) -> list[Literal]:
        """Numbers of the tree and the task's text that are as long as a literal."""
        sign, text = ("-", like.text[1:]) if like.text.startswith("-") else ("", like.text)
        alike = [n for n in sorted(self._numbers) if len(n) == len(text)]
        alike = [n for n in alike if ("." in n) == ("." in text)]
        valid = [n for n in alike if n[0] != "0" or n == "0" or n.startswith("0.")]
        keys = [repr(float(sign + n) if "." in n else int(sign + n)) for n in valid]
        return [Literal(0, 0, like.kind, k, sign + n) for k, n in zip(keys, valid, strict=True)]

    def strings(self, like: Literal) -> list[Literal]:
        """Strings of the tree and the task's text that look like a literal."""
        found = _by_shape(tuple(self._strings)).get(shape(like), [])
        return [Literal(0, 0, "str", text, _quoted(text, like.text)) for text in found]


@lru_cache(maxsize=65536)
def can_be_made(value: Literal) -> bool:
    """Whether other values of its kind can be made up."""
    return value.kind in _MADE and any(_made(value, Random(seed)) for seed in range(3))


def draw(
    value: Literal,
    file: TestFile,
    others: list[TestFile],
    random: Random,
    apart: Unrelated,
    around: Surroundings,
) -> str | None:
    """The text of another value of the kind, of the same profile and shape where there is one."""
    if value.kind == "bool":
        return {"True": "False", "False": "True", "true": "false", "false": "true"}[value.text]
    found = list(file.of_kind(value.kind))
    if value.kind == "error":
        return _error(value, found, file, random, apart)
    form = shape(value)
    found += [x for other in others for x in other.of_shape(f"{value.kind} {form}")]
    if value.kind == "str":
        found += around.strings(value)
    if value.kind in ("int", "float") and _PLAIN_NUMBER.fullmatch(value.text):
        found += around.numbers(value)
    found = list({x.text: x for x in found}.values())
    found = random.sample(found, min(len(found), _KNOWN))
    if value.kind in _MADE:
        found += [made for _ in range(_FRESH) if (made := _made(value, random)) is not None]
    found = [x for x in found if differs(value, x, apart)]
    if not found:
        return None
    wanted = around.profile(value, own=1)
    ranks = [(_agreement(around.profile(x), wanted), shape(x) == form) for x in found]
    best = max(ranks)
    if not best[1] and value.kind not in ("int", "float", "str"):
        return None
    texts = {x.text for x, rank in zip(found, ranks, strict=True) if rank == best}
    return random.choice(sorted(texts))


def _agreement(a: Profile, b: Profile) -> int:
    return (a[0] == b[0]) + (a[1] == b[1])


def _error(
    value: Literal, found: list[Literal], file: TestFile, random: Random, apart: Unrelated
) -> str | None:
    """Another error type in scope; of the package where the true one is, of the language's where
    that is."""
    builtin = set(file.errors)
    texts = {x.text for x in found if differs(value, x, apart)}
    texts |= {name for name in builtin if all(apart(x, name) for x in value.key.split("|"))}
    alike = [text for text in texts if (text in builtin) == (value.text in builtin)]
    return random.choice(sorted(alike or texts)) if texts else None


def _made(value: Literal, random: Random) -> Literal | None:
    """A made-up value that looks like ``value``: some digit, else some word, is another one."""
    if value.kind in ("int", "float"):
        if _PLAIN_NUMBER.fullmatch(value.text) is None:
            return None
        text = _other_number(value.text, random)
        key = repr(int(text) if value.kind == "int" else float(text))
        return Literal(0, 0, value.kind, key, text)
    if "\\" in value.text or len(value.text) > 400:
        return None
    numbers = list(re.finditer(r"\d+", value.text))
    if not numbers:
        return None
    chosen = random.choice(numbers)
    text = (
        value.text[: chosen.start()] + _other_number(chosen[0], random) + value.text[chosen.end() :]
    )
    if value.kind != "str":
        return Literal(0, 0, value.kind, text, text)
    return Literal(0, 0, "str", text[1:-1], text)


def _other_number(text: str, random: Random) -> str:
    """A number as long and as round as ``text``, and near it: one far off is no riddle."""
    places = [i for i, digit in enumerate(text) if digit.isdigit()]
    # Which numbers are round is plain to see: zeros at the end stay, and so does a last 5.
    round_part = len(text) - len(text.rstrip("0."))
    if text[: len(text) - round_part].endswith("5"):
        round_part += 1
    open_places = [i for i in places if i < len(text) - round_part] or places[:1]
    at = random.choice(open_places[1:][-2:] or open_places)
    digit, lowest = int(text[at]), int(at == places[0] and len(places) > 1 and text[at] != "0")
    near = [d for d in range(max(lowest, digit - 3), min(9, digit + 3) + 1) if d != digit]
    return text[:at] + str(random.choice(near)) + text[at + 1 :]


def _quoted(text: str, like: str) -> str:
    quote = like[0] if like[:1] in ("'", '"', "`") else "'"
    other = '"' if quote == "'" else "'"
    return f"{quote}{text}{quote}" if quote not in text else f"{other}{text}{other}"


@lru_cache(maxsize=64)
def _by_shape(strings: tuple[str, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text in strings:
        found.setdefault(shape(Literal(0, 0, "str", text, text)), []).append(text)
    return found
