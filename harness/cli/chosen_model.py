"""Checks of ``--model`` and of flags beside it that need no server: told before anything starts."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.config.settings import SAMPLING, SETTINGS
from harness.errors import UsageError
from harness.ids import sample_key

if TYPE_CHECKING:
    from harness.config import Resolved
    from harness.plan import SuitePlan

_NAMED = 5  # samples that a refusal names; the rest is counted
# What only means something where requests are sent.
_OF_ENDPOINTS = (
    *SAMPLING,
    "base_url",
    "api_key_env",
    "reasoning_history",
    "request_timeout",
    "retry_wait",
    "price_prompt",
    "price_cached",
    "price_completion",
)


def check_model(settings: Resolved) -> None:
    """Raises UsageError for a model that nothing can serve, and for flags that it has no use
    for."""
    name = settings["model"]
    if name is None or settings.preset is not None:
        return
    if not built_in(name):
        if not settings.endpoints:
            raise _unknown(name, settings)
        return
    if name == "local":
        unused: tuple[str, ...] = ("base_url", "api_key_env")
    else:
        unused = _OF_ENDPOINTS
    for each in unused:
        if settings.values[each].source.startswith("flag"):
            raise UsageError(
                f"{SETTINGS[each].flag} has no meaning for --model {name}",
                remedy="leave it out, or name a model of an endpoint",
            )


def built_in(name: str) -> bool:
    """Whether the program itself plays ``name``."""
    from harness.models.registry import BUILT_IN

    return name in BUILT_IN or name.startswith("replay:")


def near_built_in(name: str | None) -> str | None:
    """The model of the program's own that ``name`` may have been meant to be."""
    from harness.models.registry import BUILT_IN

    return next(iter(difflib.get_close_matches(name or "", BUILT_IN, 1, 0.75)), None)


def _unknown(name: str, settings: Resolved) -> UsageError:
    from harness.models.registry import BUILT_IN

    known = [*settings.models, *BUILT_IN]
    near = difflib.get_close_matches(name, known, 1, 0.6)
    source = settings.values["model"].source
    return UsageError(
        f"no model {name!r}",
        where=None if source.startswith("flag") else source,
        remedy=f"did you mean {near[0]}?"
        if near
        else f"give --base-url URL, or --model with one of {', '.join(known)}",
    )


def require_samples(run: Path, suites: Sequence[SuitePlan], epochs: int) -> None:
    """Raises UsageError naming planned samples that ``run`` has no transcript of, so that it
    cannot be played again in them."""
    from harness.store.run_folder import RunFolder

    folder = RunFolder.open(run)
    lacking = [key for key in _keys(suites, epochs) if folder.transcript_of(key) is None]
    if lacking:
        more = f" and {len(lacking) - _NAMED} more" if len(lacking) > _NAMED else ""
        samples = "1 planned sample" if len(lacking) == 1 else f"{len(lacking)} planned samples"
        raise UsageError(
            f"the run to replay lacks {samples}: {', '.join(lacking[:_NAMED])}{more}",
            where=str(run),
            remedy="choose tasks that it has with --task or --limit, and no more --epochs",
        )


def _keys(suites: Sequence[SuitePlan], epochs: int) -> Iterable[str]:
    for epoch in range(1, epochs + 1):
        for suite in suites:
            for task in suite.tasks:
                yield sample_key(task.id, epoch)
