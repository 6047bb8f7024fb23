"""``proctor serve``: the interface in a browser."""

from __future__ import annotations

import click

from harness.cli.common import said

_PORT = 8000


@click.command("serve", short_help="Show the interface in a browser.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=_PORT, show_default=True)
@click.option("--public-url", metavar="URL", help="Where a proxy in front serves it.")
def command(host: str, port: int, public_url: str | None) -> int:
    """Show the interface in a browser, at an address that carries a token.

    Only this machine can reach it unless --host says otherwise. --port 0 takes a free one.
    """
    from harness.cli import interface

    return interface.show("run_serve", host, port, public_url, _tell)


def _tell(url: str, local: bool) -> None:
    click.echo(url)
    said("Open this address; the token in it is asked for once. Ctrl+C ends.")
    if not local and not url.startswith("https:"):
        said("warning: others can reach it, and what passes is not encrypted")
