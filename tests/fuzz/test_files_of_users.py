"""Configuration, tasks and patches of any content: read, or one ConfigError names the file."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import example, given
from hypothesis import strategies as st

from harness.config import load_config, resolve
from harness.errors import ConfigError, UsageError
from harness.tasks.evidence import read_evidence
from harness.tasks.patch import apply_patch, count_hunks
from harness.tasks.repository import load_repository
from harness.tasks.task import TreeFile
from tests.fuzz.effort import examples
from tests.fuzz.values import altered, torn

ROOT = Path(__file__).resolve().parents[2]
CONFIG = {
    "endpoints": {"box": {"url": "http://127.0.0.1:8033/v1", "api_key_env": "BOX_KEY"}},
    "models": {"quick": {
        "endpoint": ["box"], "model": "served", "tool_protocol": "text",
        "sampling": {"temperature": 0.2, "seed": 7}, "prices": {"prompt": 0.5, "completion": 2},
    }},
    "defaults": {"model": "quick", "epochs": 3, "concurrency": 2},
}  # fmt: skip
# What TOML can hold, so without null and lone surrogates.
_TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
_SCALARS = st.one_of(
    st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(), _TEXTS, st.dates(), st.times(),
)  # fmt: skip
TOML = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(_TEXTS, inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def toml_file(draw: st.DrawFn, whole: dict[str, Any]) -> bytes:
    """A TOML file with some of its values changed, or its bytes damaged."""
    value = draw(altered(whole, TOML, _TEXTS))
    value = value if isinstance(value, dict) else {"x": value}
    text = tomlkit.dumps(value).encode()
    return draw(torn(text)) if draw(st.booleans()) else text


DEEP = b"a = " + b"[" * 3000 + b"]" * 3000
LONG = b"a = " + b"9" * 5000


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


@examples(100)
@given(toml_file(CONFIG))
@example(DEEP)
@example(LONG)
@example(b"[defaults]\nepochs = 1_000_000_000_000_000_000_000_000")
@example(b"[defaults]\ntemperature = nan")
@example(b'[endpoints.a]\nurl = "http://[::1"')
@example(b'[endpoints.a]\nurl = "http://host:99999999/v1"')
@example("[endpoints.a]\nurl = 'http://ｈost／v1'".encode())
def test_any_proctor_toml_is_read_or_named(folder: Path, content: bytes) -> None:
    path = folder / "proctor.toml"
    path.write_bytes(content)
    try:
        config = load_config(folder, user_file=folder / "none.toml")
        resolve({}, {}, config)
    except (ConfigError, UsageError) as error:
        assert "proctor.toml" in str(error), error
        assert "\n" not in str(error)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shipped repository with one task."""
    source = min(p.parent for p in (ROOT / "repos").glob("*/repo.toml"))
    target = tmp_path_factory.mktemp("repos") / source.name
    keep = min(p.name for p in (source / "tasks").iterdir() if p.is_dir())
    shutil.copytree(source, target, ignore=lambda at, names: (
        [n for n in names if n != keep] if Path(at).name == "tasks" else []
    ))  # fmt: skip
    load_repository(target)
    return target


def _files(repository: Path) -> dict[str, Path]:
    task = next((repository / "tasks").iterdir())
    names = ("task.toml", "evidence.json", "start.patch")
    return {"repo.toml": repository / "repo.toml", **{name: task / name for name in names}}


@examples(120)
@given(st.data(), st.sampled_from(["repo.toml", "task.toml", "evidence.json", "start.patch"]))
def test_any_task_is_loaded_or_its_file_named(
    repository: Path, data: st.DataObject, name: str
) -> None:
    path = _files(repository)[name]
    content = path.read_bytes()
    if name.endswith(".toml"):
        changed = data.draw(toml_file(tomlkit.parse(content.decode()).unwrap()))
    elif name.endswith(".json") and data.draw(st.booleans()):
        changed = json.dumps(data.draw(altered(json.loads(content)))).encode()
    else:
        changed = data.draw(torn(content))
    path.write_bytes(changed)
    try:
        loaded(repository)
    except ConfigError as error:
        assert name in str(error), error
    finally:
        path.write_bytes(content)


