"""Why a sample ended as it did, in a word or two, and all words that a filter finds it by."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from harness.outcome import END_POLICY, GRADE_POLICY, GradeStatus, SampleState, StopReason, Verdict
from harness.report.classic import marked, subject_and_group
from harness.report.error_words import error_words
from harness.state.view import SampleView
from harness.store.records import SampleRecord
from tui.plain import clean_line
from tui.theme import STATES

# Kinds of error beside those of grading, as ``proctor show`` counts them.
_KINDS = {"no_answer": "no answer", "cut_by_length": "cut by length"}
_GRADES = {status.value: policy.label for status, policy in GRADE_POLICY.items()}
_ENDS = {reason.value: policy.label for reason, policy in END_POLICY.items()}
# The judgement stands near the end of a transcript, in a line of some thousand characters.
_JUDGEMENT_BYTES = 1 << 16
_EXCEPTION = re.compile(
    r"^(?:\w+\.)*([A-Z]\w*(?:Error|Exception|Exit|Interrupt|Iteration|Warning|NotPlain))(?::|$)",
    re.M,
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What a sample's record says that its line in ``run.jsonl`` does not. kind: of error, as
    ``proctor show`` counts them; unread: why no answer was found; raised: the exception that a
    check of code ended with."""

    kind: str = ""
    unread: str = ""
    raised: str = ""
    subject: str = ""
    category: str = ""
    difficulty: int | None = None
    flags: tuple[str, ...] = ()


NONE = Facts()


def facts_of(record: SampleRecord, folder: Path) -> Facts:
    """Reads the end of the transcript of code that failed; without one nothing was raised."""
    mark = marked(record)
    failed = record.verdict is Verdict.UNRESOLVED
    return Facts(
        kind=mark.kind if mark is not None and failed else "",
        unread=mark.rule.rpartition(":")[2] if mark is not None and not mark.answered else "",
        raised=_raised(record, folder) if mark is not None and failed else "",
        subject=record.subject or "",
        category=record.category or "",
        difficulty=record.difficulty,
        flags=tuple(record.flags),
    )


def planned_facts(sample: SampleView) -> Facts:
    """What is known of a sample that has no record: the part of its suite that it is of."""
    if sample.suite != "mmlu":
        return NONE
    return _of_part(sample.task_id.rpartition("/")[0])


@lru_cache(maxsize=256)
def _of_part(name: str) -> Facts:
    subject, group = subject_and_group(name)
    return Facts(subject=subject, category=group) if subject else NONE


def _raised(record: SampleRecord, folder: Path) -> str:
    if not record.executes_code or record.transcript is None or record.metrics.get("no_answer"):
        return ""
    path = (folder / record.transcript.file).resolve()
    if not path.is_relative_to(folder.resolve()):
        return ""
    start, length = record.transcript.offset, record.transcript.length
    size = min(length or _JUDGEMENT_BYTES, _JUDGEMENT_BYTES)
    begin = start + max(0, (length or 0) - size)
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            data = os.pread(fd, size, begin)
        finally:
            os.close(fd)
    except OSError:
        return ""
    for line in reversed(data.split(b"\n")):
        if b'"type":"judgement"' in line:
            return _exception(line)
    return ""


def _exception(line: bytes) -> str:
    try:
        detail = json.loads(line).get("detail", "")
    except (ValueError, AttributeError, RecursionError):
        return ""
    # The last one: of a traceback it is the end.
    found = _EXCEPTION.findall(detail) if isinstance(detail, str) else []
    return str(found[-1])[:40] if found else ""


def reason(sample: SampleView, facts: Facts = NONE) -> str:
    """Why it is not resolved; empty where it is, or goes on."""
    if sample.state is SampleState.NO_SCORE:
        return ending(sample)
    if sample.state is not SampleState.UNRESOLVED:
        return ""
    if facts.kind in _KINDS:
        return _KINDS[facts.kind]
    if sample.stop_reason not in (None, StopReason.FINISHED.value):
        return ending(sample)
    if sample.grade_status == GradeStatus.WRONG_ANSWER.value and facts.raised:
        return facts.raised
    return _GRADES.get(sample.grade_status or "", clean_line(sample.grade_status or "", 40))


def ending(sample: SampleView) -> str:
    """How it ended, in the policy table's words."""
    return _ENDS.get(sample.stop_reason or "", clean_line(sample.stop_reason or "", 40))


def labels(sample: SampleView, facts: Facts = NONE) -> list[str]:
    """All that a filter finds a sample by, beside its name."""
    found = [sample.suite, STATES[sample.state].word, reason(sample, facts)]
    found += [facts.kind, _KINDS.get(facts.kind, ""), facts.unread, facts.raised]
    found += [facts.subject, facts.category]
    if sample.stop_reason:
        found += [sample.stop_reason, ending(sample)]
    # An answer that is missing was graded wrong, and counts as missing alone.
    if sample.grade_status and facts.kind not in _KINDS:
        found += [sample.grade_status, _GRADES.get(sample.grade_status, "")]
    if sample.error is not None:
        found += [sample.error.kind, error_words(sample.error.kind)]
    if facts.difficulty is not None:
        found.append(f"difficulty {facts.difficulty}")
    if facts.flags:
        found += ["flagged", *(flag.partition(":")[0] for flag in facts.flags)]
    return [label for label in found if label]


def known_labels(facts: Iterable[Facts]) -> set[str]:
    """Labels of several words, which are one thing when they are typed."""
    found = {"no score", *_KINDS.values(), *_GRADES.values(), *_ENDS.values()}
    for each in facts:
        found |= {each.unread, each.subject, each.category}
    return found


def examples(facts: Iterable[Facts]) -> str:
    """A few of the words that samples of a run are filtered by: no more than fit beside the count
    in the narrowest list. The help has the others."""
    kept = list(facts)
    what = "wrong answer" if any(each.kind for each in kept) else "unresolved"
    part = "STEM" if any(each.subject for each in kept) else "timeout"
    return f"name, {what}, {part}"
