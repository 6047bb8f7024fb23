"""Answers to commands that a runner was sent."""

from __future__ import annotations

from pathlib import Path

from harness.events.run import ControlAcknowledged
from harness.state.view import RunView
from tui.model.orders import Orders


def _answered(folder: Path, detail: str) -> list[str]:
    orders, view = Orders(folder), RunView()
    orders.send("cancel_sample", "anatomy_0-12ab@1")
    (sent,) = orders._waiting
    view.acknowledged[sent] = ControlAcknowledged(
        command_id=sent, command="cancel_sample", accepted=False, detail=detail
    )
    return orders.refused(view)


def test_a_sample_is_named_once(tmp_path: Path) -> None:
    named = "anatomy_0-12ab@1 is not at work"
    assert _answered(tmp_path, named) == [named]
    assert _answered(tmp_path, "it has ended") == ["anatomy_0-12ab@1: it has ended"]
