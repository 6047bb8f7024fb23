"""A run goes on only as what it was: another plan or another model behind the URL is refused."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.store import layout
from tests.chaos.ground import half_right, stored_lines, verdicts
from tests.cli.tiny_repo import THREE
from tests.support import boxes
from tests.support.proctor_process import Home, Proctor
from tests.support.scripted_server import ChatRequest, ScriptedServer, Step, llama_props
from tests.support.tiny_tasks import write_tiny_tasks

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
TASKS = THREE[:2]


@pytest.fixture
async def home(tmp_path: Path) -> Home:
    await (await boxes.require("bubblewrap")).close()
    write_tiny_tasks(tmp_path / "tiny")
    return Home(tmp_path / "home", "bubblewrap")


@pytest.fixture
def model(home: Home) -> Callable[[ChatRequest], Step]:
    return half_right(TASKS, home.root.parent / "tiny")


@pytest.fixture
def begun(
    home: Home, model: Callable[[ChatRequest], Step]
) -> Iterator[tuple[Path, ScriptedServer]]:
    """A run with one sample finished and one to go, and the server that it was begun with."""
    with ScriptedServer(model, props=llama_props()) as server:
        process = Proctor.start(
            home, "run", "repos", "--data", str(home.root.parent / "tiny"), "--batch",
            "--task", TASKS[0], "--task", TASKS[1],
            "--concurrency", "1", "--base-url", server.url, "--tool-protocol", "native",
        )  # fmt: skip
        try:

            def one_is_finished() -> bool:
                return process.folder is not None and stored_lines(process.folder) != b""

            assert process.wait_until(one_is_finished), process.said
            process.signal(signal.SIGKILL)
            process.wait()
        finally:
            process.stop()
        assert process.folder is not None
        yield process.folder, server


def resumed(home: Home, folder: Path, *arguments: str) -> tuple[int, str]:
    process = Proctor.start(home, "run", "--resume", str(folder), *arguments)
    try:
        return process.wait(), process.said
    finally:
        process.stop()


def test_only_the_same_plan_and_the_same_endpoint_are_resumed(
    home: Home, begun: tuple[Path, ScriptedServer], model: Callable[[ChatRequest], Step]
) -> None:
    folder, server = begun
    kept, plan = stored_lines(folder), (folder / layout.PLAN).read_bytes()
    asked = len(server.requests)
    for arguments, named in (
        (["--temperature", "0.9"], "temperature"),
        (["--epochs", "3"], "epochs"),
        (["--max-turns", "3"], "max_turns"),
        (["--task", TASKS[0]], "suites"),
        (["--model", "another"], "model.name"),
    ):
        code, said = resumed(home, folder, *arguments)
        assert (code, len(said.strip().splitlines())) == (3, 1), said
        assert named in said
    assert len(server.requests) == asked

    others = {
        "no model 'scripted'": ScriptedServer(model, model="other", props=llama_props()),
        "context is 8192, planned 4096": ScriptedServer(model, props=llama_props(context=8192)),
        "another model than planned": ScriptedServer(model),
    }
    for named, other in others.items():
        with other:
            code, said = resumed(home, folder, "--base-url", other.url)
            assert code == 3, said
            assert named in said and "Traceback" not in said, said
            assert other.requests == []
    assert stored_lines(folder) == kept and (folder / layout.PLAN).read_bytes() == plan

    code, said = resumed(home, folder)
    assert code == 0, said
    assert stored_lines(folder).startswith(kept)
    assert verdicts(folder) == {f"{TASKS[0]}@1": "resolved", f"{TASKS[1]}@1": "unresolved"}
