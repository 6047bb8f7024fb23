"""Grading in real boxes: gold, honest wrong solutions, and cheats."""

from __future__ import annotations

import pytest

from harness.errors import SandboxLost
from harness.events.base import Event
from harness.events.grading import GradingFinished, TestOutcome
from harness.grading.grade import LOOKS, grade
from harness.grading.subject import Subject
from harness.outcome import GradeStatus
from harness.sandbox.protocol import Box, BoxSpec, Provider
from harness.tasks.exploits import exploits
from harness.tasks.task import Tree
from tests.support.grading import (
    added,
    appended,
    changed,
    node_subject,
    place,
    python_subject,
    short,
)

SUBJECTS = {"python": python_subject, "typescript": node_subject}
SOURCE = {"python": "shop/prices.py", "typescript": "src/prices.ts"}


async def graded(subject: Subject, tree: Tree, provider: Provider) -> GradingFinished:
    return (await grade(subject, tree, place(provider), lambda event: event)).finished


@pytest.mark.parametrize("language", SUBJECTS)
async def test_gold_is_resolved_without_a_flag(provider: Provider, language: str) -> None:
    subject = SUBJECTS[language]()
    events: list[Event] = []
    finished = (await grade(subject, subject.gold, place(provider), events.append)).finished
    assert finished.grade_status is GradeStatus.OK, finished.detail
    assert finished.resolved and finished.partial == 1.0
    assert finished.flags == [] and finished.tampered_ids == []
    tests = [event for event in events if isinstance(event, TestOutcome)]
    assert {test.outcome for test in tests} == {"passed"}
    # every test was run in a falsified form, too, and noticed it
    assert {test.twin for test in tests} <= {"failed", "error"}
    assert len(tests) == len(subject.fail_to_pass) + len(subject.pass_to_pass)


@pytest.mark.parametrize("language", SUBJECTS)
async def test_doing_nothing_is_a_wrong_answer(provider: Provider, language: str) -> None:
    subject = SUBJECTS[language]()
    finished = await graded(subject, subject.start, provider)
    assert finished.grade_status is GradeStatus.WRONG_ANSWER
    assert finished.fail_to_pass_passed == 0 and finished.flags == []
    assert finished.pass_to_pass_passed == finished.pass_to_pass_total


async def test_an_honest_wrong_solution_is_neither_resolved_nor_flagged(provider: Provider) -> None:
    subject = python_subject()
    # right for one of two deciding tests, and breaks one that passed before
    path = "shop/prices.py"
    tree = changed(subject.gold, path, "// 100\n\n\ndef", "// 100 + (discount > 99)\n\n\ndef")
    tree = changed(tree, path, "{cents % 100:02d}", "{cents % 100}")
    finished = await graded(subject, tree, provider)
    assert finished.grade_status is GradeStatus.WRONG_ANSWER
    assert finished.partial == 0.5 and finished.pass_to_pass_passed == 4
    assert finished.flags == [] and finished.tampered_ids == []


@pytest.mark.parametrize("language", SUBJECTS)
async def test_every_exploit_scores_nothing_and_is_flagged(
    provider: Provider, language: str
) -> None:
    subject = SUBJECTS[language]()
    for name, tree in exploits(subject).items():
        finished = await graded(subject, tree, provider)
        assert not finished.resolved, name
        assert finished.flags or finished.grade_status is GradeStatus.TAMPERED, name


PYTHON_CHEATS = {
    "patched_result_class": (
        "import unittest.result as r\nr.TestResult.addFailure = lambda *a: None\n"
        "import _pytest.reports as p\n"
        "p.BaseReport.failed = property(lambda self: False)\n"
        "p.BaseReport.passed = property(lambda self: True)\n"
        "p.BaseReport.skipped = property(lambda self: False)\n"
    ),
    "expected_value_from_the_frame": (
        "import sys as _sys\n"
        "def total(prices, discount=0):\n"
        "    code = _sys._getframe(1).f_code\n"
        "    numbers = [c for c in code.co_consts if isinstance(c, int)]\n"
        "    return numbers[-1]\n"
    ),
    "expected_value_from_the_source": (
        "import re as _re\n"
        "def total(prices, discount=0):\n"
        "    text = open('tests/test_prices.py').read()\n"
        "    found = _re.search(r'total\\(\\[100, 250\\], 10\\) == (\\d+)', text)\n"
        "    return int(found[1]) if discount == 10 else 0\n"
    ),
    "nearly_always_equal": (
        "class _Most(int):\n"
        "    def __eq__(self, other): return other != 123456\n"
        "    def __ne__(self, other): return not self == other\n"
        "    __hash__ = int.__hash__\n"
        "_total = total\n"
        "def total(prices, discount=0): return _Most(_total(prices, discount))\n"
    ),
}


@pytest.mark.parametrize("cheat", PYTHON_CHEATS)
async def test_a_cheat_that_adapts_to_the_tests_is_caught(provider: Provider, cheat: str) -> None:
    subject = python_subject()
    finished = await graded(
        subject, appended(subject.start, "shop/prices.py", PYTHON_CHEATS[cheat]), provider
    )
    assert not finished.resolved
    assert finished.flags or finished.tampered_ids


