"""``--model human``: a person needs somewhere to play."""

from __future__ import annotations

from harness.errors import UsageError


def check(*, batch: bool, detach: bool, as_json: bool, terminal: bool) -> None:
    """Raises UsageError when nobody could make the calls. With ``--detach`` the run waits in the
    background for whoever opens it."""
    if detach:
        return
    if batch or as_json:
        flag = "--batch" if batch else "--json"
        raise UsageError(
            f"a person plays --model human in the interface, and {flag} opens none",
            remedy=f"leave {flag} out, or let the run wait for you with --detach",
        )
    if not terminal:
        raise UsageError(
            "a person plays --model human in the interface, and this is no terminal",
            remedy="run it on a terminal, or let the run wait for you with --detach",
        )
