"""``proctor suites [SUITE]``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from harness.cli.common import emit_json, json_option
from harness.cli.console import folded
from harness.cli.options import setting_options

if TYPE_CHECKING:
    from harness.suites.protocol import Suite


@click.command("suites", short_help="List the suites, or describe one.")
@click.argument("suite", required=False)
@setting_options(("data", "protocol", "split", "variant", "subjects"))
@json_option
def command(suite: str | None, as_json: bool, **flags: Any) -> None:
    """List the suites, or describe SUITE.

    With --data (or what is cached, by --split alone) the example is the first real prompt, and
    the digests of data and prompts are shown.
    """
    from harness.errors import UsageError
    from harness.suites import registry

    if suite is None:
        if any(flags.values()):
            raise UsageError("options are for one suite", remedy="name it: proctor suites SUITE")
        found = [registry.suite(name) for name in registry.names()]
        if as_json:
            emit_json([_facts(item) for item in found])
            return
        width = max(len(item.name) for item in found)
        for item in found:
            click.echo(folded(f"{item.name:<{width}}  {item.summary}"))
        return
    chosen = registry.suite(suite)
    facts = {**_facts(chosen), **chosen.describe()}
    if any(flags.values()):
        facts |= _planned(chosen, flags)
    if as_json:
        emit_json(facts)
        return
    for block in _lines(facts):
        for line in block.split("\n"):
            click.echo(folded(line))


def _planned(suite: Suite, flags: dict[str, Any]) -> dict[str, Any]:
    """What a run of all tasks would be, and its first prompt. Raises UsageError, ConfigError."""
    from harness.cli.suite_options import suite_options
    from harness.config import Config, resolve

    options = suite_options([suite], resolve(flags, {}, Config()))[0]
    plan = suite.plan(options)
    found: dict[str, Any] = {
        "chosen": {
            "protocol": plan.protocol,
            "tasks": plan.split,
            "prompt_digest": plan.prompt_digest,
            **plan.options,
        }
    }
    prompt = getattr(suite.task(plan.tasks[0].id), "prompt", None) if plan.tasks else None
    if prompt is not None:
        found["example"] = {
            "task": plan.tasks[0].id,
            "system": prompt.system,
            "prompt": prompt.text,
        }
    return found


def _facts(suite: Any) -> dict[str, Any]:
    return {
        "name": suite.name,
        "version": suite.version,
        "summary": suite.summary,
        "agentic": suite.agentic,
        "executes_code": suite.executes_code,
    }


def _lines(facts: dict[str, Any]) -> Iterator[str]:
    """Facts as indented lines; what is empty is left out."""
    for key, value in facts.items():
        if value in (None, "", [], {}, ()):
            continue
        yield from _fact(key, value, 0)


def _fact(key: str, value: Any, depth: int) -> Iterator[str]:
    pad, name = "  " * depth, key.replace("_", " ")
    if isinstance(value, dict):
        yield f"{pad}{name}:"
        for inner, item in value.items():
            if item not in (None, "", [], {}, ()):
                yield from _fact(str(inner), item, depth + 1)
    elif isinstance(value, list | tuple) and value and isinstance(value[0], dict):
        yield f"{pad}{name}: {len(value)}"
        for item in value:
            head = next(iter(item))
            yield from _fact(
                str(item[head]), {k: v for k, v in item.items() if k != head}, depth + 1
            )
    elif isinstance(value, str) and "\n" in value.strip("\n"):
        yield f"{pad}{name}:"
        yield textwrap.indent(value, f"{pad}  | ", lambda _line: True)
    else:
        yield f"{pad}{name}: {_text(value)}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple | set):
        # white space in a list is meant: stop strings
        return ", ".join(repr(v) if str(v).strip() != str(v) else str(v) for v in value)
    return str(value)