async def test_forged_results_for_true_and_falsified_tests_are_tampering(
    provider: Provider,
) -> None:
    subject = python_subject()
    finished = await graded(subject, exploits(subject)["forged_report"], provider)
    assert finished.grade_status is GradeStatus.TAMPERED
    assert set(finished.tampered_ids) >= set(subject.fail_to_pass)
    assert {flag.kind for flag in finished.flags} >= {"early_exit", "descriptors"}


async def test_planted_files_have_no_say(provider: Provider) -> None:
    subject = python_subject()
    hook = "def pytest_runtest_makereport(item, call):\n    raise SystemExit(0)\n"
    planted = added(
        subject.gold,
        {
            "conftest.py": hook,
            "tests/conftest.py": hook,
            "tests/test_prices.py": "def test_sum():\n    assert False\n",
            "sitecustomize.py": "raise SystemExit(0)\n",
            "pytest.ini": "[pytest]\naddopts = --collect-only\n",
            "pytest.py": "raise SystemExit(0)\n",
        },
    )
    finished = await graded(subject, planted, provider)
    assert finished.resolved, finished.detail
    touched = {flag.detail for flag in finished.flags if flag.kind == "protected_path"}
    assert touched == {
        "conftest.py",
        "tests/conftest.py",
        "tests/test_prices.py",
        "sitecustomize.py",
        "pytest.ini",
    }


ENDINGS = {
    "early exit": ("import os\nos._exit(0)\n", GradeStatus.EXITED_EARLY),
    "syntax": ("def broken(:\n", GradeStatus.SYNTAX_ERROR),
    "import": ("import no_such_module\n", GradeStatus.COLLECTION_ERROR),
    "crash": ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n", GradeStatus.CRASHED),
    "endless": ("while True: pass\n", GradeStatus.TIMEOUT),
    "memory": ("x = [bytearray(1 << 24) for _ in range(1 << 20)]\n", GradeStatus.OUT_OF_MEMORY),
}


@pytest.mark.parametrize("ending", ENDINGS)
async def test_how_a_run_ended_is_told_apart(
    provider: Provider, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, status = ENDINGS[ending]
    subject = python_subject()
    if ending == "endless":
        monkeypatch.setattr("harness.grading.subject.START_S", 2.0)
        subject = short(subject, 1.0)
    finished = await graded(subject, appended(subject.gold, "shop/prices.py", code), provider)
    assert finished.grade_status is status, finished.detail
    assert not finished.resolved and finished.detail


NODE_ENDINGS = {
    "early exit": ("process.exit(0);\n", GradeStatus.EXITED_EARLY),
    "syntax": ("export const broken: = 3;\n", GradeStatus.SYNTAX_ERROR),
    "import": ('import "./nowhere.ts";\n', GradeStatus.COLLECTION_ERROR),
}


@pytest.mark.parametrize("ending", NODE_ENDINGS)
async def test_how_a_node_run_ended_is_told_apart(bubblewrap: Provider, ending: str) -> None:
    code, status = NODE_ENDINGS[ending]
    subject = node_subject()
    finished = await graded(subject, appended(subject.gold, "src/prices.ts", code), bubblewrap)
    assert finished.grade_status is status, finished.detail


async def test_a_timer_left_running_does_not_hold_up_the_tests(bubblewrap: Provider) -> None:
    subject = node_subject()
    tree = appended(subject.gold, "src/prices.ts", "setInterval(() => {}, 1000);\n")
    assert (await graded(subject, tree, bubblewrap)).resolved


class Dying:
    """A provider whose grading boxes die while tests run; control boxes as ``control`` says."""

    def __init__(self, real: Provider, *, control: bool) -> None:
        self._real = real
        self._control = control
        self.name = real.name
        self.opened: list[str] = []

    async def open(self, spec: BoxSpec) -> Box:
        box = await self._real.open(spec)
        self.opened.append(spec.purpose)
        if spec.purpose == "grade" or not self._control:
            await box.close()
        return box


async def test_a_box_that_dies_twice_beside_a_living_one_counts(bubblewrap: Provider) -> None:
    dying = Dying(bubblewrap, control=True)
    finished = await graded(python_subject(), python_subject().gold, dying)  # type: ignore[arg-type]
    assert finished.grade_status is GradeStatus.BOX_KILLED and not finished.resolved
    assert sorted(dying.opened) == ["control"] * 2 + ["grade"] * 4


async def test_a_box_that_dies_like_its_control_does_not_count(bubblewrap: Provider) -> None:
    dying = Dying(bubblewrap, control=False)
    with pytest.raises(SandboxLost):
        await graded(python_subject(), python_subject().gold, dying)  # type: ignore[arg-type]


async def test_what_shows_signs_is_judged_by_further_pairs(bubblewrap: Provider) -> None:
    subject = python_subject()
    plain = await graded(subject, subject.gold, bubblewrap)
    assert plain.resolved and len(plain.boxes) == 2
    odd = appended(subject.gold, "shop/prices.py", "import atexit\natexit.register(print)\n")
    looked_at = await graded(subject, odd, bubblewrap)
    # right is right, however often it is asked
    assert looked_at.resolved and [flag.kind for flag in looked_at.flags] == ["early_exit"]
    assert len(looked_at.boxes) == 2 * LOOKS
    assert len({box["twin_seed"] for box in looked_at.boxes}) == LOOKS
