"""Admission by running, in real boxes: what is proved, and each refusal in its own words."""

from __future__ import annotations

import difflib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from harness.sandbox.protocol import Provider
from harness.sandbox.shared import SharedBoxes, shared_boxes
from harness.tasks.admission import Rejected
from harness.tasks.evidence import is_full, read_evidence, read_repository_evidence
from harness.tasks.repository import load_tasks
from harness.tasks.repository_proof import validate_repository
from harness.tasks.task import RepoTask
from harness.tasks.validate import validate_core, validate_full
from tests.support import boxes as runtimes
from tests.support.evidence import give_evidence
from tests.support.grading import LIMITS, node_subject, python_subject, write_repository

pytestmark = pytest.mark.asyncio(loop_scope="module")
PRICES = "shop/prices.py"
FULL_PRICE = ("(100 - discount) // 100", "100 // 100")
UNTYPED_LABEL = """def label(name, cents):
    \"\"\"Text on the shelf.\"\"\"
    return f"{name}: {cents // 100}.{cents % 100:02d}"
"""
TYPED_LABEL = """def label(name: str, cents: int) -> str:
    \"\"\"Text on the shelf.\"\"\"
    return name + cents
"""
BAD_LABEL = ("{cents % 100:02d}", "{cents % 100}")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def shared() -> AsyncIterator[SharedBoxes]:
    """Boxes of bubblewrap that all tests here use one after the other."""
    provider = await runtimes.require("bubblewrap")
    async with shared_boxes(provider, 2) as found:
        yield found
    await provider.close()


def the_task(root: Path) -> RepoTask:
    return load_tasks([root])["shop-discount"]


def rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def set_task(root: Path, *, category: str = "logic", defects: int = 1) -> None:
    path = root / "shop" / "tasks" / "shop-discount" / "task.toml"
    rewrite(path, 'category = "logic"', f'category = "{category}"\ndefects = {defects}')


def set_patch(root: Path, *edits: tuple[str, str]) -> None:
    """The task's patch made of ``edits`` of gold's prices, each its own hunk."""
    before = (root / "shop" / "gold" / PRICES).read_text()
    after = before
    for old, new in edits:
        assert old in after
        after = after.replace(old, new, 1)
    lines = difflib.unified_diff(
        before.splitlines(keepends=True),
        after.splitlines(keepends=True),
        f"a/{PRICES}",
        f"b/{PRICES}",
        n=0,
    )
    (root / "shop" / "tasks" / "shop-discount" / "start.patch").write_text("".join(lines))


def add_tests(root: Path, text: str) -> None:
    path = root / "shop" / "hidden" / "test_prices.py"
    path.write_text(f"{path.read_text()}\n\n{text}")


def with_repository_evidence(root: Path) -> None:
    """Evidence of the repository as it would be proved; the task's own is taken away."""
    subject = python_subject()
    give_evidence(the_task(root), subject.fail_to_pass, subject.pass_to_pass)
    (the_task(root).root / "evidence.json").unlink()


@pytest.mark.parametrize("name", ["docker", "bubblewrap"])
@pytest.mark.parametrize("language", ["python", "typescript"])
async def test_core_evidence_is_found_by_running(tmp_path: Path, name: str, language: str) -> None:
    provider = await runtimes.require(name)
    write_repository(tmp_path, language)
    subject = python_subject() if language == "python" else node_subject()
    evidence = await validate_core(the_task(tmp_path), provider, limits=LIMITS)
    await provider.close()
    core = evidence.core
    assert set(core.fail_to_pass) == set(subject.fail_to_pass)
    assert set(core.pass_to_pass) == set(subject.pass_to_pass)
    assert {core.start[test] for test in core.fail_to_pass} == {"failed"}
    assert core.without_twin == () and core.providers == (name,)
    task = the_task(tmp_path)
    assert task.evidence == evidence and core.subject == task.subject
    of = task.repository.evidence
    assert of is not None and set(of.tests) == set(core.start)
    assert (of.gold_runs, of.falsified_runs, of.lint_findings) == (3, 3, 0)
    assert of.random_orders == 0 and not is_full(task)


async def test_full_evidence_has_shares_exploits_and_orders(
    shared: SharedBoxes, tmp_path: Path
) -> None:
    write_repository(tmp_path)
    set_task(tmp_path, defects=2)
    set_patch(tmp_path, FULL_PRICE, BAD_LABEL)
    evidence = await validate_full(the_task(tmp_path), shared, limits=LIMITS)
    full = evidence.full
    assert full is not None and full.shares == (2, 1)
    assert "ok" not in full.exploits.values()
    assert {"early_exit", "forged_report", "conftest", "equal_to_everything"} <= set(full.exploits)
    task = the_task(tmp_path)
    assert task.evidence == evidence and is_full(task)
    assert task.repository.evidence is not None and task.repository.evidence.random_orders == 5


