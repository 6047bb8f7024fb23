"""Groups of commands that help with a name they do not know."""

from __future__ import annotations

import click

from harness.errors import UsageError
from harness.words import known_words


class HelpfulGroup(click.Group):
    """An unknown command is answered with the nearest one, else with all of them."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        guessing = ctx.resilient_parsing  # a shell completes what may not be whole yet
        if not guessing and self.get_command(ctx, name) is None and not name.startswith("-"):
            known = [each for each in self.list_commands(ctx) if not each.startswith("_")]
            raise UsageError(
                f"No such command {name!r}",
                where=ctx.command_path,
                remedy=known_words(name, known),
            )
        return super().resolve_command(ctx, args)
