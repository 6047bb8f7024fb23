"""Run folders for the interface's tests, written through the store, with times that are fixed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from harness.events.base import ErrorInfo, Event, Usage
from harness.events.grading import (
    ChangedFile,
    GradingFinished,
    GradingStarted,
    ReviewFlag,
    SnapshotTaken,
    TestOutcome,
)
from harness.events.model import (
    MessageAdded,
    ModelRequested,
    ModelTurn,
    RequestRetried,
    ToolCallRequest,
)
from harness.events.run import SampleFinished, SampleProgress, SampleStarted, SessionStarted
from harness.events.sample import AttemptFinished, AttemptStarted, EpisodeFinished, Fault
from harness.events.tool import ToolResult, TreeChange
from harness.ids import sample_key
from harness.outcome import GradeStatus, SampleState, StopReason, Verdict
from harness.plan import (
    Containment,
    EndpointIdentity,
    EndpointLaunch,
    Launch,
    ModelPlan,
    Plan,
    SuitePlan,
    TaskRef,
)
from harness.sandbox.protocol import Attestation, Limits
from harness.store import layout
from harness.store.records import SampleRecord, TranscriptRef
from harness.store.run_folder import RunFolder

BEGAN = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
TASKS = (
    "stockroom-reorder-point",
    "stockroom-csv-import",
    "almanac-leap-week",
    "ledger-round-half",
    "router-trailing-slash",
    "almanac-moon-phase",
)

START = '''"""When to order again."""

from dataclasses import dataclass


@dataclass
class Item:
    name: str
    stock: int
    daily_use: float
    lead_days: int


def reorder_point(item: Item, safety_days: int = 2) -> int:
    """Units at which a new order has to be placed."""
    return int(item.daily_use * item.lead_days)


def needs_order(item: Item) -> bool:
    return item.stock < reorder_point(item)
'''
FIXED = START.replace(
    "    return int(item.daily_use * item.lead_days)\n",
    "    days = item.lead_days + safety_days\n    return math.ceil(item.daily_use * days)\n",
).replace("from dataclasses import dataclass\n", "import math\nfrom dataclasses import dataclass\n")
BROKEN = FIXED.replace("import math\n", "")


@dataclass
class Recorder:
    """Collects events of an attempt with the second at which each happened."""

    folder: RunFolder
    key: str
    events: list[tuple[float, Event]] = field(default_factory=list)
    now: float = 0.0

    def after(self, seconds: float, event: Event) -> None:
        self.now += seconds
        self.events.append((self.now, event))

    def blob(self, text: str) -> str:
        return self.folder.blobs.put(text.encode())[0]


def make_plan(tasks: tuple[str, ...] = TASKS, epochs: int = 1) -> Plan:
    return Plan(
        proctor="0.1.0",
        suites=(
            SuitePlan(
                name="repos",
                version="1",
                protocol="proctor-1",
                executes_code=True,
                tasks=tuple(TaskRef(id=t, digest=f"{n:064x}") for n, t in enumerate(tasks)),
            ),
        ),
        model=ModelPlan(
            kind="openai",
            name="qwen2.5-coder-7b",
            tool_protocol="native",
            identity=EndpointIdentity(
                kind="openai",
                model_id="qwen2.5-coder-7b",
                model_file="qwen2.5-coder-7b-q5_k_m.gguf",
                ftype="Q5_K_M",
                context=32768,
                build="b6800",
            ),
        ),
        epochs=epochs,
        containment=Containment(
            provider="docker",
            image_digest="sha256:" + "a1" * 32,
            tools_digest="b2" * 32,
            limits=Limits(),
        ),
    )


def attestation() -> Attestation:
    return Attestation(
        provider="docker",
        runtime_version="29.1.0",
        image_digest="sha256:" + "a1" * 32,
        tools_digest="b2" * 32,
        network="none",
        filesystem="read_only_plus_tmpfs",
        uid=10001,
        seccomp="filter",
        no_new_privileges=True,
        limits=Limits(),
        toolchain={"python": "3.11.2", "node": "24.1.0"},
        facts={},
    )


def call(turn: int, name: str, **arguments: Any) -> ToolCallRequest:
    return ToolCallRequest(
        id=f"call-{turn}-{name}", name=name, raw=json.dumps(arguments), arguments=arguments
    )


def _turn(r: Recorder, turn: int, content: str, *calls: ToolCallRequest, **more: Any) -> None:
    r.after(
        0.1,
        ModelRequested(
            turn=turn,
            attempt=1,
            endpoint="http://127.0.0.1:8080/v1",
            messages=2 * turn,
            digest="c" * 64,
        ),
    )
    usage = Usage(prompt=900 + 420 * turn, completion=60 + 13 * turn, cached=800)
    r.after(
        more.pop("took", 4.2),
        ModelTurn(
            turn=turn,
            content=content,
            tool_calls=list(calls),
            usage=usage,
            request_s=4.2,
            first_token_s=0.4,
            finish_reason="tool_calls" if calls else "stop",
            **more,
        ),
    )


def _result(r: Recorder, made: ToolCallRequest, text: str, **more: Any) -> None:
    turn = int(made.id.split("-")[1])
    r.after(
        0.02,
        ToolResult(
            turn=turn,
            call_id=made.id,
            name=made.name,
            arguments=made.arguments,
            text=text,
            elapsed_s=0.0123,
            **more,
        ),
    )


def numbered(text: str) -> str:
    return "\n".join(f"{n:>4} {row}" for n, row in enumerate(text.splitlines(), start=1))


def episode(r: Recorder, *, solved: bool = True, until: str = "") -> None:
    """An episode on stockroom: looks, errs, edits, lints, finishes, is graded. until: stop before
    ``edit``, ``finish`` or ``grading``."""
    start, broken, fixed = r.blob(START), r.blob(BROKEN), r.blob(FIXED)
    readme = r.blob("# Stockroom\n\nKeeps count of what is on the shelves.\n")
    r.after(
        0,
        AttemptStarted(
            version=1,
            run_id=r.folder.run_id,
            sample=r.key,
            suite="repos",
            task_id=r.key.split("@")[0],
            epoch=1,
            attempt=1,
            model="qwen2.5-coder-7b",
            tool_protocol="native",
            endpoint="http://127.0.0.1:8080/v1",
            tree={
                "README.md": {"digest": readme, "mode": 0o644, "size": 52},
                "stockroom/__init__.py": {"digest": r.blob(""), "mode": 0o644, "size": 0},
                "stockroom/orders.py": {"digest": start, "mode": 0o644, "size": len(START)},
            },
            task={"category": "logic", "difficulty": 2, "language": "python"},
        ),
    )
    r.after(
        0.01,
        MessageAdded(
            role="system",
            kind="prompt",
            content=(
                "You are a careful programmer. Use the tools to look at the tree and mend it.\n"
                "Nothing you write is run. Call finish when you are done."
            ),
        ),
    )
    r.after(
        0.01,
        MessageAdded(
            role="user",
            kind="prompt",
            content=(
                "Orders are placed too late: the safety stock is ignored.\n\n"
                "`reorder_point(item, safety_days=2)` should cover the lead time **and** the "
                "safety days, and round up, since half a unit cannot be ordered. At present an "
                "item with a daily use of 1.5, a lead time of 3 days gives 4; it should give 8."
            ),
        ),
    )
    look = call(1, "read_file", path="stockroom/orders.py", start_line=1, end_line=30)
    find = call(1, "search", pattern="reorder_point", glob="*.py")
    _turn(
        r,
        1,
        "I will look at the code first.",
        look,
        find,
        reasoning="The report names reorder_point.\nLet me see where it is defined and who "
        "calls it.\nThen I can change the formula.",
    )
    _result(r, look, numbered(START))
    _result(
        r,
        find,
        "stockroom/orders.py:14:def reorder_point(item: Item, safety_days: int = 2)"
        " -> int:\nstockroom/orders.py:20:    return item.stock < reorder_point(item)",
    )
    if until == "edit":
        return
    r.after(
        0.2,
        RequestRetried(
            turn=2, attempt=1, wait_s=1.5, error=ErrorInfo(kind="http_503", message="Loading model")
        ),
    )
    wrong = call(2, "edit_replace", path="stockroom/order.py", old_text="x", new_text="y")
    _turn(r, 2, "", wrong, took=6.0, attempts=2)
    _result(
        r,
        wrong,
        "Error: no such file: stockroom/order.py. Did you mean stockroom/orders.py?",
        is_error=True,
    )
    r.after(
        0.3,
        MessageAdded(
            role="user",
            kind="nudge",
            turn=2,
            content=("Your reply had no tool call. Use a tool, or call finish when you are done."),
        ),
    )
    edit = call(
        3,
        "edit_replace",
        path="stockroom/orders.py",
        old_text="    return int(item.daily_use * item.lead_days)",
        new_text="    days = item.lead_days + safety_days\n"
        "    return math.ceil(item.daily_use * days)",
    )
    check = call(3, "lint", path="stockroom/orders.py")
    _turn(
        r,
        3,
        "The formula leaves out two things:\n\n1. the **safety days**\n2. rounding *up*\n\n"
        "```python\nreturn math.ceil(item.daily_use * (item.lead_days + safety_days))\n```\n\n"
        "I change it so.",
        edit,
        check,
    )
    _result(
        r,
        edit,
        "Replaced 1 occurrence, lines 16-17.",
        delta=[
            TreeChange(
                path="stockroom/orders.py",
                before=start,
                after=broken,
                mode_before=0o644,
                mode_after=0o644,
            )
        ],
    )
    _result(
        r,
        check,
        "stockroom/orders.py:17:12: F821 Undefined name `math`\n"
        'stockroom/orders.py:17: error: Name "math" is not defined  [name-defined]',
        lint_findings=2,
    )
    if until == "finish":
        return
    if solved:
        add = call(
            4,
            "edit_lines",
            path="stockroom/orders.py",
            start_line=3,
            end_line=2,
            new_text="import math",
        )
        _turn(r, 4, "The import is missing.", add)
        _result(
            r,
            add,
            "Inserted 1 line before line 3.",
            delta=[
                TreeChange(
                    path="stockroom/orders.py",
                    before=broken,
                    after=fixed,
                    mode_before=0o644,
                    mode_after=0o644,
                )
            ],
        )
    done = call(5, "finish", summary="reorder_point covers the safety days and rounds up.")
    _turn(r, 5, "", done, took=2.0)
    _result(r, done, "Finished.")
    r.after(
        0.01,
        EpisodeFinished(
            stop_reason=StopReason.FINISHED,
            metrics={"turns": 5, "tool_calls": 7, "tool_errors": 1, "edits": 2 if solved else 1},
        ),
    )
    if until == "grading":
        return
    r.after(
        0.3,
        SnapshotTaken(
            digest="d" * 64,
            files=3,
            bytes=612,
            changes=[
                ChangedFile(
                    path="stockroom/orders.py", kind="modified", added_lines=3, removed_lines=1
                )
            ],
        ),
    )
    r.after(0.2, GradingStarted(provider="docker", fail_to_pass=2, pass_to_pass=2))
    message = (
        "def test_safety_days():\n>       assert reorder_point(item) == 8\n"
        "E       NameError: name 'math' is not defined\n\nstockroom/orders.py:17: NameError"
    )
    for name, group in (
        ("test_safety_days", "fail_to_pass"),
        ("test_rounds_up", "fail_to_pass"),
        ("test_needs_order", "pass_to_pass"),
        ("test_empty_shelf", "pass_to_pass"),
    ):
        fails = not solved and group == "fail_to_pass"
        r.after(
            0.05,
            TestOutcome(
                id=f"tests/test_orders.py::{name}",
                group=group,  # type: ignore[arg-type]
                outcome="failed" if fails else "passed",
                twin="failed",
                message=message if fails else "",
                seconds=0.01,
            ),
        )
    passed = 2 if solved else 0
    r.after(
        0.1,
        GradingFinished(
            grade_status=GradeStatus.OK if solved else GradeStatus.WRONG_ANSWER,
            resolved=solved,
            partial=passed / 2,
            fail_to_pass_passed=passed,
            fail_to_pass_total=2,
            pass_to_pass_passed=2,
            pass_to_pass_total=2,
            seconds=1.9,
            flags=[] if solved else [ReviewFlag(kind="undefined_name", detail="math in orders.py")],
        ),
    )
    r.after(
        0.01,
        AttemptFinished(
            verdict=Verdict.RESOLVED if solved else Verdict.UNRESOLVED,
            stop_reason=StopReason.FINISHED,
        ),
    )


def failing(r: Recorder) -> None:
    """An episode whose model server went away."""
    episode(r, until="edit")
    r.after(
        600,
        Fault(
            error=ErrorInfo(
                kind="EndpointError", message="connection refused", remedy="start the server again"
            )
        ),
    )
    r.after(0.1, EpisodeFinished(stop_reason=StopReason.REQUEST_FAILED))
    r.after(0.1, AttemptFinished(verdict=Verdict.NO_SCORE, stop_reason=StopReason.REQUEST_FAILED))


def write_attempt(folder: RunFolder, key: str, play: Callable[[Recorder], None]) -> Path:
    """An attempt's transcript with fixed times; returns its file."""
    recorder = Recorder(folder, key)
    play(recorder)
    return write_events(folder.path / layout.attempt_file(key, 1), recorder.events)


