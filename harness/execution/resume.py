"""Going on with a run: the same plan, or the same with more of it."""

from __future__ import annotations

from harness.errors import ConflictError
from harness.plan import Launch, Plan, differences
from harness.store import layout
from harness.store.atomic import write_atomic
from harness.store.run_folder import RunFolder
from harness.store.sessions import SessionInfo

_SHOWN = 12


def resume(folder: RunFolder, launch: Launch, plan: Plan | None = None) -> SessionInfo:
    """Prepare another session. ``plan`` is what the user asks for now, None when nothing.

    Raises ConflictError when it differs from the sealed one, or when the folder has a runner.
    """
    if plan is not None:
        _refuse(folder, differences(folder.plan, plan), "--resume keeps the plan")
    with folder.lock():
        return folder.add_session(launch)


def extend(folder: RunFolder, launch: Launch, plan: Plan) -> SessionInfo:
    """Replace the plan by one with more tasks of its suites, more epochs or a larger limit on the
    run's cost; results stay.

    The old plan is kept in ``sessions/``. Raises ConflictError when anything else differs.
    """
    _refuse(
        folder,
        differences(folder.plan, plan, extend=True),
        "--extend only adds tasks (--limit), epochs (--epochs) or money (--run-cost-limit)",
    )
    with folder.lock():
        folder.sessions.keep_plan(folder.plan_digest, folder.plan.canonical() + b"\n")
        # The session first: after a kill between the two the old plan still is a sealed one.
        session = folder.add_session(launch, plan_digest=plan.digest)
        write_atomic(folder.path / layout.PLAN, plan.canonical() + b"\n")
        folder.plan, folder.plan_digest = plan, plan.digest
        return session


def _refuse(folder: RunFolder, lines: list[str], rule: str) -> None:
    if lines:
        shown = "; ".join(lines[:_SHOWN])
        more = f"; and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
        raise ConflictError(
            f"the plan differs: {shown}{more}",
            where=str(folder.path),
            remedy=f"{rule}; begin a new run for another one",
        )
