"""The letter of a multiple-choice answer.

Anchored forms come first and the last of them counts; a letter alone counts only where nothing
else could be meant. A reply that names none, or two at once, has no answer: guessing would add
points (a random letter is right one time in four).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from harness.suites.extract import letter_forms as forms
from harness.suites.extract.answer import Answer, no_answer
from harness.suites.extract.cleaning import clean
from harness.suites.extract.letter_anchors import anchored
from harness.suites.extract.letter_fields import fields
from harness.suites.extract.letter_forms import LETTERS

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


def extract_letter(reply: str, choices: Sequence[str] = ()) -> Answer:
    """The letter that ``reply`` gives as its answer. ``choices``: texts of A, B, ... where a reply
    that restates one of them shall count. Never raises."""
    text = clean(reply)
    if text is None:
        return no_answer("only_thinking")
    text = _normalised(text[-_TAIL:]).strip()
    if not text:
        return no_answer("empty")
    return _Reading(choices).whole(text)


def exact_letter(reply: str) -> Answer:
    """The reply itself, stripped, where it is one capital letter: HELM's rule for one token."""
    text = reply.strip()
    return Answer(text, "exact") if text in set(LETTERS) else no_answer("not_exactly_a_letter")


def _normalised(text: str) -> str:
    return _FOREIGN.sub(lambda m: _OTHER_SCRIPTS[m[0]], unicodedata.normalize("NFKC", text))


def _plain(text: str) -> str:
    """Without Markdown emphasis, marks in front of lines, and LaTeX wrapping."""
    plain = forms.MARKUP.sub(lambda m: m[1] or "", text).replace("*", "")
    return forms.LINE_MARK.sub("", forms.OFFERED.sub("", plain)).strip()


def _words(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .,;:!?\"'")


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