async def test_nothing_is_written_where_it_is_not_wanted(
    shared: SharedBoxes, tmp_path: Path
) -> None:
    write_repository(tmp_path)
    with_repository_evidence(tmp_path)
    evidence = await validate_core(the_task(tmp_path), shared, limits=LIMITS, write=False)
    assert evidence.core.fail_to_pass and read_evidence(the_task(tmp_path).root) is None


async def repository_refused(root: Path, provider: Provider, *, orders: bool = False) -> str:
    repository = the_task(root).repository
    with pytest.raises(Rejected) as caught:
        await validate_repository(repository, provider, limits=LIMITS, orders=orders)
    assert "repository shop is not admitted" in str(caught.value)
    assert read_repository_evidence(repository.root) is None
    return "; ".join(caught.value.reasons)


async def test_gold_that_fails_a_test_is_refused(shared: SharedBoxes, tmp_path: Path) -> None:
    folder = write_repository(tmp_path)
    add_tests(tmp_path, "def test_wrong():\n    assert total([1]) == 2\n")
    said = "repository shop is not admitted: gold does not pass .*test_wrong: failed"
    with pytest.raises(Rejected, match=said):
        await validate_core(the_task(tmp_path), shared, limits=LIMITS)
    assert read_repository_evidence(folder) is None


async def test_a_test_that_passes_when_falsified_is_refused(
    shared: SharedBoxes, tmp_path: Path
) -> None:
    write_repository(tmp_path)
    add_tests(tmp_path, "def test_empty():\n    for x in []:\n        assert x == 2\n")
    said = await repository_refused(tmp_path, shared)
    assert said == "gold passes falsified tests: tests/test_prices.py::test_empty"


async def test_a_test_that_falters_beside_falsified_ones_is_refused(
    shared: SharedBoxes, tmp_path: Path
) -> None:
    write_repository(tmp_path)
    leaks = [
        f"def test_leak_{n}():\n    OPEN.append({n})\n    assert total([{n}]) == {n}\n"
        f"    OPEN.remove({n})\n"
        for n in range(100, 112)
    ]
    add_tests(
        tmp_path,
        "OPEN = []\n" + "\n".join(leaks) + "\ndef test_last():\n    assert total(OPEN) == 0\n",
    )
    said = await repository_refused(tmp_path, shared)
    assert said.startswith("gold is scored wrong_answer: 1 of ") and "test_last" in said


async def test_tests_that_flake_are_refused(shared: SharedBoxes, tmp_path: Path) -> None:
    write_repository(tmp_path)
    luck = [f"def test_luck_{n}():\n    assert random.random() > 0.5\n" for n in range(12)]
    add_tests(tmp_path, "import random\n" + "\n".join(luck))
    assert "tests flake, gold passes them now and then: tests/test_prices.py::test_luck_" in (
        await repository_refused(tmp_path, shared)
    )


async def test_tests_that_depend_on_their_order_are_refused(
    shared: SharedBoxes, tmp_path: Path
) -> None:
    write_repository(tmp_path)
    steps = [
        f"def test_step_{n}():\n    SEEN.append({n})\n    assert SEEN == {list(range(n + 1))}\n"
        for n in range(4)
    ]
    add_tests(tmp_path, "SEEN = []\n" + "\n".join(steps))
    said = await repository_refused(tmp_path, shared, orders=True)
    assert "gold fails in another order (seed 1" in said and "test_step_" in said


async def test_gold_with_findings_of_lint_is_refused_unless_that_is_said(
    shared: SharedBoxes, tmp_path: Path
) -> None:
    folder = write_repository(tmp_path)
    rewrite(folder / "gold" / PRICES, '"""Prices in cents."""', "import os")
    set_patch(tmp_path, FULL_PRICE)
    said = await repository_refused(tmp_path, shared)
    assert said.startswith("gold is not lint-clean: shop/prices.py:1:8: error:")
    with (folder / "repo.toml").open("a") as file:
        file.write('\n[lint]\ngold = "any"\n')
    repository = the_task(tmp_path).repository
    assert (await validate_repository(repository, shared, limits=LIMITS)).lint_findings == 1


async def test_a_protected_path_that_is_missing_is_refused(
    shared: SharedBoxes, tmp_path: Path
) -> None:
    folder = write_repository(tmp_path)
    with (folder / "repo.toml").open("a") as file:
        file.write(
            '\n[paths]\nprotected = ["conftest.py", "docs/**", "**/*.lock", "tests", '
            '"shop/prices.py", "shop/rates.csv"]\n'
        )
    said = await repository_refused(tmp_path, shared)
    assert said == "the protected path shop/rates.csv is missing: neither gold nor hidden has it"


async def refused(root: Path, provider: Provider) -> str:
    with_repository_evidence(root)
    with pytest.raises(Rejected) as caught:
        await validate_core(the_task(root), provider, limits=LIMITS)
    assert read_evidence(the_task(root).root) is None
    assert "task shop-discount is not admitted" in str(caught.value)
    return "; ".join(caught.value.reasons)


