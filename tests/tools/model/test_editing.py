"""edit_lines, edit_replace and write_file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tools.dispatch import ToolHost, ToolOutcome


def edit(host: ToolHost, start: int, end: int, text: str, path: str = "a.txt") -> ToolOutcome:
    arguments = {"path": path, "start_line": start, "end_line": end, "new_text": text}
    return host.call("edit_lines", arguments)


@pytest.fixture
def abc(tree: Path) -> Path:
    path = tree / "a.txt"
    path.write_bytes(b"a\nb\nc\n")
    return path


@pytest.mark.parametrize(
    ("start", "end", "text", "result"),
    [
        (2, 2, "x", b"a\nx\nc\n"),
        (2, 2, "x\n", b"a\nx\nc\n"),
        (1, 3, "x\ny\n", b"x\ny\n"),
        (2, 3, "", b"a\n"),
        (1, 3, "", b""),
        (2, 1, "x", b"a\nx\nb\nc\n"),
        (1, 0, "x", b"x\na\nb\nc\n"),
        (4, 3, "x", b"a\nb\nc\nx\n"),
        (4, 4, "x", b"a\nb\nc\nx\n"),
        (2, 2, "\n", b"a\n\nc\n"),
        (2, 2, "x\n\n", b"a\nx\n\nc\n"),
    ],
)
def test_lines_are_replaced_inserted_appended_and_deleted(
    host: ToolHost, abc: Path, start: int, end: int, text: str, result: bytes
) -> None:
    outcome = edit(host, start, end, text)
    assert not outcome.is_error, outcome.text
    assert abc.read_bytes() == result
    assert outcome.delta[0].content == result


@pytest.mark.parametrize(
    ("start", "end", "told"),
    [
        (0, 1, "counted from 1"),
        (5, 5, "start_line=4 and end_line=3"),
        (3, 1, "end_line=2"),
        (2, 9, "3 lines"),
        (4, 9, "3 lines"),
    ],
)
def test_ranges_that_do_not_exist_are_explained(
    host: ToolHost, abc: Path, start: int, end: int, told: str
) -> None:
    outcome = edit(host, start, end, "x")
    assert outcome.is_error and told in outcome.text
    assert abc.read_bytes() == b"a\nb\nc\n"


def test_an_edit_answers_with_its_surroundings(host: ToolHost, tree: Path) -> None:
    (tree / "a.txt").write_text("".join(f"{n}\n" for n in range(1, 21)))
    text = edit(host, 10, 11, "x\ny\nz").text
    assert text.splitlines()[1:] == [
        f"{n:>6}\t{line}"
        for n, line in enumerate(["7", "8", "9", "x", "y", "z", "12", "13", "14"], 7)
    ]
    assert "21 lines" in text.splitlines()[0]


def test_the_answer_to_a_huge_edit_is_short(host: ToolHost, abc: Path) -> None:
    outcome = edit(host, 2, 2, "line\n" * 3_000)
    assert len(outcome.text.splitlines()) < 80 and "   ...\n" in outcome.text


def test_an_empty_file_can_be_edited(host: ToolHost, tree: Path) -> None:
    (tree / "a.txt").write_bytes(b"")
    assert not edit(host, 1, 0, "x").is_error
    assert (tree / "a.txt").read_bytes() == b"x\n"


def test_untouched_bytes_and_mode_survive(host: ToolHost, tree: Path) -> None:
    path = tree / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rdata\xff\n\x0cthree\r\nfour")
    path.chmod(0o755)
    assert not edit(host, 3, 3, "3\n3b").is_error
    assert path.read_bytes() == b"\xef\xbb\xbfone\r\ntwo\rdata\xff\n3\r\n3b\r\nfour"
    assert path.stat().st_mode & 0o777 == 0o755


def test_sacb_takes_inclusive_ranges_only(sacb: ToolHost, abc: Path) -> None:
    for start, end in [(2, 1), (4, 3), (4, 4), (1, 4), (0, 1)]:
        assert edit(sacb, start, end, "x").is_error
    outcome = edit(sacb, 1, 1, "x\ny")
    assert abc.read_bytes() == b"x\ny\nb\nc\n"
    assert "moved by +1" in outcome.text


def replace(host: ToolHost, old: str, new: str, **more: Any) -> ToolOutcome:
    return host.call("edit_replace", {"path": "a.txt", "old_text": old, "new_text": new, **more})


def test_a_unique_text_is_replaced(host: ToolHost, abc: Path) -> None:
    outcome = replace(host, "b\nc", "x")
    assert abc.read_bytes() == b"a\nx\n"
    assert "     2\tx" in outcome.text


def test_lf_matches_crlf_and_the_new_text_follows(host: ToolHost, tree: Path) -> None:
    path = tree / "a.txt"
    path.write_bytes(b"one\r\ntwo\r\nthree\n")
    assert not replace(host, "one\ntwo", "1\n2\n2b").is_error
    assert path.read_bytes() == b"1\r\n2\r\n2b\r\nthree\n"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("", "x", "empty"),
        ("x", "x", "same"),
        ("    return valeu", "x", "nearest is line 2:     return value"),
        ("return value", "x", "2 times in a.txt, at lines 2, 4"),
        ("return value\nnext", "x", "the lines after it differ"),
        ("\treturn value\nx", "x", "differs only in white space"),
        ("qqqqqqqqqqqq", "x", "read the file again"),
    ],
)
def test_replacements_that_fail_say_why(
    host: ToolHost, tree: Path, old: str, new: str, told: str
) -> None:
    content = "def f():\n    return value\n\n    return value\n"
    (tree / "a.txt").write_text(content)
    outcome = replace(host, old, new)
    assert outcome.is_error and told in outcome.text, outcome.text
    assert (tree / "a.txt").read_text() == content


def test_all_occurrences(host: ToolHost, tree: Path) -> None:
    (tree / "a.txt").write_text("x\ny\nx x\n")
    outcome = replace(host, "x", "z", replace_all="true")
    assert (tree / "a.txt").read_text() == "z\ny\nz z\n"
    assert "3 occurrences" in outcome.text


def test_a_replacement_is_literal(host: ToolHost, tree: Path) -> None:
    (tree / "a.txt").write_text("a.c abc\n")
    assert not replace(host, "a.c", r"\1 \g<0> $&").is_error
    assert (tree / "a.txt").read_text() == "\\1 \\g<0> $& abc\n"


def test_binary_files_are_not_edited(host: ToolHost, tree: Path) -> None:
    (tree / "a.txt").write_bytes(b"a\0b\n")
    assert "binary" in edit(host, 1, 1, "x").text
    assert "binary" in replace(host, "a", "x").text


def write(host: ToolHost, path: str, content: str) -> ToolOutcome:
    return host.call("write_file", {"path": path, "content": content})


def test_writing_creates_folders_and_says_what_it_did(host: ToolHost, tree: Path) -> None:
    created = write(host, "new/deep/a.txt", "é\r\nx")
    assert created.text == "Created new/deep/a.txt (2 lines, 5 bytes)"
    assert (tree / "new/deep/a.txt").read_bytes() == b"\xc3\xa9\r\nx"
    assert write(host, "new/deep/a.txt", "").text.startswith("Overwrote new/deep/a.txt")
    same = write(host, "new/deep/a.txt", "")
    assert same.delta == [] and "already" in same.text


def test_a_file_is_replaced_not_written_through_its_hard_link(host: ToolHost, tree: Path) -> None:
    outside = tree.parent / "outside.txt"
    (tree / "a.txt").hardlink_to(outside)
    assert not write(host, "a.txt", "new").is_error
    assert outside.read_text() != "new" and (tree / "a.txt").read_text() == "new"


def test_caps_on_a_file_and_on_the_tree(host: ToolHost, tree: Path) -> None:
    assert not write(host, "a.txt", "x" * (1 << 20)).is_error
    refused = write(host, "b.txt", "x" * ((1 << 20) + 1))
    assert refused.is_error and "1048576" in refused.text and not (tree / "b.txt").exists()
    assert edit(host, 1, 0, "y").is_error
    for number in range(62):
        assert not write(host, f"f{number}", "x" * (1 << 20)).is_error
    assert not write(host, "last", "x" * (1 << 20)).is_error
    assert "67108864" in write(host, "more", "x").text
    assert not write(host, "last", "").is_error
    assert not write(host, "more", "x").is_error


def test_no_temporary_file_is_left(host: ToolHost, tree: Path) -> None:
    write(host, "a.txt", "x")
    edit(host, 1, 1, "y")
    assert [p.name for p in tree.iterdir()] == ["a.txt"]
