"""What is asked of endpoints before sealing, and the one line when something is wrong there."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from harness.errors import ConflictError, EndpointError, UsageError
from harness.models import endpoint, in_flight
from harness.models.registry import ModelRequest, plan_model, verify_endpoints
from harness.plan import Launch, Sampling
from tests.models.turns import QUICK
from tests.support.scripted_server import Step, error, html, llama_props, say


def ask(*urls: str, **more: Any) -> ModelRequest:
    return ModelRequest(base_urls=urls, **more)


async def test_a_llama_server_tells_everything(serve: Any) -> None:
    server = serve([say("x")], props=llama_props(context=2048, slots=3))
    plan, (endpoint,) = await plan_model(ask(server.url.removesuffix("/v1")))
    identity = plan.identity
    assert (plan.kind, plan.name, plan.tool_protocol) == ("openai", "scripted", "native")
    assert (identity.kind, identity.context, identity.ftype) == ("llama.cpp", 2048, "Q4_K")
    assert identity.model_file == "scripted-Q4_K.gguf" and identity.build == "b1-scripted"
    assert identity.size == 1000 and len(identity.chat_template or "") == 64
    assert (identity.default_sampling or {})["temperature"] == 0.5
    assert (endpoint.url, endpoint.slots) == (server.url, 3)
    assert not server.requests


async def test_other_servers_leave_it_unknown(serve: Any) -> None:
    notices: list[str] = []
    server = serve([say("x", usage=None)])
    plan, (endpoint,) = await plan_model(ask(server.url, notify=notices.append))
    assert plan.identity.context is None and plan.identity.size is None and endpoint.slots is None
    assert plan.tool_protocol == "native" and "does not tell" in notices[0]


async def test_a_template_without_tools_gets_them_in_words(serve: Any) -> None:
    server = serve([say("x")], props=llama_props(tools=False))
    assert (await plan_model(ask(server.url)))[0].tool_protocol == "text"


async def test_prompt_tokens_tell_whether_tools_are_dropped(serve: Any) -> None:
    drops = serve([say("x")], prompt_tokens=lambda body: 20)
    assert (await plan_model(ask(drops.url)))[0].tool_protocol == "text"
    keeps = serve([say("x")], prompt_tokens=lambda body: 90 if body.get("tools") else 20)
    assert (await plan_model(ask(keeps.url)))[0].tool_protocol == "native"


async def test_a_server_that_refuses_tools_gets_text(serve: Any) -> None:
    refusal = error(400, "scripted does not support tools")
    server = serve(lambda request: refusal if "tools" in request.body else say("x"))
    assert (await plan_model(ask(server.url)))[0].tool_protocol == "text"


async def test_suites_without_tools_ask_nothing(serve: Any) -> None:
    server = serve([say("x")])
    plan, _ = await plan_model(ask(server.url, tools=False))
    assert plan.tool_protocol == "none" and not server.requests


async def test_a_model_that_is_not_loaded_is_refused_by_name(serve: Any) -> None:
    server = serve([say("x")], model="qwen-4b")
    with pytest.raises(UsageError, match="qwen-4b") as caught:
        await plan_model(ask(server.url, name="qwen-9b"))
    assert caught.value.where == server.url


async def test_without_a_name_the_endpoint_must_serve_one(serve: Any) -> None:
    several = Step(answer={"data": [{"id": "a"}, {"id": "b"}]})
    with pytest.raises(UsageError, match="a, b"):
        await plan_model(ask(serve([say("x")], models_answer=several).url))


async def test_endpoints_must_serve_the_same(serve: Any) -> None:
    one = serve([say("x")], props=llama_props())
    two = serve([say("x")], props=llama_props(context=512))
    with pytest.raises(ConflictError, match="context") as caught:
        await plan_model(ask(one.url, two.url))
    assert caught.value.where == two.url
    plan, launches = await plan_model(ask(one.url, serve([say("x")], props=llama_props()).url))
    assert len(launches) == 2 and plan.identity.context == 4096


async def test_another_model_after_a_restart_is_a_conflict(serve: Any) -> None:
    server = serve([say("x")], props=llama_props())
    plan, endpoints = await plan_model(ask(server.url))
    launch = Launch(endpoints=tuple(endpoints))
    await verify_endpoints(plan, launch)
    server.props = {**llama_props(), "model_path": "/models/scripted-Q2_K.gguf"}
    with pytest.raises(ConflictError, match="Q2_K"):
        await verify_endpoints(plan, launch)
    server.model = "another"
    with pytest.raises(ConflictError, match="another"):
        await verify_endpoints(plan, launch)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (html(), "web page"),
        (html(404), "web page"),
        (error(404, "File not found"), "no chat API"),
        (error(401, "Invalid API key"), "refuses the key"),
        (Step(status=308, answer="", headers={"location": "https://x/v1"}), "https://x/v1"),
    ],
)
async def test_wrong_addresses_and_keys_are_usage_errors(
    serve: Any, answer: Step, says: str
) -> None:
    server = serve([say("x")], models_answer=answer)
    with pytest.raises(UsageError, match=says) as caught:
        await plan_model(ask(server.url))
    assert caught.value.where == server.url and caught.value.remedy


@pytest.mark.parametrize("name", [None, "scripted"])
@pytest.mark.parametrize("page", [html(), html(404)])
async def test_a_web_page_is_told_with_a_name_too(serve: Any, name: str | None, page: Step) -> None:
    server = serve([say("x")], models_answer=page)
    with pytest.raises(UsageError, match="web page") as caught:
        await plan_model(ask(server.url, name=name, tools=False))
    assert "/v1" in (caught.value.remedy or "")


LOADING = error(503, "Loading model")
LIMITED = error(429, "slow down", headers={"retry-after": "0.05"})


@pytest.mark.parametrize("busy", [LOADING, LIMITED])
async def test_a_busy_server_is_waited_for(
    serve: Any, monkeypatch: pytest.MonkeyPatch, busy: Step
) -> None:
    monkeypatch.setattr(endpoint, "PATIENCE", QUICK)
    told: list[str] = []
    first = {"/models": [busy], "/props": [busy, busy]}
    server = serve([say("x")], props=llama_props(), first=first)
    plan, endpoints = await plan_model(ask(server.url, notify=told.append))
    assert plan.identity.model_file == "scripted-Q4_K.gguf", "known only when /props was waited for"
    assert len(told) == 3 and all(f"HTTP {busy.status}" in line for line in told)
    assert all("asking again in" in line and "gives up after" in line for line in told)
    server.first = {"/models": [busy]}
    await verify_endpoints(plan, Launch(endpoints=tuple(endpoints)), told.append)
    assert len(told) == 4


async def test_the_question_about_tools_waits_too(
    serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "PATIENCE", QUICK)
    server = serve([LOADING, say("x")], prompt_tokens=lambda body: 20)
    assert (await plan_model(ask(server.url)))[0].tool_protocol == "text"
    assert len(server.requests) == 3


async def test_a_question_without_an_answer_is_told_of(
    serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_flight, "NOTICE_S", 0.1)
    told: list[str] = []
    server = serve([say("x", delay_s=0.8), say("x")], prompt_tokens=lambda body: 20)
    await plan_model(ask(server.url, notify=told.append))
    assert told[:2] == [f"{server.url}: no answer for {s} s; still waiting" for s in (0.1, 0.2)]


@pytest.mark.parametrize("path", ["/models", "/props"])
async def test_a_server_that_stays_busy_is_told_with_the_time_it_asks_for(
    serve: Any, path: str
) -> None:
    later = error(429, "quota", headers={"retry-after": "3600"})
    server = serve([say("x")], props=llama_props(), first={path: [later] * 9})
    with pytest.raises(EndpointError, match=r"asked to wait 3600 s, more than the 30 s.*quota"):
        await plan_model(ask(server.url))
    assert len(server.first[path]) == 8, "asked once"


async def test_what_cannot_be_reached_says_why(serve: Any) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}"
    with pytest.raises(EndpointError, match="refused"):
        await plan_model(ask(url))
    secure = serve([say("x")]).url.replace("http://", "https://")
    with pytest.raises(EndpointError, match="TLS"):
        await plan_model(ask(secure))


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (ModelRequest(name="qwen"), "--base-url"),
        (ask("ftp://host"), "http"),
        (ask("http://user:secret@host/v1"), "key"),
        (ask("http://host", api_key_env="PROCTOR_TEST_UNSET"), "PROCTOR_TEST_UNSET"),
        (ask("https://api.openai.com/v1", name="x"), "OPENAI_API_KEY"),
        (ask("http://host", cost_limited=True), "prices"),
        (ask("http://host", prices={"promt": 1.0}), "promt"),
        (ask("http://host", sampling=Sampling(extra_body={"messages": []})), "messages"),
    ],
)
async def test_requests_that_cannot_be_planned(
    request_: ModelRequest, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError) as caught:
        await plan_model(request_)
    assert says in str(caught.value) and "secret" not in str(caught.value)


async def test_a_cap_as_large_as_the_context_is_refused(serve: Any) -> None:
    server = serve([say("x")], props=llama_props(context=2048))
    with pytest.raises(UsageError, match="no room"):
        await plan_model(ask(server.url, sampling=Sampling(max_tokens=4096)))
