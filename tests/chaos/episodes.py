"""One episode: a run begun, disturbed, looked at, and brought to its end."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from random import Random

from tests.chaos.aftermath import check_aftermath, check_end
from tests.chaos.disturbances import Kind, Scene, small_disk
from tests.chaos.ground import Field, stored_lines
from tests.support.proctor_process import Proctor

# The knob kills it at a moment of its own.
_BY_THEMSELVES = ("die_before_start", "no_descriptors")


def run_episode(ground: Field, kind: Kind, model: str, chance: Random) -> None:
    """A run disturbed, once or several times, and then resumed to its end."""
    expected = ground.verdicts(model)
    with ExitStack() as stack:
        arguments = ground.arguments(model)  # a run that is replayed lies outside of a small disk
        if kind.small_disk:
            stack.enter_context(small_disk(ground.home.runs))
        _play(ground, kind, arguments, chance, expected)


def _play(
    ground: Field, kind: Kind, line: list[str], chance: Random, expected: dict[str, str]
) -> None:
    home = ground.home
    folder: Path | None = None
    kept = b""
    for _ in range(chance.choice([1, 1, 2])):
        process = Proctor.start(home, *line, terminal=kind.terminal, knobs=kind.knobs(chance))
        scene = Scene(ground, process, chance, folder)
        try:
            if kind.name not in _BY_THEMSELVES:
                scene.await_moment()
            allowed = {0, *kind.act(scene)}
            code = process.wait()
            said = process.said[-3000:]
            assert code in allowed, f"exit code {code}, not {allowed}: {said}"
            assert "Traceback" not in said, said
            assert "internal error" not in said, said
            if folder is not None:
                process.before -= {folder}
            check_aftermath(process, home)
            folder = folder or process.folder
        finally:
            process.stop()
        if folder is not None:
            written = stored_lines(folder)
            assert written.startswith(kept), "a finished sample's line was changed"
            kept = written
            line = ["run", "--resume", str(folder)]
    if folder is None:  # it was disturbed before there was anything to go on with
        return
    process = Proctor.start(home, "run", "--resume", str(folder))
    try:
        assert process.wait() == 0, process.said
    finally:
        process.stop()
    process.before -= {folder}
    check_aftermath(process, home)
    check_end(folder, kept, expected)
