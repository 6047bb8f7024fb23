"""The classic suites from the command line: options, scores, transcripts, requests."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.cli.suite_options import suite_options
from harness.cli.transcript_text import transcript_lines
from harness.config import Config, resolve
from harness.errors import UsageError
from harness.events.grading import AnswerExtracted, AnswerJudged
from harness.outcome import GradeStatus
from harness.suites.registry import suite
from tests.cli.conftest import Home, OnTerminal, Proctor
from tests.support.classic_data import mmlu_folder
from tests.support.scripted_server import ChatRequest, ScriptedServer, Step, say


@pytest.fixture(scope="module")
def mmlu(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all of MMLU's files, made up."""
    return mmlu_folder(tmp_path_factory.mktemp("mmlu"))


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    """Always answers B, but names two letters to questions of anatomy."""

    def answer(request: ChatRequest) -> Step:
        return say("Either A or C." if "anatomy" in request.task else "Answer: B")

    with ScriptedServer(answer) as made:
        yield made


def run(proctor: Proctor, mmlu: Path, *more: str) -> Any:
    done = proctor("run", "mmlu", "--data", str(mmlu), "--batch", "--json", *more)
    assert done.code == 0, done.err
    return done.document


def test_a_five_shot_run_names_its_score_and_keeps_each_prompt_exact(
    proctor: Proctor, mmlu: Path, server: ScriptedServer
) -> None:
    asked = len(server.requests)
    document = run(
        proctor, mmlu, "--base-url", server.url, "--protocol", "hendrycks-5shot-chat",
        "--subjects", "anatomy,astronomy", "--limit", "24", "--concurrency", "8",
    )  # fmt: skip
    scores = document["summary"]["suites"][0]
    assert (scores["split"], scores["protocol"]) == (
        "test, 2 subjects[24 of 287]",
        "hendrycks-5shot-chat",
    )
    classic = scores["classic"]
    assert classic["answers"]["no_answer"] == 12
    assert classic["answers"]["wrong"]["no_answer"] == 12
    assert [s["name"] for s in classic["mmlu"]["subjects"]] == ["anatomy", "astronomy"]
    assert classic["mmlu"]["subjects"][0]["right"] == 0

    sent = [r.task for r in server.requests[asked:] if "multiple choice" in r.task]
    assert len(sent) == 24 and all(text.count("Answer:") == 6 for text in sent)
    heads = [text.split("\n\n")[1] for text in sent]
    assert sum(a != b for a, b in itertools.pairwise(heads)) == 1  # subjects together
    folder = Path(document["folder"])
    stored = (folder / "transcripts" / "shots-0000.jsonl").read_text()
    assert stored.count("are multiple choice questions") == 0
    assert len([p for p in (folder / "blobs").rglob("*") if p.is_file()]) == 2

    shown = proctor("show", str(folder), "--sample", "anatomy_0-").out
    assert "questions (with answers) about  anatomy." in shown
    assert "got      no answer" in shown
    curl = proctor("show", str(folder), "--sample", "anatomy_0-", "--turn", "1", "--curl", "--json")
    assert curl.document["exact"] is True
    assert curl.document["body"]["messages"][0]["content"] in sent
    events = proctor("show", str(folder), "--sample", "anatomy_0-", "--json").document["events"]
    assert next(e for e in events if e["type"] == "message")["content"] in sent


