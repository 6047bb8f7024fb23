"""From names and options to a sealed plan: suites, then containment, then endpoint.

Containment comes before anything that could spend a token.
"""

from __future__ import annotations

import os
import platform
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.cli.chosen_model import check_model, near_built_in, require_samples
from harness.cli.common import find_run, proctor_version
from harness.cli.containment import Ask, never, seal_containment
from harness.cli.suite_options import data_by_suite, redux_file, suite_options, task_roots
from harness.config import Resolved
from harness.config.settings import SAMPLING
from harness.errors import ConfigError, UsageError
from harness.plan import (
    EndpointLaunch,
    EpisodeLimits,
    Launch,
    ModelPlan,
    Plan,
    Sampling,
    SuitePlan,
)
from harness.suites.protocol import Suite

# Concurrency where the server does not tell its slots.
DEFAULT_CONCURRENCY = 4


@dataclass(frozen=True)
class Request:
    """What a user asked for: suites, chosen settings, and what only a flag can say.

    before, launch: plans and launch of the run that is extended, where no setting says otherwise.
    sources: folders of the repositories that fresh tasks are made from, the shipped ones without.
    """

    suites: tuple[str, ...]
    settings: Resolved
    task_globs: tuple[str, ...] = ()
    name: str = ""
    note: str = ""
    on_finish: str | None = None
    before: Mapping[str, SuitePlan] = field(default_factory=dict)
    launch: Launch | None = None
    sources: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Assembled:
    """A plan and its launch, ready for a run folder."""

    plan: Plan
    launch: Launch


async def assemble(
    request: Request, notify: Callable[[str], None], *, ask: Ask = never
) -> Assembled:
    """Check everything that can be checked and seal the plan; no run folder is made.

    ``ask``: whether to build what the sandbox lacks. Raises UsageError, ConfigError,
    ContainmentError, EndpointError, ConflictError.
    """
    from harness.suites.room import no_room

    settings = request.settings
    check_model(settings)
    replay = _replayed(settings)
    system_prompt = _system_prompt(settings["system_prompt"])
    suites, plans = plan_suites(request)
    if replay is not None:
        require_samples(replay, plans, settings["epochs"])
    languages = {
        language
        for suite, plan in zip(suites, plans, strict=True)
        if plan.executes_code
        for language in suite.languages(plan)
    }
    containment = None
    if any(plan.executes_code for plan in plans):
        containment = await seal_containment(settings["sandbox"], languages, ask=ask, say=notify)
    model, endpoints = await _model(request, suites, system_prompt, replay, notify)
    for suite, suite_plan in zip(suites, plans, strict=True):
        if notice := no_room(suite, suite_plan, model.identity.context, system_prompt):
            notify(notice)
    plan = Plan(
        proctor=proctor_version(),
        suites=tuple(plans),
        model=model,
        epochs=settings["epochs"],
        limits=_limits(settings, model),
        containment=containment,
        exec_seed=settings["exec_seed"],
    )
    return Assembled(plan, _launch(request, plan, suites, endpoints, replay))


def _replayed(settings: Resolved) -> Path | None:
    """The run that ``--model replay:RUN`` names. Raises UsageError."""
    name = settings["model"] or ""
    return find_run(name.removeprefix("replay:")) if name.startswith("replay:") else None


def plan_suites(request: Request) -> tuple[list[Suite], list[SuitePlan]]:
    """The suites asked for, with their tasks chosen. Raises UsageError, ConfigError."""
    from harness.suites.registry import suite

    if not request.suites:
        raise UsageError("no suite is named", remedy="name one, e.g. repos; see: proctor suites")
    for name in request.suites:
        if request.suites.count(name) > 1:
            raise UsageError(f"suite {name} is named twice", remedy="name it once")
    suites = [suite(name) for name in request.suites]
    options = suite_options(
        suites,
        request.settings,
        task_globs=request.task_globs,
        before=request.before,
        launch=request.launch,
    )
    plans = [s.plan(chosen) for s, chosen in zip(suites, options, strict=True)]
    for plan in plans:
        if not plan.tasks:
            raise UsageError(
                f"no task of suite {plan.name} is chosen",
                where=", ".join(request.task_globs) or None,
                remedy=f"see: proctor suites {plan.name}",
            )
    return suites, plans