def loaded(repository: Path) -> None:
    """Load a repository; evidence that cannot be read is kept for whoever needs it."""
    for task in load_repository(repository).values():
        if task.evidence_problem is not None:
            raise task.evidence_problem


@pytest.mark.parametrize("name", ["repo.toml", "task.toml", "evidence.json", "start.patch"])
@pytest.mark.parametrize(
    "content",
    [DEEP, LONG, b"", b"\xff", b"[" * 5000, None],
    ids=["deep", "digits", "empty", "bytes", "torn", "folder"],
)
def test_files_that_nobody_means(repository: Path, name: str, content: bytes | None) -> None:
    path = _files(repository)[name]
    kept = path.read_bytes()
    path.unlink()
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    try:
        with pytest.raises(ConfigError, match=name):
            loaded(repository)
    finally:
        path.rmdir() if content is None else path.unlink()
        path.write_bytes(kept)


TREE = {
    "a.py": TreeFile(b"one\ntwo\nthree\n"), "crlf": TreeFile(b"a\r\nb\r\n"), "end": TreeFile(b"x"),
    "bin": TreeFile(b"\xff\0"), "link": TreeFile(b"", 0o777, "a.py"),
}  # fmt: skip
PATCH = b"""--- a/a.py
+++ b/a.py
@@ -1,3 +1,3 @@
 one
-two
+2
 three
--- /dev/null
+++ b/new/file.py
@@ -0,0 +1,2 @@
+x = 1
+y = 2
\\ No newline at end of file
--- a/end
+++ /dev/null
@@ -1 +0,0 @@
-x
\\ No newline at end of file
"""
HUNK = st.builds(
    "@@ -{},{} +{},{} @@\n{}\n".format,
    st.integers(0, 5), st.integers(0, 5), st.integers(0, 5), st.integers(0, 5),
    st.lists(
        st.sampled_from([" one", "-two", "+x", "\\ No newline at end of file", "", "-", "@@"])
    ).map("\n".join),
)  # fmt: skip
DIFFS = st.builds(
    "--- {}\n+++ {}\n{}".format,
    st.sampled_from(
        ["a/a.py", "/dev/null", "a/bin", "a/link", "a/../x", "a/no", "", "a/a.py\t2026"]
    ),
    st.sampled_from(["b/a.py", "/dev/null", "b/bin", "b/../../x", "b//etc/x", "b/b.py", ""]),
    st.lists(HUNK, max_size=2).map("".join),
)


@examples(250)
@given(
    st.one_of(
        torn(PATCH).map(lambda b: b.decode("utf-8", "replace")),
        st.lists(DIFFS, max_size=2).map("".join),
    )
)
@example("--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,1 @@\n\\ No newline at end of file\n-one\n+1\n")
@example("--- /dev/null\n+++ b/../../etc/x\n@@ -0,0 +1 @@\n+x\n")
@example("--- /dev/null\n+++ b//etc/x\n@@ -0,0 +1 @@\n+x\n")
@example("diff --git a/a.py b/b.py\nsimilarity index 100%\nrename from a.py\nrename to b.py\n")
@example("--- a/a.py\n+++ b/a.py\n@@ -99999999999,1 +1,1 @@\n-one\n+1\n")
def test_any_patch_is_applied_or_refused(text: str) -> None:
    try:
        result = apply_patch(TREE, text, "start.patch")
        assert count_hunks(text, "start.patch") >= 0
    except ConfigError as error:
        assert "start.patch" in str(error)
        return
    for path in result:
        assert path and not path.startswith("/") and ".." not in path.split("/"), path


def test_evidence_that_cannot_be_read_is_named(folder: Path) -> None:
    (folder / "evidence.json").mkdir()
    with pytest.raises(ConfigError, match=r"evidence\.json"):
        read_evidence(folder)
