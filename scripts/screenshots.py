"""Pictures of each screen for the README, from real runs: python scripts/screenshots.py [FOLDER]

Two short runs (oracle, noop) and one that waits for a person are made for it; what would be
another at every making (times, durations, names of folders) is set to fixed values first.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from harness.control import append_command
from harness.store.lock import is_running
from harness.store.recorded import recorded_run
from tui.app import ProctorApp
from tui.screens.base import ProctorScreen
from tui.screens.compare import CompareScreen
from tui.screens.home import HomeScreen
from tui.screens.human import HumanScreen, run_screen
from tui.screens.replay import ReplayScreen
from tui.screens.run import RunScreen

ROOT = Path(__file__).resolve().parents[1]
BEGAN = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
TASKS = "8"
_SECONDS = re.compile(
    r'"(elapsed_s|request_s|first_token_s|working_s|seconds|total|grade|episode|wait_s)":'
    r"([0-9]+\.[0-9]+)"
)
_ELAPSED = re.compile(r'"elapsed":([0-9]+\.[0-9]+)')
_TIME = re.compile(r'"(time|created|started|finished_at|at|updated)":\s?"([^"]{20,40})"')
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def main() -> int:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "screenshots"
    target.mkdir(parents=True, exist_ok=True)
    os.environ |= {"TZ": "UTC", "TEXTUAL_ANIMATIONS": "none"}
    os.environ.pop("NO_COLOR", None)
    time.tzset()
    with tempfile.TemporaryDirectory() as folder:
        runs = Path(folder)
        models = ("noop", "oracle")
        made = [make_run(runs, model, number) for number, model in enumerate(models)]
        asyncio.run(take(target, runs, *made))
    for path in sorted(target.glob("*.svg")):
        print(f"{path}  {path.stat().st_size // 1024} KiB")
    return 0


# --- runs


def proctor(runs: Path, *arguments: str) -> str:
    env = os.environ | {"PROCTOR_RUNS": str(runs), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "harness.cli.main", *arguments]
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.returncode)
    return done.stdout


def make_run(runs: Path, model: str, number: int) -> Path:
    """A run of the first tasks, one after the other, with fixed times and a fixed name."""
    said = proctor(
        runs,
        "run",
        "repos",
        "--model",
        model,
        "--limit",
        TASKS,
        "--concurrency",
        "1",
        "--json",
        "--batch",
        "--name",
        f"{model} for comparison",
    )
    folder = Path(json.loads(said)["folder"])
    target = runs / f"20260314-0{number + 8}2653-repos-{model}-{number:04d}"
    folder.rename(target)
    began = BEGAN + timedelta(hours=number - 1)
    for path in [*target.rglob("*.jsonl"), *target.rglob("*.json")]:
        if path.name != "plan.json":
            lines = path.read_text("utf-8").split("\n")
            path.write_text("\n".join(steady(x, n, began) for n, x in enumerate(lines)), "utf-8")
    (target / "summary.json").unlink(missing_ok=True)
    return target


def steady(line: str, number: int, began: datetime) -> str:
    """The line with fixed times. Its length stays: records tell where in a file things lie."""
    at = began + timedelta(seconds=number / 2)
    took = "8.2" if '"sample_finished"' in line else "0.1"
    line = _SECONDS.sub(lambda m: f'"{m[1]}":{took.ljust(len(m[2]), "0")[: len(m[2])]}', line)
    line = _ELAPSED.sub(
        lambda m: f'"elapsed":{f"{number / 2:.1f}".ljust(len(m[1]), "0")[: len(m[1])]}', line
    )
    return _TIME.sub(lambda m: m[0].replace(m[2], f"{at:%Y-%m-%dT%H:%M:%S.%f}Z"), line)


# --- pictures

Act = Callable[[Pilot[Any]], Awaitable[None]]


async def take(target: Path, runs: Path, noop: Path, oracle: Path) -> None:
    demo = recorded_run("demo")
    assert demo is not None
    shots: list[tuple[str, Callable[[], ProctorScreen], tuple[int, int], str, str]] = [
        # name, screen, size, theme, keys
        ("home", lambda: HomeScreen(runs), (124, 16), "dark", ""),
        ("run", lambda: RunScreen(oracle), (130, 36), "dark", ""),
        ("transcript", lambda: ReplayScreen(demo), (110, 40), "dark", "0 . . . . . l l"),
        ("diff", lambda: ReplayScreen(demo), (110, 30), "light", "$ 2"),
        ("tests", lambda: ReplayScreen(demo), (110, 30), "dark", "$ 3"),
        ("compare", lambda: CompareScreen(oracle, noop), (110, 24), "dark", ""),
        ("side-by-side", lambda: CompareScreen(oracle, noop), (150, 36), "dark", "enter"),
    ]
    for name, first, size, theme, keys in shots:
        await picture(target / f"{name}.svg", first, size, theme, pressing(keys))
    await by_hand(target / "by-hand.svg", runs)


def pressing(keys: str) -> Act:
    names = {"$": "dollar_sign", ".": "full_stop"}

    async def act(pilot: Pilot[Any]) -> None:
        for key in keys.split():
            await pilot.press(names.get(key, key))
            await settle(pilot)

    return act


async def by_hand(path: Path, runs: Path) -> None:
    """The form, at a run that waits for a call."""
    said = proctor(runs, "run", "repos", "--task", "stockroom-last-day", "--model", "human",
                   "--detach", "--json")  # fmt: skip
    folder = Path(json.loads(said)["folder"])

    async def act(pilot: Pilot[Any]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, HumanScreen)
        for _ in range(600):
            if screen._waits():
                break
            await pilot.pause(0.05)
        await pilot.press("j", "enter", *"stockroom/l", "tab")
        await settle(pilot)

    try:
        await picture(path, lambda: run_screen(folder), (110, 36), "dark", act)
    finally:
        append_command(folder, "cancel_run")
        for _ in range(300):
            if not is_running(folder):
                break
            await asyncio.sleep(0.1)


async def picture(
    path: Path,
    first: Callable[[], ProctorScreen],
    size: tuple[int, int],
    theme: str,
    act: Act,
) -> None:
    """One screen as SVG, without fonts from elsewhere and without a machine's folders."""
    app = ProctorApp(
        first, clock=lambda: 0.0, now=lambda: BEGAN + timedelta(minutes=9), theme=f"proctor-{theme}"
    )
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await act(pilot)
        await settle(pilot)
        drawn = app.export_screenshot(title=f"Proctor: {path.stem.replace('-', ' ')}")
    path.write_text(_FONTS.sub("", drawn), "utf-8")


async def settle(pilot: Pilot[Any]) -> None:
    """Until workers are done and what they changed is drawn."""
    for _ in range(3):
        await pilot.pause(0.3)
        await pilot.app.workers.wait_for_complete()


if __name__ == "__main__":
    sys.exit(main())