def _system_prompt(text: str | None) -> str | None:
    if text is None:
        return None
    path = Path(text).expanduser()
    try:
        prompt = path.read_text("utf-8")
    except OSError as error:
        raise UsageError(
            f"the system prompt cannot be read: {error.strerror}", where=str(path)
        ) from None
    except UnicodeDecodeError:
        raise UsageError("the system prompt is not UTF-8", where=str(path)) from None
    if not prompt.strip():
        raise UsageError("the system prompt is empty", where=str(path))
    return prompt


async def _model(
    request: Request,
    suites: Sequence[Suite],
    system_prompt: str | None,
    replay: Path | None,
    notify: Callable[[str], None],
) -> tuple[ModelPlan, list[EndpointLaunch]]:
    from harness.models.registry import ModelRequest, plan_model

    settings = request.settings
    name = settings["model"]
    if settings.preset is not None:
        name = settings.preset.model
    history: Any = settings["reasoning_history"]
    wanted = ModelRequest(
        name=name,
        base_urls=tuple(endpoint.url for endpoint in settings.endpoints),
        api_key_env=_one_key(settings),
        sampling=Sampling(**{key: settings[key] for key in SAMPLING if settings[key] is not None}),
        tool_protocol=settings["tool_protocol"],
        tools=any(suite.agentic for suite in suites),
        reasoning_history=history,
        system_prompt=system_prompt,
        prices=settings.prices,
        cost_limited=settings["sample_cost_limit"] is not None
        or settings["run_cost_limit"] is not None,
        replay_run=replay,
        request_timeout_s=settings["request_timeout"],
        notify=notify,
    )
    try:
        return await plan_model(wanted)
    except UsageError as error:
        near = near_built_in(name)
        if near is None or not error.what.startswith(f"no model {name!r}"):
            raise
        raise UsageError(error.what, where=error.where, remedy=f"did you mean {near}?") from None


def _one_key(settings: Resolved) -> str | None:
    names = {endpoint.api_key_env for endpoint in settings.endpoints}
    if len(names) > 1:
        raise ConfigError(
            "the endpoints of one model name different key variables",
            where=", ".join(sorted(str(name) for name in names)),
            remedy="give them one api_key_env",
        )
    return names.pop() if names else settings["api_key_env"]


def _limits(settings: Resolved, model: ModelPlan) -> EpisodeLimits:
    # A person takes the time that they take, unless somebody says otherwise.
    untimed = model.kind == "human" and settings.values["sample_time_limit"].source == "default"
    return EpisodeLimits(
        max_turns=settings["max_turns"],
        sample_time_s=None if untimed else settings["sample_time_limit"],
        sample_tokens=settings["sample_token_limit"],
        sample_cost=settings["sample_cost_limit"],
        run_cost=settings["run_cost_limit"],
    )


def _launch(
    request: Request,
    plan: Plan,
    suites: Sequence[Suite],
    endpoints: list[EndpointLaunch],
    replay: Path | None,
) -> Launch:
    settings = request.settings
    slots = [endpoint.slots for endpoint in endpoints if endpoint.slots]
    concurrency = settings["concurrency"] or sum(slots) or DEFAULT_CONCURRENCY
    if plan.model.kind == "human":
        concurrency = 1  # one person plays one sample at a time
    concurrency = min(concurrency, plan.epochs * sum(len(s.tasks) for s in plan.suites))
    data = data_by_suite(suites, settings)
    shared = len(data) == len(suites) and len(set(data.values())) == 1
    prompt = settings["system_prompt"]
    return Launch(
        endpoints=tuple(endpoints),
        concurrency=concurrency,
        boxes=concurrency,
        request_timeout_s=settings["request_timeout"],
        retry_wait_s=settings["retry_wait"],
        host=socket.gethostname(),
        name=request.name,
        note=request.note,
        task_roots=tuple(str(root) for root in request.sources or task_roots(None)),
        data=next(iter(data.values())) if shared else None,
        suite_data={} if shared else data,
        redux=redux_file(settings, suites),
        system_prompt_file=str(Path(prompt).expanduser().resolve()) if prompt else None,
        replay_run=str(replay.resolve()) if replay else None,
        on_finish=request.on_finish,
        proctor=proctor_version(),
        python=f"{platform.python_version()} {os.uname().sysname}",
        sources=settings.sources,
    )
