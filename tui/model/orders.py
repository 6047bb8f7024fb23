"""Commands to a runner, and which of them it has not answered yet."""

from __future__ import annotations

from pathlib import Path

from harness.control import CommandName, append_command
from harness.state.view import RunView
from tui.plain import clean_line


class Orders:
    """Sent through the run folder; answers come back with its events."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: dict[str, str] = {}

    def send(self, command: CommandName, sample: str | None = None) -> None:
        """Raises StorageError."""
        sent = append_command(self._folder, command, sample=sample)
        self._waiting[sent] = sample or command

    def awaits(self, what: str) -> bool:
        """Whether a command about this sample was not answered yet."""
        return what in self._waiting.values()

    def refused(self, view: RunView) -> list[str]:
        """Take in answers; those that were no, in words."""
        words = []
        for sent in [i for i in self._waiting if i in view.acknowledged]:
            what = self._waiting.pop(sent)
            answer = view.acknowledged[sent]
            if not answer.accepted:
                detail = clean_line(answer.detail)
                named = what in answer.detail
                words.append(detail if named else f"{clean_line(what)}: {detail}")
        return words