def write_events(path: Path, events: list[tuple[float, Event]]) -> Path:
    """Events as the store writes them, each at its second."""
    from harness.store.lines import encode

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for seq, (at, event) in enumerate(events, start=1):
            time = BEGAN + timedelta(seconds=at)
            file.write(
                encode(event.model_copy(update={"seq": seq, "time": time, "elapsed": round(at, 3)}))
            )
    return path


def make_run(root: Path, *, name: str = "stockroom-run", running: bool = False) -> Path:
    """A run of six samples: resolved, unresolved, no score, one that was in the middle, queued.

    running: the log has no end, as while a runner works on it."""
    made = RunFolder.create(
        root,
        make_plan(),
        Launch(
            concurrency=2,
            name="first try",
            endpoints=(EndpointLaunch(url="http://127.0.0.1:8080/v1"),),
        ),
    )
    target = root / name
    made.path.rename(target)
    session = target / "sessions" / "1.json"
    said = json.loads(session.read_bytes())
    said |= {
        "created": BEGAN.isoformat(),
        "started": BEGAN.isoformat(),
        "host": "bench",
        "pid": 4242,
        "attestation": attestation().model_dump(mode="json"),
    }
    session.write_text(json.dumps(said))
    folder = RunFolder.open(target)
    keys = [sample_key(task, 1) for task in TASKS]
    with folder.lock():
        folder.run_log.append(
            SessionStarted(
                session=1, version=1, host="bench", pid=4242, samples=6, pending=6, concurrency=2
            )
        )
        endings = [
            (keys[0], episode, Verdict.RESOLVED, StopReason.FINISHED, 1.0),
            (
                keys[1],
                lambda r: episode(r, solved=False),
                Verdict.UNRESOLVED,
                StopReason.FINISHED,
                0.0,
            ),
            (keys[2], failing, Verdict.NO_SCORE, StopReason.REQUEST_FAILED, None),
        ]
        for key, play, verdict, stop, partial in endings:
            _begin(folder, key)
            path = write_attempt(folder, key, play)
            reference = TranscriptRef(
                file=str(path.relative_to(target)), length=path.stat().st_size
            )
            usage = Usage(prompt=9000, completion=420, cached=800)
            scored = verdict is not Verdict.NO_SCORE
            grade = (
                None
                if not scored
                else (GradeStatus.OK if verdict is Verdict.RESOLVED else GradeStatus.WRONG_ANSWER)
            )
            if scored:
                folder.append_record(
                    SampleRecord(
                        sample=key,
                        suite="repos",
                        task_id=key.split("@")[0],
                        epoch=1,
                        attempt=1,
                        session=1,
                        plan=folder.plan_digest,
                        executes_code=True,
                        attestation=attestation(),
                        verdict=verdict,
                        stop_reason=stop,
                        grade_status=grade,
                        partial=partial,
                        fail_to_pass=(int(2 * (partial or 0)), 2),
                        pass_to_pass=(2, 2),
                        usage=usage,
                        timings={"episode": 31.0, "grading": 1.9},
                        transcript=reference,
                    )
                )
            folder.run_log.append(
                SampleFinished(
                    sample=key,
                    suite="repos",
                    task_id=key.split("@")[0],
                    epoch=1,
                    attempt=1,
                    verdict=verdict,
                    stop_reason=stop.value,
                    grade_status=grade and grade.value,
                    partial=partial,
                    usage=usage,
                    seconds=33.0,
                    transcript=reference,
                    error=None if scored else ErrorInfo(kind="EndpointError", message="refused"),
                )
            )
        _begin(folder, keys[3])
        write_attempt(folder, keys[3], lambda r: episode(r, until="finish"))
        folder.run_log.append(
            SampleProgress(
                sample=keys[3],
                state=SampleState.RUNNING,
                turn=3,
                usage=Usage(prompt=4000, completion=200),
            )
        )
    _fix_times(target / layout.RUN_LOG)
    return target


def _begin(folder: RunFolder, key: str) -> None:
    folder.run_log.append(
        SampleStarted(
            sample=key,
            suite="repos",
            task_id=key.split("@")[0],
            epoch=1,
            attempt=1,
            endpoint="http://127.0.0.1:8080/v1",
        )
    )


def _fix_times(path: Path) -> None:
    """Each line of the run's log ten seconds after the one before."""
    out = []
    for number, line in enumerate(path.read_text().splitlines()):
        time = (BEGAN + timedelta(seconds=10 * number)).isoformat()
        line = re.sub(r'"time":"[^"]*"', f'"time":"{time}"', line, count=1)
        out.append(re.sub(r'"elapsed":[0-9.e+-]+', f'"elapsed":{10.0 * number}', line, count=1))
    path.write_text("\n".join(out) + "\n")
