"""The classic suites: what is planned and asked, and that programs are put together rightly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from harness.errors import ConfigError, ConflictError, UsageError
from harness.suites import registry
from harness.suites.evalplus import HumanEvalPlusSuite, MbppPlusSuite
from harness.suites.extract.answer import Answer
from harness.suites.humaneval import HumanEvalSuite
from harness.suites.judging import CodeJob
from harness.suites.mbpp import MbppSuite
from harness.suites.mmlu import MmluSuite, chosen_subjects
from harness.suites.protocol import SuiteOptions, stratified
from harness.suites.shot import ShotTask
from harness.suites.single_shot import SingleShotSuite
from tests.support.classic_data import (
    humaneval_records,
    mbpp_records,
    mmlu_folder,
    sanitized_records,
    write_lines,
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with made-up HumanEval, MBPP (both editions) and MMLU."""
    folder = tmp_path_factory.mktemp("data")
    write_lines(folder / "h.jsonl", humaneval_records())
    write_lines(folder / "m.jsonl", mbpp_records())
    write_lines(folder / "s.jsonl", sanitized_records())
    mmlu_folder(folder / "mmlu")
    return folder


def passes(job: CodeJob) -> bool:
    """Whether a job's script runs to its end, as a person would try it."""
    done = subprocess.run(
        [sys.executable, "-I", "-"], input=job.script.encode(), capture_output=True, timeout=60
    )
    return done.returncode == 0


def gold_and_wrong(suite: SingleShotSuite, task_id: str) -> tuple[bool, bool]:
    task = suite.task(task_id)
    return tuple(  # type: ignore[return-value]
        passes(suite.job(task, suite.read(task, reply, suite.protocol), "s", 0))  # type: ignore[attr-defined]
        for reply in (task.gold_reply, task.wrong_reply)
    )


@pytest.mark.parametrize("protocol", [p.name for p in HumanEvalSuite.protocols])
@pytest.mark.parametrize("task", ["HumanEval/0", "HumanEval/32"])
def test_humaneval_reference_passes_and_the_control_fails(
    data: Path, protocol: str, task: str
) -> None:
    suite = HumanEvalSuite()
    plan = suite.plan(SuiteOptions(data=data, protocol=protocol))
    assert (plan.split, plan.protocol, len(plan.tasks)) == ("test[164]", protocol, 164)
    assert gold_and_wrong(suite, task) == (True, False)


def test_humaneval_keeps_the_prompts_helper_for_its_test(data: Path) -> None:
    suite = HumanEvalSuite()
    suite.plan(SuiteOptions(data=data))
    task = suite.task("HumanEval/32")
    answer = suite.read(
        task, "```python\ndef add_32(x: List[int]):\n    return x + 32\n```", suite.protocol
    )
    job = suite.job(task, answer, "s", 0)
    assert "def help_it" in job.setup
    assert "def help_it" in job.prelude and "def add_32" not in job.prelude
    assert passes(job)


def test_a_raw_completion_is_graded_as_it_is(data: Path) -> None:
    suite = HumanEvalSuite()
    suite.plan(SuiteOptions(data=data, protocol="openai-completion"))
    task = suite.task("HumanEval/5")
    answer = suite.read(task, "    return x + 5\n", suite.protocol)
    job = suite.job(task, answer, "s", 0)
    assert job.module == task.row.prompt + "    return x + 5\n"
    assert passes(job)
    assert not passes(suite.job(task, suite.read(task, "return x + 5", suite.protocol), "s", 0))


@pytest.mark.parametrize("task", ["11", "12", "13", "500"])
def test_mbpp_setup_runs_after_the_code_and_tests_get_their_imports(data: Path, task: str) -> None:
    suite = MbppSuite()
    plan = suite.plan(SuiteOptions(data=data))
    assert plan.split == "test[500]"
    assert gold_and_wrong(suite, task) == (True, False)


def test_mbpp_names_are_those_the_tests_take(data: Path) -> None:
    suite = MbppSuite()
    suite.plan(SuiteOptions(data=data))
    jobs = {i: suite.job(suite.task(i), Answer("x = 1", "r"), "s", 0) for i in ("11", "12", "13")}
    assert jobs["11"].names == ("f_11", "root")
    assert jobs["11"].candidate_setup == "root = Node()\n"
    assert (jobs["12"].names, jobs["12"].setup) == (("f_12",), "import sys\n")
    assert (jobs["13"].names, jobs["13"].entry_point) == (("check",), "check")


