"""Servers that go away for good in the midst of a run: no sample waits for them in vain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.errors import EndpointError, ExitCode
from harness.events.run import RunNotice
from harness.execution.runner import SessionSummary
from harness.models.openai_chat import EndpointModel
from harness.models.retry import RetryPolicy
from harness.plan import EndpointLaunch
from harness.store import layout
from harness.store.run_folder import RunFolder
from harness.store.transcript import read_run_log
from tests.models.turns import model_plan
from tests.support.counting_suite import carry_out, make_folder, make_plan
from tests.support.scripted_server import ScriptedServer, Step, error, html, say

CONCURRENCY = 2


@pytest.fixture
def serve() -> Iterator[Callable[..., ScriptedServer]]:
    servers: list[ScriptedServer] = []

    def start(script: Any) -> ScriptedServer:
        servers.append(ScriptedServer(script).start())
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def run_over(root: Path, samples: int, *servers: ScriptedServer) -> RunFolder:
    endpoints = tuple(EndpointLaunch(url=server.url, slots=1) for server in servers)
    plan = make_plan(samples)
    return make_folder(root, plan, concurrency=CONCURRENCY, endpoints=endpoints)


QUICK = RetryPolicy(first_s=0.01, longest_s=0.02, total_s=0.2)


async def session(folder: RunFolder, policy: RetryPolicy = QUICK) -> SessionSummary:
    folder = RunFolder.open(folder.path)
    model = EndpointModel(model_plan(), folder.launch, folder.plan.limits, policy=policy)
    try:
        return await carry_out(folder, model=model)
    finally:
        await model.close()


def turning(answers: int, bad: Step) -> Callable[[Any], Step]:
    """A script that answers so many requests and is ``bad`` from then on."""
    left = [answers]

    def script(_request: Any) -> Step:
        left[0] -= 1
        return say("fine") if left[0] >= 0 else bad

    return script


@pytest.mark.parametrize(
    "bad",
    [error(401, "the key has expired"), error(404, "gone"), html(200)],
    ids=["key", "path", "page"],
)
async def test_refusals_in_a_row_end_the_session(tmp_path: Path, serve: Any, bad: Step) -> None:
    server = serve(turning(5, bad))
    folder = run_over(tmp_path, 60, server)
    summary = await session(folder)
    assert (summary.reason, summary.exit_code) == ("failed", ExitCode.INCOMPLETE)
    assert isinstance(summary.error, EndpointError)
    assert f"--resume {folder.run_id}" in str(summary.error)
    assert summary.scored == 5 and summary.without_score <= 10 + CONCURRENCY
    server.script = [say("fine")]
    again = await session(folder)
    assert (again.reason, again.scored, again.exit_code) == ("complete", 60, ExitCode.OK)


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_one_sample_that_waited_in_vain_ends_the_session(
    tmp_path: Path, serve: Any, status: int
) -> None:
    folder = run_over(tmp_path, 20, serve(turning(3, error(status, "no more"))))
    summary = await session(folder)
    assert (summary.reason, summary.scored) == ("failed", 3)
    assert summary.without_score <= 2 * CONCURRENCY and "no more" in str(summary.error)


async def test_a_server_that_went_away_ends_the_session(tmp_path: Path, serve: Any) -> None:
    server = serve([say("fine")])
    folder = run_over(tmp_path, 20, server)
    server.stop()
    summary = await session(folder)
    assert summary.reason == "failed" and "cannot be reached" in str(summary.error)
    assert summary.pending >= 20 - CONCURRENCY


async def test_a_prompt_that_is_refused_alone_ends_nothing(tmp_path: Path, serve: Any) -> None:
    def script(request: Any) -> Step:
        odd = int(request.task.split()[1][1:]) % 2
        return error(403, "this prompt is not allowed") if odd else say("fine")

    summary = await session(run_over(tmp_path, 40, serve(script)))
    assert (summary.reason, summary.scored, summary.without_score) == ("complete", 20, 20)


async def test_a_prompt_that_fails_for_ever_ends_nothing(tmp_path: Path, serve: Any) -> None:
    def script(request: Any) -> Step:
        return error(503, "out of capacity") if "t0000" in request.task else say("fine")

    folder = make_folder(
        tmp_path,
        make_plan(4),
        concurrency=1,
        endpoints=(EndpointLaunch(url=serve(script).url, slots=1),),
    )
    summary = await session(folder)
    assert (summary.reason, summary.scored, summary.without_score) == ("complete", 3, 1)


async def test_what_fails_at_each_endpoint_is_tried_at_each_once(
    tmp_path: Path, serve: Any
) -> None:
    def script(request: Any) -> Step:
        return error(400, "not this one") if "t0003" in request.task else say("fine")

    servers = serve(script), serve(script)
    summary = await session(run_over(tmp_path, 10, *servers))
    assert (summary.scored, summary.without_score) == (9, 1)
    assert [sum("t0003" in r.task for r in s.requests) for s in servers] == [1, 1]


async def test_a_wait_for_one_endpoint_ends_while_another_answers(
    tmp_path: Path, serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.models.health.ELSEWHERE_S", 0.5)
    busy, good = serve([error(503, "busy")]), serve([say("fine", delay_s=0.05)])
    folder = run_over(tmp_path, 20, busy, good)
    policy = RetryPolicy(first_s=0.01, longest_s=0.02, total_s=3600)
    summary = await session(folder, policy)
    assert (summary.reason, summary.scored) == ("complete", 20)


async def test_samples_go_on_at_the_endpoints_that_are_left(tmp_path: Path, serve: Any) -> None:
    gone, good = serve([error(503, "closed for today")]), serve([say("fine")])
    folder = run_over(tmp_path, 30, gone, good)
    summary = await session(folder)
    assert (summary.reason, summary.scored, summary.without_score) == ("complete", 30, 0)
    tasks = {request.task for request in gone.requests} - {"Say yes."}
    assert len(tasks) == 1
    log = read_run_log(folder.path / layout.RUN_LOG)
    notices = [event.text for event in log if isinstance(event, RunNotice)]
    assert any("closed for today" in text and "other endpoints" in text for text in notices)
