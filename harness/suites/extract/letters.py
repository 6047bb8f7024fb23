"""The letter of a multiple-choice answer.

Anchored forms come first and the last of them counts; a letter alone counts only where nothing
else could be meant. A reply that names none, or two at once, has no answer: guessing would add
points (a random letter is right one time in four).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from harness.suites.extract.answer import Answer, no_answer
from harness.suites.extract.cleaning import clean

LETTERS = "ABCD"
# The end of a reply holds its answer; hostile length must cost nothing.
_TAIL = 20_000

# Letters of other scripts that stand for A to D where options are lettered that way, as Latin
# look-alikes or in the usual order of that script (Greek, Arabic, Bengali).
_OTHER_SCRIPTS = {
        "А": "A", "В": "B", "С": "C",
        "Α": "A", "Β": "B", "Γ": "C", "Δ": "D",
        "أ": "A", "ب": "B", "ج": "C", "د": "D",
        "অ": "A", "ব": "B", "ড": "C", "ঢ": "D",
        "Ⓐ": "A", "Ⓑ": "B", "Ⓒ": "C", "Ⓓ": "D",
        "🅐": "A", "🅑": "B", "🅒": "C", "🅓": "D",
        "🅰": "A", "🅱": "B",
}  # fmt: skip
# only where the letter stands alone: the same letters make up words
_FOREIGN = re.compile(rf"(?<!\w)[{''.join(_OTHER_SCRIPTS)}](?!\w)")

_WORD = (
    r"(?:final\s+answer|correct\s+(?:answer|option|choice)|best\s+(?:answer|option|choice)|answer"
    r"|antwort|lösung|respuesta|réponse|risposta|resposta|ответ|відповідь|απάντηση|odpowiedź"
    r"|svar|vastaus|cevap|jawaban|jibu|ìdáhùn|đáp\s+án|答案|答え|回答|解答|정답|답변|답"
    r"|الإجابة|الجواب|উত্তর|उत्तर|คำตอบ)"
)
_IS = (
    r"(?:\s*(?:(?:is|was|would\s+be|must\s+be|should\s+be|ist|lautet|es|est|é|è|jest|är|είναι|है"
    r"|choice|option)\b|는|은|は|是|为|為))?"
)
_GLUE = r"[\s:=\-–—>|#.]{0,12}"
_OPTION = r"(?:(?:the\s+)?(?:option|choice|letter|answer)\s*:?\s*|选项\s*|選項\s*)?"
_OPEN, _SHUT = r"[(\[{<\"'“‘«「【]{0,4}", r"[)\]}>\"'”’»」】]{0,4}"
_LETTER = rf"{_OPEN}(?P<letter>[A-Da-d]){_SHUT}(?![A-Za-z0-9_\u00c0-\u024f'’])"

_BOXED = re.compile(
    r"\\(?:boxed|fbox)\s*\{\s*(?:\\\w+\s*\{)?\s*[(\[]?\s*(?P<letter>[A-D])\s*[)\].:]?\s*\}"
)
_ANCHORED = re.compile(rf"{_WORD}{_IS}{_GLUE}{_OPTION}{_LETTER}", re.IGNORECASE)
_STATED = re.compile(
    rf"(?:\b(?:option|choice|answer)\s+{_LETTER}\s+(?:is|would\s+be|seems)\s+(?:the\s+)?"
    r"(?:correct|right|best|answer|most)"
    rf"|{_LETTER.replace('letter', 'second')}\s+is\s+(?:the\s+)?(?:correct|right|best)\b"
    r"|\b(?:choose|select|pick|go\s+with|going\s+with)\s+"
    rf"{_OPTION}{_LETTER.replace('letter', 'third')})",
    re.IGNORECASE,
)
_ALSO = re.compile(
    rf"\s*(?:,\s*)?(?:or|and|oder|und|ou|et|o|y|e|或|和|/|&|,|\+)\s*{_OPTION}{_LETTER}",
    re.IGNORECASE,
)
# After a capital A that might be the article, only these let it be a letter.
_AFTER_A = re.compile(
    r"\s*(?:$|[\n.,;:!?)\]}*\"'”’/&|+\-–—(]|(?:is|was|because|since|as|or|and|which|for|due|given|with)\b)",
    re.IGNORECASE,
)
# "B, and C is wrong" names one letter
_NEW_CLAUSE = re.compile(r"\s*(?:is|are|was|were|would|does|has|can)\b", re.IGNORECASE)
_AFTER_SMALL = re.compile(r"\s*(?:$|[\n.,;:!?)\]}*])")
_ALONE = re.compile(rf"{_OPTION}{_LETTER}\s*[.:,;!]?\s*", re.IGNORECASE)
_LEADING = re.compile(rf"{_OPEN}(?P<letter>[A-D])(?:[)\]}}]|[.:](?=\s|$)|\s*[-–—]\s)")
_BOLD = re.compile(r"(?:\*\*|__)\s*[(\[]?(?P<letter>[A-D])[)\].:]*\s*(?:\*\*|__|[)\].:]\s)")
_PARENTHESISED = re.compile(r"[(\[](?P<letter>[A-D])[)\]]")


def extract_letter(reply: str, choices: Sequence[str] = ()) -> Answer:
    """The letter that ``reply`` gives as its answer. ``choices``: texts of A, B, ... where a reply
    that restates one of them shall count. Never raises."""
    text = clean(reply)
    if text is None:
        return no_answer("only_thinking")
    text = _normalised(text[-_TAIL:]).strip()
    if not text:
        return no_answer("empty")
    letters = LETTERS[: len(choices)] if choices else LETTERS
    plain = _plain(text)
    if not plain:
        return no_answer("no_letter")
    alone = _ALONE.fullmatch(plain)
    if alone:
        return _one(alone["letter"], "whole_reply", letters)
    for rule, found in (
        ("boxed", _last(_BOXED, text)),
        ("anchored", _last_anchored(plain, choices)),
    ):
        if found is not None:
            return found if isinstance(found, Answer) else _one(found, rule, letters)
    return (
        _stated(plain, letters)
        or _restated(plain, choices)
        or _only(_BOLD, text, "bold", letters)
        or _line_alone(plain, letters)
        or _leading(plain, letters)
        or _only(_PARENTHESISED, plain, "parenthesised", letters)
        or no_answer("no_letter")
    )


def exact_letter(reply: str) -> Answer:
    """The reply itself, stripped, where it is one capital letter: HELM's rule for one token."""
    text = reply.strip()
    return Answer(text, "exact") if text in set(LETTERS) else no_answer("not_exactly_a_letter")


