"""``proctor plan SUITE...``: what a run would be, where each value came from, what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from harness.cli.common import asynchronous, emit_json, json_option, said
from harness.cli.options import setting_options
from harness.words import counted

if TYPE_CHECKING:
    from harness.config import Resolved
    from harness.plan import Launch, Plan

_NAMED = 10  # so many tasks of a suite are named unless all are asked for


@click.command("plan", short_help="Show what a run would be, and where each value comes from.")
@click.argument("suite", nargs=-1)
@click.option("--task", "task_globs", multiple=True, metavar="GLOB", help="Only these tasks.")
@setting_options()
@click.option("--all", "everything", is_flag=True, help="Name every task, also of a large suite.")
@json_option
@asynchronous
async def command(
    suite: tuple[str, ...],
    task_globs: tuple[str, ...],
    everything: bool,
    as_json: bool,
    **flags: Any,
) -> int:
    """Seal the plan of a run of SUITE... and show it; nothing is run or written.

    What would be refused is shown, and the exit code is that of the refusal.
    """
    import os

    from harness.cli.assemble import Request, assemble
    from harness.config import load_config, resolve
    from harness.errors import ExitCode, ProctorError, UsageError

    resolved = resolve(flags, os.environ, load_config())
    request = Request(suite, resolved, task_globs)
    try:
        made = await assemble(request, said)
    except ProctorError as refusal:
        if not as_json and not isinstance(refusal, UsageError):
            for line in _settings(resolved):
                click.echo(line)
        raise
    plan, launch = made.plan, made.launch
    if as_json:
        emit_json(
            {
                "plan": plan.model_dump(mode="json"),
                "digest": plan.digest,
                "launch": launch.model_dump(mode="json"),
                "settings": {
                    name: {"value": value.value, "source": value.source}
                    for name, value in resolved.values.items()
                },
            }
        )
        return int(ExitCode.OK)
    for line in (*_settings(resolved), *_plan(plan, launch, everything)):
        click.echo(line)
    return int(ExitCode.OK)


def _settings(resolved: Resolved) -> list[str]:
    lines = ["settings:"]
    for name, value in resolved.values.items():
        if value.value is not None:
            shown = ", ".join(value.value) if isinstance(value.value, list) else value.value
            lines.append(f"  {name} = {shown}  ({value.source})")
    for endpoint in resolved.endpoints:
        key = f", key in ${endpoint.api_key_env}" if endpoint.api_key_env else ""
        lines.append(f"  endpoint {endpoint.url}{key}  ({endpoint.source})")
    return lines


def _plan(plan: Plan, launch: Launch, everything: bool) -> list[str]:
    identity = plan.model.identity
    lines = [f"model: {plan.model.name} ({plan.model.kind}), tools {plan.model.tool_protocol}"]
    facts = identity.model_dump(exclude_none=True, exclude={"default_sampling"})
    lines.append("  identity: " + ", ".join(f"{k} {v}" for k, v in facts.items()))
    if plan.model.kind == "openai":
        context = identity.context
        lines.append(f"  context per slot: {context if context else 'unknown'}")
    if plan.containment is None:
        lines.append("containment: none needed")
    else:
        box = plan.containment
        lines.append(f"containment: {box.provider}, image {box.image_digest}")
    lines.append(f"samples at a time: {launch.concurrency}")
    for suite in plan.suites:
        samples = len(suite.tasks) * plan.epochs
        lines.append(
            f"suite {suite.name}: version {suite.version}, protocol {suite.protocol}, "
            f"{suite.split}, {counted(len(suite.tasks), 'task')}, {counted(samples, 'sample')}"
        )
        # one more than the notice would save nothing
        shown = len(suite.tasks) if everything or len(suite.tasks) <= _NAMED + 1 else _NAMED
        lines += [f"  {task.id}  {task.digest[:12]}" for task in suite.tasks[:shown]]
        if shown < len(suite.tasks):
            lines.append(f"  and {len(suite.tasks) - shown} more; --all names them")
    lines.append(f"plan digest: {plan.digest}")
    return lines
