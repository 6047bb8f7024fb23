"""From what a user asked for to a planned model, and from the plan to a model at work.

Nothing heavy is imported here: each kind's module is loaded when it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from harness.errors import UsageError
from harness.ids import sha256_hex
from harness.models.protocol import Model
from harness.plan import (
    EndpointIdentity,
    EndpointLaunch,
    EpisodeLimits,
    Launch,
    ModelPlan,
    Sampling,
)

if TYPE_CHECKING:
    from pathlib import Path

ToolProtocol = Literal["auto", "native", "text"]
ReasoningHistory = Literal["always", "never", "since_last_user"]

BUILT_IN = {
    "oracle": "plays gold through the real tools",
    "noop": "finishes at once",
    "wrong": "gives a wrong answer of the right form (single-shot suites)",
    "replay:RUN": "plays a stored run's turns",
    "local": "a small model served by this program (proctor setup local)",
    "human": "a person at a terminal",
}

Control = Literal["oracle", "noop", "wrong"]
_CONTROLS: dict[str, Control] = {"oracle": "oracle", "noop": "noop", "wrong": "wrong"}


@dataclass(frozen=True)
class ModelRequest:
    """What command line and configuration resolved to.

    name: a model of the endpoint, one of BUILT_IN, or None where the endpoint serves one.
    api_key_env: the variable that holds the endpoint's key. prices: currency units a million
    tokens, keys ``prompt``, ``cached``, ``completion``. tools: whether a planned suite needs
    tool calls. cost_limited: whether a limit on cost is set. replay_run: folder of the run that
    ``replay:RUN`` names. notify gets one-line notices.
    """

    name: str | None = None
    base_urls: tuple[str, ...] = ()
    api_key_env: str | None = None
    sampling: Sampling = Sampling()
    tool_protocol: ToolProtocol = "auto"
    tools: bool = True
    reasoning_history: ReasoningHistory | None = None
    system_prompt: str | None = None
    prices: dict[str, float] | None = None
    cost_limited: bool = False
    replay_run: Path | None = None
    request_timeout_s: float | None = None
    notify: Callable[[str], None] = lambda _text: None


async def plan_model(request: ModelRequest) -> tuple[ModelPlan, list[EndpointLaunch]]:
    """The model as it will be sealed, and where its requests go.

    Endpoints are asked for their identity, and for what decides the tool protocol. Raises
    UsageError (unknown model, missing address, key or price), ConflictError (endpoints that
    differ), EndpointError (cannot be reached).
    """
    name = request.name
    if name == "local":
        from harness.models.local import plan_local

        return await plan_local(request)
    if name is not None and name.startswith("replay:"):
        from harness.models.replay import plan_replay

        return plan_replay(name, request.replay_run), []
    if name == "human":
        from harness.models.human import plan_human

        return plan_human(), []
    control = _CONTROLS.get(name or "")
    if control is not None:
        return _built_in(control), []
    from harness.models.probe import plan_endpoints

    return await plan_endpoints(request)


def _built_in(name: Control) -> ModelPlan:
    return ModelPlan(
        kind=name,
        name=name,
        identity=EndpointIdentity(kind=name, model_id=name),
        tool_protocol="native",
    )


def build_model(plan: ModelPlan, launch: Launch, limits: EpisodeLimits) -> Model:
    """The model at work; ``verify_endpoints`` comes first. Keys are read from the environment
    here and stored nowhere. Raises UsageError."""
    if plan.kind == "oracle":
        from harness.models.oracle import OracleModel

        return OracleModel()
    if plan.kind == "noop":
        from harness.models.noop import NoopModel

        return NoopModel()
    if plan.kind == "wrong":
        from harness.models.reference import WrongModel

        return WrongModel()
    if plan.kind == "replay":
        from harness.models.replay import ReplayModel

        return ReplayModel.open(plan, launch)
    if plan.kind == "none":
        from harness.models.completions import CompletionsModel

        return CompletionsModel.open(plan, launch)
    if plan.kind == "local":
        from harness.models.local import LocalModel

        return LocalModel(plan, launch, limits)
    if plan.kind == "human":
        from harness.models.human import HumanModel

        return HumanModel()
    if plan.kind == "openai":
        from harness.models.openai_chat import EndpointModel

        return EndpointModel(plan, launch, limits)
    raise UsageError(
        f"no model of kind {plan.kind} can be run here",
        remedy=f"use --model with one of {', '.join(BUILT_IN)}, or an endpoint's model",
    )


async def verify_endpoints(
    plan: ModelPlan, launch: Launch, notify: Callable[[str], None] = lambda _text: None
) -> None:
    """Raise ConflictError unless every endpoint still is what the plan says.

    Cheap for models that have no endpoint. ``notify`` gets a line where a busy one is waited for.
    """
    if plan.kind != "openai":
        return
    from harness.models.probe import verify

    await verify(plan, launch, notify)


def system_prompt_digest(text: str | None) -> str | None:
    """Digest of a user's own system prompt, for the plan."""
    return None if text is None else sha256_hex(text.encode())
