"""Letters from replies: each form that is known to have been misread, with its right value."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.suites.extract.letters import exact_letter, extract_letter

CHOICES = ("687", "apples and pears", "A function of state", "the moon")

CASES: list[tuple[str, str | None]] = [
    ("Answer: B", "B"),
    ("**Answer:** B", "B"),
    ("Answer: **B**", "B"),
    ("Answer: $B$", "B"),
    ("Answer: \\boxed{B}", "B"),
    ("Answer:B) foo", "B"),
    ("Answer: (B)", "B"),
    ("Answer: [B]", "B"),
    ("Answer:\nB", "B"),
    ("Answer：B", "B"),
    ("The answer is (B).", "B"),
    ("B", "B"),
    ("answer: b", "B"),
    ("Answer: Because it is A.\nAnswer: D", "D"),
    ("Answer: A is wrong so...\nAnswer: C", "C"),
    ("<think>Answer: A?</think>Answer: C", "C"),
    ("Answer: A or B", None),
    ("<think>Answer: A", None),
    ("ANSWER: **A**", "A"),
    ("(B)", "B"),
    ("**B**", "B"),
    ("the answer is option B because", "B"),
    ("The correct option is C", "C"),
    ("Option D is correct.", "D"),
    ("The answer is a function of state.", "C"),
    ("Answer: A function of state", "C"),
    ("apples and pears", "B"),
    ("The answer is apples and pears.", "B"),
    ("To", None),
    ("The", None),
    (" A", "A"),
    (" D", "D"),
    ("", None),
    ("B. apples and pears", "B"),
    ("A) 687\nB) apples\nC) x\nD) y", None),
    ("Answer: C. (A is wrong because (B) too)", "C"),
    ("Ответ: В", "B"),
    ("答案：B", "B"),
    ("答案是B", "B"),
    ("Ａ", "A"),
    ("Die Antwort ist C.", "C"),
    ("الإجابة: ب", "B"),
    ("정답은 B입니다", "B"),
    ("I think it's a great question", None),
    ("The final answer is $\\boxed{\\text{C}}$.", "C"),
    ("Answer: E", None),
    ("The answer is not A. It is hard.", None),
    ("**Answer: B**\n\nExplanation: A is wrong", "B"),
    ("Let's see. (A) is no. (C) maybe", None),
    ("So I choose B.", "B"),
    ("**B) apples and pears**", "B"),
    ("The answer is **B) apples**.", "B"),
    ("Answer: B and C", None),
    ("answer is B, and C is wrong", "B"),
    ("Reasoning...\n\nB", "B"),
    ("Correct answer: Option (D)", "D"),
    ("<think>hm", None),
    ("foo</think>\n\nAnswer: D", "D"),
    ("b", "B"),
    ("a", "A"),
    ("d.", "D"),
    ("Answer - C", "C"),
    ("Answer is: C", "C"),
    ("The answer is therefore C.", "C"),
    ("Answer: A, because", "A"),
    ("Answer: None of these", None),
]


@pytest.mark.parametrize(("reply", "letter"), CASES)
def test_letter(reply: str, letter: str | None) -> None:
    assert extract_letter(reply, CHOICES).value == letter


def test_two_letters_are_no_answer() -> None:
    assert extract_letter("Answer: A or B", CHOICES).rule == "no_answer:two_letters"


def test_a_choice_that_stands_twice_names_no_letter() -> None:
    choices = ("687", "687", "1", "2")
    assert extract_letter("The answer is 687.", choices).rule == "no_answer:choice_stands_twice"
    assert extract_letter("The answer is 2.", choices).value == "D"


def test_a_letter_beyond_the_choices_is_none() -> None:
    assert extract_letter("Answer: D", ("yes", "no")).rule == "no_answer:no_such_option"


@pytest.mark.parametrize(
    ("reply", "letter"), [(" A", "A"), ("B\n", "B"), ("To", None), ("b", None), ("A.", None)]
)
def test_one_token_has_to_be_the_letter_itself(reply: str, letter: str | None) -> None:
    assert exact_letter(reply).value == letter


PIECES = st.sampled_from(
    ["Answer: ", "answer is ", "A", "B", "(C)", "**", "\\boxed{", "}", "$", "\n", "or ", " and ",
     "<think>", "</think>", "Ответ", "答案", "ب", "Ａ", "\ud83d", "option "]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=30))
def test_never_raises_and_names_a_choice_or_none(pieces: list[str]) -> None:
    answer = extract_letter("".join(pieces), CHOICES)
    assert answer.value in ("A", "B", "C", "D", None)
    assert answer.none == answer.rule.startswith("no_answer")


@pytest.mark.parametrize(
    "unit", ["Answer: ", "answer is ", "Answer: A or ", "\\boxed{", "**A", "A\n", "(", " ", "([{<"]
)
def test_hostile_megabyte_takes_bounded_time(unit: str) -> None:
    started = time.process_time()
    extract_letter((unit * 1_000_000)[:1_000_000], CHOICES)
    assert time.process_time() - started < 10
