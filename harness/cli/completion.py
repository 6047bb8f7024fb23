"""``proctor completion SHELL``."""

from __future__ import annotations

import click


@click.command("completion", short_help="Print a shell's completion script.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script of SHELL, e.g. eval "$(proctor completion bash)"."""
    from click.shell_completion import get_completion_class

    from harness.cli.main import root

    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(root, {}, "proctor", "_PROCTOR_COMPLETE")
    # source() of bash starts bash to ask its version; the script itself is the same.
    click.echo(script.source_template % script.source_vars())
