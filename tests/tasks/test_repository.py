"""Loading of repositories: what is read, and how mistakes are told."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

import pytest

from harness.errors import ConfigError, UsageError
from harness.tasks.evidence import (
    is_fresh,
    is_full,
    require_fresh,
    write_repository_evidence,
)
from harness.tasks.repository import default_roots, load_tasks
from harness.tasks.task import RepoTask
from tests.support.evidence import give_evidence, without_evidence
from tests.support.files import ODD, make_odd
from tests.support.grading import python_subject, write_repository


def the_task(root: Path) -> RepoTask:
    return load_tasks([root])["shop-discount"]


def test_start_is_gold_with_the_patch(tmp_path: Path) -> None:
    write_repository(tmp_path)
    task, subject = the_task(tmp_path), python_subject()
    assert task.gold == subject.gold and task.start == subject.start
    assert task.hidden == subject.hidden
    assert task.describe()["category"] == "logic"


def test_a_root_may_be_a_repository_itself(tmp_path: Path) -> None:
    folder = write_repository(tmp_path)
    assert set(load_tasks([folder])) == {"shop-discount"}


def test_caches_of_tools_are_no_part_of_gold(tmp_path: Path) -> None:
    folder = write_repository(tmp_path)
    before = the_task(tmp_path).subject
    for name in ("__pycache__", ".ruff_cache"):
        (folder / "gold" / name).mkdir()
        (folder / "gold" / name / "x").write_text("x")
    assert the_task(tmp_path).subject == before


@pytest.mark.parametrize(
    "path",
    [
        "gold/shop/prices.py",
        "hidden/test_prices.py",
        "tasks/shop-discount/task.toml",
        "repo.toml",
    ],
)
def test_every_part_changes_the_digest(tmp_path: Path, path: str) -> None:
    folder = write_repository(tmp_path)
    before = the_task(tmp_path)
    target = folder / path
    text = target.read_text()
    target.write_text(text.replace("Apache-2.0", "MIT").replace("taken", "drawn") + "\n# more\n")
    if path.endswith(".toml"):
        # a comment alone means nothing
        assert text.replace("Apache-2.0", "MIT").replace("taken", "drawn") != text
    after = the_task(tmp_path)
    assert after.subject != before.subject and after.digest != before.digest


def test_nothing_is_read_again_until_a_file_changes(tmp_path: Path) -> None:
    folder = write_repository(tmp_path)
    first = the_task(tmp_path)
    assert the_task(tmp_path) is first
    os.utime(folder / "gold" / "shop" / "prices.py", ns=(1, 1))
    assert the_task(tmp_path) is not first


def bad(tmp_path: Path, path: str, old: str, new: str) -> ConfigError:
    folder = write_repository(tmp_path)
    target = folder / path
    text = target.read_text()
    assert old in text
    target.write_text(text.replace(old, new, 1))
    with pytest.raises(ConfigError) as caught:
        load_tasks([tmp_path])
    assert str(target) in str(caught.value) or "gold" in str(caught.value)
    return caught.value


TASK = "tasks/shop-discount/task.toml"
PATCH = "tasks/shop-discount/start.patch"


@pytest.mark.parametrize(
    ("path", "old", "new", "said"),
    [
        ("repo.toml", 'language = "python"', 'language = "perl"', "language"),
        ("repo.toml", "timeout_s = 20", "timeout_s = -1", "tests.timeout_s"),
        ("repo.toml", 'licence = "Apache-2.0"', "", "licence"),
        ("repo.toml", 'name = "shop"', 'name = "store"', "name"),
        ("repo.toml", "summary", "sumary", "summary"),
        (TASK, "difficulty = 1", "difficulty = 9", "difficulty"),
        (TASK, 'category = "logic"', 'category = "odd"', "category"),
        (TASK, "difficulty = 1", "difficulty = ", "task.toml:4:"),
        (TASK, 'id = "shop-discount"', 'id = "shop-other"', "id"),
        (TASK, '= "The', '= " " # ', "instruction: is empty"),
        (TASK, '= "The', '= " help " # ', "instruction: is too short for a report"),
        (TASK, "difficulty = 1", "difficulty = 1\ndefects = 2", "missing: 2 defects, but"),
        (TASK, "difficulty = 1", "difficulty = 1\ndefect_hunks = [[2]]", "there is no hunk 2"),
        (PATCH, "-    return sum", "-    return sun", "does not apply: shop/prices.py line 12"),
        (PATCH, "@@ -9,7", "@@ -8,7", "shop/prices.py line 8"),
        (PATCH, "a/shop/prices.py", "a/shop/none.py", "shop/"),
        (PATCH, "--- a/", "xxx a/", "diff"),
    ],
)
def test_a_mistake_is_told_with_file_and_field(
    tmp_path: Path, path: str, old: str, new: str, said: str
) -> None:
    assert said in str(bad(tmp_path, path, old, new))


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    folder = write_repository(tmp_path)
    (folder / PATCH).unlink()
    with pytest.raises(ConfigError, match=r"start\.patch: missing"):
        load_tasks([tmp_path])


def test_a_root_without_repositories_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no repository"):
        load_tasks([tmp_path])


def test_an_id_must_be_unique(tmp_path: Path) -> None:
    write_repository(tmp_path / "a")
    write_repository(tmp_path / "b")
    with pytest.raises(ConfigError, match="shop-discount also in"):
        load_tasks([tmp_path / "a", tmp_path / "b"])
    broken: dict[str, ConfigError] = {}  # for lists, which show what else is there
    assert load_tasks([tmp_path / "a", tmp_path / "b"], broken) == {}
    assert list(broken) == ["shop-discount"]


def test_evidence_is_fresh_for_the_very_task_only(tmp_path: Path) -> None:
    folder = write_repository(tmp_path)
    task = the_task(tmp_path)
    with pytest.raises(
        ConfigError, match=r"no evidence for its repository.*proctor task validate shop-discount"
    ):
        require_fresh(task)
    of, evidence = give_evidence(task, ["t"], ["u"])
    with_evidence = the_task(tmp_path)
    assert require_fresh(with_evidence) == evidence
    assert with_evidence.repository.evidence == of and not is_full(with_evidence)
    assert evidence.core.fail_to_pass == ("t",) and evidence.core.pass_to_pass == ("u",)
    assert with_evidence.digest != task.digest
    (folder / TASK).write_text((folder / TASK).read_text().replace("taken", "drawn"))
    stale = the_task(tmp_path)
    assert not is_fresh(stale)
    with pytest.raises(ConfigError, match=r"older version of it .*task validate shop-discount"):
        require_fresh(stale)
    (folder / "gold" / "shop" / "__init__.py").write_text("VERSION = 1\n")
    with pytest.raises(ConfigError, match=r"older version of its repository.*shop-discount"):
        require_fresh(the_task(tmp_path))


@pytest.mark.parametrize(
    "path", ["gold/shop/prices.py", "hidden/test_prices.py", "repo.toml", TASK, PATCH]
)
def test_every_part_makes_evidence_stale(tmp_path: Path, path: str) -> None:
    folder = write_repository(tmp_path)
    give_evidence(the_task(tmp_path), ["t"], [])
    assert is_fresh(the_task(tmp_path))
    target = folder / path
    text = target.read_text()
    more = text.replace("Apache-2.0", "MIT").replace("taken", "drawn") + "\n# more\n"
    target.write_text(f"made by hand\n{text}" if path == PATCH else more)
    assert not is_fresh(the_task(tmp_path))


def test_a_task_rests_on_the_evidence_of_its_repository(tmp_path: Path) -> None:
    folder = write_repository(tmp_path)
    of, _ = give_evidence(the_task(tmp_path), ["t"], ["u"])
    more = of.model_copy(update={"random_orders": 5, "providers": ("bubblewrap",)})
    write_repository_evidence(folder, more)
    assert is_fresh(the_task(tmp_path))  # how often and where it was proved is no part of it
    write_repository_evidence(folder, of.model_copy(update={"tests": ("t",)}))
    assert not is_fresh(the_task(tmp_path))
    (folder / "evidence.json").unlink()
    with pytest.raises(ConfigError, match=r"no evidence for its repository") as caught:
        require_fresh(the_task(tmp_path))
    assert caught.value.where == str(folder) and "task validate" in str(caught.value.remedy)
    (folder / "evidence.json").write_text("{}")
    with pytest.raises(ConfigError, match=r"evidence.json: schema_version.*validate --all"):
        require_fresh(the_task(tmp_path))


def test_evidence_of_a_task_is_short(tmp_path: Path) -> None:
    write_repository(tmp_path)
    task = the_task(tmp_path)
    many = [f"tests/test_a.py::test_{number}" for number in range(300)]
    _, evidence = give_evidence(task, many[:2], many[2:])
    file = task.root / "evidence.json"
    assert len(file.read_text().splitlines()) < 25
    assert the_task(tmp_path).evidence == evidence
    _, evidence = give_evidence(task, many, [])  # a tree that does not parse passes nothing
    assert len(file.read_text().splitlines()) < 25
    assert the_task(tmp_path).evidence == evidence


def test_the_remedy_names_the_repository_where_it_is_not_a_shipped_one(tmp_path: Path) -> None:
    folder = write_repository(tmp_path / "my repos")
    with pytest.raises(ConfigError) as caught:
        require_fresh(the_task(tmp_path / "my repos"))
    assert caught.value.remedy is not None
    command = shlex.split(caught.value.remedy.removeprefix("run: "))
    assert command == ["proctor", "task", "validate", "shop-discount", "--data", str(folder)]
    shipped = next(iter(load_tasks(default_roots()).values()))
    with pytest.raises(ConfigError) as caught:
        require_fresh(without_evidence(shipped))
    assert caught.value.remedy == f"run: proctor task validate {shipped.id}"


def test_damaged_evidence_is_told_by_a_run_and_does_not_keep_a_task_from_validation(
    tmp_path: Path,
) -> None:
    folder = write_repository(tmp_path)
    (folder / "tasks" / "shop-discount" / "evidence.json").write_text('{"schema_version": 1}')
    task = the_task(tmp_path)
    assert task.evidence is None and not is_fresh(task)
    with pytest.raises(
        ConfigError, match=r"schema_version: .*proctor task validate shop-discount --data"
    ):
        require_fresh(task)


@pytest.mark.parametrize(
    "name", ["two\nlines.py", "tab\there.py", "esc\x1b[31m.py", "no\udcffutf8"]
)
@pytest.mark.parametrize("part", ["gold/shop", "hidden", "gold/docs"])
def test_a_file_name_that_no_tool_can_name_is_refused(tmp_path: Path, part: str, name: str) -> None:
    folder = write_repository(tmp_path)
    (folder / part).mkdir(exist_ok=True)
    (folder / part / name).write_text("x = 1\n")
    with pytest.raises(ConfigError, match="no tool can name it") as caught:
        load_tasks([tmp_path])
    assert str(caught.value).isprintable() and "rename" in str(caught.value)


def test_unusual_file_names_that_tools_can_name_are_taken(tmp_path: Path) -> None:
    folder = write_repository(tmp_path)
    for name in ("naïve café.md", "日本語.txt", "a'b\"c.txt"):
        (folder / "gold" / name).write_text("x")
    assert "日本語.txt" in the_task(tmp_path).start


def test_one_broken_task_leaves_the_others(tmp_path: Path) -> None:
    folder = write_repository(tmp_path)
    other = folder / "tasks" / "shop-other"
    shutil.copytree(folder / "tasks" / "shop-discount", other)
    (other / "task.toml").write_text("id = \n")
    broken: dict[str, ConfigError] = {}
    assert set(load_tasks([tmp_path], broken)) == {"shop-discount"}
    assert set(broken) == {"shop-other"}
    assert broken["shop-other"].where == f"{other / 'task.toml'}:1:6"
    with pytest.raises(ConfigError, match="shop-other"):
        load_tasks([tmp_path])
    (folder / "repo.toml").write_text('name = "shop\n')
    broken.clear()
    assert load_tasks([tmp_path], broken) == {} and set(broken) == {"shop"}


def test_an_unknown_key_has_a_line_and_a_near_match(tmp_path: Path) -> None:
    error = bad(tmp_path, "repo.toml", "timeout_s = 20", "timeout = 20")
    assert error.remedy == "did you mean 'timeout_s'?"
    lines = (tmp_path / "shop" / "repo.toml").read_text().splitlines()
    assert error.where == f"{tmp_path / 'shop' / 'repo.toml'}:{lines.index('timeout = 20') + 1}"


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("name", ["start.patch", "task.toml"])
def test_what_is_no_file_is_told(tmp_path: Path, kind: str, name: str) -> None:
    folder = write_repository(tmp_path)
    path = folder / "tasks" / "shop-discount" / name
    path.unlink()
    make_odd(path, kind)
    with pytest.raises(ConfigError) as caught:
        load_tasks([tmp_path])
    assert str(path) in str(caught.value)


def test_all_shipped_tasks_load_with_fresh_evidence() -> None:
    tasks = load_tasks(default_roots())
    assert {task.repository.spec.language for task in tasks.values()} == {"python", "typescript"}
    for task in tasks.values():
        evidence = require_fresh(task)
        assert task.repository.evidence is not None
        assert set(evidence.core.fail_to_pass) <= set(task.repository.evidence.tests)
        assert is_full(task)
        assert not set(evidence.core.fail_to_pass) & set(evidence.core.without_twin)
