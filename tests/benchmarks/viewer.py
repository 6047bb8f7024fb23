"""Figures of the interface: ``python -m tests.benchmarks.viewer``.

A transcript of 100,000 events is opened, moved about in and searched, headless at 120 x 40; then
32 episodes stream 100 tokens a second each while one is watched.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import psutil
from textual.geometry import Region
from textual.strip import Strip

from harness.events.base import Event, Usage
from harness.events.model import MessageAdded, ModelRequested, ModelTurn
from harness.events.run import SampleProgress, SampleStarted, SessionStarted
from harness.events.sample import AttemptStarted
from harness.events.tool import ToolResult, TreeChange
from harness.ids import sample_key
from harness.outcome import SampleState
from harness.plan import Launch
from harness.store import layout
from harness.store.live import LiveFile
from harness.store.run_folder import RunFolder
from tests.benchmarks.figures import Figure
from tests.tui.recorded import START, call, make_plan, write_events
from tui.app import ProctorApp
from tui.entry import keep_what_is_loaded
from tui.screens.replay import ReplayScreen
from tui.screens.run import RunScreen
from tui.widgets.block_list import BlockList
from tui.widgets.sample_pane import SamplePane

EVENTS = 100_000
EPISODES = 32
TOKENS_A_SECOND = 100
STREAM_S = 10.0
_SIZE = (120, 40)
_TARGETS = {
    "open a transcript of 100,000 events, s": 1.0,
    f"{EPISODES} episodes streaming, share of a core": 1.0,
    "key to repaint meanwhile, worst, ms": 100.0,
}


def long_transcript(path: Path, events: int = EVENTS) -> Path:
    """Turns of a request, a reply, a read and an edit, over and over."""
    rows: list[tuple[float, Event]] = [
        (
            0.0,
            AttemptStarted(
                version=1,
                run_id="r",
                sample="long@1",
                suite="repos",
                task_id="long",
                epoch=1,
                attempt=1,
                model="bench",
            ),
        ),
        (0.0, MessageAdded(role="user", kind="prompt", content="Mend it.\n" * 20)),
    ]
    turn = 0
    while len(rows) < events:
        turn += 1
        read = call(turn, "read_file", path=f"src/part{turn % 97}.py")
        edit = call(turn, "edit_lines", path=f"src/part{turn % 97}.py", new_text="x = 1")
        at = float(turn)
        rows += [
            (at, ModelRequested(turn=turn, attempt=1, endpoint="e", messages=turn, digest="0")),
            (
                at + 0.4,
                ModelTurn(
                    turn=turn,
                    content=f"Step {turn}: I look at **part {turn % 97}**, then change it.\n\n"
                    "- one thing\n- another `thing`\n",
                    reasoning="Let me think.\n" * 8,
                    tool_calls=[read, edit],
                    usage=Usage(prompt=1000 + turn, completion=80),
                ),
            ),
            (at + 0.5, _result(turn, read.id, "read_file", START)),
            (at + 0.6, _result(turn, edit.id, "edit_lines", "Replaced 1 line.", edit=True)),
        ]
    return write_events(path, rows[:events])


def _result(turn: int, call_id: str, name: str, text: str, *, edit: bool = False) -> ToolResult:
    delta = [TreeChange(path=f"src/part{turn % 97}.py", before="0" * 64, after="1" * 64)]
    return ToolResult(
        turn=turn,
        call_id=call_id,
        name=name,
        arguments={"path": f"src/part{turn % 97}.py", "new_text": "x = 1"},
        text=text,
        delta=delta if edit else [],
    )


async def opening(path: Path) -> dict[str, float]:
    """Seconds to the first picture, and from a key to its repaint."""
    process = psutil.Process()
    gc.collect()
    before = process.memory_info().rss
    _PAINTS.count = 0
    started, used = time.perf_counter(), time.process_time()
    app = ProctorApp(lambda: ReplayScreen(path))
    keep_what_is_loaded()
    figures: dict[str, float] = {}
    async with app.run_test(size=_SIZE) as pilot:
        while (
            not app.screen.query("#transcript")
            or not app.screen.query_one("#transcript").window.shown
        ):  # type: ignore[attr-defined]
            await asyncio.sleep(0)
        figures["open a transcript of 100,000 events, s"] = time.perf_counter() - started
        figures["processor time of that, s"] = time.process_time() - used
        times: dict[str, list[tuple[float, float]]] = {
            "k": [],
            "pageup": [],
            "g": [],
            "G": [],
            "0": [],
            "dollar_sign": [],
        }
        await pilot.pause()
        for _ in range(8):
            for key, taken in times.items():
                taken.append(await _press(app, key))
                await pilot.pause()
        for key, taken in times.items():
            figures[f"key {key} to repaint, worst, ms"] = max(wall for wall, _ in taken)
            figures[f"key {key}, processor time, worst, ms"] = max(cpu for _, cpu in taken)
        start = time.perf_counter()
        await app.screen.query_one(SamplePane)._find("part 13").wait()
        figures["search of all events, s"] = time.perf_counter() - start
        gc.collect()
        figures["memory for it, MiB"] = (process.memory_info().rss - before) / (1 << 20)
    return figures


class _Paints:
    """Counts how often lists are drawn."""

    def __init__(self) -> None:
        self.count = 0
        draw = BlockList.render_lines

        def counted(shown: BlockList, crop: Region) -> list[Strip]:
            self.count += 1
            return draw(shown, crop)

        BlockList.render_lines = counted  # type: ignore[method-assign]


_PAINTS = _Paints()


async def _press(app: ProctorApp, key: str) -> tuple[float, float]:
    """Milliseconds from a key to the lists being drawn anew: passed, and of our processor."""
    before, start, used = _PAINTS.count, time.perf_counter(), time.process_time()
    app.simulate_key(key)
    while _PAINTS.count == before and time.perf_counter() - start < 2:
        await asyncio.sleep(0)
    return 1000 * (time.perf_counter() - start), 1000 * (time.process_time() - used)


def streaming_run(root: Path) -> Path:
    """A run with EPISODES samples that are all under way."""
    tasks = tuple(f"task-{n:02d}" for n in range(EPISODES))
    folder = RunFolder.create(root, make_plan(tasks), Launch(concurrency=EPISODES))
    with folder.lock():
        folder.run_log.append(
            SessionStarted(
                session=1,
                version=1,
                host="h",
                pid=1,
                samples=EPISODES,
                pending=EPISODES,
                concurrency=EPISODES,
            )
        )
        for task in tasks:
            key = sample_key(task, 1)
            folder.run_log.append(
                SampleStarted(sample=key, suite="repos", task_id=task, epoch=1, attempt=1)
            )
            header = AttemptStarted(
                version=1,
                run_id=folder.run_id,
                sample=key,
                suite="repos",
                task_id=task,
                epoch=1,
                attempt=1,
                model="bench",
            )
            write_events(folder.path / layout.attempt_file(key, 1), [(0.0, header)])
    return folder.path


def stream(path: str) -> None:
    """The writer's process: as a runner with EPISODES streaming replies would write."""

    async def write() -> None:
        folder = RunFolder.open(path)
        with folder.lock():
            keys = list(folder.plan.suites[0].tasks)
            live = [LiveFile(folder.path / layout.live_file(sample_key(t.id, 1))) for t in keys]
            started, told = time.monotonic(), 0.0
            sent = 0
            while (now := time.monotonic() - started) < STREAM_S + 6:
                due = int(now * TOKENS_A_SECOND)
                for _ in range(due - sent):
                    for file in live:
                        file.delta(1, "text", " token\n" if sent % 14 == 13 else " token")
                sent = due
                if now - told >= 1:
                    told = now
                    for task in keys:
                        folder.run_log.append(
                            SampleProgress(
                                sample=sample_key(task.id, 1), state=SampleState.RUNNING, turn=1
                            )
                        )
                await asyncio.sleep(0.01)

    asyncio.run(write())


