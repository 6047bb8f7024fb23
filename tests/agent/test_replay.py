"""A stored episode is played again: same calls, same tree, or a divergence that is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.errors import ConflictError
from harness.events.model import ModelTurn
from harness.events.sample import AttemptStarted
from harness.models.protocol import SampleSeed
from harness.models.registry import ModelRequest, build_model, plan_model
from harness.outcome import StopReason, Verdict
from harness.plan import (
    EndpointIdentity,
    EpisodeLimits,
    Launch,
    ModelPlan,
    Plan,
    SuitePlan,
    TaskRef,
)
from harness.store.run_folder import RunFolder
from tests.support.scripted_server import call, calls, error, finish, say

READ = call("read_file", path="app.py")
MEND = call("edit_replace", path="app.py", old_text="a - b", new_text="a + b")


async def stored_run(root: Path, run: Any) -> RunFolder:
    """An episode of ``run`` stored in a run folder."""
    plan = Plan(
        proctor="test",
        suites=(
            SuitePlan(
                name="s",
                version="1",
                protocol="proctor-1",
                executes_code=False,
                tasks=(TaskRef(id="t", digest="0" * 64),),
            ),
        ),
        model=ModelPlan(
            kind="openai",
            name="scripted",
            identity=EndpointIdentity(kind="scripted", model_id="scripted"),
            tool_protocol="native",
        ),
    )
    folder = RunFolder.create(root, plan, Launch())
    header = AttemptStarted(
        version=1,
        run_id=folder.run_id,
        sample="t@1",
        suite="s",
        task_id="t",
        epoch=1,
        attempt=1,
        model="scripted",
    )
    with folder.lock():
        from harness.events.run import SampleStarted

        folder.begin_session("here")
        started = SampleStarted(sample="t@1", suite="s", task_id="t", epoch=1, attempt=1)
        folder.run_log.append(started)
        sink = folder.sample_sink(header, shared=False)
        emit = run.sink.emit
        run.sink.emit = lambda event: (emit(event), sink.emit(event))[1]
        outcome = await run.run()
        run.sink.emit = emit
        sink.end(Verdict.NO_SCORE, outcome.stop_reason)
        sink.seal()
        sink.close()
    return folder


async def replayed(folder: RunFolder) -> Any:
    request = ModelRequest(name=f"replay:{folder.run_id}", replay_run=folder.path)
    plan, endpoints = await plan_model(request)
    assert (plan.kind, endpoints) == ("replay", [])
    launch = Launch(replay_run=str(folder.path))
    return build_model(plan, launch, EpisodeLimits())


SCRIPTS = {
    "finished": [READ, say("hm"), MEND, finish()],
    "repeated_error": [call("read_file", path="no.py")],
    "context_limit": [READ, error(400, "x", type="exceed_context_size_error")],
    "unparsable_reply": [MEND, error(500, "Failed to parse input at pos 1")],
    "model_refused": [READ, say("no", finish_reason="content_filter")],
    "no_tool_calls": [calls(("read_file", "{")), say("hm")],
}


@pytest.mark.parametrize("reason", SCRIPTS)
async def test_an_episode_ends_as_it_did(bench: Any, tmp_path: Path, reason: str) -> None:
    first = bench(SCRIPTS[reason])
    folder = await stored_run(tmp_path / "runs", first)
    model = await replayed(folder)
    again = bench([finish()])
    outcome = await again.run(model.session(SampleSeed(key="t@1", suite="s", task=None)))
    assert outcome.stop_reason == reason
    assert (again.root / "app.py").read_text() == (first.root / "app.py").read_text()
    assert [r.text for r in again.results] == [r.text for r in first.results]
    assert not again.server.requests
    turns = again.sink.of(ModelTurn)
    assert [t.usage for t in turns] == [t.usage for t in first.sink.of(ModelTurn)]


async def test_another_tree_diverges(bench: Any, tmp_path: Path) -> None:
    folder = await stored_run(tmp_path / "runs", bench([READ, MEND, finish()]))
    model = await replayed(folder)
    again = bench([finish()], files={"app.py": "def add(a, b):\n    return b - a\n"})
    outcome = await again.run(model.session(SampleSeed(key="t@1", suite="s", task=None)))
    assert outcome.stop_reason is StopReason.REPLAY_DIVERGED
    assert "b - a" in outcome.detail and outcome.metrics["turns"] == 1


async def test_another_run_than_planned_is_a_conflict(bench: Any, tmp_path: Path) -> None:
    folder = await stored_run(tmp_path / "runs", bench([finish()]))
    plan, _ = await plan_model(ModelRequest(name="replay:x", replay_run=folder.path))
    other = plan.identity.model_copy(update={"build": "0" * 64})
    with pytest.raises(ConflictError):
        build_model(
            plan.model_copy(update={"identity": other}),
            Launch(replay_run=str(folder.path)),
            EpisodeLimits(),
        )
