"""MMLU's averages, the faulty rows, and published numbers from real outputs."""

from __future__ import annotations

import ast
import csv
import io
import tarfile
from collections import defaultdict
from pathlib import Path

import pytest

from harness.errors import ConfigError
from harness.report.classic import Marked, classic_score, mmlu_score
from harness.report.intervals import wilson, wilson_over_tasks
from harness.report.redux import faulty_tasks, read_labels
from harness.suites.data import mmlu
from harness.suites.data.rows import MmluRow
from harness.suites.data.subjects import SUBJECTS
from harness.suites.extract.letters import exact_letter, extract_letter
from tests.support.classic_data import real_data

# HELM v1.0 leaderboard, as the authors of MMLU-Redux collected its raw answers: (macro, micro).
PUBLISHED = {
    "anthropic_claude-3-opus-20240229": (0.8458, 0.8504),
    "openai_gpt-4o-2024-05-13": (0.8415, 0.8482),
    "openai_gpt-4-0613": (0.8242, 0.8400),
    "google_gemini-1.5-pro-preview-0409": (0.8091, 0.8083),
    "openai_gpt-4-1106-preview": (0.7954, 0.8103),
    "meta_llama-3-70b": (0.7930, 0.7866),
    "writer_palmyra-x-v3": (0.7864, 0.7800),
    "google_text-unicorn@001": (0.7863, 0.7800),
    "mistralai_mixtral-8x22b": (0.7774, 0.7730),
    "google_gemini-1.5-flash-preview-0514": (0.7773, 0.7745),
}


def test_macro_is_over_subjects_and_micro_over_questions() -> None:
    answers = [Marked(f"anatomy/{n}", "anatomy", n < 3) for n in range(4)]
    answers += [Marked(f"virology/{n}", "virology", False, answered=n > 0) for n in range(2)]
    answers += [Marked("astronomy/0", "astronomy", True)]
    score = mmlu_score(answers)
    assert score.overall.micro == pytest.approx(4 / 7)
    assert score.overall.macro == pytest.approx((3 / 4 + 0 + 1) / 3)
    assert [(g.name, g.questions, g.macro) for g in score.groups] == [
        ("STEM", 1, 1.0),
        ("other", 6, 0.375),
    ]
    assert score.no_answer == 1
    without = mmlu_score(answers, without=frozenset({"virology/0", "virology/1"}))
    assert (without.overall.questions, without.overall.subjects) == (5, 2)
    with pytest.raises(ValueError, match="no scored MMLU sample"):
        mmlu_score([])


def test_a_question_counts_once_whatever_its_epochs() -> None:
    one = mmlu_score([Marked("anatomy/0", "anatomy", False) for _ in range(20)]).overall
    assert (one.questions, one.samples, one.right) == (1, 20, 0)
    assert one.interval == wilson(0, 1)
    uneven = [Marked("anatomy/0", "anatomy", True)]
    uneven += [Marked("anatomy/1", "anatomy", n == 0) for n in range(4)]
    uneven += [Marked("virology/0", "virology", False) for _ in range(3)]
    score = mmlu_score(uneven)
    assert score.overall.micro == pytest.approx((1 + 1 / 4 + 0) / 3)
    assert score.overall.macro == pytest.approx(((1 + 1 / 4) / 2 + 0) / 2)
    assert score.overall.interval == wilson_over_tasks([1, 1 / 4, 0])
    assert [(s.name, s.questions, s.samples, s.right) for s in score.subjects] == [
        ("anatomy", 2, 5, 2),
        ("virology", 1, 3, 0),
    ]
    assert score.subjects[0].interval == wilson_over_tasks([1, 1 / 4])
    faulty = classic_score("mmlu", uneven, frozenset({"anatomy/1"}))
    assert faulty is not None and faulty.faulty == 1
    assert faulty.without_faulty is not None and faulty.without_faulty.overall.questions == 2


