"""Confinement: each way out of the tree, tried through the tools."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.dispatch import ToolHost
from tools.outcome import ToolError
from tools.workspace.paths import Root

SECRET = "the secret beside the tree"


@pytest.fixture(params=["openat2", "stepwise"])
def confined(request: pytest.FixtureRequest, host: ToolHost) -> Iterator[ToolHost]:
    """The tools with the kernel's confinement, and with the one for kernels without."""
    if request.param == "stepwise":
        host._workspace.root._kernel_confines = False
    yield host


@pytest.fixture
def planted(tree: Path) -> Path:
    """A tree with links of every kind in it."""
    (tree / "pkg").mkdir()
    (tree / "pkg" / "mod.py").write_text("inside\n")
    (tree / "to_file").symlink_to("../outside.txt")
    (tree / "to_file_absolute").symlink_to(tree.parent / "outside.txt")
    (tree / "to_folder").symlink_to("../outside")
    (tree / "to_root").symlink_to("/")
    (tree / "to_proc").symlink_to("/proc/self/root")
    (tree / "dangling_out").symlink_to("../not_there.txt")
    (tree / "dangling_in").symlink_to("pkg/not_there.py")
    (tree / "loop_a").symlink_to("loop_b")
    (tree / "loop_b").symlink_to("loop_a")
    (tree / "self").symlink_to("self")
    (tree / "inside").symlink_to("pkg/mod.py")
    (tree / "inside_absolute").symlink_to(tree / "pkg")
    (tree / "pkg" / "up").symlink_to("..")
    (tree / "chain").symlink_to("pkg/up/to_file")
    return tree


