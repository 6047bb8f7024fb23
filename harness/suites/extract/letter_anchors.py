"""Letters that a reply names as its answer: "Answer: B", "the answer to this is therefore (C)"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from harness.suites.extract import letter_forms as forms

# How far behind its anchor a letter may stand, in characters.
_NEAR = 120
_SENTENCE_END = re.compile(r"(?<!\bi\.e)[.!?](?=\s)|[。！？\n]")
# Directly behind the anchor the answer may stand on a line of its own.
_GLUE = re.compile(
    r"(?:\s*(?:is|was|would\s+be|must\s+be|should\s+be|ist|lautet|es|est|é|è|jest|är|είναι|है"
    r"|choice|option)\b|\s*(?:는|은|は|是|为|為))?[\s:=\-–—>|#→⇒】」]{0,12}\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Named:
    letters: frozenset[str]
    weak: bool  # said under a condition


def anchored(text: str, starts_choice: Callable[[str], bool]) -> frozenset[str] | None:
    """The letters that the last such form names: two where it leaves the choice open.

    What is said under a condition counts only where nothing is said without one, and all of it
    does. starts_choice: whether a text that begins with a letter is the text of a choice.
    """
    found: list[_Named] = []
    for match in forms.ANCHOR.finditer(text):
        named = _behind(text, match.start(), match.end(), starts_choice)
        if named is not None:
            found.append(named)
    firm = [named for named in found if not named.weak]
    if firm:
        return firm[-1].letters
    return frozenset().union(*(named.letters for named in found)) if found else None


def _behind(text: str, start: int, end: int, starts_choice: Callable[[str], bool]) -> _Named | None:
    """What an anchor at ``start`` to ``end`` names."""
    before = _SENTENCE_END.split(text[max(0, start - 200) : start])[-1]
    if forms.ASKED.search(before):
        return None
    for token in _tokens(text, end):
        between = text[end : token.start()]
        after = text[token.end() : token.end() + 200]
        if forms.NEGATED.search(text[max(start, token.start() - 60) : token.start()]):
            continue
        letter = token["letter"]
        if _is_article(token, after) or starts_choice(text[token.start("letter") :]):
            continue
        if not _GLUE.match(between) and not (forms.LINK.search(between) or token[0] != letter):
            continue
        if forms.REJECTED.match(after):
            continue
        if "\n" in between and _begins_list(token, after):
            return None
        return _Named(_with_others(letter.upper(), after), bool(forms.IF.search(before)))
    return None


def _tokens(text: str, end: int) -> Iterator[re.Match[str]]:
    """Letters that stand near behind ``end``: in its sentence, or first thing after it."""
    stop = _SENTENCE_END.search(text, end, end + _NEAR)
    limit = stop.start() if stop else min(len(text), end + _NEAR)
    for token in forms.TOKEN.finditer(text, end, min(len(text), end + _NEAR + 10)):
        if token.start() > limit and not _GLUE.match(text[end : token.start()]):
            return
        yield token


def _is_article(token: re.Match[str], after: str) -> bool:
    """Whether a bare letter is rather a word: the article, or one of another language."""
    letter = token["letter"]
    if token[0] != letter:
        return False
    if letter == "A":
        return not forms.AFTER_A.match(after)
    return letter.islower() and not forms.AFTER_SMALL.match(after)


def _begins_list(token: re.Match[str], after: str) -> bool:
    """Whether the letter is the label of the first of several options."""
    following = [line.strip() for line in after.split("\n")[1:] if line.strip()][:1]
    match = forms.LEADING.match(following[0]) if following else None
    return match is not None and match["letter"] != token["letter"]


def _with_others(letter: str, after: str) -> frozenset[str]:
    """``letter``, and another one that stands beside it as an equal."""
    also = forms.ALSO.match(after)
    if also is None or also["letter"].upper() == letter:
        return frozenset(letter)
    behind = after[also.end() :]
    if also["letter"].islower() and not forms.AFTER_SMALL.match(behind):
        return frozenset(letter)
    if also["letter"] == "A" and also[0][-1] == "A" and not forms.AFTER_A.match(behind):
        return frozenset(letter)
    clause = forms.NEW_CLAUSES if "," in also[0] else forms.NEW_CLAUSE
    if clause.match(behind):
        return frozenset(letter)
    return frozenset((letter, also["letter"].upper()))
