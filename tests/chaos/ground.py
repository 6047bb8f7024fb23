"""Where episodes take place: a user's folders, a sandbox, and what an undisturbed run scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from harness.models.gold_calls import gold_turns
from harness.store import layout
from harness.store.run_folder import RunFolder
from harness.tasks.repository import default_roots, load_tasks
from tests.chaos.daemon import Daemon
from tests.support.proctor_process import Home, Proctor
from tests.support.scripted_server import ChatRequest, ScriptedServer, Step, calls, finish

MODELS = ("oracle", "noop", "replay", "server")


@dataclass
class Field:
    """Where episodes of one sandbox take place. ``thorough``: what an undisturbed run scores is
    found by such a run, else it is known of each model. ``daemon``: Docker is one of our own.
    ``data``: where the tasks are, None for shipped ones."""

    home: Home
    tasks: tuple[str, ...]
    data: Path | None
    thorough: bool
    daemon: Daemon | None = None
    calm: dict[str, dict[str, str]] = field(default_factory=dict)
    played: str = ""
    server: ScriptedServer | None = None

    def arguments(self, model: str) -> list[str]:
        """The command line of a run."""
        line = ["run", "repos", "--batch", "--concurrency", "2"]
        if self.data is not None:
            line += ["--data", str(self.data)]
        for task in self.tasks:
            line += ["--task", task]
        if model == "server":
            if self.server is None:
                self.server = ScriptedServer(half_right(self.tasks, self.data)).start()
            return [*line, "--base-url", self.server.url, "--tool-protocol", "native"]
        if model == "replay":
            if not self.played:
                self._undisturbed("oracle")
            return [*line, "--model", f"replay:{self.played}"]
        return [*line, "--model", model]

    def restart_server(self) -> None:
        """Another server at the same address, as after a crash."""
        assert self.server is not None
        self.server = ScriptedServer(
            half_right(self.tasks, self.data), port=self.server.port
        ).start()

    def verdicts(self, model: str) -> dict[str, str]:
        """Verdicts of a run that nothing disturbs."""
        if model not in self.calm:
            first = "unresolved" if model == "noop" else "resolved"
            others = first if model in ("noop", "oracle", "replay") else "unresolved"
            known = {f"{task}@1": others for task in self.tasks} | {f"{self.tasks[0]}@1": first}
            if self.thorough:
                assert self._undisturbed(model) == known
            self.calm[model] = known
        return self.calm[model]

    def _undisturbed(self, model: str) -> dict[str, str]:
        process = Proctor.start(self.home, *self.arguments(model))
        try:
            assert process.wait() == 0, process.said
            assert process.folder is not None
        finally:
            process.stop()
        if model == "oracle":
            self.played = str(process.folder)
        return verdicts(process.folder)

    def close(self) -> None:
        if self.server is not None:
            self.server.stop()
        if self.daemon is not None:
            self.daemon.close()


def half_right(tasks: tuple[str, ...], data: Path | None = None) -> Callable[[ChatRequest], Step]:
    """A model that solves the first task and gives up on the others; its reply depends on the
    conversation alone, so that a resumed sample goes as the first try would have gone."""
    known = load_tasks(default_roots() if data is None else [data])
    turns = gold_turns(known[tasks[0]].start, known[tasks[0]].gold, task=tasks[0])
    steps = [calls(*((c.name, c.arguments) for c in turn)).where(delay_s=0.05) for turn in turns]

    def reply(request: ChatRequest) -> Step:
        if known[tasks[0]].spec.instruction.strip() in request.task:
            return steps[min(request.turn, len(steps) - 1)]
        return finish("it cannot be done").where(delay_s=0.2)

    return reply


def verdicts(folder: Path) -> dict[str, str]:
    """Sample -> verdict, each sample's line exactly once."""
    lines = (folder / layout.SAMPLES).read_bytes().splitlines()
    records = RunFolder.open(folder).records()
    assert len(lines) == len(records), "a sample has two lines"
    return {key: str(record.verdict) for key, record in sorted(records.items())}


def stored_lines(folder: Path) -> bytes:
    """Whole lines of finished samples."""
    path = folder / layout.SAMPLES
    data = path.read_bytes() if path.exists() else b""
    return data[: data.rfind(b"\n") + 1]
