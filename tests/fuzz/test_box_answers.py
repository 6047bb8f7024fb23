"""Whatever comes out of a box, the harness gets a value that can be stored, or SandboxError."""

from __future__ import annotations

import contextlib
import resource
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness.agent.calls import CallRunner
from harness.agent.limits import Meter
from harness.errors import InfrastructureError, SandboxError
from harness.events.grading import GradingFinished
from harness.events.model import ToolCallRequest
from harness.events.tool import ToolResult
from harness.events.union import transcript_event
from harness.grading.verdict import read_run, strained
from harness.models.protocol import Reply
from harness.plan import EpisodeLimits
from harness.sandbox.protocol import CandidateSpec, ChildReport, ChildSpec
from harness.sandbox.remote import RemoteBox
from harness.store.lines import decode, encode
from harness.suites.judging import CodeJob
from harness.suites.pool_verdicts import verdict_of_report
from tests.fuzz.effort import examples
from tests.fuzz.hostile import Answer, ask_hostile, docker_stream, frame
from tests.fuzz.values import VALUES, altered, nested, torn
from tools import caps
from tools.wire import HEADER_LIMIT

TOOL = {
    "id": 1, "ok": True, "text": "done", "is_error": False, "path_refused": False,
    "finished": False, "internal": False, "lint_findings": 0,
    "delta": [{
        "path": "a.py", "before": None, "after": "0" * 64, "mode_before": None, "mode_after": 420,
        "size": 4,
    }],
}  # fmt: skip
RUN = {
    "id": 1, "ok": True, "sizes": {"stdout": 3, "stderr": 2, "results": 0}, "stopped": None,
    "exit_code": 0, "signal": None, "oom_kills": 0, "pids_refused": 0, "disk_full": False,
    "results_truncated": False, "leftovers": 0, "wall_s": 0.1, "cpu_s": 0.1, "peak_memory": 1000,
    "partner_exit": None,
}  # fmt: skip
JUDGED = {
    "id": 1, "ok": True, "sizes": {"stdout": 2, "results": 0}, "stopped": None,
    "candidate_exit": 0, "judge_ended": False, "oom_kills": 0, "pids_refused": 0,
    "disk_full": False, "results_truncated": False, "leftovers": 0, "wall_s": 0.1, "cpu_s": 0.1,
    "peak_memory": None,
}  # fmt: skip
REFUSED = {"id": 1, "ok": False, "error": {"kind": "full", "message": "the disk is full"}}
LINES: list[dict[str, Any]] = [
    {"type": "begin"},
    {"type": "test", "id": "t::a", "outcome": "passed", "message": "", "seconds": 0.1},
    {"type": "error", "kind": "syntax", "path": "t.py", "message": "line 1"},
    {"type": "end", "machinery": ["pytest"]},
    {"type": "failed", "check": "f(1)", "got": "1", "expected": "2", "error": None},
    {"type": "end", "passed": {"all": 1}, "text": ""},
    {"type": "forged", "text": "x"},
    {"type": "left", "text": "0"},
]
HOSTILE_NUMBERS = st.sampled_from([float("nan"), float("inf"), -1, 10**30, 10**4000, True, "7"])
HEADERS = st.one_of(VALUES, HOSTILE_NUMBERS)


class Kept:
    """Where a loop's events go: to a line of the transcript and back."""

    def __init__(self) -> None:
        self.results: list[ToolResult] = []

    def emit(self, event: Any) -> Any:
        line = encode(event)
        assert line.count(b"\n") == 1
        back = decode(line, transcript_event)
        if isinstance(back, ToolResult):
            self.results.append(back)
        return event

    def delta(self, *told: Any) -> None:
        return None

    def blob(self, content: bytes) -> str:
        return "0" * 64

    def progress(self, *told: Any, **more: Any) -> None:
        return None


def call_a_tool(data: bytes, *, multiplexed: bool = False) -> list[ToolResult]:
    """A turn's one call against such a box, as the loop carries it out."""
    kept = Kept()
    call = ToolCallRequest(id="c1", name="lint", raw="{}", arguments={}, problem=None)

    async def ask(box: RemoteBox) -> None:
        runner = CallRunner(box, kept, Meter(EpisodeLimits()), 3)
        for message in await runner.run(1, Reply(content="", tool_calls=(call,))):
            message.content.encode("utf-8", "surrogatepass")

    with contextlib.suppress(SandboxError, InfrastructureError):
        ask_hostile(Answer(data), ask, multiplexed=multiplexed)
    assert len(kept.results) == 1, "every call has one result"
    assert len(kept.results[0].text) <= 2 * caps.RESULT_CHARS
    return kept.results


def run_a_child(data: bytes) -> ChildReport | None:
    """A report of such a box, read as a test run's."""
    try:
        report = ask_hostile(Answer(data), lambda box: box.run(ChildSpec(program="run_pytest")))
    except SandboxError:
        return None
    run = read_run(report)
    told = {
        "strained": strained(run), "tests": [str(t) for t in run.tests.values()],
        "exit": report.exit_code, "signal": report.signal, "leftovers": report.leftovers,
        "memory": report.peak_memory, "wall": report.wall_s, "cpu": report.cpu_s,
        "oom": report.oom_kills, "pids": report.pids_refused,
    }  # fmt: skip
    event = GradingFinished(
        grade_status=run.problem or "ok", resolved=False, boxes=[told], detail=run.detail
    )
    decode(encode(event), transcript_event)
    return report