def _normalised(text: str) -> str:
    return _FOREIGN.sub(lambda m: _OTHER_SCRIPTS[m[0]], unicodedata.normalize("NFKC", text))


_MARKUP = re.compile(
    r"\*\*|__|`|\$|\\(?:text|mathrm|mathbf|textbf|boldsymbol)\s*\{\s*([^{}]{0,200})\s*\}|\\[()\[\]]"
)


def _plain(text: str) -> str:
    """Without Markdown emphasis and LaTeX wrapping."""
    return _MARKUP.sub(lambda m: m[1] or "", text).replace("*", "").strip()


def _one(letter: str, rule: str, letters: str) -> Answer:
    capital = letter.upper()
    return Answer(capital, rule) if capital in letters else no_answer("no_such_option")


def _last(pattern: re.Pattern[str], text: str) -> str | None:
    found = [m["letter"] for m in pattern.finditer(text)]
    return found[-1] if found else None


def _last_anchored(text: str, choices: Sequence[str]) -> Answer | str | None:
    """The last of the forms like "Answer: B"; two letters at once are no answer."""
    last: Answer | str | None = None
    for match in _ANCHORED.finditer(text):
        letter = match["letter"]
        after = text[match.end() : match.end() + 200]
        bare = match[0][-1] in "AaBbCcDd" and match[0][-2:-1] not in tuple("([{\"'")
        if bare and letter == "A" and not _AFTER_A.match(after):
            continue
        if bare and letter.islower() and not _AFTER_SMALL.match(after):
            continue
        also = _ALSO.match(after)
        behind = after[also.end() :] if also else ""
        if (
            also
            and also["letter"].upper() != letter.upper()
            and (also["letter"].isupper() or _AFTER_SMALL.match(behind))
            and not _NEW_CLAUSE.match(behind)
        ):
            last = no_answer("two_letters")
        else:
            last = letter
    return last


def _stated(text: str, letters: str) -> Answer | None:
    found = {
        letter.upper()
        for m in _STATED.finditer(text)
        if (letter := m["letter"] or m["second"] or m["third"]).isupper()
    }
    if len(found) > 1:
        return no_answer("two_letters")
    return _one(found.pop(), "stated", letters) if found else None


_AFTER_ANCHOR = re.compile(rf"{_WORD}{_IS}[\s:=\-–—]*(?P<rest>[^\n]{{1,400}})", re.IGNORECASE)


def _restated(text: str, choices: Sequence[str]) -> Answer | None:
    """The whole reply, its last line, or what follows "the answer is", word for word a choice."""
    if not choices:
        return None
    known: dict[str, list[str]] = {}
    for letter, choice in zip(LETTERS, choices, strict=False):
        known.setdefault(_words(_normalised(choice)), []).append(letter)
    lines = [line for line in text.split("\n") if line.strip()]
    tries = [text, *(m["rest"] for m in list(_AFTER_ANCHOR.finditer(text))[-1:]), lines[-1]]
    for candidate in tries:
        found = known.get(_words(candidate))
        if found and _words(candidate):
            if len(found) > 1:
                return no_answer("choice_stands_twice")
            return Answer(found[0], "restated_choice")
    return None


def _words(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .,;:!?\"'")


def _line_alone(text: str, letters: str) -> Answer | None:
    """A letter alone on the last line, else on the first."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    for rule, line in (("last_line", lines[-1]), ("first_line", lines[0])) if lines else ():
        alone = _ALONE.fullmatch(line) if len(line) < 60 else None
        if alone and (alone["letter"].isupper() or len(line) > 1):
            return _one(alone["letter"], rule, letters)
    return None


def _leading(text: str, letters: str) -> Answer | None:
    """Lines that begin "B) ..." where all of them name one letter (a list of options does not)."""
    found = {m["letter"] for line in text.split("\n") if (m := _LEADING.match(line.strip()))}
    if len(found) != 1 or not _LEADING.match(text):
        return None
    return _one(found.pop(), "leading", letters)


def _only(pattern: re.Pattern[str], text: str, rule: str, letters: str) -> Answer | None:
    found = {m["letter"] for m in pattern.finditer(text)}
    if len(found) > 1:
        return no_answer("two_letters")
    return _one(found.pop(), rule, letters) if found else None
