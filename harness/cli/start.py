"""A run folder to work on: a new one, one to resume, one to extend."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.cli.assemble import Assembled, Request, assemble, plan_suites
from harness.cli.checks import existing
from harness.cli.chosen_model import require_samples
from harness.cli.common import find_run, runs_root
from harness.cli.containment import Ask
from harness.config.settings import SAMPLING
from harness.errors import StorageError
from harness.execution.resume import extend as extend_plan
from harness.execution.resume import resume
from harness.plan import Launch, Plan
from harness.store.run_folder import RunFolder

if TYPE_CHECKING:
    from harness.config import Resolved

# Trees, transcripts and blobs of even a short run need some room.
LEAST_SPACE = 256 << 20


async def new_run(request: Request, *, ask: Ask, say: Callable[[str], None]) -> RunFolder:
    """Check everything, then make the folder; no token is spent before that."""
    runs_root(request.settings["out"])
    made: Assembled = await assemble(request, say, ask=ask)
    root = runs_root(request.settings["out"])
    check_space(root)
    return RunFolder.create(root, made.plan, made.launch)


def check_space(root: Path) -> None:
    """Raises StorageError when less than LEAST_SPACE is free."""
    try:
        free = shutil.disk_usage(existing(root)).free
    except OSError as error:
        raise StorageError(
            f"cannot be read: {error.strerror}", where=str(root), remedy="choose another with --out"
        ) from None
    if free < LEAST_SPACE:
        raise StorageError(
            f"only {free >> 20} MiB are free, a run needs {LEAST_SPACE >> 20}",
            where=str(root),
            remedy="free some space, or choose another folder with --out",
        )


def continue_run(text: str, request: Request, *, extend: bool) -> RunFolder:
    """The folder that ``text`` names, with a further session as asked for.

    Raises ConflictError naming the fields in which what is asked differs from the plan.
    """
    folder = RunFolder.open(find_run(text))
    check_space(folder.path)
    wanted = _wanted(folder, request)
    launch = _launch(folder.launch, request)
    if wanted.model.kind == "replay" and launch.replay_run is not None:
        require_samples(Path(launch.replay_run), wanted.suites, wanted.epochs)
    if extend and wanted.digest != folder.plan_digest:
        extend_plan(folder, launch, wanted)
    else:
        resume(folder, launch, wanted)
    return folder


def _wanted(folder: RunFolder, request: Request) -> Plan:
    """The folder's plan with what flags say laid over it.

    Suites are planned again only when flags choose tasks: digests are checked at loading anyway.
    """
    plan, flags = folder.plan, _flags(request.settings)
    changes: dict[str, Any] = {
        name: flags[name] for name in ("epochs", "exec_seed") if name in flags
    }
    if request.suites or request.task_globs or flags.keys() & _CHOOSING:
        chosen = Request(
            request.suites or tuple(suite.name for suite in plan.suites),
            request.settings,
            request.task_globs,
            before={suite.name: suite for suite in plan.suites},
            launch=folder.launch,
        )
        changes["suites"] = tuple(plan_suites(chosen)[1])
    sampling = {name: flags[name] for name in SAMPLING if name in flags}
    model: dict[str, Any] = {}
    if sampling:
        model["sampling"] = plan.model.sampling.model_copy(update=sampling)
    if flags.get("tool_protocol", "auto") != "auto":
        model["tool_protocol"] = flags["tool_protocol"]
    if "model" in flags:
        preset = request.settings.preset
        model["name"] = (preset.model if preset else None) or flags["model"]
    if model:
        changes["model"] = plan.model.model_copy(update=model)
    limits = {field: flags[name] for name, field in _LIMITS.items() if name in flags}
    if limits:
        changes["limits"] = plan.limits.model_copy(update=limits)
    if flags.get("sandbox", "auto") != "auto" and plan.containment is not None:
        changes["containment"] = plan.containment.model_copy(update={"provider": flags["sandbox"]})
    return plan.model_copy(update=changes)


# Flags that choose tasks, or how they are asked.
_CHOOSING = {"limit", "protocol", "data", "split", "variant", "subjects"}
_LIMITS = {
    "max_turns": "max_turns",
    "sample_time_limit": "sample_time_s",
    "sample_token_limit": "sample_tokens",
    "sample_cost_limit": "sample_cost",
    "run_cost_limit": "run_cost",
}


def _flags(settings: Resolved) -> dict[str, Any]:
    """What was given on the command line; files and variables do not touch a sealed run."""
    return {
        name: value.value
        for name, value in settings.values.items()
        if value.source.startswith("flag")
    }


def _launch(launch: Launch, request: Request) -> Launch:
    """How the next session is carried out: as the last one, but for what flags say."""
    flags = _flags(request.settings)
    changes: dict[str, Any] = {}
    if "base_url" in flags:
        keys = {endpoint.api_key_env for endpoint in launch.endpoints}
        slots = [endpoint.slots for endpoint in launch.endpoints]
        changes["endpoints"] = tuple(
            {"url": e.url, "api_key_env": e.api_key_env or next(iter(keys), None), "slots": slot}
            for e, slot in zip(
                request.settings.endpoints,
                [*slots, *[None] * len(request.settings.endpoints)],
                strict=False,
            )
        )
    elif "api_key_env" in flags:
        changes["endpoints"] = tuple(
            {**endpoint.model_dump(), "api_key_env": flags["api_key_env"]}
            for endpoint in launch.endpoints
        )
    if "concurrency" in flags:
        changes |= {"concurrency": flags["concurrency"], "boxes": flags["concurrency"]}
    if "request_timeout" in flags:
        changes["request_timeout_s"] = flags["request_timeout"]
    if "retry_wait" in flags:
        changes["retry_wait_s"] = flags["retry_wait"]
    given = {"name": request.name, "note": request.note, "on_finish": request.on_finish}
    changes |= {key: value for key, value in given.items() if value}
    return Launch.model_validate({**launch.model_dump(), **changes})
