"""Records the run that ships as ``proctor replay demo``: one task played by hand, call by call.

The calls go to the runner the way those of the interface's form do, with the pauses of somebody who
reads. Run it again when events change: python scripts/record_demo.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Any

from harness.control import append_command
from harness.state.follow import RunFollower, SampleFollower
from harness.store import layout
from harness.store.recorded import recorded_dir

NAME = "demo"
TASK = "stockroom-last-day"
NOTE = "Played by hand: the calls were put in one at a time through --model human."
LOTS, DATES = "stockroom/lots.py", "stockroom/dates.py"
FIX = "        last = calendar.monthrange(years, month0 + 1)[1]"
CALLS: list[tuple[float, str, dict[str, Any]]] = [
    # seconds of thought, tool, arguments
    (3.0, "search", {"pattern": "def expired|monthrange", "glob": "*.py"}),
    (2.5, "read_file", {"path": LOTS, "start_line": 1, "end_line": 45}),
    # The slip is on purpose: it shows what an error looks like.
    (4.0, "edit_replace", {"path": "stockroom/lot.py", "old_text": "day >= self.expires",
                           "new_text": "day > self.expires"}),
    (2.0, "edit_replace", {"path": LOTS, "old_text": "day >= self.expires",
                           "new_text": "day > self.expires"}),
    (2.0, "read_file", {"path": DATES, "start_line": 25, "end_line": 60}),
    (6.0, "edit_lines", {"path": DATES, "start_line": 51, "end_line": 51, "new_text": FIX}),
    (1.5, "lint", {"path": "stockroom"}),
    (3.0, "finish", {"summary": "A lot is good through its expiry day again, and a month's length "
                                "is that of the year in which the span ends."}),
]  # fmt: skip
# A run with its transcripts stays small in the repository.
MOST_BYTES = 100_000
_PATIENCE_S = 180.0


def main() -> int:
    with tempfile.TemporaryDirectory() as root:
        folder = start(Path(root))
        play(folder)
        scrub(folder)
        target = recorded_dir() / f"{NAME}.zip"
        pack(folder, target)
    print(f"{target}: {target.stat().st_size} bytes")
    return 0 if target.stat().st_size < MOST_BYTES else 1


def start(root: Path) -> Path:
    """A run that waits for a person; returns its folder."""
    command = [sys.executable, "-m", "harness.cli.main", "run", "repos", "--task", TASK]
    command += ["--model", "human", "--detach", "--json", "--out", str(root)]
    command += ["--name", "played by hand", "--note", NOTE]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=dict(os.environ))
    return Path(json.loads(done.stdout)["folder"])


def play(folder: Path) -> None:
    """Send each call when the episode waits for it; returns when the run is over."""
    follower = RunFollower(folder)
    follower.catch_up()
    sample = next(iter(follower.view.samples.values()))
    episode: SampleFollower | None = None
    calls, asked = list(CALLS), 0
    deadline = time.monotonic() + _PATIENCE_S
    while follower.running or sample.verdict is None:
        if time.monotonic() > deadline:
            raise SystemExit("the run did not come to its end")
        follower.poll()
        if sample.attempt:
            episode = episode or SampleFollower(folder, sample)
            episode.poll(sample)
            if calls and episode.view.asked > asked:
                asked = episode.view.asked
                thought, name, arguments = calls.pop(0)
                time.sleep(thought)
                call = {"name": name, "arguments": arguments}
                append_command(folder, "human_call", sample=sample.key, call=call)
        time.sleep(0.1)
    if calls or sample.verdict.value != "resolved":
        raise SystemExit(f"the run ended as {sample.verdict} with {len(calls)} calls left")


def scrub(folder: Path) -> None:
    """Take out what tells of the machine; plan and transcript hold nothing of it."""
    for path in (folder / layout.SESSIONS).glob("*.json"):
        info = json.loads(path.read_text())
        info |= {"host": NAME, "pid": 1}
        info["launch"] |= {"host": NAME, "task_roots": [], "python": ""}
        info["attestation"]["facts"] = {}
        path.write_text(json.dumps(info, indent=1) + "\n")
    _edit_lines(folder / layout.RUN_LOG, lambda e: {**e, **_host(e)})
    _edit_lines(folder / layout.CONTROL, lambda c: {**c, "by": f"{NAME}:1"})
    _edit_lines(
        folder / layout.SAMPLES, lambda r: {**r, "attestation": {**r["attestation"], "facts": {}}}
    )
    (folder / layout.SUMMARY).unlink()  # derived, and its sizes are no longer right


def _host(event: dict[str, Any]) -> dict[str, Any]:
    return {"host": NAME, "pid": 1} if "host" in event else {}


def _edit_lines(path: Path, edit: Any) -> None:
    lines = [json.dumps(edit(json.loads(line)), separators=(",", ":")) for line in path.open()]
    path.write_text("".join(f"{line}\n" for line in lines))


def pack(folder: Path, target: Path) -> None:
    """One zip with fixed times, so that the same run packs to the same bytes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    left_out = {layout.LOCK, layout.RUNNER_LOG}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(folder.rglob("*")):
            # The tree at the end is for verifying; blobs hold all that a viewer shows.
            if path.is_file() and path.name not in left_out and layout.TREES not in path.parts:
                member = zipfile.ZipInfo(
                    str(path.relative_to(folder.parent)), (2026, 1, 1, 0, 0, 0)
                )
                member.external_attr = 0o600 << 16
                archive.writestr(member, path.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    sys.exit(main())
