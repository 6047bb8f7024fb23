"""Fixtures of the model tests: a scripted server, and models that do not wait long."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from harness.models.openai_chat import EndpointModel
from harness.models.retry import RetryPolicy
from harness.plan import EndpointLaunch, EpisodeLimits, Launch
from tests.models.turns import QUICK, model_plan
from tests.support.scripted_server import Script, ScriptedServer


@pytest.fixture
def serve() -> Iterator[Callable[..., ScriptedServer]]:
    """Starts scripted servers that end with the test."""
    servers: list[ScriptedServer] = []

    def start(script: Script, **options: Any) -> ScriptedServer:
        servers.append(ScriptedServer(script, **options).start())
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
async def connect() -> AsyncIterator[Callable[..., EndpointModel]]:
    """Makes models for servers; they are closed with the test."""
    models: list[EndpointModel] = []

    def make(*servers: ScriptedServer | str, policy: RetryPolicy = QUICK, **options: Any) -> Any:
        timeouts = ("request_timeout_s", "idle_timeout_s")
        launch_options = {key: options.pop(key) for key in timeouts if key in options}
        urls = [s if isinstance(s, str) else s.url for s in servers]
        env, slots = options.pop("api_key_env", None), options.pop("slots", None)
        launch = Launch(
            endpoints=tuple(EndpointLaunch(url=u, api_key_env=env, slots=slots) for u in urls),
            **launch_options,
        )
        model = EndpointModel(model_plan(**options), launch, EpisodeLimits(), policy=policy)
        models.append(model)
        return model

    yield make
    for model in models:
        await model.close()
