"""``proctor doctor``: what works here, and what to do about what does not."""

from __future__ import annotations

from typing import Any

import click

from harness.cli.common import asynchronous, emit_json, json_option


@click.command("doctor", short_help="Check runtimes, suites, folders and endpoints.")
@click.option("--base-url", multiple=True, metavar="URL", help="Check this endpoint as well.")
@json_option
@asynchronous
async def command(base_url: tuple[str, ...], as_json: bool) -> int:
    """Check what a run needs: runtimes, suites, folders, endpoints.

    Exit code 4 when no containment is ready.
    """
    import os

    from harness.cli.checks import check_endpoints, check_folders, check_runtimes, check_suites
    from harness.cli.console import folded
    from harness.config import load_config, resolve
    from harness.errors import ExitCode

    config = load_config()
    resolved = resolve({"base_url": base_url}, os.environ, config)
    runtimes, ready = await check_runtimes()
    report: dict[str, Any] = {
        "runtimes": runtimes,
        "suites": check_suites(ready, resolved),
        "folders": check_folders(resolved["out"]),
        "endpoints": await check_endpoints(config, resolved),
        "configuration": [str(path) for path in config.files],
    }
    if as_json:
        emit_json(report)
    else:
        for line in _lines(report):
            click.echo(folded(line))
    return int(ExitCode.OK if ready else ExitCode.REFUSED)


def _lines(report: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for title in ("runtimes", "suites", "folders", "endpoints"):
        lines.append(f"{title}:")
        for item in report[title]:
            detail = f": {item['detail']}" if item.get("detail") else ""
            lines.append(f"  {item['name']}  {item['state']}{detail}")
            if item.get("remedy"):
                lines.append(f"    -> {item['remedy']}")
        if not report[title]:
            lines.append("  none")
    files = ", ".join(report["configuration"]) or "no proctor.toml"
    return [*lines, f"configuration: {files}"]