async def watching(folder: Path) -> dict[str, float]:
    """Processor and lag of a viewer beside a writer in another process."""
    writer = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.benchmarks.viewer", "_stream", str(folder)
    )
    try:
        while not list((folder / layout.LIVE).glob("*.jsonl")):
            await asyncio.sleep(0.05)
        app = ProctorApp(lambda: RunScreen(folder))
        keep_what_is_loaded()
        lags: list[tuple[float, float]] = []
        async with app.run_test(size=_SIZE) as pilot:
            await pilot.pause()
            await asyncio.sleep(1)
            used, started = time.process_time(), time.perf_counter()
            while time.perf_counter() - started < STREAM_S:
                lags.append(await _press(app, "tab"))
                await asyncio.sleep(0.25)
            share = (time.process_time() - used) / (time.perf_counter() - started)
    finally:
        writer.kill()
        await writer.wait()
    lags.sort()
    return {
        f"{EPISODES} episodes streaming, share of a core": share,
        "key to repaint meanwhile, p50, ms": lags[len(lags) // 2][0],
        "key to repaint meanwhile, worst, ms": lags[-1][0],
        "processor time of that key, worst, ms": max(cpu for _, cpu in lags),
    }


def measured() -> dict[str, float]:
    """All figures by name."""
    with tempfile.TemporaryDirectory() as folder:
        path = long_transcript(Path(folder) / "long.jsonl")
        found = asyncio.run(opening(path))
        return found | asyncio.run(watching(streaming_run(Path(folder))))


def figures() -> list[Figure]:
    """Those that have a target say whether they keep it."""
    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    rows = []
    for name, value in measured().items():
        unit = name.rpartition(", ")[2] if ", " in name else ""
        most = _TARGETS.get(name) or (50.0 if name.endswith("to repaint, worst, ms") else None)
        target = "" if most is None else f"{most:g} {unit}".strip()
        rows.append(
            Figure(name, value, unit, target=target, met=None if most is None else value <= most)
        )
    return rows


def main() -> None:
    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    if sys.argv[1:2] == ["_stream"]:
        stream(sys.argv[2])
    elif sys.argv[1:2] == ["--json"]:
        print(json.dumps(measured()))
    else:
        for name, value in measured().items():
            print(f"{name:<52} {value:10.3f}")


if __name__ == "__main__":
    main()
