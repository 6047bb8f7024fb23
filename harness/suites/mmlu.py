"""MMLU: four-way questions from 57 subjects."""

from __future__ import annotations

import fnmatch
from pathlib import Path
from typing import Any

from harness.errors import UsageError
from harness.suites.choosing import Built, Choice
from harness.suites.data import mmlu as data
from harness.suites.data.rows import MmluRow
from harness.suites.data.subjects import GROUPS, SUBJECTS, words
from harness.suites.extract.answer import Answer
from harness.suites.extract.letter_forms import LETTERS
from harness.suites.extract.letters import exact_letter, extract_letter
from harness.suites.marks import Mark, letter_mark
from harness.suites.protocol import SampleContext, SuiteOptions
from harness.suites.sealing import task_digest
from harness.suites.shot import Prompt, ShotProtocol, ShotTask
from harness.suites.single_shot import SingleShotSuite

_LETTER_RULES = (
    "a field or box that holds the answer, then forms like 'the answer is X', of which the last "
    "counts, then an option restated, then a letter that stands alone; none or two: no answer, "
    "which is wrong"
)
_DEV = "the subject's dev split in its published order"
_LETTERED = "{question}\nA. {a}\nB. {b}\nC. {c}\nD. {d}\n"
# Hendrycks et al. 2021, evaluate.py: two blanks after "about", for the subject begins with one.
_INTRO = "The following are multiple choice questions (with answers) about  {subject}.\n\n"

PROTOCOLS = (
    ShotProtocol(
        name="proctor-chat",
        origin="ours: zero-shot, reasoning allowed, one user message",
        template=(
            "{question}\n\nA. {a}\nB. {b}\nC. {c}\nD. {d}\n\n"
            'Choose one option. You may reason first; end with a line "Answer: X", where X is '
            "A, B, C or D."
        ),
        extraction=_LETTER_RULES,
    ),
    ShotProtocol(
        name="simple-evals",
        origin="openai/simple-evals (MIT): zero-shot chain of thought; extraction is ours and "
        "reads more forms",
        template=(
            "Answer the following multiple choice question. The last line of your response should "
            "be of the following format: 'Answer: $LETTER' (without quotes) where LETTER is one of "
            "ABCD. Think step by step before answering.\n\n"
            "{question}\n\nA) {a}\nB) {b}\nC) {c}\nD) {d}"
        ),
        extraction=_LETTER_RULES,
    ),
    ShotProtocol(
        name="hendrycks-5shot-chat",
        origin="prompt of Hendrycks et al. 2021 (MIT), sent as one chat message",
        shots=5,
        shots_from=_DEV,
        template=_LETTERED + "Answer:",
        extraction=_LETTER_RULES,
    ),
    ShotProtocol(
        name="hendrycks-5shot",
        origin="Hendrycks et al. 2021 (MIT): the likeliest of the four letters' tokens",
        mode="logprobs",
        shots=5,
        shots_from=_DEV,
        template=_LETTERED + "Answer:",
        extraction="the letter with the highest log-probability, with or without a space",
        max_tokens=1,
    ),
    ShotProtocol(
        name="helm-5shot",
        origin="HELM: one token is generated, and has to be the letter",
        mode="completion",
        shots=5,
        shots_from=_DEV,
        template="Question: {question}\nA. {a}\nB. {b}\nC. {c}\nD. {d}\nAnswer:",
        stop=("\n",),
        extraction="the stripped completion, exactly one capital letter",
        max_tokens=1,
    ),
)
_INTROS = {
    "hendrycks-5shot-chat": _INTRO,
    "hendrycks-5shot": _INTRO,
    "helm-5shot": (
        "Answer with only a single letter.\n\nThe following are multiple choice questions (with "
        "answers) about {subject}.\n\n"
    ),
}