@pytest.mark.parametrize(("split", "count"), [("sanitized", 427), ("sanitized-test", 257)])
def test_sanitized_mbpp_gets_its_test_imports(data: Path, split: str, count: int) -> None:
    suite = MbppSuite()
    plan = suite.plan(SuiteOptions(data=data, split=split))
    assert plan.split == f"{split}[{count}]"
    assert gold_and_wrong(suite, "12") == (True, False)


def test_three_shots_come_from_the_full_set_in_order(data: Path) -> None:
    suite = MbppSuite()
    suite.plan(SuiteOptions(data=data, protocol="google-3shot", split="sanitized"))
    text = suite.task("11").prompt.text
    assert [text.index(f"f_{n}(1)") for n in (2, 3, 4, 11)] == sorted(
        text.index(f"f_{n}(1)") for n in (2, 3, 4, 11)
    )
    assert text.count("[DONE]") == 3 and text.endswith("[BEGIN]\n") and "\r" not in text
    with pytest.raises(
        ConfigError, match=r"MBPP full, which is not there.*--protocol proctor-chat"
    ):
        MbppSuite().plan(
            SuiteOptions(data=data / "s.jsonl", protocol="google-3shot", split="sanitized")
        )


def test_mmlu_five_shots_are_the_dev_rows_in_published_order(data: Path) -> None:
    suite = MmluSuite()
    options = SuiteOptions(
        data=data / "mmlu", protocol="hendrycks-5shot", subjects=("us_foreign*",)
    )
    plan = suite.plan(options)
    assert plan.split == "test, 1 subject[100]"
    text = suite.task("us_foreign_policy/7").prompt.text
    begin = (
        "The following are multiple choice questions (with answers) about  us foreign policy.\n\n"
    )
    assert text.startswith(
        f"{begin}us_foreign_policy 0?\nsecond line\nA. a0\nB. b0\nC. c0\nD. None\n"
    )
    shots = [text.index(f"A. a{n}\n") for n in range(5)]
    assert shots == sorted(shots)
    assert text.count("Answer:") == 6 and text.endswith("D. d7\nAnswer:")
    # prompts of a subject begin alike, so that a server's cache holds
    other = suite.task("us_foreign_policy/8").prompt.text
    assert other.startswith(text[: text.index("us_foreign_policy 7?")])


def test_braces_in_a_question_stay(data: Path, tmp_path: Path) -> None:
    folder = mmlu_folder(tmp_path)
    path = folder / "test" / "virology_test.csv"
    lines = path.read_text().replace("virology 1?", "virology {a} {b}?")
    path.write_text(lines)
    suite = MmluSuite()
    suite.plan(SuiteOptions(data=folder, subjects=("virology",)))
    assert suite.task("virology/1").prompt.text.startswith("virology {a} {b}?\n")


def test_subjects_by_name_pattern_field_and_group() -> None:
    assert chosen_subjects(("law",)) == ("international_law", "jurisprudence", "professional_law")
    assert len(chosen_subjects(("STEM",))) == 18
    assert len(chosen_subjects(("social sciences,humanities",))) == 25
    assert chosen_subjects(("college_*",))[0] == "college_biology"
    with pytest.raises(UsageError, match="no subject, field or group 'astrology'"):
        chosen_subjects(("astrology",))


def test_a_limit_goes_round_the_subjects_and_is_said(data: Path) -> None:
    options = SuiteOptions(data=data / "mmlu", limit=57)
    plan = MmluSuite().plan(options)
    assert plan.split == "test[57 of 14042]"
    assert len({task.id.split("/")[0] for task in plan.tasks}) == 57
    larger = MmluSuite().plan(SuiteOptions(data=data / "mmlu", limit=100))
    assert {t.id for t in plan.tasks} < {t.id for t in larger.tasks}
    assert plan.prompt_digest == larger.prompt_digest


def test_a_limit_takes_numbered_tasks_in_the_order_of_their_numbers() -> None:
    ids = [f"HumanEval/{n}" for n in range(164)]
    assert stratified(ids[::-1], lambda _: "", 12) == ids[:12]
    questions = [f"{subject}/{n}" for subject in ("law", "art") for n in range(30)]
    order = stratified(questions, lambda i: i.split("/")[0], 24)
    assert order == [f"{s}/{n}" for n in range(12) for s in ("art", "law")]
    odd = ["a", "a/b", "a/01", "a/1", "2", "10", "٣", "9" * 40, ""]
    assert stratified(odd, lambda _: "", None) == stratified(odd[::-1], lambda _: "", None)


def test_a_plan_with_a_limit_holds_the_first_tasks(data: Path) -> None:
    plan = HumanEvalSuite().plan(SuiteOptions(data=data, limit=12))
    assert [task.id for task in plan.tasks] == [f"HumanEval/{n}" for n in range(12)]


