"""What a person reads when the model's server is silent, broken, busy or too small."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Done, Proctor
from tests.support.classic_data import mmlu_folder
from tests.support.scripted_server import ScriptedServer, Step, error, llama_props, say


@pytest.fixture(scope="module")
def mmlu(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all of MMLU's files, made up."""
    return mmlu_folder(tmp_path_factory.mktemp("mmlu"))


@pytest.fixture
def run(proctor: Proctor, mmlu: Path) -> Any:
    """Two questions put to a server, headless."""

    def start(server: ScriptedServer, *more: str) -> Done:
        return proctor(
            "run", "mmlu", "--data", str(mmlu), "--batch", "--limit", "2",
            "--base-url", server.url, *more,
        )  # fmt: skip

    return start


def test_a_silent_server_is_cut_off_at_the_samples_limit(run: Any) -> None:
    with ScriptedServer([say("never", delay_s=3600)]) as server:
        done = run(server, "--sample-time-limit", "1")
        assert (done.code, server.left) == (0, 2), done.err
    assert done.out.count("time limit reached") == 2
    assert "mmlu: 2 flagged for a person to look at" in done.out


def test_what_streamed_before_the_limit_is_read_as_the_answer(run: Any, proctor: Any) -> None:
    slow = say("Answer: B\n" + "and so on " * 40, chunk=20, end="hang", after=9)
    with ScriptedServer([slow]) as server:
        done = run(server, "--sample-time-limit", "1")
    assert done.code == 0 and done.out.count("time limit reached") == 2
    shown = proctor("show", "last", "--sample", "abstract").out
    assert "cut by the time limit" in shown and "Answer: B" in shown
    assert "[limit] sample_time_limit: 1" in shown and "[answer, letter by anchored]" in shown


def test_answers_without_a_message_are_never_scored(run: Any) -> None:
    with ScriptedServer([Step(answer={"choices": [{"message": None}]})]) as server:
        done = run(server, "--retry-wait", "4")
    assert done.code == 1
    assert "sending again in" in done.out and "gives up after" in done.out
    assert "request failed, given up after" in done.out and "no message" in done.out
    assert "the run failed with 0 of 2 samples scored" in done.err
    assert "nothing is answered any more" in done.err and "--resume" in done.err
    assert "EndpointError" not in done.out


def test_a_protocol_that_the_server_cannot_serve_advises_no_resume(run: Any) -> None:
    with ScriptedServer([say("B")]) as server:  # which has no raw completions
        done = run(server, "--protocol", "hendrycks-5shot")
    assert done.code == 3
    assert "no raw completions" in done.err and "choose a chat protocol" in done.err
    assert "--resume" not in done.out + done.err


def test_a_longer_wait_than_allowed_is_told_with_its_reason(run: Any) -> None:
    with ScriptedServer([error(429, "quota", headers={"retry-after": "86400"})]) as server:
        done = run(server)
    assert done.code == 1
    assert "the server asked to wait 86400 s, more than the 600 s that --retry-wait" in done.out


def test_a_prompt_longer_than_the_context_is_told_loudly(run: Any) -> None:
    overflow = error(
        400, "request (90 tokens) exceeds the available context size (16 tokens)",
        type="exceed_context_size_error",
    )  # fmt: skip
    with ScriptedServer([overflow], props=llama_props(context=16)) as server:
        done = run(server)
    assert done.code == 0, "context_limit counts"
    planned = "mmlu: 2 of 2 tasks do not fit into the model's context of 16 tokens"
    assert planned in done.err and "llama-server -c N" in done.err
    lines = [line for line in done.out.splitlines() if "does not fit into the model's" in line]
    notice, summary = lines
    assert notice.startswith("warning: ") and "llama-server -c N" in notice
    assert summary.startswith("warning: mmlu: ") and "(2 samples)" in summary


def test_prompts_that_fit_are_not_talked_about(run: Any) -> None:
    with ScriptedServer([say("Answer: B")], props=llama_props()) as server:
        done = run(server)
    assert done.code == 0 and "not fit" not in done.err + done.out


def test_a_part_of_the_samples_is_said_beside_its_score(run: Any, proctor: Proctor) -> None:
    refused: list[str] = []

    def first_only(request: Any) -> Step:
        refused[:] = refused or [request.task]
        return error(400, "no") if request.task in refused else say("Answer: A")

    with ScriptedServer(first_only) as server:
        done = run(server)
    assert done.code == 1 and "(of 1 of 2 samples)" in done.out
    shown = proctor("show", "last", "--sample", "anatomy/0")  # as the tables show it
    assert shown.code == 0 and "anatomy" in shown.out


def test_an_empty_list_of_subjects_is_no_list(proctor: Proctor, mmlu: Path) -> None:
    for empty in ("", " , "):
        done = proctor("plan", "mmlu", "--data", str(mmlu), "--model", "noop", "--subjects", empty)
        assert done.code == 2 and "names nothing" in done.err


def test_many_replies_without_an_answer_are_pointed_out(run: Any) -> None:
    with ScriptedServer([say("", reasoning="Clearly it is B. Answer: B")]) as server:
        done = run(server)
    told = " ".join(done.out.split())
    assert "no answer in the reply: no_answer:empty 2 (100.0 % of all" in told
    assert "out of the reasoning?" in told and "--sample ID" in told
