"""Commands reach a run whole, in order, whatever else writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from harness.control import LARGEST, CommandTail, append_command, call_of
from harness.errors import StorageError
from harness.store import layout

ROOT = Path(__file__).resolve().parents[1]


def test_commands_arrive_in_order_with_their_ids(tmp_path: Path) -> None:
    tail = CommandTail(tmp_path)
    assert tail.poll() == []
    ids = [
        append_command(tmp_path, "pause"),
        append_command(tmp_path, "set_concurrency", value=8),
        append_command(tmp_path, "cancel_sample", sample="t@1"),
    ]
    commands = tail.poll()
    assert [command.id for command in commands] == ids
    assert commands[1].value == 8 and commands[2].sample == "t@1"
    assert tail.poll() == []


@pytest.mark.parametrize("text", ["short", "x" * 100_000, "\ud800é\x00"])
def test_a_persons_call_of_any_size_stays_one_small_line(tmp_path: Path, text: str) -> None:
    call = {"name": "write_file", "arguments": {"path": "a", "content": text}}
    append_command(tmp_path, "human_call", sample="t@1", call=call)
    line = (tmp_path / layout.CONTROL).read_bytes()
    assert len(line) <= LARGEST and line.count(b"\n") == 1
    (command,) = CommandTail(tmp_path).poll()
    assert call_of(tmp_path, command) == call


def test_a_half_line_of_a_writer_that_died_spoils_only_itself(tmp_path: Path) -> None:
    (tmp_path / layout.CONTROL).write_bytes(b'{"id":"half')
    made = append_command(tmp_path, "pause")
    assert [command.id for command in CommandTail(tmp_path).poll()] == [made]


def test_lines_that_are_no_commands_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / layout.CONTROL).write_bytes(b'[]\n{"command":"explode"}\n\xff\n' + b"[" * 9999)
    made = append_command(tmp_path, "resume")
    assert [command.id for command in CommandTail(tmp_path).poll()] == [made]


def test_many_writers_do_not_mix_their_lines(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from harness.control import append_command\n"
        "for _ in range(100): append_command(Path(sys.argv[1]), 'cancel_sample', sample='s' * 3000)"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], cwd=ROOT) for _ in range(4)
    ]
    assert [writer.wait(60) for writer in writers] == [0] * 4
    assert len(CommandTail(tmp_path).poll()) == 400


def test_a_folder_that_is_gone_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"control\.jsonl"):
        append_command(tmp_path / "gone", "pause")