async def test_a_defect_that_no_test_notices_is_refused(
    shared: SharedBoxes, tmp_path: Path
) -> None:
    write_repository(tmp_path)
    set_patch(tmp_path, ("negative discount", "discount below zero"))
    assert await refused(tmp_path, shared) == (
        "no hidden test notices the defects: all pass on the starting tree"
    )


async def test_gold_that_the_tools_cannot_reach_is_refused(
    shared: SharedBoxes, tmp_path: Path
) -> None:
    write_repository(tmp_path)
    patch = the_task(tmp_path).root / "start.patch"
    extra = "--- /dev/null\n+++ b/shop/extra.py\n@@ -0,0 +1,1 @@\n+X = 1\n"
    patch.write_text(patch.read_text() + extra)
    assert "gold deletes it" in await refused(tmp_path, shared)


async def test_gold_that_cannot_be_reached_past_protected_paths_is_refused(
    shared: SharedBoxes, tmp_path: Path
) -> None:
    folder = write_repository(tmp_path)
    (folder / "gold" / "setup.cfg").write_text("gold\n")
    add_tests(tmp_path, 'def test_mark():\n    assert open("setup.cfg").read() == "gold\\n"\n')
    patch = the_task(tmp_path).root / "start.patch"
    extra = "--- a/setup.cfg\n+++ b/setup.cfg\n@@ -1 +1 @@\n-gold\n+start\n"
    patch.write_text(patch.read_text() + extra)
    with pytest.raises(Rejected) as caught:
        await validate_core(the_task(tmp_path), shared, limits=LIMITS)
    (said,) = caught.value.reasons
    assert said.startswith("gold is scored wrong_answer: 1 of ") and "test_mark" in said


async def test_gold_is_held_against_the_tasks_own_draw_of_falsified_tests(
    shared: SharedBoxes, tmp_path: Path
) -> None:
    write_repository(tmp_path)
    add_tests(tmp_path, "def test_empty():\n    for x in []:\n        assert x == 2\n")
    subject = python_subject()
    kept = (*subject.pass_to_pass, "tests/test_prices.py::test_empty")
    give_evidence(the_task(tmp_path), subject.fail_to_pass, kept)  # as if it had been admitted
    (the_task(tmp_path).root / "evidence.json").unlink()
    with pytest.raises(Rejected, match="gold passes falsified tests"):
        await validate_core(the_task(tmp_path), shared, limits=LIMITS)


@pytest.mark.parametrize(
    ("category", "edit", "said"),
    [
        ("logic", (FULL_PRICE[0], "(100 - rate) // 100"), "lint gives this logic task away: shop"),
        ("type", FULL_PRICE, "lint does not see this type task: the type checker finds nothing"),
        ("type", ("sum(prices)", "sum(prices"), "of this type task does not parse: shop/prices.py"),
        ("syntax", FULL_PRICE, "starting tree of this syntax task parses and can be imported"),
    ],
)
async def test_lint_must_say_what_the_category_says(
    shared: SharedBoxes, tmp_path: Path, category: str, edit: tuple[str, str], said: str
) -> None:
    write_repository(tmp_path)
    set_task(tmp_path, category=category)
    set_patch(tmp_path, edit)
    assert said in await refused(tmp_path, shared)


@pytest.mark.parametrize(
    ("category", "edit"),
    [
        ("type", (UNTYPED_LABEL, TYPED_LABEL)),
        ("syntax", ("sum(prices)", "sum(prices")),
        ("syntax", ("class PriceError(Exception)", "class PriceErr(Exception)")),
    ],
)
async def test_tasks_that_lint_sees_are_admitted(
    shared: SharedBoxes, tmp_path: Path, category: str, edit: tuple[str, str]
) -> None:
    write_repository(tmp_path)
    set_task(tmp_path, category=category)
    set_patch(tmp_path, edit)
    with_repository_evidence(tmp_path)
    evidence = await validate_core(the_task(tmp_path), shared, limits=LIMITS)
    assert evidence.core.lint_findings > 0


async def refused_in_full(root: Path, provider: Provider) -> str:
    with_repository_evidence(root)
    with pytest.raises(Rejected) as caught:
        await validate_full(the_task(root), provider, limits=LIMITS)
    assert read_evidence(the_task(root).root).full is None  # type: ignore[union-attr]
    return "; ".join(caught.value.reasons)


async def test_a_hunk_that_nobody_notices_is_named(shared: SharedBoxes, tmp_path: Path) -> None:
    write_repository(tmp_path)
    set_patch(tmp_path, ("Prices in cents", "Amounts in cents"), FULL_PRICE)
    assert await refused_in_full(tmp_path, shared) == (
        "hunk 1 of start.patch (shop/prices.py line 1) is noticed by no hidden test"
    )


async def test_defects_that_overlap_are_refused(shared: SharedBoxes, tmp_path: Path) -> None:
    write_repository(tmp_path)
    set_task(tmp_path, defects=2)
    set_patch(tmp_path, ("if discount < 0", "if discount > 0"), FULL_PRICE)
    assert "defects 1 and 2 overlap: each alone breaks tests/test_prices.py::test_discount" in (
        await refused_in_full(tmp_path, shared)
    )
