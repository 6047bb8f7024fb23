"""Raw completions and option log-probabilities over real HTTP."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from harness.errors import ConflictError, EndpointError
from harness.models.completion import complete_text, cut_at_stop, option_scores
from harness.models.openai_chat import EndpointModel
from harness.models.protocol import Message, ModelError, Reply, SampleSeed
from harness.models.retry import RetryPolicy
from harness.plan import (
    EndpointIdentity,
    EndpointLaunch,
    EpisodeLimits,
    Launch,
    ModelPlan,
    Sampling,
)

SILENCE = 0
ASKED = [Message(role="user", content="Q")]


class Silent:
    """A TurnSink that wants to know nothing."""

    time_left_s: float | None = None

    def requested(self, *told: Any) -> None:
        return None

    def delta(self, *told: Any) -> None:
        return None

    def retrying(self, *told: Any) -> None:
        return None

    def waiting(self, *told: Any) -> None:
        return None


@contextmanager
def server(*answers: tuple[int, dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A server that gives ``answers`` in turn (SILENCE for none); yields its address and the
    bodies it got."""
    left, got, over = list(answers), [], threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            got.append({"path": self.path, **body})
            status, answer = left.pop(0) if len(left) > 1 else left[0]
            if status == SILENCE:
                over.wait(60)
                return
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *told: Any) -> None:
            return None

    made = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{made.server_port}/v1", got
    finally:
        over.set()
        made.shutdown()
        made.server_close()
        thread.join()


def text_answer(text: str, **more: Any) -> tuple[int, dict[str, Any]]:
    choice = {"text": text, "finish_reason": "stop", "index": 0, **more}
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    return 200, {"choices": [choice], "usage": usage}


def model_of(url: str) -> EndpointModel:
    plan = ModelPlan(
        kind="openai",
        name="m",
        identity=EndpointIdentity(kind="openai", model_id="m"),
        sampling=Sampling(temperature=0.5, reasoning_effort="low"),
    )
    return EndpointModel(
        plan,
        Launch(endpoints=(EndpointLaunch(url=url),)),
        EpisodeLimits(),
        policy=RetryPolicy(first_s=0.01, longest_s=0.02, total_s=0.2),
    )


async def asked(url: str, how: str, time_left_s: float | None = None, **more: Any) -> Reply:
    model = model_of(url)
    try:
        return await sent(model, how, time_left_s, **more)
    finally:
        await model.close()


async def sent(
    model: EndpointModel, how: str, time_left_s: float | None = None, **more: Any
) -> Reply:
    session = model.session(SampleSeed(key="k", suite="s", task=None))
    call, sink = complete_text if how == "text" else option_scores, Silent()
    sink.time_left_s = time_left_s
    return await call(session, "def f(x):\n", sink, messages=ASKED, **more)


async def test_a_completion_is_cut_at_the_first_stop_taken_literally() -> None:
    stops = ("\nclass", "\ndef", "\n#", "\nif", "<|end.*|>")
    with server(text_answer("    return x\n<|end.*|>\nclass A")) as (url, got):
        reply = await asked(url, "text", stop=stops, max_tokens=64)
    assert reply.content == "    return x\n"
    assert (reply.usage.prompt, reply.usage.completion) == (7, 2)
    body = got[0]
    assert body["path"] == "/v1/completions"
    assert (body["prompt"], body["max_tokens"], body["temperature"]) == ("def f(x):\n", 64, 0.5)
    assert body["stop"] == list(stops[:4])
    assert "reasoning_effort" not in body and "messages" not in body


def test_no_stop_leaves_the_text() -> None:
    assert cut_at_stop("a\nb", ()) == "a\nb"
    assert cut_at_stop("abc", ("c", "b")) == "a"


