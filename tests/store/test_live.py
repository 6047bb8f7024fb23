"""Streamed text on disk: coalesced, taken back by a new sending, gone at the end."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from harness.store.live import INTERVAL_S, LiveFile


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


async def test_deltas_are_joined_and_keep_their_offsets(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    live = LiveFile(path)
    for text in ("one ", "two ", "\ud800"):
        live.delta(1, "text", text)
    live.delta(1, "reasoning", "hm")
    assert not path.exists()
    await asyncio.sleep(INTERVAL_S * 2)
    live.delta(1, "text", "three")
    live.flush()
    assert rows(path) == [
        {"turn": 1, "kind": "text", "offset": 0, "text": "one two \ud800"},
        {"turn": 1, "kind": "reasoning", "offset": 0, "text": "hm"},
        {"turn": 1, "kind": "text", "offset": 9, "text": "three"},
    ]


def test_a_new_sending_of_a_turn_takes_its_text_back(tmp_path: Path) -> None:
    live = LiveFile(tmp_path / "s.jsonl")
    live.delta(1, "text", "half a rep")
    live.flush()
    live.restart(1)
    live.delta(1, "text", "whole")
    live.flush()
    assert rows(tmp_path / "s.jsonl")[-1] == {
        "turn": 1,
        "kind": "text",
        "offset": 0,
        "text": "whole",
    }


def test_the_file_is_removed_at_the_end_and_not_made_again(tmp_path: Path) -> None:
    live = LiveFile(tmp_path / "s.jsonl")
    live.delta(1, "text", "a")
    live.flush()
    live.remove()
    live.delta(1, "text", "late")
    live.flush()
    assert list(tmp_path.iterdir()) == []


def test_events_alone_make_no_file(tmp_path: Path) -> None:
    live = LiveFile(tmp_path / "s.jsonl")
    live.event(b'{"seq":1}\n')
    live.flush()
    assert list(tmp_path.iterdir()) == []
    live.delta(1, "text", "a")
    live.flush()
    assert rows(tmp_path / "s.jsonl")[0] == {"event": {"seq": 1}}
