"""Which kind of containment a session uses; every candidate is reported with its own remedy."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from harness.errors import ContainmentError, UsageError
from harness.sandbox import extras
from harness.sandbox.protocol import Limits, ProbeReport, Provider

ORDER = ("docker", "podman", "bubblewrap")
# What a language's tasks need of a box's toolchain.
NEEDS = {"python": "pytest", "typescript": "node"}


def provider_named(name: str) -> Provider:
    """A provider by its name. Raises UsageError."""
    if name in ("docker", "podman"):
        from harness.sandbox.docker_box import DockerProvider, PodmanProvider

        return DockerProvider() if name == "docker" else PodmanProvider()
    if name == "bubblewrap":
        from harness.sandbox.bubblewrap import BubblewrapProvider

        return BubblewrapProvider()
    raise UsageError(f"no sandbox {name!r}", remedy=f"one of {', '.join(ORDER)} or auto")


def providers() -> list[Provider]:
    """All of them, in the order that ``auto`` takes."""
    return [provider_named(name) for name in ORDER]


def missing(report: ProbeReport, languages: Iterable[str]) -> list[str]:
    """Languages whose toolchain a ready provider lacks."""
    return sorted(
        language for language in languages if NEEDS.get(language, language) not in report.toolchain
    )


async def choose(name: str, languages: set[str]) -> Provider:
    """The named provider, or with ``auto`` the first that is ready and has the languages.

    All candidates are probed at once, so a refusal takes as long as the slowest probe. Raises
    ContainmentError with every candidate's state and remedy.
    """
    candidates = providers() if name == "auto" else [provider_named(name)]
    limits = Limits()
    probing = [asyncio.ensure_future(candidate.probe(limits)) for candidate in candidates]
    told: list[ProbeReport] = []
    chosen: Provider | None = None
    try:
        for candidate, probe in zip(candidates, probing, strict=True):
            report = await probe
            told.append(report)
            if report.ready and not missing(report, languages):
                chosen = candidate
                break
    finally:
        await asyncio.gather(*probing, return_exceptions=True)
        for candidate in candidates:
            if candidate is not chosen:
                await candidate.close()
    if chosen is not None:
        return chosen
    raise ContainmentError(
        "no sandbox is ready, and code is never run without one: "
        + "; ".join(_state(report, languages) for report in told),
        remedy="proctor doctor tells more",
    )


def _state(report: ProbeReport, languages: set[str]) -> str:
    if report.ready:
        lacking = missing(report, languages)
        setup = f"proctor setup {report.provider}"
        for name in lacking:
            setup += f" --for {name}" if name in extras.EXTRAS else ""
        return f"{report.provider} has no toolchain for {', '.join(lacking)} ({setup})"
    remedy = f" ({report.remedy})" if report.remedy else ""
    state = report.readiness.value.replace("_", " ")
    return f"{report.provider} is {state}: {report.detail}{remedy}"