OUTSIDE = [
    "../outside.txt",
    "pkg/../../outside.txt",
    "./.././outside.txt",
    "..",
    "../tree-other",
    "/etc/passwd",
    "/",
    "//etc/passwd",
    "/proc/self/root/etc/passwd",
    "/proc/self/cwd",
    "to_file",
    "to_file_absolute",
    "to_folder",
    "to_folder/inner.txt",
    "to_folder/new.txt",
    "to_root/etc/passwd",
    "to_proc",
    "to_proc/etc/passwd",
    "dangling_out",
    "chain",
    "pkg/up/../outside.txt",
    "inside_absolute/../../outside.txt",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_places_outside_are_refused_and_counted(
    confined: ToolHost, planted: Path, path: str
) -> None:
    calls = [
        ("list_files", {"path": path}),
        ("read_file", {"path": path}),
        ("search", {"path": path, "pattern": "."}),
        ("edit_lines", {"path": path, "start_line": 1, "end_line": 1, "new_text": "x"}),
        ("edit_replace", {"path": path, "old_text": "secret", "new_text": "x"}),
        ("write_file", {"path": path, "content": "x"}),
        ("lint", {"path": path}),
    ]
    for name, arguments in calls:
        outcome = confined.call(name, arguments)
        assert outcome.is_error and outcome.path_refused, (name, outcome.text)
        assert not outcome.internal and SECRET not in outcome.text
    assert (planted.parent / "outside.txt").read_text() == SECRET
    assert sorted(p.name for p in (planted.parent / "outside").iterdir()) == ["inner.txt"]
    assert not (planted.parent / "not_there.txt").exists()


HANDLED = [
    "",
    "   ",
    "a\0b",
    "-rf",
    "pkg/--fix",
    "--config=x/y",
    "x" * 300,
    "/".join(["d"] * 3000),
    "/".join(["d"] * 150),
    "é" * 200,
    "self",
    "loop_a",
    "loop_a/x",
    "pkg/mod.py/x",
    "a\nb",
    "none/../../tree/pkg",
]


@pytest.mark.parametrize("path", HANDLED)
def test_impossible_names_are_errors_that_change_nothing(
    confined: ToolHost, planted: Path, path: str
) -> None:
    before = sorted(str(p) for p in planted.parent.rglob("*"))
    for name, arguments in [
        ("read_file", {"path": path}),
        ("write_file", {"path": path, "content": "x"}),
        ("edit_lines", {"path": path, "start_line": 1, "end_line": 0, "new_text": "x"}),
    ]:
        outcome = confined.call(name, arguments)
        assert outcome.is_error and not outcome.internal, (name, outcome.text)
        assert outcome.text.startswith("Error: ")
    assert sorted(str(p) for p in planted.parent.rglob("*")) == before


def test_a_folder_is_no_file(confined: ToolHost, planted: Path) -> None:
    for name, arguments in [
        ("read_file", {"path": "pkg"}),
        ("write_file", {"path": "pkg", "content": ""}),
        ("write_file", {"path": "fresh/", "content": ""}),
        ("edit_replace", {"path": ".", "old_text": "a", "new_text": "b"}),
    ]:
        outcome = confined.call(name, arguments)
        assert outcome.is_error and "folder" in outcome.text and not outcome.path_refused


def test_links_that_stay_inside_are_followed(confined: ToolHost, planted: Path) -> None:
    for path in ["inside", "inside_absolute/mod.py", "pkg/up/pkg/mod.py", "pkg/../pkg/mod.py"]:
        assert "inside" in confined.call("read_file", {"path": path}).text
    outcome = confined.call("write_file", {"path": "inside", "content": "changed\n"})
    assert outcome.delta[0].path == "pkg/mod.py"
    assert (planted / "inside").is_symlink()
    assert (planted / "pkg" / "mod.py").read_text() == "changed\n"
    assert not confined.call("write_file", {"path": "dangling_in", "content": "x"}).is_error
    assert (planted / "pkg" / "not_there.py").read_text() == "x"


def test_an_absolute_path_inside_is_accepted_and_never_taken_as_relative(
    confined: ToolHost, planted: Path
) -> None:
    assert "inside" in confined.call("read_file", {"path": f"{planted}/pkg/mod.py"}).text
    assert confined.call("read_file", {"path": "/pkg/mod.py"}).path_refused
    assert confined.call("read_file", {"path": f"{planted}-other/x"}).path_refused
    assert confined.call("read_file", {"path": f"{planted}/../outside.txt"}).path_refused
    assert "pkg/mod.py" in confined.call("list_files", {"path": str(planted)}).text


def test_walks_tell_links_and_do_not_follow_them(confined: ToolHost, planted: Path) -> None:
    listing = confined.call("list_files", {}).text
    assert "to_folder\tlink to ../outside" in listing.splitlines()
    assert "inner.txt" not in listing
    assert "secret" not in confined.call("search", {"pattern": "secret|inside"}).text


@pytest.mark.timeout(20)
def test_fifos_sockets_and_devices_are_never_opened(confined: ToolHost, tree: Path) -> None:
    os.mkfifo(tree / "fifo")
    with socket.socket(socket.AF_UNIX) as listener:
        folder = Path.cwd()
        os.chdir(tree)  # socket paths are short
        try:
            listener.bind("sock")
        finally:
            os.chdir(folder)
        for path in ["fifo", "sock"]:
            for name, arguments in [
                ("read_file", {"path": path}),
                ("write_file", {"path": path, "content": "x"}),
                ("search", {"path": path, "pattern": "x"}),
                ("edit_lines", {"path": path, "start_line": 1, "end_line": 0, "new_text": "x"}),
            ]:
                outcome = confined.call(name, arguments)
                assert outcome.is_error and "no regular file" in outcome.text
        assert confined.call("search", {"pattern": "x"}).text.startswith("No matches")
        assert "fifo\tno regular file" in confined.call("list_files", {}).text


def test_a_device_is_refused(confined: ToolHost, tree: Path) -> None:
    try:
        os.mknod(tree / "null", 0o666 | 0o020000, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("making a device needs privileges")
    assert "no regular file" in confined.call("read_file", {"path": "null"}).text


def test_a_link_put_in_place_after_the_check_is_an_error(planted: Path) -> None:
    for kernel in (True, False):
        root = Root(str(planted))
        root._kernel_confines = kernel
        with pytest.raises(OSError), root.open_file(("to_file",)):
            pass
        with pytest.raises(OSError), root.open_folder(("to_folder",)):
            pass
        with pytest.raises(OSError), root.open_folder(("to_folder", "deep"), create=True):
            pass
        root.close()
    assert not (planted.parent / "outside" / "deep").exists()


_NAMES = st.sampled_from(
    ["..", ".", "", "pkg", "to_folder", "up", "out", "abs", "file", "/", "x" * 300, "-x", "\0"]
)


@settings(max_examples=300, deadline=None)
@given(names=st.lists(_NAMES, min_size=1, max_size=7), absolute=st.booleans())
def test_no_path_reads_or_changes_anything_outside(names: list[str], absolute: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        tree = base / "tree"
        (tree / "pkg").mkdir(parents=True)
        (base / "file").write_text(SECRET)
        (base / "pkg").mkdir()
        (base / "pkg" / "file").write_text(SECRET)
        (tree / "up").symlink_to("..")
        (tree / "pkg" / "up").symlink_to("..")
        (tree / "out").symlink_to("../file")
        (tree / "abs").symlink_to(base)
        (tree / "to_folder").symlink_to("pkg")
        path = ("/" if absolute else "") + "/".join(names)
        host = ToolHost(str(tree), "proctor-1", lint_command=None)
        assert SECRET not in host.call("read_file", {"path": path}).text
        host.call("write_file", {"path": path, "content": "x"})
        host.call("write_file", {"path": path + "/new", "content": "x"})
        host.close()
        beside = {p.name for p in base.iterdir()} | {p.name for p in (base / "pkg").iterdir()}
        assert beside == {"tree", "file", "pkg"}
        assert (base / "file").read_text() == (base / "pkg" / "file").read_text() == SECRET


@given(path=st.text(max_size=50))
def test_any_text_is_located_or_refused(path: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Root(folder)
        try:
            place = root.locate(path)
            assert ".." not in place.parts
        except ToolError:
            pass
        finally:
            root.close()