def test_errors_are_counted_by_kind_and_answers_by_rule() -> None:
    answers = [
        Marked("1", "", True, kind="right", rule="fenced"),
        Marked("2", "", False, kind="wrong_answer", rule="fenced"),
        Marked("3", "", False, kind="timeout", rule="bare"),
        Marked("4", "", False, answered=False, kind="no_answer", rule="two_letters"),
    ]
    score = classic_score("humaneval", answers)
    assert score is not None and score.mmlu is None and score.faulty is None
    kinds = score.answers
    assert (kinds.scored, kinds.right, kinds.no_answer) == (4, 1, 1)
    assert kinds.wrong == {"wrong_answer": 1, "timeout": 1, "no_answer": 1}
    assert kinds.rules == {"fenced": 2, "bare": 1}
    assert kinds.unread == {"two_letters": 1}
    assert classic_score("humaneval", []) is None


def test_a_score_without_faulty_rows_stands_beside_the_plain_one() -> None:
    answers = [Marked(f"anatomy/{n}", "anatomy", n > 0, kind="x", rule="r") for n in range(4)]
    score = classic_score("mmlu", answers, frozenset({"anatomy/0", "anatomy/99"}))
    assert score is not None and score.mmlu is not None and score.without_faulty is not None
    assert score.faulty == 1
    assert (score.mmlu.overall.micro, score.without_faulty.overall.micro) == (0.75, 1.0)
    all_of_them = classic_score("mmlu", answers[:1], frozenset({"anatomy/0"}))
    assert all_of_them is not None and all_of_them.without_faulty is None


def test_labels_name_rows_in_all_their_places(tmp_path: Path) -> None:
    text = (
        "question;choices;answer;error_type\n"
        "q  one;['a', 'b', 'c', 'd'];0;Wrong_Groundtruth\n"
        "q two;['a', 'b', 'c', 'd'];0;OK\nq three;['a', 'b', 'c', 'd'];0;expert\n"
        "gone;['a', 'b', 'c', 'd'];0;No correct answer\n"
    )
    (tmp_path / "mmlu_anatomy.csv").write_text(text)
    choices = ("a", "b", "c", "d")
    questions = ("q one", "q two", "q three", "q one")
    rows = [MmluRow(f"anatomy/{n}", "anatomy", q, choices, 0) for n, q in enumerate(questions)]
    found, unknown = faulty_tasks(read_labels(tmp_path), rows)
    assert (found, unknown) == ({"anatomy/0", "anatomy/3"}, 1)
    (tmp_path / "mmlu_anatomy.csv").write_text("question;x\n")
    with pytest.raises(ConfigError, match=r"mmlu_anatomy\.csv:1: has no columns"):
        read_labels(tmp_path)


def test_helm_answers_give_the_published_averages() -> None:
    data = real_data()
    rows = mmlu.load(data / "mmlu", "test", list(SUBJECTS)).rows
    by_text = {(r.subject, r.question, r.choices): r for r in reversed(rows)}
    faulty, _ = faulty_tasks(read_labels(data / "outputs/mmlu/mmlu_redux_labels.tar.gz"), rows)
    strict: dict[str, list[Marked]] = defaultdict(list)
    read: dict[str, list[Marked]] = defaultdict(list)
    with tarfile.open(data / "outputs/mmlu/helm_10models_original_combined.tar.gz") as tar:
        for member in tar:
            if not member.name.endswith(".csv"):
                continue
            subject = Path(member.name).stem
            content = tar.extractfile(member)
            assert content is not None
            table = csv.reader(io.StringIO(content.read().decode(), newline=""))
            names = next(table)[2:]
            for question, choices, *answers in table:
                row = by_text[(subject, question, tuple(ast.literal_eval(choices)))]
                for name, said in zip(names, answers, strict=True):
                    one, other = exact_letter(said), extract_letter(said)
                    strict[name].append(
                        Marked(row.id, subject, one.value == row.letter, not one.none)
                    )
                    read[name].append(Marked(row.id, subject, other.value == row.letter))
    found = {}
    for name, answers in strict.items():
        score = mmlu_score(answers)
        found[name] = (round(score.overall.macro, 4), round(score.overall.micro, 4))
        # the kind reading of replies changes nothing where the reply is one token
        assert mmlu_score(read[name]).overall.right == score.overall.right
        assert mmlu_score(answers, without=faulty).overall.micro > score.overall.micro
    assert found == PUBLISHED
    assert mmlu_score(strict["openai_gpt-4-1106-preview"]).no_answer == 744
    assert mmlu_score(strict["google_gemini-1.5-pro-preview-0409"]).no_answer == 91