@pytest.mark.parametrize(
    "logprobs",
    [
        {"top_logprobs": [{" A": -3.0, "B": -2.0, " B": -0.5, "The": -0.1}]},
        {
            "content": [
                {
                    "token": "The",
                    "logprob": -0.1,
                    "top_logprobs": [
                        {"token": " A", "logprob": -3.0},
                        {"token": " B", "logprob": -0.5},
                    ],
                }
            ]
        },
    ],
)
async def test_the_likeliest_letter_wins_in_either_shape(logprobs: dict[str, Any]) -> None:
    with server(text_answer("The", logprobs=logprobs, finish_reason="length")) as (url, got):
        reply = await asked(url, "options")
    assert reply.content == "B"
    assert reply.server["option_logprobs"] == {"A": -3.0, "B": -0.5}
    assert not reply.truncated
    assert (got[0]["max_tokens"], got[0]["temperature"]) == (1, 0)


async def test_no_letter_among_the_alternatives_is_the_token_itself() -> None:
    with server(text_answer("The", logprobs={"top_logprobs": [{"The": -0.1}]})) as (url, _):
        assert (await asked(url, "options")).content == "The"


async def test_an_endpoint_without_logprobs_is_no_score() -> None:
    with server(text_answer("B")) as (url, _), pytest.raises(EndpointError, match="protocol"):
        await asked(url, "options")


async def test_an_endpoint_without_logprobs_gets_no_more_samples() -> None:
    """All that follow would end alike, and so would a resumed run: its error says so."""
    told = text_answer("B", logprobs={"top_logprobs": [{"B": -0.1}]})
    for first, lost in ((text_answer("B"), True), (told, False)):
        with server(first, text_answer("B")) as (url, _):
            model = model_of(url)
            for _ in range(2):
                with contextlib.suppress(EndpointError):
                    await sent(model, "options")
            assert isinstance(model.lost.get(0), ConflictError) is lost
            await model.close()


async def test_server_errors_are_sent_again() -> None:
    with server((503, {"error": {"message": "loading"}}), text_answer("ok")) as (url, got):
        reply = await asked(url, "text")
    assert (reply.content, reply.attempts, len(got)) == ("ok", 2, 2)


async def test_an_endpoint_without_completions_says_what_to_choose() -> None:
    refusal = pytest.raises(EndpointError, match="chat protocol")
    with server((404, {"error": {"message": "no"}})) as (url, got), refusal:
        await asked(url, "text")
    assert len(got) == 1


async def test_a_prompt_too_long_is_the_models_end() -> None:
    message = "This model's maximum context length is 2048 tokens"
    answer = {"error": {"message": message, "code": "context_length_exceeded"}}
    with server((400, answer)) as (url, _), pytest.raises(ModelError) as error:
        await asked(url, "text")
    assert error.value.reason == "context_limit"


@pytest.mark.parametrize("how", ["text", "options"])
async def test_the_samples_time_ends_a_request(how: str) -> None:
    with server((SILENCE, {})) as (url, got):
        reply = await asked(url, how, time_left_s=0.2)
    assert reply.time_up and reply.content == "" and reply.working_s >= 0.2
    assert reply.flag and len(got) == 1


@pytest.mark.parametrize("how", ["text", "options"])
@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"choices": []},
        {"choices": [None]},
        {"choices": [{"text": ""}]},
        {"choices": [{"text": None, "finish_reason": "stop"}]},
        {"choices": [{"message": {"content": "B"}, "finish_reason": "stop"}]},
        "B",
        ["B"],
    ],
)
async def test_an_answer_without_a_text_is_never_the_models(how: str, answer: Any) -> None:
    good = text_answer("B", logprobs={"top_logprobs": [{"B": -0.1}]})
    with server((200, answer), good) as (url, got):
        reply = await asked(url, how)
    assert (reply.content, reply.attempts, len(got)) == ("B", 2, 2)
    with server((200, answer)) as (url, _), pytest.raises(EndpointError):
        await asked(url, how)


async def test_a_model_that_writes_nothing_is_heard() -> None:
    with server(text_answer("")) as (url, got):
        assert (await asked(url, "text")).content == "" and len(got) == 1