def test_a_large_run_is_told_briefly_and_its_subjects_when_asked_for(
    proctor: Proctor, mmlu: Path, server: ScriptedServer
) -> None:
    done = proctor(
        "run", "mmlu", "--data", str(mmlu), "--batch", "--base-url", server.url,
        "--limit", "228", "--concurrency", "32",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "[100/228]" not in done.out and "world_religions" not in done.out
    assert "mmlu test[228 of 14042], proctor-chat: 24.6 %" in done.out
    assert "micro 24.6 % over 228 questions, macro 24.6 % over 57 subjects" in done.out
    assert "not right: wrong_answer 168, no_answer 4" in done.out
    assert "social sciences" in done.out
    shown = proctor("show", "last")
    assert "world_religions" not in shown.out and "--samples" in shown.out
    assert "world_religions" in proctor("show", "last", "--subjects-table").out
    assert "world_religions_0-" in proctor("show", "last", "--samples").out


def test_oracle_has_all_right_and_wrong_none(proctor: Proctor, mmlu: Path) -> None:
    for model, right in (("oracle", 40), ("wrong", 0)):
        summary = run(proctor, mmlu, "--model", model, "--limit", "40")["summary"]
        assert (summary["scored"], summary["resolved"]) == (40, right)
        assert summary["suites"][0]["classic"]["answers"]["no_answer"] == 0


def test_an_extended_run_keeps_what_was_chosen(proctor: Proctor, mmlu: Path) -> None:
    first = run(
        proctor, mmlu, "--model", "oracle", "--subjects", "law", "--protocol", "simple-evals",
        "--limit", "10",
    )  # fmt: skip
    done = proctor("run", "--extend", first["run"], "--limit", "15", "--batch", "--json")
    assert done.code == 0, done.err
    scores = done.document["summary"]["suites"][0]
    assert scores["scored"] == 15 and scores["protocol"] == "simple-evals"
    subjects = {s["name"] for s in scores["classic"]["mmlu"]["subjects"]}
    assert subjects == {"international_law", "jurisprudence", "professional_law"}
    other = proctor("run", "--resume", first["run"], "--subjects", "anatomy", "--batch")
    assert other.code == 3 and "suites.mmlu" in other.err


def test_a_run_is_resumed_and_extended_by_its_name(proctor: Proctor, mmlu: Path) -> None:
    few = ("--model", "oracle", "--subjects", "anatomy")
    first = run(proctor, mmlu, *few, "--limit", "3", "--name", "small one")
    run(proctor, mmlu, *few, "--limit", "2")
    again = proctor("run", "--resume", "small one", "--batch", "--json")
    assert again.code == 0 and again.document["run"] == first["run"]
    more = proctor("run", "--extend", "small one", "--limit", "5", "--batch", "--json")
    assert more.code == 0, more.err
    assert (more.document["run"], more.document["summary"]["scored"]) == (first["run"], 5)


def test_epochs_make_no_question_count_twice(
    proctor: Proctor, mmlu: Path, server: ScriptedServer
) -> None:
    document = run(
        proctor, mmlu, "--base-url", server.url, "--task", "astronomy/[01]", "--epochs", "5"
    )
    suite = document["summary"]["suites"][0]
    overall = suite["classic"]["mmlu"]["overall"]
    assert (overall["questions"], overall["samples"], overall["right"]) == (2, 10, 5)
    assert overall["micro"] == suite["score"] == 0.5
    assert overall["interval"] == suite["interval"]
    shown = proctor("show", "last", "--subjects-table").out
    assert "micro 50.0 % over 2 questions, macro 50.0 % over 1 subject\n" in shown
    assert "5 of 10" in shown and shown.count("9.5 to 90.5 %") == 3


def test_a_plan_names_the_first_tasks_and_all_when_asked_for(proctor: Proctor, mmlu: Path) -> None:
    plan = ("plan", "mmlu", "--model", "oracle", "--data", str(mmlu), "--subjects", "anatomy")
    text = proctor(*plan).out
    assert text.count("  anatomy/") == 10
    assert "  and 125 more; --all names them\n" in text
    assert "test, 1 subject[135], 135 tasks, 135 samples" in text
    assert proctor(*plan, "--all").out.count("  anatomy/") == 135
    assert len(proctor(*plan, "--json").document["plan"]["suites"][0]["tasks"]) == 135
    few = proctor(*plan, "--limit", "11").out
    assert few.count("  anatomy/") == 11 and "more" not in few
    assert "1 task, 1 sample\n" in proctor(*plan, "--limit", "1").out


def test_a_suite_is_described_without_a_broken_word(on_terminal: OnTerminal) -> None:
    for arguments in (("suites",), ("suites", "mmlu")):
        lines = on_terminal(*arguments, columns=60)
        assert all(len(line) <= 60 or " " not in line.strip() for line in lines)
    assert "      | D. {d}" in lines
    assert "        high_school_government_and_politics," in "\n".join(lines)


def test_mislabelled_rows_are_left_out_of_a_second_score(
    proctor: Proctor, mmlu: Path, tmp_path: Path
) -> None:
    labels = tmp_path / "mmlu_anatomy.csv"
    rows = [
        f"anatomy {n}?,\"['a{n}', 'b{n}', 'c{n}', 'd{n}']\",0,{kind}"
        for n, kind in ((1, "wrong_groundtruth"), (2, "ok"), (3, "no_correct_answer"))
    ]
    labels.write_text("question,choices,answer,error_type\n" + "\n".join(rows) + "\n")
    chosen = ("--model", "oracle", "--subjects", "anatomy", "--task", "anatomy/[0-4]")
    summary = run(proctor, mmlu, *chosen, "--redux", str(labels))["summary"]
    classic = summary["suites"][0]["classic"]
    assert classic["faulty"] == 2
    assert classic["mmlu"]["overall"]["questions"] == 5
    assert classic["without_faulty"]["overall"]["questions"] == 3
    assert "without 2 known to be mislabelled: micro 100.0 % over 3" in proctor("show", "last").out
    plain = run(proctor, mmlu, *chosen)
    assert plain["summary"]["suites"][0]["classic"]["faulty"] is None
    assert plain["plan"] == json.loads(proctor("show", "last", "--json").out)["summary"]["plan"]
    later = proctor("show", plain["run"], "--redux", str(labels))
    assert "without 2 known to be mislabelled" in later.out
    missing = proctor("show", plain["run"], "--redux", str(tmp_path / "none"))
    assert missing.code == 2 and "none" in missing.err


def test_a_suite_is_described_with_a_real_prompt(proctor: Proctor, mmlu: Path) -> None:
    done = proctor("suites", "mmlu", "--data", str(mmlu), "--protocol", "helm-5shot")
    assert done.code == 0, done.err
    assert "abstract_algebra/0" in done.out
    assert "  | Question: abstract_algebra 4?" in done.out
    for word in ("revision: c30699e8", "licence: MIT", "stop: '\\n'", "max tokens: 1", "data: "):
        assert word in done.out
    plain = proctor("suites", "mmlu", "--json").document
    assert plain["default_protocol"] == "proctor-chat" and "chosen" not in plain


def test_project_file_may_choose_by_suite(proctor: Proctor, mmlu: Path, home: Home) -> None:
    (home.project / "proctor.toml").write_text(
        '[defaults]\nprotocol = ["mmlu=simple-evals", "humaneval=openai-completion"]\n'
        f'data = "mmlu={mmlu}"\nsubjects = ["STEM"]\nvariant = "classeval=official"\n'
    )
    done = proctor("plan", "mmlu", "--model", "oracle", "--limit", "3", "--json")
    assert done.code == 0, done.err
    planned = done.document["plan"]["suites"][0]
    assert planned["protocol"] == "simple-evals"
    assert len(planned["options"]["subjects"]) == 18
    assert done.document["launch"]["data"] == str(mmlu)


@pytest.mark.parametrize(
    ("suites", "flags", "said"),
    [
        (("mmlu",), {"variant": ("official",)}, "suite mmlu takes no --variant"),
        (("humaneval",), {"subjects": ("law",)}, "--subjects is for suites that have subjects"),
        (("mmlu",), {"exec_seed": 3}, "--exec-seed is for suites that execute code"),
        (("mmlu",), {"protocol": ("humaneval=x",)}, "--protocol is for suite humaneval, which"),
        (("mmlu",), {"protocol": ("mmul=x",)}, "there is no suite 'mmul'"),
        (("mmlu", "mbpp"), {"protocol": ("x",)}, "--protocol does not say for which suite"),
        (("mmlu",), {"protocol": ("x", "y")}, "--protocol says two things of suite mmlu"),
        (("mmlu",), {"data": ("mmlu=/nowhere",)}, "--data does not exist"),
        (("repos",), {"split": ("test",)}, "suite repos takes no --split"),
    ],
)
def test_what_a_suite_does_not_take_is_refused(
    suites: tuple[str, ...], flags: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError) as refused:
        suite_options([suite(name) for name in suites], resolve(flags, {}, Config()))
    assert said in str(refused.value)


def test_each_suite_gets_its_own(tmp_path: Path) -> None:
    flags = {
        "protocol": ("mmlu=simple-evals", "mbpp=a"),
        "data": (f"mbpp={tmp_path}",),
        "split": ("mbpp=full",),
        "subjects": ("law",),
    }
    both = suite_options([suite("mmlu"), suite("mbpp")], resolve(flags, {}, Config()))
    assert [o.protocol for o in both] == ["simple-evals", "a"]
    assert [o.data for o in both] == [None, tmp_path.resolve()]
    assert [o.split for o in both] == [None, "full"]
    assert [o.subjects for o in both] == [("law",), ()]


def test_a_failing_check_is_shown_with_its_values() -> None:
    judged = AnswerJudged(
        grade_status=GradeStatus.WRONG_ANSWER,
        expected="[1, 2]",
        got="[2, 1]",
        detail="assert candidate(2) == [1, 2]\nAssertionError",
        checks_passed=1,
        checks_total=3,
    )
    taken = AnswerExtracted(kind="code", value="def f():\n    pass", rule="last_fence")
    assert list(transcript_lines([taken, judged])) == [
        "[answer, code by last_fence]",
        "  def f():",
        "      pass",
        "[judged] wrong answer, 1 of 3 checks passed",
        "  assert candidate(2) == [1, 2]",
        "  AssertionError",
        "  expected [1, 2]",
        "  got      [2, 1]",
    ]