def test_loading_checks_every_planned_task(data: Path, tmp_path: Path) -> None:
    plan = HumanEvalSuite().plan(SuiteOptions(data=data, limit=3))
    HumanEvalSuite().load(plan, SuiteOptions(data=data))
    records = humaneval_records()
    records[0]["test"] += "\n# changed\n"
    changed = write_lines(tmp_path / "h.jsonl", records)
    with pytest.raises(ConflictError, match="not as it was planned: 1 task changed: HumanEval/0"):
        HumanEvalSuite().load(plan, SuiteOptions(data=changed))


def test_a_prompt_is_part_of_a_tasks_digest(data: Path) -> None:
    digests = {
        HumanEvalSuite().plan(SuiteOptions(data=data, protocol=p.name)).tasks[0].digest
        for p in HumanEvalSuite.protocols
    }
    # Two protocols may ask the same and read the answer differently; the plan names which.
    asked = {(p.system, p.template, p.shots, p.mode) for p in HumanEvalSuite.protocols}
    assert len(digests) == len(asked) > 1


def test_unknown_protocol_split_and_task_are_named(data: Path) -> None:
    with pytest.raises(UsageError, match=r"no protocol 'x'.*proctor-chat, simple-evals"):
        HumanEvalSuite().plan(SuiteOptions(data=data, protocol="x"))
    with pytest.raises(UsageError, match=r"no split 'train'.*test, full, sanitized"):
        MbppSuite().plan(SuiteOptions(data=data, split="train"))
    with pytest.raises(UsageError, match="no task 'q'"):
        HumanEvalSuite().task("q")


def test_every_suite_describes_itself_with_a_prompt() -> None:
    for name in ("humaneval", "humaneval+", "mbpp", "mbpp+", "mmlu", "classeval"):
        told = registry.suite(name).describe()
        assert told["name"] == name and told["version"] and "licence" in str(told["source"])
        assert told["example"]["prompt"] and "{" not in told["example"]["prompt"]
        assert all(p["digest"] and p["origin"] and p["extraction"] for p in told["protocols"])
        assert registry.suite(name).executes_code is (name != "mmlu")


@pytest.mark.parametrize(
    ("entry", "reference", "args", "candidate", "right"),
    [
        ("f", "def f(x):\n    return x / 3", "[1]", "def f(x):\n    return 0.33333333", True),
        ("f", "def f(x):\n    return x / 3", "[1]", "def f(x):\n    return 0.3333", False),
        ("f", "def f(x):\n    return [x]", "[1]", "def f(x):\n    return (x,)", False),
        ("f", "def f(x):\n    return x", "[inf]", "def f(x):\n    return x", True),
        ("f", "def f(x):\n    x.append(1)\n    return x", "[[]]",
         "def f(x):\n    return [1]", True),
        ("Diff", "def Diff(x):\n    return [1, 2]", "[0]", "def Diff(x):\n    return [2, 1]", True),
        ("check_str", "import re\ndef check_str(x):\n    return re.match('a', x)", "['a']",
         "import re\ndef check_str(x):\n    return re.search('a', x)", True),
        ("check_str", "import re\ndef check_str(x):\n    return re.match('a', x)", "['a']",
         "def check_str(x):\n    return True", True),
        ("check_str", "import re\ndef check_str(x):\n    return re.match('a', x)", "['a']",
         "def check_str(x):\n    return None", False),
        ("find_zero", "def find_zero(x):\n    return 1.0", "[[-1, 0, 1]]",
         "def find_zero(x):\n    return -1.0", True),
        ("find_zero", "def find_zero(x):\n    return 1.0", "[[-1, 0, 1]]",
         "def find_zero(x):\n    return 0.5", False),
    ],
)  # fmt: skip
def test_plus_checks(entry: str, reference: str, args: str, candidate: str, right: bool) -> None:
    from harness.suites.data.rows import PlusRow
    from harness.suites.mbpp import PROTOCOLS

    atol = 1e-4 if entry == "find_zero" else 0.0
    row = PlusRow("Mbpp/1", "Do it.", entry, reference, (args,), (), atol, "assert 1")
    suite = MbppPlusSuite()
    task: ShotTask = suite.plus_task(row, PROTOCOLS[0])
    job = suite.job(task, Answer(candidate, "r"), "s", 0)
    assert job.groups == (("base", 1), ("plus", 0)) and len(job.checks) == 1
    assert passes(job) is right


def test_humaneval_plus_asks_as_humaneval_does() -> None:
    ours, theirs = HumanEvalPlusSuite(), HumanEvalSuite()
    assert ours.example(ours.protocols[0]) == theirs.example(theirs.protocols[0])
