"""A follower sees every whole line once, whatever happens to the file."""

from __future__ import annotations

from pathlib import Path

from harness.store.tail import Tail


def test_a_file_that_does_not_exist_yet_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "later.jsonl"
    tail = Tail(path)
    assert tail.poll() == []
    path.write_bytes(b"one\ntw")
    assert tail.poll() == [b"one"]
    with path.open("ab") as file:
        file.write(b"o\n")
    assert tail.poll() == [b"two"]
    assert tail.poll() == []


def test_a_torn_line_that_is_cut_and_written_anew_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"one\n{torn")
    tail = Tail(path)
    assert tail.poll() == [b"one"]
    path.write_bytes(b"one\n")
    assert tail.poll() == []
    with path.open("ab") as file:
        file.write(b"a line longer than the torn one\n")
    assert tail.poll() == [b"a line longer than the torn one"]


def test_a_replaced_file_is_read_from_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    path.write_bytes(b"old\n")
    tail = Tail(path)
    assert tail.poll() == [b"old"]
    path.unlink()
    assert tail.poll() == []
    path.write_bytes(b"new and longer\n")
    assert tail.poll() == [b"new and longer"]
    assert tail.generation == 1


def test_what_was_written_before_a_file_vanished_is_still_read(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    path.write_bytes(b"one\n")
    tail = Tail(path)
    tail.poll()
    with path.open("ab") as file:
        file.write(b"two\n")
    path.unlink()
    assert tail.poll() == [b"two"]


def test_a_line_longer_than_one_read_arrives_whole(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"x" * 1000 + b"\nshort\n")
    tail = Tail(path, at_once=64)
    lines: list[bytes] = []
    for _ in range(40):
        lines += tail.poll()
    assert lines == [b"x" * 1000, b"short"]
