"""Building what a sandbox lacks, with progress on stderr."""

from __future__ import annotations

from collections.abc import Callable

from harness.errors import ContainmentError
from harness.sandbox.protocol import Limits, Readiness


async def prepare(name: str | None, say: Callable[[str], None], extra: str | None = None) -> None:
    """Build what is missing for ``name``, or for the first runtime that is there. extra: packages
    that a suite needs besides.

    Raises ContainmentError when no runtime is there, ProctorError when building fails.
    """
    from harness.sandbox.select import provider_named, providers

    candidates = [provider_named(name)] if name else providers()
    states: list[str] = []
    try:
        for provider in candidates:
            report = await provider.probe(Limits())
            if report.ready and extra in (None, *report.toolchain):
                say(f"{provider.name} is ready: nothing to build")
                return
            if report.ready or report.readiness is Readiness.IMAGE_MISSING:
                await (provider.setup_extra(extra, say) if extra else provider.setup(say))
                say(f"{provider.name} is ready{f' for {extra}' if extra else ''}")
                return
            states.append(f"{provider.name} is {report.readiness.value}: {report.detail}")
            if report.remedy:
                states[-1] += f" (remedy: {report.remedy})"
    finally:
        for provider in candidates:
            await provider.close()
    raise ContainmentError("nothing can be set up", remedy="; ".join(states))


async def buildable(name: str) -> str | None:
    """The first candidate of ``name`` (or auto) that lacks nothing but its image."""
    from harness.sandbox.select import provider_named, providers

    found = None
    for provider in providers() if name == "auto" else [provider_named(name)]:
        try:
            if found is None:
                report = await provider.probe(Limits())
                if report.readiness is Readiness.IMAGE_MISSING:
                    found = provider.name
        finally:
            await provider.close()
    return found


async def prepare_local(say: Callable[[str], None]) -> None:
    """Fetch what the small local model needs. Raises ProctorError."""
    import asyncio

    from harness.models.local import setup_local

    await asyncio.to_thread(setup_local, say)