class MmluSuite(SingleShotSuite):
    name = "mmlu"
    version = "1.1.0"
    summary = "14,042 four-way questions from 57 subjects (Hendrycks et al. 2021)"
    executes_code = False
    answer_kind = "letter"
    has_subjects = True
    protocols = PROTOCOLS
    splits = ("test", "val")

    def choice(self, options: SuiteOptions) -> Choice:
        choice = super().choice(options)
        choice.subjects = chosen_subjects(options.subjects) if options.subjects else ()
        return choice

    def build(self, path: Path | None, choice: Choice) -> Built:
        subjects = list(choice.subjects or SUBJECTS)
        split: data.Split = "val" if choice.split == "val" else "test"
        found = data.load(path, split, subjects)
        protocol, facts = choice.protocol, {}
        shots: dict[str, list[MmluRow]] = {}
        if protocol.shots:
            dev = data.load(path, "dev", subjects)
            facts["shots"] = dev.digest
            for row in dev.rows:
                shots.setdefault(row.subject, []).append(row)
        heads = {s: _head(s, shots.get(s, []), protocol) for s in subjects}
        tasks = [mmlu_task(row, heads[row.subject], protocol) for row in found.rows]
        return Built(tasks, found.digest, facts)

    def source(self) -> dict[str, Any]:
        return {
            **data.SOURCE.describe(),
            "groups": {g: [s for s, v in SUBJECTS.items() if v.group == g] for g in GROUPS},
        }

    def example(self, protocol: ShotProtocol) -> Prompt:
        question = "Which number is even?"
        row = MmluRow("x/0", "elementary_mathematics", question, ("1", "2", "3", "5"), 1)
        return Prompt(_filled(row, protocol), protocol.system)

    def read(self, task: ShotTask, reply: str, protocol: ShotProtocol) -> Answer:
        if protocol.mode != "chat":
            return exact_letter(reply)
        return extract_letter(reply, task.row.choices)

    async def mark(self, task: ShotTask, answer: Answer, context: SampleContext) -> Mark:
        return letter_mark(answer, task.row.letter)


def chosen_subjects(asked: tuple[str, ...]) -> tuple[str, ...]:
    """Subjects by name, pattern, field ("law") or group ("STEM"), in the published order.

    Raises UsageError for a word that names none.
    """
    chosen: set[str] = set()
    for word in (part.strip() for item in asked for part in item.split(",") if part.strip()):
        plain = word.lower()
        found = {
            name
            for name, subject in SUBJECTS.items()
            if fnmatch.fnmatchcase(name, plain.replace(" ", "_"))
            or plain in (subject.field.lower(), subject.group.lower())
        }
        if not found:
            raise UsageError(
                f"mmlu has no subject, field or group {word!r}",
                remedy=f"groups: {', '.join(GROUPS)}; subjects: see proctor suites mmlu",
            )
        chosen |= found
    return tuple(name for name in SUBJECTS if name in chosen)


def mmlu_task(row: MmluRow, head: str, protocol: ShotProtocol) -> ShotTask:
    """A row as it is asked under a protocol, after ``head``."""
    prompt = Prompt(_filled(row, protocol), protocol.system, head)
    wrong = LETTERS[(row.answer + 1) % 4]
    subject = SUBJECTS[row.subject]
    return ShotTask(
        id=row.id,
        row=row,
        prompt=prompt,
        digest=task_digest(row.digest, prompt),
        gold_reply=f"Answer: {row.letter}" if protocol.mode == "chat" else f" {row.letter}",
        wrong_reply=f"Answer: {wrong}" if protocol.mode == "chat" else f" {wrong}",
        category=subject.group,
        subject=row.subject,
    )


def _head(subject: str, shots: list[MmluRow], protocol: ShotProtocol) -> str:
    """What all prompts of a subject begin with, so that a server can keep it in its cache."""
    intro = _INTROS.get(protocol.name, "").replace("{subject}", words(subject))
    return intro + "".join(f"{_filled(row, protocol)} {row.letter}\n\n" for row in shots)


def _filled(row: MmluRow, protocol: ShotProtocol) -> str:
    # one pass: a question may itself hold braces
    parts = {"question": row.question.strip() if protocol.mode == "chat" else row.question}
    parts |= dict(zip("abcd", row.choices, strict=True))
    text = protocol.template
    pieces = []
    while "{" in text:
        before, _, rest = text.partition("{")
        name, _, text = rest.partition("}")
        pieces += [before, parts[name]]
    return "".join([*pieces, text])
