"""Run folders of single-shot suites, written through the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.events.base import ErrorInfo, Event, TranscriptRef
from harness.events.grading import AnswerExtracted, AnswerJudged
from harness.events.model import MessageAdded, ModelTurn
from harness.events.run import SampleFinished, SampleStarted, SessionEnded, SessionStarted
from harness.events.sample import AttemptFinished, AttemptStarted
from harness.ids import sample_key
from harness.outcome import GradeStatus, StopReason, Verdict
from harness.plan import EndpointIdentity, Launch, ModelPlan, Plan, SuitePlan, TaskRef
from harness.store.records import SampleRecord
from harness.store.run_folder import RunFolder
from tests.tui.recorded import attestation, write_events


@dataclass(frozen=True)
class Shot:
    """One sample: ``grade`` None has no score; ``raised`` is the judge's detail."""

    task: str
    grade: str | None = "ok"
    epoch: int = 1
    answered: bool = True
    detail: str = ""
    subject: str | None = None
    category: str | None = None
    flags: tuple[str, ...] = ()
    suite: str = "mmlu"
    rule: str = "anchored"

    @property
    def verdict(self) -> Verdict:
        if self.grade is None:
            return Verdict.NO_SCORE
        known = {"ok": Verdict.RESOLVED, "tampered": Verdict.TAMPERED}
        return known.get(self.grade, Verdict.UNRESOLVED)

    @property
    def stop(self) -> StopReason:
        return StopReason.REQUEST_FAILED if self.grade is None else StopReason.FINISHED


QUIZ = (
    Shot("anatomy/0", subject="anatomy", category="other"),
    Shot("anatomy/1", "wrong_answer", subject="anatomy", category="other", answered=False),
    Shot("virology/0", "wrong_answer", subject="virology", category="other"),
    Shot("sociology/0", "wrong_answer", subject="sociology", category="social sciences"),
    Shot("astronomy/0", subject="astronomy", category="STEM"),
    Shot("astronomy/1", None),
)
CODE = (
    Shot("HumanEval/0", suite="humaneval"),
    Shot(
        "HumanEval/1",
        "wrong_answer",
        suite="humaneval",
        detail="assert candidate([]) == 1\nAssertionError",
    ),
    Shot(
        "HumanEval/2",
        "wrong_answer",
        suite="humaneval",
        detail="assert candidate([]) == 1\nModuleNotFoundError: No module named 'x'",
    ),
    Shot("HumanEval/3", "timeout", suite="humaneval", detail="check(candidate)\nstopped"),
    Shot("HumanEval/4", "syntax_error", suite="humaneval", detail="SyntaxError: bad"),
    Shot("HumanEval/5", "tampered", suite="humaneval", flags=("left_processes",)),
)


def make_shots(
    root: Path,
    shots: Sequence[Shot] = QUIZ,
    *,
    epochs: int = 1,
    options: dict[str, Any] | None = None,
    ended: bool = True,
) -> Path:
    """A run of these samples; tasks and suites are those that they name."""
    suites: dict[str, list[str]] = {}
    for shot in shots:
        tasks = suites.setdefault(shot.suite, [])
        if shot.task not in tasks:
            tasks.append(shot.task)
    plan = Plan(
        proctor="0.1.0",
        suites=tuple(
            SuitePlan(
                name=name,
                version="1",
                protocol="proctor-chat",
                executes_code=False,
                tasks=tuple(TaskRef(id=task, digest="d") for task in tasks),
                split="test",
                options=options or {},
            )
            for name, tasks in suites.items()
        ),
        model=ModelPlan(
            kind="oracle", name="toy", identity=EndpointIdentity(kind="oracle", model_id="toy")
        ),
        epochs=epochs,
    )
    folder = RunFolder.create(root, plan, Launch())
    total = epochs * sum(map(len, suites.values()))
    with folder.lock():
        folder.run_log.append(
            SessionStarted(
                session=1,
                version=1,
                host="bench",
                pid=1,
                samples=total,
                pending=total,
                concurrency=1,
            )
        )
        for shot in shots:
            _finish(folder, shot)
        scored = sum(shot.grade is not None for shot in shots)
        if ended:
            without = len(shots) - scored
            folder.run_log.append(
                SessionEnded(
                    session=1,
                    reason="complete",
                    scored=scored,
                    without_score=without,
                    pending=0,
                    cleanup_proven=True,
                )
            )
            folder.write_summary(without_score=without, ended="complete")
    return folder.path


def _finish(folder: RunFolder, shot: Shot) -> None:
    key = sample_key(shot.task, shot.epoch)
    of = {"sample": key, "suite": shot.suite, "task_id": shot.task, "epoch": shot.epoch}
    of["attempt"] = 1
    folder.run_log.append(SampleStarted(**of))  # type: ignore[arg-type]
    grade = GradeStatus(shot.grade) if shot.grade else None
    path = _transcript(folder, key, of, shot, grade)
    reference = TranscriptRef(
        file=str(path.relative_to(folder.path)), offset=0, length=path.stat().st_size
    )
    code = shot.suite != "mmlu"
    if grade is not None:
        folder.append_record(
            SampleRecord(
                **of,  # type: ignore[arg-type]
                session=1,
                plan=folder.plan_digest,
                executes_code=code,
                attestation=attestation() if code else None,
                verdict=shot.verdict,
                stop_reason=shot.stop,
                grade_status=grade,
                flags=list(shot.flags),
                subject=shot.subject,
                category=shot.category,
                metrics={"rule": shot.rule, "no_answer": not shot.answered},
                timings={"model": 0.5, "grading": 0.1},
                transcript=reference,
            )
        )
    folder.run_log.append(
        SampleFinished(
            **of,  # type: ignore[arg-type]
            verdict=shot.verdict,
            stop_reason=shot.stop.value,
            grade_status=shot.grade,
            seconds=0.6,
            transcript=reference,
            error=None if grade else ErrorInfo(kind="EndpointError", message="refused"),
        )
    )


def _transcript(
    folder: RunFolder, key: str, of: dict[str, Any], shot: Shot, grade: GradeStatus | None
) -> Path:
    events: list[Event] = [
        AttemptStarted(version=1, run_id=folder.run_id, model="toy", **of),
        MessageAdded(role="user", kind="prompt", content=f"Question of {shot.task}"),
        ModelTurn(turn=1, content="So it is.", tool_calls=[]),
    ]
    if grade is not None:
        value = "B" if shot.answered else None
        events += [
            AnswerExtracted(kind="letter", value=value, rule="anchored"),
            AnswerJudged(grade_status=grade, expected="A", got=value, detail=shot.detail),
        ]
    events.append(AttemptFinished(verdict=shot.verdict, stop_reason=shot.stop))
    rows = [(0.1 * number, event) for number, event in enumerate(events)]
    return write_events(folder.path / "transcripts" / f"{key}.jsonl", rows)
