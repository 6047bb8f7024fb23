"""The door to the tools: any call gives an outcome, and nothing outside the tree changes."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.dispatch import ToolHost
from tools.schema import NAMES, PROTOCOLS

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=5,
)
_PATHS = st.sampled_from(["a.txt", "d/b.txt", "d", ".", "new/x.txt", "../outside.txt", "/", "link"])
_ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "path": _PATHS | _JSON,
        "start_line": st.integers(-2, 6) | _JSON,
        "end_line": st.integers(-2, 6) | _JSON,
        "new_text": st.text(max_size=20) | _JSON,
        "old_text": st.text(max_size=3) | _JSON,
        "content": st.text(max_size=20) | _JSON,
        "replace_all": st.booleans() | _JSON,
        "glob": st.text(alphabet="*?[]{},!a./-", max_size=8) | _JSON,
        "summary": _JSON,
    },
)


def snapshot(folder: Path) -> dict[str, Any]:
    """Everything below a folder, links not followed."""
    found: dict[str, Any] = {}
    for parent, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            path = Path(parent) / name
            if path.is_symlink():
                found[str(path)] = path.readlink()
            else:
                found[str(path)] = path.read_bytes() if path.is_file() else "folder"
    return found


@settings(max_examples=300, deadline=None)
@given(
    protocol=st.sampled_from(PROTOCOLS),
    calls=st.lists(
        st.tuples(
            st.sampled_from([n for n in NAMES if n != "search"]) | st.text(max_size=5),
            _ARGUMENTS | _JSON,
        ),
        min_size=1,
        max_size=6,
    ),
)
def test_no_call_raises_and_nothing_outside_changes(
    protocol: str, calls: list[tuple[str, object]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        tree = base / "tree"
        (tree / "d").mkdir(parents=True)
        (tree / "a.txt").write_bytes(b"one\r\ntwo\nthree")
        (tree / "d" / "b.txt").write_bytes(b"\xff\xfe\n")
        (base / "outside.txt").write_text("outside")
        (tree / "link").symlink_to(base / "outside.txt")
        before = {k: v for k, v in snapshot(base).items() if not k.startswith(f"{tree}/")}
        host = ToolHost(str(tree), protocol, lint_command=None)
        for name, arguments in calls:
            outcome = host.call(name, arguments)
            assert not outcome.internal, outcome.text
            assert outcome.is_error == outcome.text.startswith("Error:")
            outcome.text.encode()
            assert "outside" not in outcome.text.replace("outside the tree", "").replace(
                "outside.txt", ""
            )
            for change in outcome.delta:
                assert change.content is not None
                assert hashlib.sha256(change.content).hexdigest() == change.after
                assert (tree / change.path).read_bytes() == change.content
        host.close()
        assert before == {k: v for k, v in snapshot(base).items() if not k.startswith(f"{tree}/")}


@settings(max_examples=40, deadline=None)
@given(pattern=st.text(alphabet="ab()[]{}*+?\\|^$.1,-", max_size=10), glob=st.text(max_size=5))
def test_no_search_raises(pattern: str, glob: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.txt").write_text("aab\nabab\n")
        host = ToolHost(folder, "proctor-1", lint_command=None)
        outcome = host.call("search", {"pattern": pattern, "glob": glob})
        assert not outcome.internal, outcome.text
        host.close()


def test_a_delta_tells_the_file_before_and_after(host: ToolHost, tree: Path) -> None:
    (tree / "a.txt").write_bytes(b"old\n")
    (tree / "a.txt").chmod(0o755)
    (change,) = host.call("write_file", {"path": "a.txt", "content": "new\n"}).delta
    assert change.path == "a.txt"
    assert change.before == hashlib.sha256(b"old\n").hexdigest()
    assert change.after == hashlib.sha256(b"new\n").hexdigest()
    assert (change.mode_before, change.mode_after) == (0o755, 0o755)
    (created,) = host.call("write_file", {"path": "b.txt", "content": ""}).delta
    assert (created.before, created.mode_before) == (None, None)


def test_a_change_through_a_link_is_told_at_its_real_path(host: ToolHost, tree: Path) -> None:
    (tree / "real").mkdir()
    (tree / "link").symlink_to("real")
    (change,) = host.call("write_file", {"path": "link/a.txt", "content": "x"}).delta
    assert change.path == "real/a.txt"
    assert (tree / "real" / "a.txt").read_text() == "x"


def test_only_finish_finishes(host: ToolHost) -> None:
    assert host.call("finish", {"summary": "done"}).finished
    assert host.call("finish", {}).finished
    assert not host.call("list_files", {}).finished
    assert not host.call("finish", {"sumary": "done"}).finished


def test_lint_without_a_toolchain_is_an_error(host: ToolHost) -> None:
    outcome = host.call("lint", {})
    assert outcome.is_error and "not available" in outcome.text and not outcome.internal


def test_a_fault_of_ours_is_flagged_and_told(
    host: ToolHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("bug")

    monkeypatch.setattr(host._workspace, "walk", broken)
    outcome = host.call("list_files", {})
    assert outcome.internal and outcome.is_error and outcome.text.startswith("Error:")


def test_no_result_is_longer_than_the_cap(host: ToolHost, tree: Path) -> None:
    for number in range(400):
        (tree / f"file-{number:03d}-{'x' * 60}.txt").write_text("hit " + "y" * 300)
    listing = host.call("list_files", {}).text
    assert len(listing) <= 12_000 and "not shown" in listing.splitlines()[-1]
    assert len(host.call("search", {"pattern": "hit"}).text) <= 20_000
    error = host.call("x" * 100_000, {}).text
    assert len(error) <= 12_000


def test_escape_sequences_never_reach_the_reader(host: ToolHost, tree: Path) -> None:
    nasty = "a\x1b[31mred\x07\x9b\u202eabc\x7f"
    (tree / "n.txt").write_text(nasty + "\n")
    for name, arguments in [
        ("read_file", {"path": "n.txt"}),
        ("search", {"pattern": "red"}),
        ("edit_replace", {"path": "n.txt", "old_text": "redd", "new_text": ""}),
        ("read_file", {"path": nasty}),
        (nasty, {}),
        ("read_file", {nasty: 1}),
        ("search", {"pattern": nasty + "("}),
    ]:
        text = host.call(name, arguments).text
        assert not any((ord(c) < 32 and c not in "\t\n") or 127 <= ord(c) < 160 for c in text), text
        assert "\u202e" not in text


def test_a_host_needs_a_folder(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        ToolHost(str(tmp_path / "none"), "proctor-1", lint_command=None)
    with pytest.raises(ValueError):
        ToolHost(str(tmp_path), "proctor-9", lint_command=None)


def test_outcomes_go_through_json(host: ToolHost, tree: Path) -> None:
    (tree / os.fsdecode(b"b\xffd.txt")).write_bytes(b"\xff")
    text = host.call("list_files", {}).text
    assert json.loads(json.dumps(text)) == "b\\xffd.txt\t1 bytes"
