"""Frames as they arrive: in pieces, several at once, and beats in between."""

from __future__ import annotations

import os

import pytest

from tools.box.inbox import EndOfInput, Inbox
from tools.wire import WireError, encode


def feed(data: bytes, step: int) -> list[tuple[object, bytes]]:
    reading, writing = os.pipe()
    inbox, found = Inbox(reading), []
    try:
        for at in range(0, len(data), step):
            os.write(writing, data[at : at + step])
            inbox.fill()
            while (frame := inbox.frame()) is not None:
                found.append((frame[0]["id"], frame[1]))
        os.close(writing)
        with pytest.raises(EndOfInput):
            inbox.wait()
    finally:
        os.close(reading)
    return found


@pytest.mark.parametrize("step", [1, 7, 10_000])
def test_frames_are_whole_however_they_arrive(step: int) -> None:
    data = (
        encode({"id": 1, "op": "a"}, b"one\nline")
        + encode({"op": "beat"})
        + encode({"id": 2, "op": "b"})
        + encode({"id": 3, "op": "c"}, b"\n\n")
    )
    assert feed(data, step) == [(1, b"one\nline"), (2, b""), (3, b"\n\n")]


def test_beats_renew_the_time_of_the_last_sign() -> None:
    reading, writing = os.pipe()
    inbox = Inbox(reading)
    inbox.last_heard = 0.0
    os.write(writing, encode({"op": "beat"}))
    inbox.fill()
    assert inbox.frame() is None and inbox.last_heard > 0.0
    os.close(reading)
    os.close(writing)


def test_garbage_is_refused() -> None:
    with pytest.raises(WireError):
        feed(b"garbage\n", 100)