def judge_a_candidate(data: bytes) -> None:
    """A report of such a box, read as the split judge's."""
    job = CodeJob("humaneval", "humaneval", "t", "t@1", "", checks=("f() == 1",), entry_point="f")
    try:
        report = ask_hostile(Answer(data), lambda box: box.candidate(CandidateSpec(job={})))
    except SandboxError:
        return
    verdict = verdict_of_report(job, report, None)  # type: ignore[arg-type]
    if verdict is not None:
        assert 0 <= verdict.checks_passed <= verdict.checks_total
        float(verdict.wall_s)


@examples(60)
@given(altered(TOOL, HEADERS), st.sampled_from([b"", b"text", b"texts"]), st.booleans())
@example({**TOOL, "lint_findings": float("inf")}, b"text", False)
@example({**TOOL, "text": nested(400)}, b"text", False)
@example({**TOOL, "text": "x" * 1_000_000}, b"text", False)
@example({**TOOL, "delta": [{**TOOL["delta"][0], "size": float("inf")}]}, b"text", False)  # type: ignore[index]
@example({**TOOL, "delta": [{**TOOL["delta"][0], "mode_after": 10**4000}]}, b"text", False)  # type: ignore[index]
def test_a_tools_answer_is_stored_or_the_box_is_lost(
    header: Any, payload: bytes, multiplexed: bool
) -> None:
    data = frame(header, payload)
    call_a_tool(docker_stream(data, [3, 0, 5]) if multiplexed else data, multiplexed=multiplexed)


@examples(60)
@given(altered(RUN, HEADERS), st.lists(altered(LINES, HEADERS), max_size=3))
@example({**RUN, "oom_kills": float("inf")}, [])
@example({**RUN, "signal": 10**4000}, [])
@example({**RUN, "wall_s": 10**4000}, [])
@example(RUN, [[{"type": "test", "id": nested(300)}, {"type": "end"}]])
@example(RUN, [[{"type": nested(300)}]])
@example(RUN, [[{"type": "test", "id": "a", "outcome": [], "seconds": 10**400}]])
def test_a_childs_report_is_read_or_the_box_is_lost(header: Any, groups: list[Any]) -> None:
    lines = [line for group in groups for line in (group if isinstance(group, list) else [group])]
    results = b"".join(frame(line) for line in lines)
    sizes = header.get("sizes") if isinstance(header, dict) else None
    if isinstance(sizes, dict) and sizes.get("results") == 0:
        header = {**header, "sizes": {**sizes, "results": len(results)}}
    run_a_child(frame(header, b"out" + b"er" + results))


@examples(60)
@given(altered(JUDGED, HEADERS), st.lists(altered(LINES, HEADERS), max_size=3))
@example({**JUDGED, "wall_s": float("nan")}, [])
@example({**JUDGED, "candidate_exit": float("inf")}, [])
@example(JUDGED, [[{"type": "end", "passed": {"all": 10**30}}]])
@example(JUDGED, [[{"type": "end", "passed": {"all": float("inf")}}]])
@example(JUDGED, [[{"type": "end", "passed": {"all": "many"}}]])
@example(JUDGED, [[{"type": "failed", "check": nested(400), "got": nested(400, key=None)}]])
def test_a_candidates_report_is_read_or_the_box_is_lost(header: Any, groups: list[Any]) -> None:
    lines = [line for group in groups for line in (group if isinstance(group, list) else [group])]
    results = b"".join(frame(line) for line in lines)
    sizes = header.get("sizes") if isinstance(header, dict) else None
    if isinstance(sizes, dict) and sizes.get("results") == 0:
        header = {**header, "sizes": {**sizes, "results": len(results)}}
    judge_a_candidate(frame(header, b"ok" + results))


@examples(60)
@given(
    st.one_of(
        torn(frame(TOOL, b"text") * 2),
        torn(docker_stream(frame(TOOL, b"text"), [1, 2])),
        st.builds(frame, VALUES, st.binary(max_size=9), size=st.one_of(st.none(), HEADERS)),
        altered(REFUSED, HEADERS).map(frame),
        st.binary(max_size=60),
    ),
    st.booleans(),
)
@example(b'{"id":1,"id":2,"ok":true,"ok":false}\n', False)
@example(b'{"id":1,"ok":true,"payload":1e3}\n', False)
@example(b'{"id":1,"ok":true,"payload":NaN}\n', False)
@example(b'{"id":1,"ok":true,"payload":' + b"9" * 5000 + b"}\n", False)
@example(b"\x01\0\0\0\xff\xff\xff\xff", True)
@example(b"\x01\0\0\0\0\0\0\0" * 1000, True)
@example(b"\x07" + b"\0" * 100, True)
@example(frame(REFUSED | {"error": {"kind": nested(400), "message": nested(400, key=None)}}), False)
def test_bytes_that_are_no_answer_lose_the_box(data: bytes, multiplexed: bool) -> None:
    call_a_tool(data, multiplexed=multiplexed)


@pytest.mark.parametrize(
    "data",
    [
        b'{"id":1,"ok":true,"facts":' + b"[" * (HEADER_LIMIT - 100) + b"\n",
        b'{"id":1,"ok":true,"text":[' + b"[]," * 2_000_000 + b"[]]}\n",
        b'{"id":1,"ok":true,"text":"' + b"\\ud800" * 1_000_000 + b'"}\n',
        frame({"id": 1, "ok": True}, b"", size=90 * 1024 * 1024) + b"x" * 40_000_000,
        b"x" * 200_000_000,
    ],
    ids=["deep", "many", "surrogates", "payload", "endless"],
)
def test_memory_stays_bounded_whatever_a_box_sends(data: bytes) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    call_a_tool(data)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 320 * 1024, f"{grown} KiB for {len(data)} bytes"
