"""Names to models, with nothing heavy loaded on the way."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from harness.errors import UsageError
from harness.models.registry import ModelRequest, build_model, plan_model, verify_endpoints
from harness.plan import EndpointIdentity, EpisodeLimits, Launch, ModelPlan


@pytest.mark.parametrize("name", ["oracle", "noop"])
async def test_built_in_models_need_no_endpoint(name: str) -> None:
    request = ModelRequest(name=name, base_urls=("http://127.0.0.1:9/v1",))
    plan, endpoints = await plan_model(request)
    assert (plan.kind, endpoints) == (name, [])
    await verify_endpoints(plan, Launch())
    model = build_model(plan, Launch(), EpisodeLimits())
    assert type(model).__name__ == f"{name.capitalize()}Model"
    await model.close()


async def test_an_endpoint_model_is_built_from_plan_and_launch(serve: Any) -> None:
    from tests.models.turns import one_turn
    from tests.support.scripted_server import say

    plan, endpoints = await plan_model(ModelRequest(base_urls=(serve([say("hi")]).url,)))
    model = build_model(plan, Launch(endpoints=tuple(endpoints)), EpisodeLimits())
    assert (await one_turn(model))[0].content == "hi"
    await model.close()


async def test_a_replay_without_its_run_is_refused() -> None:
    with pytest.raises(UsageError, match="no such run"):
        await plan_model(ModelRequest(name="replay:yesterday"))


def test_kinds_that_do_not_run_here_are_refused() -> None:
    identity = EndpointIdentity(kind="none", model_id="none")
    plan = ModelPlan(kind="none", name="none", identity=identity)
    with pytest.raises(UsageError):
        build_model(plan, Launch(), EpisodeLimits())


def test_the_registry_loads_nothing_heavy() -> None:
    code = (
        "import sys, harness.models.registry, harness.models.oracle, harness.agent.loop;"
        "heavy = {'openai', 'httpx2', 'tenacity', 'docker', 'xllamacpp'} & set(sys.modules);"
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
