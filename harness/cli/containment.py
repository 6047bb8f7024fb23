"""The containment of a plan: a provider that is ready, sealed by what a box of it attests."""

from __future__ import annotations

from collections.abc import Callable

from harness.errors import ContainmentError
from harness.plan import Containment
from harness.sandbox.protocol import BoxSpec, Limits, Provider

Ask = Callable[[str], bool]


def never(_question: str) -> bool:
    """The answer where nobody can be asked."""
    return False


async def seal_containment(
    name: str, languages: set[str], *, ask: Ask, say: Callable[[str], None]
) -> Containment:
    """Choose a provider and read in a box of it which containment it gives.

    Where only an image is missing, ``ask`` whether to build it. Raises ContainmentError with every
    candidate's state and remedy.
    """
    provider = await chosen_provider(name, languages, ask, say)
    limits = Limits()
    try:
        box = await provider.open(
            BoxSpec(run_id="plan", sample="probe", purpose="probe", limits=limits)
        )
        try:
            found = box.attestation
        finally:
            await box.close()
    finally:
        await provider.close()
    return Containment(
        provider=found.provider,
        image_digest=found.image_digest,
        tools_digest=found.tools_digest,
        limits=limits,
    )


async def chosen_provider(
    name: str, languages: set[str], ask: Ask, say: Callable[[str], None]
) -> Provider:
    """A provider that is ready and has the languages; where only an image is missing, ``ask``
    whether to build it. Raises ContainmentError."""
    from harness.cli.provision import buildable, prepare
    from harness.sandbox.select import choose

    try:
        return await choose(name, languages)
    except ContainmentError:
        lacking = await buildable(name)
        if lacking is None or not ask(f"{lacking} is there but has no image yet: build it now?"):
            raise
    await prepare(lacking, say)
    return await choose(name, languages)