class _Reading:
    """The rules, for one set of choices. Each gives an answer, one that is none, or None where it
    has nothing to say."""

    def __init__(self, choices: Sequence[str]) -> None:
        self.letters = LETTERS[: len(choices)] if choices else LETTERS
        self.known: dict[str, list[str]] = {}
        for letter, choice in zip(LETTERS, choices, strict=False):
            self.known.setdefault(_words(_plain(_normalised(choice))), []).append(letter)
        self.known.pop("", None)

    def whole(self, text: str) -> Answer:
        return self.fielded(text) or self.boxed(text) or self.prose(text)

    def prose(self, text: str) -> Answer:
        plain = _plain(text)
        if not plain:
            return no_answer("no_letter")
        alone = forms.ALONE.fullmatch(plain)
        if alone:
            return self.one(alone["letter"], "whole_reply")
        return (
            self.anchored(plain)
            or self.stated(plain)
            or self.restated(plain)
            or self.line_alone(plain)
            or self.ticked(text)
            or self.only(forms.BOLD, text, "bold")
            or self.leading(plain)
            or self.only(forms.PARENTHESISED, plain, "parenthesised")
            or no_answer("no_letter")
        )

    def one(self, letter: str, rule: str) -> Answer:
        capital = letter.upper()
        return Answer(capital, rule) if capital in self.letters else no_answer("no_such_option")

    def agreed(self, found: set[str], rule: str) -> Answer | None:
        if len(found) > 1:
            return no_answer("two_letters")
        return self.one(found.pop(), rule) if found else None

    def fielded(self, text: str) -> Answer | None:
        """Fields named like an answer, which must not contradict each other."""
        values, behind = fields(text)
        if not values:
            return None
        read = [self.value(value) for value in values]
        if any(answer.rule == "no_answer:two_letters" for answer in read):
            return no_answer("two_letters")
        letters = {answer.value for answer in read if answer.value is not None}
        if not letters and behind:  # a form was shown, and filled in afterwards
            return self.whole(behind)
        return self.agreed(letters, "field") or no_answer("field_without_a_letter")

    def boxed(self, text: str) -> Answer | None:
        """The last box that holds a letter or a choice."""
        for match in reversed(list(forms.BOXED.finditer(text))):
            answer = self.value(match["value"])
            if answer.value is not None:
                return Answer(answer.value, "boxed")
            if answer.rule != "no_answer:no_letter":
                return answer
        return None

    def value(self, value: str) -> Answer:
        """What stands where only an answer is expected: "B", "B. its text", its text."""
        plain = _plain(value)
        if set(plain.upper()) <= set("ABCD ,;/&") and len(set(plain.upper()) & set("ABCD")) > 1:
            return self.restated(plain) or no_answer("two_letters")
        return self.prose(value)

    def anchored(self, text: str) -> Answer | None:
        found = anchored(text, self.starts_choice)
        if found is None:
            return None
        return self.agreed(set(found), "anchored")

    def starts_choice(self, rest: str) -> bool:
        """Whether ``rest``, which begins with a letter, is the text of a choice itself."""
        words = _words(rest.split("\n")[0][:400])
        return len(words) > 1 and words in self.known

    def stated(self, text: str) -> Answer | None:
        """ "B is correct", "I choose B", "So it is B"."""
        found: set[str] = set()
        for match in forms.STATED.finditer(text):
            letter = match["l1"] or match["l2"] or match["l3"] or match["l4"] or match["l5"]
            before = text[max(0, match.start() - 60) : match.start()]
            if letter.islower() or forms.DENIED.search(before):
                continue
            if match["l2"] and not forms.SUBJECT.search(before):
                continue
            found.add(letter)
            also = forms.ALSO.match(text, match.end()) if match["l3"] or match["l4"] else None
            if also and also["letter"].isupper() and not forms.NEW_CLAUSE.match(text, also.end()):
                found.add(also["letter"])
        return self.agreed(found, "stated")

    def restated(self, text: str) -> Answer | None:
        """The whole reply, what follows "the answer is", or the last line, word for word a choice,
        with or without its letter."""
        if not self.known:
            return None
        anchors = list(forms.ANCHOR.finditer(text))[-1:]
        after = [_AFTER_WORD.sub("", text[m.end() : m.end() + 400].split("\n")[0]) for m in anchors]
        for candidate in (text, *after, _lines(text)[-1]):
            label = forms.LABELLED.match(candidate)
            if label and label["letter"].upper() in self.known.get(_words(label["text"]), []):
                return self.one(label["letter"], "restated_choice")
            found = self.known.get(_words(candidate))
            if found:
                if len(found) > 1:
                    return no_answer("choice_stands_twice")
                return Answer(found[0], "restated_choice")
        return None

    def line_alone(self, text: str) -> Answer | None:
        """A letter alone on the last line, else on the first; lines of several are a list."""
        lines = _lines(text)
        alone = {
            i: m["letter"].upper()
            for i, line in enumerate(lines)
            if len(line) < 60
            and (m := forms.ALONE.fullmatch(line))
            and (m["letter"].isupper() or len(line) > 1)
        }
        last = len(lines) - 1
        if last in alone:
            if alone.get(last - 1, alone[last]) != alone[last]:
                return no_answer("two_letters")
            return self.one(alone[last], "last_line")
        if 0 in alone:
            return self.agreed(set(alone.values()), "first_line")
        return None

    def ticked(self, text: str) -> Answer | None:
        """The one option of a list that is marked as correct."""
        found: set[str] = set()
        for line in _lines(text):
            match = forms.LEADING.match(_plain(line)) or forms.ALONE.fullmatch(_plain(line))
            if match and match["letter"].isupper() and forms.TICKED.search(line):
                found.add(match["letter"])
        return self.agreed(found, "ticked")

    def leading(self, text: str) -> Answer | None:
        """Lines that begin "B) ..." where all of them name one letter (a list of options does
        not)."""
        if not forms.LEADING.match(text):
            return None
        found = {m["letter"] for line in _lines(text) if (m := forms.LEADING.match(line))}
        return self.agreed(found, "leading") if len(found) == 1 else None

    def only(self, pattern: re.Pattern[str], text: str, rule: str) -> Answer | None:
        return self.agreed({m["letter"] for m in pattern.finditer(text)}, rule)


_AFTER_WORD = re.compile(
    r"\A(?:\s*(?:is|was|would\s+be|must\s+be|should\s+be|ist|lautet|es|est|é|è|jest|är|είναι)\b)?"
    r"[\s:=\-–—]*",
    re.IGNORECASE,
)
