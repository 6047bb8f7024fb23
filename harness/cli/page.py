"""``proctor _page``: the interface for one browser page, started by ``proctor serve``."""

from __future__ import annotations

import click


@click.command("_page", hidden=True)
def command() -> int:
    """The interface on pipes instead of a terminal."""
    from harness.cli import interface

    return interface.show("run_page")
