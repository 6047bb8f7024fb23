"""Entry point of ``proctor``: commands are loaded when they are asked for, errors become one line.

Nothing heavy is imported here, so that ``proctor --help`` answers at once.
"""

from __future__ import annotations

import importlib
import os
import sys

import click

from harness.cli import failures, outlet
from harness.cli.groups import HelpfulGroup
from harness.errors import ExitCode

# Command -> module of harness.cli that holds it as ``command``; the order is that of --help.
COMMANDS = {
    "run": "run",
    "plan": "plan",
    "suites": "suites",
    "task": "task",
    "runs": "runs",
    "show": "show",
    "replay": "replay",
    "compare": "compare",
    "grade": "grade",
    "cancel": "cancel",
    "doctor": "doctor",
    "setup": "setup",
    "clean": "clean",
    "serve": "serve",
    "completion": "completion",
    "_runner": "runner",
    "_page": "page",
}

EPILOG = """\
Exit codes: 0 every sample has a score; 1 some have none, or a fault of ours; 2 usage or
configuration; 3 conflict; 4 no containment; 5 score below what was asked for; 130 Ctrl+C.
"""


class LazyGroup(HelpfulGroup):
    """A group whose commands are imported by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command = importlib.import_module(f"harness.cli.{module}").command
        assert isinstance(command, click.Command)
        return command


def _version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from harness.cli.common import proctor_version

        click.echo(f"proctor {proctor_version()}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    epilog=EPILOG,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
@click.pass_context
def root(context: click.Context) -> int | None:
    """Evaluate language models on repositories and classic suites, contained and reproducible.

    Without a command, on a terminal: the interface.
    """
    if context.invoked_subcommand is not None:
        return None
    from harness.cli import interface

    reason = interface.why_not()
    if reason is None:
        return interface.show("run_home")
    click.echo(context.get_help())
    click.echo(
        f"no interface: {reason}; "
        "here use proctor run SUITE --batch, proctor runs, proctor show RUN",
        err=True,
    )
    return int(ExitCode.USAGE)


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit code and never lets a traceback out."""
    arguments = sys.argv[1:] if argv is None else argv
    outlet.settle_streams()
    instruction = os.environ.get("_PROCTOR_COMPLETE")
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(root, {}, "proctor", "_PROCTOR_COMPLETE", instruction)
    code = _run(arguments)
    try:
        return outlet.code_after(code)
    except BrokenPipeError:
        failures.hush(1)
        return code


def _run(arguments: list[str]) -> int:
    as_json = failures.wants_json(arguments)
    try:
        with root.make_context("proctor", list(arguments)) as context:
            result = root.invoke(context)
        return int(result) if isinstance(result, int) else int(ExitCode.OK)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return int(ExitCode.USAGE)
    except BrokenPipeError:
        failures.hush(1)
        return int(ExitCode.OK)
    except (KeyboardInterrupt, click.Abort):
        return failures.interrupted(as_json=as_json)
    # The last line of defence: whatever it was becomes one line and a report file.
    except Exception as error:
        return failures.report(error, as_json=as_json)


def entry() -> None:
    """``python -m harness.cli.main``."""
    sys.exit(main())


if __name__ == "__main__":
    entry()
