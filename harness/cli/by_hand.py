"""``--model human``: a person needs somewhere to play."""

from __future__ import annotations

from harness.errors import UsageError


def is_human(model: str | None, run: str | None) -> bool:
    """Whether a person plays: in the new run of ``model``, or in ``run`` that is taken up again.

    Raises what finding and opening that run raises.
    """
    if run is None:
        return model == "human"
    from harness.cli.common import find_run
    from harness.store.plan_file import read_plan

    return read_plan(find_run(run))[0].model.kind == "human"


def check(*, batch: bool, as_json: bool, fail_under: bool, terminal: bool) -> None:
    """Raises UsageError when nobody could make the calls."""
    flags = {"--batch": batch, "--json": as_json, "--fail-under": fail_under}
    flag = next((name for name, given in flags.items() if given), None)
    if flag is not None:
        raise UsageError(
            f"a person plays --model human in the interface, and {flag} opens none",
            remedy=f"leave {flag} out, or let the run wait for you with --detach",
        )
    if not terminal:
        raise UsageError(
            "a person plays --model human in the interface, and this is no terminal",
            remedy="run it on a terminal, or let the run wait for you with --detach",
        )
