"""Tables of a name and numbers at widths where they do not fit."""

from __future__ import annotations

import io

from rich.console import Console

from harness.report.classic import Marked, mmlu_score
from harness.report.classic_table import groups_table, subjects_table
from harness.report.columns import NumberTable


def lines(table: NumberTable, width: int) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width, markup=False, highlight=False).print(table)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def made() -> NumberTable:
    table = NumberTable("suite", "scored", "score", "95 % interval")
    table.add_row("high_school_government_and_politics", "1 of 1", "100.0 %", "20.7 to 100.0 %")
    table.add_row("[b]law[/b]", "0 of 1", "0.0 %", "0.0 to 79.3 %")
    return table


def test_a_name_gives_way_and_no_number_is_cut() -> None:
    for width in (200, 80, 60, 52):
        text = lines(made(), width)
        assert all(len(line) <= width for line in text)
        assert text[1].endswith("  1 of 1  100.0 %  20.7 to 100.0 %")
        assert text[2].startswith("[b]law[/b] ") and text[2].endswith("0.0 %    0.0 to 79.3 %")
    assert lines(made(), 80)[1].startswith("high_school_government_and_politics ")
    assert lines(made(), 60)[1].startswith("high_school_governmen")
    assert "…" in lines(made(), 60)[1]


def test_where_nothing_fits_the_numbers_are_told_in_words() -> None:
    text = " ".join(lines(made(), 30))
    assert "high_school_government_and_pol" in text
    assert "scored 1 of 1, score 100.0 %, 95 % interval 20.7 to 100.0 %" in text


def test_every_subject_of_mmlu_stands_whole_on_80_columns() -> None:
    names = ("high_school_government_and_politics", "us_foreign_policy")
    score = mmlu_score([Marked(f"{name}/{n}", name, True) for name in names for n in range(193)])
    text = lines(subjects_table("mmlu", score.subjects), 80)
    row = ["high_school_government_and_politics", "193", "193", "100.0", "%", "98.0", "to", "100.0"]
    assert text[1].split()[:-1] == row
    assert "100.0 %  100.0 %  99.0 to 100.0 %" in lines(groups_table("mmlu", score.groups), 80)[1]


def test_right_answers_are_of_samples_where_there_are_epochs() -> None:
    answers = [Marked("anatomy/0", "anatomy", n == 0) for n in range(20)]
    text = lines(subjects_table("mmlu", mmlu_score(answers).subjects), 80)
    assert text[1].split()[:5] == ["anatomy", "1", "1", "of", "20"]
    assert text[1].endswith("5.0 %  0.0 to 100.0 %")
