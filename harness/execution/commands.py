"""Carries out what viewers ask of a running session, and acknowledges it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.control import Command, CommandTail, call_of
from harness.errors import ProctorError
from harness.events.run import ControlAcknowledged
from harness.execution.scheduler import Scheduler
from harness.execution.stop import StopSignal
from harness.models.protocol import Model

POLL_S = 0.1
_MOST_SAMPLES = 1024


class CommandLoop:
    """Follows ``control.jsonl`` for one session."""

    def __init__(
        self,
        folder: Path,
        offset: int,
        scheduler: Scheduler,
        stop: StopSignal,
        model: Model,
        acknowledge: Callable[[ControlAcknowledged], Any],
    ) -> None:
        self._folder = folder
        self._tail = CommandTail(folder, offset)
        self._scheduler = scheduler
        self._stop = stop
        self._model = model
        self._acknowledge = acknowledge

    async def run(self) -> None:
        """Until cancelled."""
        try:
            while True:
                self.poll()
                await asyncio.sleep(POLL_S)
        finally:
            self._tail.close()

    def poll(self) -> None:
        """Carry out what came since. Raises StorageError when it cannot be acknowledged."""
        for command in self._tail.poll():
            try:
                accepted, detail = self._carry_out(command)
            except (ProctorError, ValueError) as error:
                accepted, detail = False, str(error)
            self._acknowledge(
                ControlAcknowledged(
                    command_id=command.id,
                    command=command.command,
                    accepted=accepted,
                    detail=detail[:500],
                )
            )

    def _carry_out(self, command: Command) -> tuple[bool, str]:
        match command.command:
            case "cancel_run":
                self._stop.request("cancelled", f"by {command.by}")
                return True, ""
            case "cancel_sample":
                if self._scheduler.cancel(command.sample or "", "cancelled"):
                    return True, command.sample or ""
                return False, f"{command.sample} is not at work"
            case "pause" | "resume":
                self._scheduler.pause(command.command == "pause")
                return True, ""
            case "set_concurrency":
                if command.value is None or not 1 <= command.value <= _MOST_SAMPLES:
                    return False, f"concurrency must be between 1 and {_MOST_SAMPLES}"
                self._scheduler.set_concurrency(command.value)
                return True, str(command.value)
            case "human_call":
                return self._human_call(command)

    def _human_call(self, command: Command) -> tuple[bool, str]:
        """Hand a person's call to the model that plays it."""
        take = getattr(self._model, "human_call", None)
        if take is None:
            return False, "no person plays in this run"
        if not take(command.sample, call_of(self._folder, command)):
            return False, f"{command.sample} does not wait for a call"
        return True, ""
