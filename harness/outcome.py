"""The one policy table: what each way to end means for state, retry, grading, score and exit code.

Nothing else decides that. The shape (one row an ending, a few booleans) follows the error
policies that other harnesses arrived at after mis-scored runs: a limit is a valid zero, an
infrastructure fault is no score at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class StopReason(StrEnum):
    """Why an episode (or the reply of a single-shot sample) ended."""

    FINISHED = "finished"
    MAX_TURNS = "max_turns"
    CONTEXT_LIMIT = "context_limit"
    TOKEN_LIMIT = "token_limit"
    COST_LIMIT = "cost_limit"
    TIME_LIMIT = "time_limit"
    NO_TOOL_CALLS = "no_tool_calls"
    REPEATED_ERROR = "repeated_error"
    MODEL_REFUSED = "model_refused"
    UNPARSABLE_REPLY = "unparsable_reply"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    REQUEST_FAILED = "request_failed"
    SANDBOX_LOST = "sandbox_lost"
    REPLAY_DIVERGED = "replay_diverged"
    INTERNAL_ERROR = "internal_error"


class GradeStatus(StrEnum):
    """What happened in grading; one list for all suites."""

    OK = "ok"
    WRONG_ANSWER = "wrong_answer"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out_of_memory"
    PIDS_EXHAUSTED = "pids_exhausted"
    DISK_FULL = "disk_full"
    OUTPUT_FLOOD = "output_flood"
    CRASHED = "crashed"
    EXITED_EARLY = "exited_early"
    SYNTAX_ERROR = "syntax_error"
    COLLECTION_ERROR = "collection_error"
    BOX_KILLED = "box_killed"
    TAMPERED = "tampered"
    RUNNER_ERROR = "runner_error"


class Verdict(StrEnum):
    """The result of a sample as a user sees it."""

    RESOLVED = "resolved"
    UNRESOLVED = "unresolved"
    TAMPERED = "tampered"
    NO_SCORE = "no_score"


class SampleState(StrEnum):
    """State of a sample while a run goes on; the final ones are the verdicts."""

    QUEUED = "queued"
    RUNNING = "running"
    GRADING = "grading"
    RESOLVED = "resolved"
    UNRESOLVED = "unresolved"
    TAMPERED = "tampered"
    NO_SCORE = "no_score"


# A context_limit at a sample's very first request counts as any other, but it is told apart.
PROMPT_TOO_LONG = "the task itself does not fit into the model's context"
LARGER_CONTEXT = "start the server with a larger context (llama-server -c N, which its slots share)"


@dataclass(frozen=True)
class EndPolicy:
    """What an episode's end means.

    grade: the tree is graded as it stands. counts: the sample has a score. retry: resume runs it
    again. label: the words shown to a person.
    """

    grade: bool
    counts: bool
    retry: bool
    label: str


@dataclass(frozen=True)
class GradePolicy:
    """What a grade_status means: resolved needs ``clean``; ``counts`` False means no score."""

    clean: bool
    counts: bool
    retry: bool
    label: str


END_POLICY: dict[StopReason, EndPolicy] = {
    StopReason.FINISHED: EndPolicy(True, True, False, "finished"),
    StopReason.MAX_TURNS: EndPolicy(True, True, False, "turn limit reached"),
    StopReason.CONTEXT_LIMIT: EndPolicy(True, True, False, "context full"),
    StopReason.TOKEN_LIMIT: EndPolicy(True, True, False, "token limit reached"),
    StopReason.COST_LIMIT: EndPolicy(True, True, False, "cost limit reached"),
    StopReason.TIME_LIMIT: EndPolicy(True, True, False, "time limit reached"),
    StopReason.NO_TOOL_CALLS: EndPolicy(True, True, False, "no tool calls"),
    StopReason.REPEATED_ERROR: EndPolicy(True, True, False, "same failing call repeated"),
    StopReason.MODEL_REFUSED: EndPolicy(True, True, False, "model refused"),
    StopReason.UNPARSABLE_REPLY: EndPolicy(True, True, False, "no readable reply"),
    StopReason.CANCELLED: EndPolicy(False, False, True, "cancelled"),
    StopReason.INTERRUPTED: EndPolicy(False, False, True, "interrupted"),
    StopReason.REQUEST_FAILED: EndPolicy(False, False, True, "request failed"),
    StopReason.SANDBOX_LOST: EndPolicy(False, False, True, "sandbox lost"),
    StopReason.REPLAY_DIVERGED: EndPolicy(False, False, True, "replay diverged"),
    StopReason.INTERNAL_ERROR: EndPolicy(False, False, True, "internal error"),
}

GRADE_POLICY: dict[GradeStatus, GradePolicy] = {
    GradeStatus.OK: GradePolicy(True, True, False, "ok"),
    GradeStatus.WRONG_ANSWER: GradePolicy(False, True, False, "wrong answer"),
    GradeStatus.TIMEOUT: GradePolicy(False, True, False, "timed out"),
    GradeStatus.OUT_OF_MEMORY: GradePolicy(False, True, False, "out of memory"),
    GradeStatus.PIDS_EXHAUSTED: GradePolicy(False, True, False, "too many processes"),
    GradeStatus.DISK_FULL: GradePolicy(False, True, False, "disk filled"),
    GradeStatus.OUTPUT_FLOOD: GradePolicy(False, True, False, "too much output"),
    GradeStatus.CRASHED: GradePolicy(False, True, False, "crashed"),
    GradeStatus.EXITED_EARLY: GradePolicy(False, True, False, "exited early"),
    GradeStatus.SYNTAX_ERROR: GradePolicy(False, True, False, "syntax error"),
    GradeStatus.COLLECTION_ERROR: GradePolicy(False, True, False, "tests could not be collected"),
    GradeStatus.BOX_KILLED: GradePolicy(False, True, False, "killed its box"),
    GradeStatus.TAMPERED: GradePolicy(False, True, False, "tampered"),
    GradeStatus.RUNNER_ERROR: GradePolicy(False, False, True, "grading failed"),
}


def verdict_of(stop: StopReason, grade: GradeStatus | None, *, resolved: bool) -> Verdict:
    """The verdict of a sample from how it ended, how grading went and whether tests all held."""
    end = END_POLICY[stop]
    if not end.counts or not end.grade or grade is None:
        return Verdict.NO_SCORE
    policy = GRADE_POLICY[grade]
    if not policy.counts:
        return Verdict.NO_SCORE
    if grade is GradeStatus.TAMPERED:
        return Verdict.TAMPERED
    return Verdict.RESOLVED if resolved and policy.clean else Verdict.UNRESOLVED


def is_final(verdict: Verdict) -> bool:
    """Whether resume leaves the sample alone: it has a score."""
    return verdict is not Verdict.NO_SCORE
