"""``proctor suites [SUITE]``."""

from __future__ import annotations

from typing import Any

import click

from harness.cli.common import emit_json, json_option


@click.command("suites", short_help="List the suites, or describe one.")
@click.argument("suite", required=False)
@json_option
def command(suite: str | None, as_json: bool) -> None:
    """List the suites, or describe SUITE."""
    from harness.suites import registry

    if suite is None:
        found = [registry.suite(name) for name in registry.names()]
        if as_json:
            emit_json([_facts(item) for item in found])
            return
        width = max(len(item.name) for item in found)
        for item in found:
            click.echo(f"{item.name:<{width}}  {item.summary}")
        return
    chosen = registry.suite(suite)
    facts = {**_facts(chosen), **chosen.describe()}
    if as_json:
        emit_json(facts)
        return
    for key, value in facts.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            click.echo(f"{key.replace('_', ' ')}: {len(value)}")
            for item in value:
                click.echo(f"  {_text(item)}")
        else:
            click.echo(f"{key.replace('_', ' ')}: {_text(value)}")


def _facts(suite: Any) -> dict[str, Any]:
    return {
        "name": suite.name,
        "version": suite.version,
        "summary": suite.summary,
        "agentic": suite.agentic,
        "executes_code": suite.executes_code,
    }


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(item)}" for key, item in value.items())
    if isinstance(value, list | tuple | set):
        return ", ".join(_text(item) for item in value)
    return str(value)
