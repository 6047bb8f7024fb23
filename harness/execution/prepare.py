"""From a run folder to the parts that carry it out, each checked against the sealed plan."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from harness.errors import ConflictError, ContainmentError, ProctorError, UsageError
from harness.ids import sha256_hex
from harness.models.protocol import Model
from harness.plan import Containment, Launch, Plan, SuitePlan, short_digests
from harness.sandbox.protocol import BoxSpec, Provider
from harness.store.run_folder import RunFolder
from harness.suites.protocol import Suite, SuiteOptions


async def open_session(
    folder: RunFolder, notify: Callable[[str], None] = lambda _text: None
) -> tuple[Model, dict[str, Suite], Provider | None]:
    """Build suites, provider and model from the folder's plan and latest launch.

    Containment comes before the endpoint, so that a refusal costs no request. The caller closes
    model and provider. ``notify`` gets one-line notices. Raises ConflictError naming the field
    that differs from the plan (task, suite version, image, tools, endpoint identity, system
    prompt), ContainmentError, UsageError, EndpointError.
    """
    plan, launch = folder.plan, folder.launch
    system_prompt(plan, launch)
    suites = {suite.name: _suite(suite, launch) for suite in plan.suites}
    provider = None
    if plan.containment is not None:
        provider = await _provider(plan.containment, folder.run_id)
    try:
        model = await _model(plan, launch, notify)
    except BaseException:
        if provider is not None:
            await provider.close()
        raise
    return model, suites, provider


def system_prompt(plan: Plan, launch: Launch) -> str | None:
    """The user's own system prompt. Raises UsageError when it cannot be read, ConflictError when
    it is not the planned one."""
    digest, name = plan.model.system_prompt_digest, launch.system_prompt_file
    if digest is None:
        return None
    if name is None:
        raise UsageError("the plan has a system prompt of its own, but its file is not named")
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the system prompt cannot be read: {error}", where=name) from None
    _same("model.system_prompt_digest", digest, sha256_hex(text.encode()))
    return text


def _suite(plan: SuitePlan, launch: Launch) -> Suite:
    from harness.suites.registry import suite as suite_named

    suite = suite_named(plan.name)
    _same(f"suites.{plan.name}.version", plan.version, suite.version)
    data = launch.data_of(plan.name)
    roots = (data,) if data else launch.task_roots
    options = SuiteOptions(
        protocol=plan.protocol,
        data=Path(data) if data else None,
        task_roots=tuple(Path(root) for root in roots),
    )
    suite.load(plan, options)
    return suite


async def _provider(planned: Containment, run_id: str) -> Provider:
    """The planned provider, after a box of it attested the planned image and tools."""
    from harness.sandbox.select import provider_named

    provider = provider_named(planned.provider)
    try:
        report = await provider.probe(planned.limits)
        if not report.ready:
            raise ContainmentError(
                f"{planned.provider} is {report.readiness.value}: {report.detail}",
                remedy=report.remedy,
            )
        spec = BoxSpec(run_id=run_id, sample="probe", purpose="probe", limits=planned.limits)
        box = await provider.open(spec)
        try:
            attestation = box.attestation
        finally:
            await box.close()
        _same("containment.image_digest", planned.image_digest, attestation.image_digest)
        _same("containment.tools_digest", planned.tools_digest, attestation.tools_digest)
    except BaseException:
        await provider.close()
        raise
    return provider


async def _model(plan: Plan, launch: Launch, notify: Callable[[str], None]) -> Model:
    from harness.models.registry import build_model, verify_endpoints

    await verify_endpoints(plan.model, launch, notify)
    return build_model(plan.model, launch, plan.limits)


def _same(field: str, planned: str, found: str) -> None:
    if planned != found:
        raise ConflictError(
            short_digests(f"{field} differs from the plan: {planned} -> {found}"),
            remedy="begin a new run to measure this one",
        )


async def close_parts(model: Model | None, provider: Provider | None) -> list[ProctorError]:
    """Close what ``open_session`` made; returns what went wrong in doing so."""
    problems: list[ProctorError] = []
    for part in (model, provider):
        try:
            if part is not None:
                await part.close()
        except ProctorError as error:
            problems.append(error)
    return problems
