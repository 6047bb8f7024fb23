"""Archives: exact both ways, and nothing outside the folder."""

from __future__ import annotations

import io
import os
import stat
import tarfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.box import files


def packed(folder: Path) -> bytes:
    out = io.BytesIO()
    files.pack(out, str(folder))
    return out.getvalue()


names = st.text("abé .-_", min_size=1, max_size=6).filter(lambda n: n not in (".", ".."))
paths = st.lists(names, min_size=1, max_size=3).map("/".join)


@settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(st.dictionaries(paths, st.tuples(st.binary(max_size=50), st.sampled_from([0o644, 0o755]))))
def test_what_goes_in_comes_out_the_same(
    tmp_path_factory: pytest.TempPathFactory, entries: dict[str, tuple[bytes, int]]
) -> None:
    first, second = tmp_path_factory.mktemp("a"), tmp_path_factory.mktemp("b")
    for name, (data, mode) in entries.items():
        path = first / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError:
            continue  # one entry's folder is another's file
        path.chmod(mode)
    archive = packed(first)
    files.unpack(io.BytesIO(archive), str(second))
    assert packed(second) == archive


def test_equal_trees_give_equal_bytes(tmp_path: Path) -> None:
    for name, order in (("one", "ab"), ("two", "ba")):
        for letter in order:
            (tmp_path / name / letter).mkdir(parents=True)
    os.utime(tmp_path / "one" / "a", (1, 1))
    assert packed(tmp_path / "one") == packed(tmp_path / "two")


def test_pipes_and_sockets_are_left_out(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_text("x")
    with tarfile.open(fileobj=io.BytesIO(packed(tmp_path))) as archive:
        assert archive.getnames() == ["file"]


def test_read_only_folder_can_be_filled(tmp_path: Path) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        folder = tarfile.TarInfo("d")
        folder.type, folder.mode = tarfile.DIRTYPE, 0o555
        archive.addfile(folder)
        archive.addfile(tarfile.TarInfo("d/f"))
    files.unpack(io.BytesIO(out.getvalue()), str(tmp_path / "x"))
    assert stat.S_IMODE((tmp_path / "x" / "d").stat().st_mode) == 0o555
    assert (tmp_path / "x" / "d" / "f").is_file()


def test_a_tree_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "TREE_LIMIT", 50_000)
    (tmp_path / "big").write_bytes(b"x" * 60_000)
    with pytest.raises(files.Refused, match="larger"):
        packed(tmp_path)


def test_sweep_empties_whatever_its_depth_and_modes(tmp_path: Path) -> None:
    here, started = Path.cwd(), tmp_path / "top"
    started.mkdir()
    try:
        os.chdir(started)
        for _ in range(300):
            Path("d" * 50).mkdir()
            os.chdir("d" * 50)
    finally:
        os.chdir(here)
    (started / "closed").mkdir(mode=0o000)
    (started / "link").symlink_to("/etc")
    files._empty(str(started))
    assert list(started.iterdir()) == []
    assert Path("/etc/passwd").exists()
