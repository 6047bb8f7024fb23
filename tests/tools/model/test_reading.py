"""list_files, read_file and search."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tools.dispatch import ToolHost


def test_listing_tells_path_and_size(host: ToolHost, tree: Path) -> None:
    assert host.call("list_files", {}).text == "(no files)"
    (tree / "b").mkdir()
    (tree / "b" / "x.txt").write_text("12345")
    (tree / "a.txt").write_text("")
    assert host.call("list_files", {}).text == "a.txt\t0 bytes\nb/x.txt\t5 bytes"
    assert host.call("list_files", {"path": "b"}).text == "b/x.txt\t5 bytes"
    assert host.call("list_files", {"path": "a.txt"}).text == "a.txt\t0 bytes"
    assert host.call("list_files", {"path": "none"}).is_error


def test_reading_numbers_the_lines(host: ToolHost, tree: Path) -> None:
    (tree / "a.py").write_text("one\ntwo\nthree\n")
    assert host.call("read_file", {"path": "a.py"}).text == (
        "a.py: lines 1-3 of 3\n     1\tone\n     2\ttwo\n     3\tthree"
    )
    part = host.call("read_file", {"path": "a.py", "start_line": 2, "end_line": 2}).text
    assert part == "a.py: lines 2-2 of 3\n     2\ttwo"
    assert (
        "lines 2-3 of 3"
        in host.call("read_file", {"path": "a.py", "start_line": 2, "end_line": 99}).text
    )


@pytest.mark.parametrize(
    ("start", "end", "told"),
    [(0, None, "counted from 1"), (-1, None, "counted from 1"), (3, 2, "before"), (9, None, "3 l")],
)
def test_impossible_ranges_are_explained(
    host: ToolHost, tree: Path, start: int, end: int | None, told: str
) -> None:
    (tree / "a.py").write_text("one\ntwo\nthree\n")
    outcome = host.call("read_file", {"path": "a.py", "start_line": start, "end_line": end})
    assert outcome.is_error and told in outcome.text


def test_reading_stops_at_400_lines_and_says_how_to_go_on(host: ToolHost, tree: Path) -> None:
    (tree / "a.txt").write_text("".join(f"{n}\n" for n in range(1, 501)))
    shown = host.call("read_file", {"path": "a.txt"}).text.splitlines()
    assert shown[0] == "a.txt: lines 1-400 of 500"
    assert shown[-2:] == ["   400\t400", "[100 more lines not shown; read on with start_line=401]"]


def test_long_lines_do_not_hide_where_reading_stopped(host: ToolHost, tree: Path) -> None:
    (tree / "a.txt").write_text(("x" * 500 + "\n") * 100)
    text = host.call("read_file", {"path": "a.txt"}).text
    shown = text.splitlines()
    assert len(text) <= 12_000
    last = int(shown[-2].split("\t")[0])
    assert f"start_line={last + 1}]" in shown[-1] and f"1-{last} of 100" in shown[0]
    (tree / "min.js").write_text("y" * 500_000)
    assert "more characters]" in host.call("read_file", {"path": "min.js"}).text


def test_what_lines_do_not_show_is_told(host: ToolHost, tree: Path) -> None:
    (tree / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    assert host.call("read_file", {"path": "a.txt"}).text == (
        "a.txt: lines 1-2 of 2 (CRLF line endings, byte order mark, no newline at the end)\n"
        "     1\tone\n     2\ttwo"
    )
    (tree / "empty").write_text("")
    assert "empty file" in host.call("read_file", {"path": "empty"}).text


def test_binary_and_invalid_bytes(host: ToolHost, tree: Path) -> None:
    (tree / "b.bin").write_bytes(b"\x7fELF\0\0\0")
    assert "binary file of 7 bytes" in host.call("read_file", {"path": "b.bin"}).text
    (tree / "latin.txt").write_bytes(b"caf\xe9\n")
    assert "     1\tcaf\\xe9" in host.call("read_file", {"path": "latin.txt"}).text


def test_search_shows_path_line_and_text(host: ToolHost, tree: Path) -> None:
    (tree / "p").mkdir()
    (tree / "p" / "a.py").write_text("x = 1\r\n    y = 2\r\n")
    (tree / "b.txt").write_text("y = 3\n")
    (tree / "c.bin").write_bytes(b"y = \0")
    assert host.call("search", {"pattern": r"y = \d"}).text == "b.txt:1:y = 3\np/a.py:2:y = 2"
    assert host.call("search", {"pattern": "y", "glob": "*.py"}).text == "p/a.py:2:y = 2"
    assert host.call("search", {"pattern": "y", "path": "b.txt"}).text == "b.txt:1:y = 3"
    assert host.call("search", {"pattern": "1$"}).text == "p/a.py:1:x = 1"
    assert host.call("search", {"pattern": "zzz"}).text == "No matches for zzz in 2 files."


def test_search_stops_at_sixty_hits(host: ToolHost, tree: Path) -> None:
    (tree / "a.txt").write_text("hit\n" * 60)
    assert len(host.call("search", {"pattern": "hit"}).text.splitlines()) == 60
    (tree / "a.txt").write_text("hit\n" * 61)
    shown = host.call("search", {"pattern": "hit"}).text.splitlines()
    assert len(shown) == 61 and "stopped at 60 hits" in shown[-1]


@pytest.mark.parametrize("pattern", ["(", "*a", "[", "(?P<1>x)", "", "a" * 2_000, "(?i"])
def test_bad_patterns_are_errors(host: ToolHost, pattern: str) -> None:
    outcome = host.call("search", {"pattern": pattern})
    assert outcome.is_error and "pattern" in outcome.text and not outcome.internal


def test_a_catastrophic_pattern_is_stopped_and_the_tools_live_on(
    host: ToolHost, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.caps.SEARCH_SECONDS", 0.3)
    (tree / "a.txt").write_text("a" * 60 + "!\n")
    began = time.monotonic()
    outcome = host.call("search", {"pattern": "(a+)+$"})
    assert outcome.is_error and "stopped" in outcome.text
    assert time.monotonic() - began < 30
    assert host.call("search", {"pattern": "!"}).text.startswith("a.txt:1:")
