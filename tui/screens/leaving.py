"""The question whether a run goes on when its screen is left."""

from __future__ import annotations

from harness.state.follow import RunFollower
from tui.plain import plural
from tui.screens.dialogs import Ask


def leave_question(follower: RunFollower) -> Ask:
    """Tells how much is left as it gets less; goes when the run ends meanwhile."""

    def left() -> str | None:
        view = follower.view
        if not follower.running:
            return None
        samples = plural(len(view.samples) - view.done, "sample")
        return f"{samples} not done, {view.running} at work. Watch it again with: proctor"

    answers = ["Leave it running", "Stop the run"]
    ask = Ask("The run goes on in the background. Leave it so?", left, answers)
    ask.id = "leave"
    return ask
