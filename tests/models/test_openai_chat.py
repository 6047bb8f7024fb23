"""Every habit and failure of a server lands on the right side: model, server, or sent again."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import pytest

from harness.errors import EndpointError, UsageError
from harness.models.protocol import Message, ModelError
from harness.models.retry import RetryPolicy
from tests.models.turns import PROMPT, one_turn
from tests.support.scripted_server import (
    Step,
    call,
    calls,
    error,
    error_frame,
    finish,
    html,
    say,
)

READ = ("read_file", {"path": "a/é.py"})
STYLES = (
    "openai",
    "no_index",
    "no_id",
    "bare",
    "null_first",
    "name_brace",
    "same_index",
    "objects",
    "repeat_name",
)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("chunk_bytes", [None, 1, 13])
async def test_calls_arrive_whole_in_every_style(
    serve: Any, connect: Any, style: str, chunk_bytes: int | None
) -> None:
    step = calls(READ, ("finish", {"summary": "ok"}), style=style, chunk_bytes=chunk_bytes)
    reply, _ = await one_turn(connect(serve([step])))
    assert [(c.name, c.arguments) for c in reply.tool_calls] == [
        READ,
        ("finish", {"summary": "ok"}),
    ]
    ids = [c.id for c in reply.tool_calls]
    assert all(ids) and len(set(ids)) == 2


async def test_interleaved_calls_are_told_apart(serve: Any, connect: Any) -> None:
    step = calls(READ, ("read_file", {"path": "b.py"}), interleaved=True, chunk=3)
    reply, _ = await one_turn(connect(serve([step])))
    assert [c.arguments for c in reply.tool_calls] == [READ[1], {"path": "b.py"}]


async def test_text_reasoning_usage_and_timings_are_read(serve: Any, connect: Any) -> None:
    timings = {"prompt_ms": 0.01, "predicted_ms": 0.02}
    step = say("Hello", reasoning="Think first", usage=(50, 7), cached=20, timings=timings)
    prices = {"prompt": 2.0, "cached": 1.0, "completion": 10.0}
    reply, seen = await one_turn(connect(serve([step]), prices=prices))
    assert (reply.content, reply.reasoning) == ("Hello", "Think first")
    assert (reply.usage.prompt, reply.usage.cached, reply.usage.completion) == (50, 20, 7)
    assert reply.usage.reasoning is None
    assert reply.usage.cost == pytest.approx((30 * 2 + 20 * 1 + 7 * 10) / 1e6)
    assert reply.working_s == pytest.approx(0.00003)
    assert "".join(text for kind, text in seen.deltas if kind == "reasoning") == "Think first"
    assert "".join(text for kind, text in seen.deltas if kind == "text") == "Hello"


async def test_emoji_split_between_deltas_is_one_character(serve: Any, connect: Any) -> None:
    halves = [json.dumps({"choices": [{"delta": {"content": half}}]}) for half in "\ud83d\ude00"]
    reply, seen = await one_turn(connect(serve([Step(frames=tuple(halves))])))
    assert reply.content == "\U0001f600"
    assert all(text.encode() for _, text in seen.deltas)


async def test_usage_is_unknown_when_the_server_tells_none(serve: Any, connect: Any) -> None:
    reply, _ = await one_turn(connect(serve([say("x", usage=None)])))
    assert reply.usage.prompt is None and reply.usage.completion is None


async def test_refused_stream_options_are_left_out_from_then_on(serve: Any, connect: Any) -> None:
    server = serve([say("x", refuse_stream_options=True)])
    model = connect(server)
    reply, seen = await one_turn(model)
    assert (reply.content, reply.usage.prompt, reply.attempts) == ("x", None, 2)
    assert any("usage is unknown" in notice for notice in seen.notices)
    await one_turn(model, key="other@1")
    assert ["stream_options" in r.body for r in server.requests] == [True, False, False]


async def test_server_that_ignores_stream_is_understood(serve: Any, connect: Any) -> None:
    whole = {
        "choices": [{"message": {"content": "plain"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 1},
    }
    reply, _ = await one_turn(connect(serve([Step(answer=whole)])))
    assert (reply.content, reply.usage.prompt) == ("plain", 3)


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ('{"path": "a', "not valid JSON"),
        ("[1, 2]", "a list"),
        ("null", "null"),
        ('"a.py"', "a string"),
        ('{"n": NaN}', "NaN"),
        ('{"path": "\\ud83d"}', "surrogate"),
        ("[" * 100_000, "JSON"),
    ],
)
async def test_arguments_that_are_no_object_are_kept_and_explained(
    serve: Any, connect: Any, raw: str, says: str
) -> None:
    reply, _ = await one_turn(connect(serve([calls(("read_file", raw), chunk=5000)])))
    (made,) = reply.tool_calls
    assert made.arguments is None and made.raw == raw
    assert says in (made.problem or "")
    made.model_dump_json()


async def test_empty_arguments_are_an_object_unless_cut(serve: Any, connect: Any) -> None:
    whole, _ = await one_turn(connect(serve([calls(("finish", ""))])))
    assert whole.tool_calls[0].arguments == {}
    cut, _ = await one_turn(connect(serve([calls(("finish", ""), finish_reason="length")])))
    assert cut.truncated and cut.tool_calls[0].arguments is None


async def test_length_with_the_context_full_is_told_from_a_cap(serve: Any, connect: Any) -> None:
    capped = say("x", finish_reason="length", usage=(100, 50))
    reply, _ = await one_turn(connect(serve([capped]), context=2048))
    assert reply.truncated and not reply.context_full
    full = say("x", finish_reason="length", usage=(2000, 48))
    reply, _ = await one_turn(connect(serve([full]), context=2048))
    assert reply.truncated and reply.context_full


async def test_repeated_ids_are_made_unique(serve: Any, connect: Any) -> None:
    step = call("read_file", path="a")
    step = step.where(calls=(step.calls[0].__class__("read_file", "{}", "same"),) * 2)
    reply, _ = await one_turn(connect(serve([step])))
    assert len({c.id for c in reply.tool_calls}) == 2


@pytest.mark.parametrize(
    "fault",
    [
        error(429, "slow down", headers={"retry-after": "0.02"}),
        error(408, "timeout"),
        error(409, "conflict"),
        error(500, "internal"),
        error(503, "loading model"),
        html(502),
        say("half of it", end="drop"),
        say("half of it", end="none"),
        error_frame("overloaded", 503),
        error_frame("something went wrong"),
        say("x", frames=("{broken",)),
    ],
    ids=lambda step: f"{step.status}-{step.end}",
)
async def test_faults_of_the_server_are_sent_again(serve: Any, connect: Any, fault: Step) -> None:
    server = serve([fault, say("good")])
    reply, seen = await one_turn(connect(server))
    assert (reply.content, reply.attempts, len(server.requests)) == ("good", 2, 2)
    assert len(seen.retries) == 1 and [r[0] for r in seen.requests] == [1, 2]


def stream(*frames: Any, done: bool = True) -> Step:
    """A stream of just these frames."""
    lines = [f"data: {json.dumps(frame)}\n\n" for frame in frames]
    text = "".join([*lines, "data: [DONE]\n\n" if done else ""])
    return Step(answer=text, headers={"content-type": "text/event-stream"})


NO_REPLY = {
    "null message": Step(answer={"choices": [{"message": None, "finish_reason": "stop"}]}),
    "message missing": Step(answer={"choices": [{"finish_reason": "stop"}]}),
    "message that does not end": Step(answer={"choices": [{"message": {}}]}),
    "content of a wrong kind": Step(
        answer={"choices": [{"message": {"content": 7}, "finish_reason": "stop"}]}
    ),
    "a completion's text": Step(answer={"choices": [{"text": "hi", "finish_reason": "stop"}]}),
    "no choices": Step(answer={"id": "x", "usage": {"completion_tokens": 3}}),
    "empty choices": Step(answer={"choices": []}),
    "choices of a wrong kind": Step(answer={"choices": {"message": {"content": "x"}}}),
    "null choice": Step(answer={"choices": [None]}),
    "empty object": Step(answer={}),
    "text": Step(answer='"hello"'),
    "list": Step(answer=[1, 2]),
    "number": Step(answer="42"),
    "null": Step(answer="null"),
    "nothing": Step(answer=""),
    "a detail": Step(answer={"detail": "worker is gone"}),
    "error in a choice": Step(
        answer={"choices": [{"error": {"message": "provider away", "code": 502}, "message": {}}]}
    ),
    "stream of nothing": stream(),
    "stream without deltas": stream({"choices": []}, {"choices": [{"finish_reason": "stop"}]}),
    "stream of null deltas": stream({"choices": [{"delta": None, "finish_reason": "stop"}]}),
    "stream given up": say("half of it", finish_reason="error"),
}


@pytest.mark.parametrize("fault", NO_REPLY.values(), ids=NO_REPLY)
async def test_what_is_no_reply_is_never_the_models(serve: Any, connect: Any, fault: Step) -> None:
    server = serve([fault, say("good")])
    reply, seen = await one_turn(connect(server))
    assert (reply.content, reply.attempts) == ("good", 2) and len(seen.retries) == 1
    with pytest.raises(EndpointError):
        await one_turn(connect(serve([fault])))


@pytest.mark.parametrize(
    "empty",
    [
        Step(answer={"choices": [{"message": {"content": ""}, "finish_reason": "stop"}]}),
        Step(answer={"choices": [{"message": {}}], "usage": {"completion_tokens": 1}}),
        stream({"choices": [{"delta": {"role": "assistant"}, "finish_reason": "stop"}]}),
    ],
)
async def test_an_empty_reply_stays_the_models(serve: Any, connect: Any, empty: Step) -> None:
    server = serve([empty])
    reply, _ = await one_turn(connect(server))
    assert (reply.content, reply.tool_calls, len(server.requests)) == ("", (), 2)


async def test_a_stream_with_a_finish_reason_needs_no_done(serve: Any, connect: Any) -> None:
    reply, _ = await one_turn(connect(serve([say("all", end="no_done")])))
    assert (reply.content, reply.attempts) == ("all", 1)


async def test_failures_that_stay_end_as_the_servers_fault(serve: Any, connect: Any) -> None:
    server = serve([error(429, "no quota")])
    with pytest.raises(EndpointError, match="no quota") as caught:
        await one_turn(connect(server))
    assert caught.value.where == server.url
    assert len(server.requests) > 3


@pytest.mark.parametrize(
    "endless",
    [
        say("word " * 20_000),
        Step(
            answer={"choices": [{"message": {"content": "x" * 300_000}, "finish_reason": "stop"}]}
        ),
    ],
    ids=["stream", "body"],
)
async def test_an_answer_beyond_all_bounds_is_the_servers_fault(
    serve: Any, connect: Any, monkeypatch: pytest.MonkeyPatch, endless: Step
) -> None:
    monkeypatch.setattr("harness.models.answer.ANSWER_LIMIT", 200_000)
    with pytest.raises(EndpointError, match="the answer has no end"):
        await one_turn(connect(serve([endless])))


async def test_a_longer_wait_than_allowed_is_not_begun(serve: Any, connect: Any) -> None:
    server = serve([error(429, "tomorrow", headers={"retry-after": "86400"})])
    with pytest.raises(EndpointError, match=r"asked to wait 86400 s, more than.*tomorrow"):
        await one_turn(connect(server))
    assert sum("Go." in r.task for r in server.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 501])
async def test_other_refusals_stop_at_once(serve: Any, connect: Any, status: int) -> None:
    server = serve([error(status, "no such thing")])
    with pytest.raises(EndpointError):
        await one_turn(connect(server))
    assert len(server.requests) == 1


async def test_a_web_page_is_a_wrong_address(serve: Any, connect: Any) -> None:
    server = serve([html()])
    with pytest.raises(EndpointError, match="web page"):
        await one_turn(connect(server))
    assert len(server.requests) == 1


async def test_context_overflow_is_the_models_end(serve: Any, connect: Any) -> None:
    fault = error(
        400,
        "request (5000 tokens) exceeds the available context size (2048 tokens)",
        type="exceed_context_size_error",
        code=400,
    )
    server = serve([fault])
    with pytest.raises(ModelError) as caught:
        await one_turn(connect(server))
    assert caught.value.reason == "context_limit" and len(server.requests) == 1


PARSE = error(500, "Failed to parse input at pos 12: <tool_call>", type="server_error", code=500)


async def test_output_that_the_server_cannot_parse_is_made_again_once(
    serve: Any, connect: Any
) -> None:
    reply, _ = await one_turn(connect(serve([PARSE, say("better")])))
    assert (reply.content, reply.attempts) == ("better", 2)


async def test_output_that_stays_unparsable_counts(serve: Any, connect: Any) -> None:
    server = serve([PARSE])
    with pytest.raises(ModelError) as caught:
        await one_turn(connect(server))
    assert caught.value.reason == "unparsable_reply" and caught.value.flag is None
    assert len(server.requests) == 2


async def test_an_empty_reply_is_made_again_once_and_then_counts(serve: Any, connect: Any) -> None:
    server = serve([say("", usage=(10, 1))])
    reply, _ = await one_turn(connect(server))
    assert (reply.content, reply.tool_calls, len(server.requests)) == ("", (), 2)
    assert (reply.usage.prompt, reply.usage.completion) == (20, 2)


async def test_one_prompt_that_breaks_a_healthy_server_counts(serve: Any, connect: Any) -> None:
    def script(request: Any) -> Step:
        return error(500, "boom") if "Go." in request.task else say("fine")

    server = serve(script)
    with pytest.raises(ModelError) as caught:
        await one_turn(connect(server))
    assert caught.value.reason == "unparsable_reply" and "boom" in (caught.value.flag or "")
    assert sum("Go." in r.task for r in server.requests) == 8


@pytest.mark.parametrize("message", ["CUDA out of memory", "the engine has died"])
async def test_what_a_server_says_of_itself_never_counts(
    serve: Any, connect: Any, message: str
) -> None:
    def script(request: Any) -> Step:
        return error(500, message) if "Go." in request.task else say("fine")

    with pytest.raises(EndpointError, match=message):
        await one_turn(connect(serve(script)))


async def test_an_error_that_others_got_past_is_the_servers(serve: Any, connect: Any) -> None:
    failing = {"Other.": 1}

    def script(request: Any) -> Step:
        if "Go." in request.task:
            return error(500, "boom 17")
        failing[request.task] = failing.get(request.task, 0) - 1
        return error(500, "boom 4") if failing[request.task] == 0 else say("fine")

    model = connect(serve(script))
    reply, _ = await one_turn(model, messages=[Message(role="user", content="Other.")])
    assert (reply.content, reply.attempts) == ("fine", 2)
    with pytest.raises(EndpointError, match="boom"):
        await one_turn(model)


async def test_failures_count_only_while_the_server_answers_others(
    serve: Any, connect: Any
) -> None:
    sent = {"prompt": 0, "control": 0}

    def script(request: Any) -> Step:
        kind = "prompt" if "Go." in request.task else "control"
        sent[kind] += 1
        answers = sent[kind] == 9 if kind == "prompt" else sent[kind] != 3
        return say("fine") if answers else error(500, "boom")

    reply, _ = await one_turn(connect(serve(script)))
    assert (reply.content, reply.attempts) == ("fine", 9)


async def test_a_stream_of_another_type_is_read_as_a_stream(serve: Any, connect: Any) -> None:
    server = serve([say("hello", headers={"content-type": "text/html"})])
    reply, recorder = await one_turn(connect(server))
    assert reply.content == "hello" and recorder.deltas


async def test_a_server_that_breaks_on_everything_is_at_fault(serve: Any, connect: Any) -> None:
    with pytest.raises(EndpointError, match="boom"):
        await one_turn(connect(serve([error(500, "boom")])))


async def test_refusals_are_the_models(serve: Any, connect: Any) -> None:
    filtered, _ = await one_turn(connect(serve([say("no", finish_reason="content_filter")])))
    assert filtered.refused
    with pytest.raises(ModelError) as caught:
        await one_turn(connect(serve([error(400, "blocked", code="content_filter")])))
    assert caught.value.reason == "model_refused"


async def test_silence_is_a_timeout_and_is_sent_again(serve: Any, connect: Any) -> None:
    server = serve([say("half of it", end="hang"), say("good")])
    reply, seen = await one_turn(connect(server, idle_timeout_s=0.2))
    assert reply.content == "good" and seen.retries[0][2].kind == "timeout"
    server = serve([say("slow", delay_s=5), say("good")])
    reply, seen = await one_turn(connect(server, request_timeout_s=0.2))
    assert reply.content == "good" and seen.retries[0][2].kind == "timeout"


async def test_one_brake_for_all_samples_of_an_endpoint(serve: Any, connect: Any) -> None:
    busy = error(429, "busy", headers={"retry-after": "0.4"})
    server = serve(lambda request: busy if request.number == 1 else say("ok"))
    model = connect(server, policy=RetryPolicy(first_s=0.01, total_s=5))
    first = asyncio.create_task(one_turn(model, key="first"))
    while not model.endpoints[0].brake.on:
        await asyncio.sleep(0.01)
    others = [one_turn(model, key=f"other{n}") for n in range(5)]
    results = await asyncio.gather(first, *others)
    assert [reply.attempts for reply, _ in results] == [2, 1, 1, 1, 1, 1]
    notices = [n for _, seen in results for n in seen.notices]
    assert sum("holding back" in n for n in notices) == 1
    assert sum("answers again" in n for n in notices) == 1
    assert all(reply.working_s < 0.3 for reply, _ in results)


async def test_cancelling_closes_the_request(serve: Any, connect: Any) -> None:
    server = serve([say("half of it", end="hang")])
    task = asyncio.create_task(one_turn(connect(server)))
    while not server.requests:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_keys_and_environment_stay_at_home(
    serve: Any, connect: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-openai")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-secret-of-admin")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-secret")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Secret: header-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    server = serve([say("x")])
    await one_turn(connect(server))
    assert "secret" not in json.dumps(server.seen_headers)
    assert server.seen_headers[0]["authorization"] == "Bearer none"
    monkeypatch.setenv("MY_KEY", "my-own-key")
    await one_turn(connect(server, api_key_env="MY_KEY"))
    assert server.seen_headers[-1]["authorization"] == "Bearer my-own-key"


async def test_a_socks_proxy_is_refused_by_name(
    connect: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with pytest.raises(UsageError, match="SOCKS"):
        await one_turn(connect("http://models.invalid/v1"))


async def test_refused_connections_say_where_and_why(connect: Any) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}/v1"
    with pytest.raises(EndpointError) as caught:
        await one_turn(connect(url))
    assert url in str(caught.value) and "refused" in str(caught.value)


async def test_requests_carry_sampling_tools_and_session(serve: Any, connect: Any) -> None:
    from harness.plan import Sampling

    sampling = Sampling(temperature=0.5, top_k=3, seed=7, extra_body={"cache_prompt": True})
    server = serve([finish()])
    _, seen = await one_turn(connect(server, sampling=sampling), key="t@1")
    (request,) = server.requests
    body = request.body
    assert (body["temperature"], body["top_k"], body["seed"]) == (0.5, 3, 7)
    assert body["cache_prompt"] is True and body["model"] == "scripted" and "top_p" not in body
    assert body["tools"][0]["function"]["name"] == "read_file"
    assert request.session == "t@1"
    assert seen.requests[0][3]["temperature"] == 0.5


@pytest.mark.parametrize(
    ("history", "sent"),
    [("always", [True, True]), ("never", [False, False]), ("since_last_user", [False, True])],
)
async def test_reasoning_goes_back_as_planned(
    serve: Any, connect: Any, history: str, sent: list[bool]
) -> None:
    server = serve([say("x")])
    messages = [
        *PROMPT,
        Message(role="assistant", content="a", reasoning="early"),
        Message(role="user", content="more"),
        Message(role="assistant", content="b", reasoning="late"),
    ]
    await one_turn(connect(server, reasoning_history=history), messages=messages)
    said = [m for m in server.requests[0].messages if m["role"] == "assistant"]
    assert ["reasoning_content" in m for m in said] == sent


async def test_sessions_stay_on_their_endpoint(serve: Any, connect: Any) -> None:
    one, two = serve([say("1")]), serve([say("2")])
    model = connect(one, two)
    assert (await one_turn(model, endpoint=1))[0].content == "2"
    assert (await one_turn(model, endpoint=0))[0].content == "1"


async def test_hundreds_of_requests_at_once(serve: Any, connect: Any) -> None:
    server = serve([say("x")])
    model = connect(server)
    replies = await asyncio.gather(*(one_turn(model, key=f"s{n}") for n in range(300)))
    assert all(reply.content == "x" for reply, _ in replies)
    assert len({r.session for r in server.requests}) == 300


async def test_each_epoch_has_a_seed_of_its_own(serve: Any, connect: Any) -> None:
    from harness.plan import Sampling

    server = serve([say("x")])
    model = connect(server, sampling=Sampling(seed=7))
    for epoch in (1, 2, 3):
        await one_turn(model, key=f"task@{epoch}")
    assert [r.body["seed"] for r in server.requests] == [7, 8, 9]


async def test_silence_is_not_borne_for_ever(serve: Any, connect: Any) -> None:
    server = serve([say("half of it", end="hang")])
    with pytest.raises(EndpointError, match="no answer in time"):
        await one_turn(connect(server, idle_timeout_s=0.05))
    assert sum("Go." in r.task for r in server.requests) == 3


async def test_overload_of_one_sample_is_not_held_against_the_model(
    serve: Any, connect: Any
) -> None:
    server = serve(lambda r: error(503, "overloaded") if "Go." in r.task else say("fine"))
    with pytest.raises(EndpointError, match="overloaded"):
        await one_turn(connect(server))


async def test_request_ids_in_a_message_do_not_make_it_another_error(
    serve: Any, connect: Any
) -> None:
    def script(request: Any) -> Step:
        if "Go." not in request.task:
            return say("fine")
        return error(500, f"boom in request {request.number}ab{request.number}")

    with pytest.raises(ModelError) as caught:
        await one_turn(connect(serve(script)))
    assert caught.value.flag
