"""Output kept by its first and last parts, and result lines kept whole."""

from __future__ import annotations

import os

import pytest

from tools.box.supervise import Capture, Lines


def through(stream: Capture | Lines, writing: int, data: bytes) -> None:
    for at in range(0, len(data), 60_000):
        os.write(writing, data[at : at + 60_000])
        stream.read()
    os.close(writing)
    while stream.read():
        pass
    os.close(stream.fd)


@pytest.mark.parametrize("size", [0, 1, 99, 100, 101, 5_000, 500_000])
def test_capture_keeps_both_ends(size: int) -> None:
    data = bytes(48 + n % 10 for n in range(size))
    reading, writing = os.pipe()
    capture = Capture(reading, 100)
    through(capture, writing, data)
    kept = capture.text()
    assert capture.total == size
    if size <= 100:
        assert kept == data
    else:
        assert kept.startswith(data[:50]) and kept.endswith(data[-50:])
        assert f"[{size - 100} bytes cut]".encode() in kept


def test_lines_are_whole_and_capped() -> None:
    reading, writing = os.pipe()
    lines = Lines(reading, 100_000)
    through(lines, writing, b'{"a": 1}\n{"b": 2}\n{"torn')
    assert lines.whole() == b'{"a": 1}\n{"b": 2}\n' and not lines.truncated

    reading, writing = os.pipe()
    lines = Lines(reading, 10)
    through(lines, writing, b"x" * 9 + b"\n" + b"y" * 50 + b"\n")
    assert lines.truncated and b"y" not in lines.whole()
