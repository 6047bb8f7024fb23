"""Raw completions and option log-probabilities: what some single-shot protocols need.

Only an endpoint's session can do these; for a built-in model (oracle, noop, wrong, replay) the
text it says in its turn stands for the completion.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from harness.errors import ConflictError, EndpointError
from harness.ids import canonical_json, sha256_hex
from harness.models.protocol import Message, ModelError, ModelSession, Reply, TurnSink

if TYPE_CHECKING:
    from harness.models.openai_chat import EndpointSession

PATH = "/completions"
# OpenAI takes at most four stop strings; the rest is cut here, which costs tokens but no score.
_MAX_STOPS = 4
# As many alternatives as servers commonly give (llama.cpp and vLLM: 20).
_TOP = 20
_LETTERS = "ABCD"
_NO_COMPLETIONS = "choose a chat protocol in a new run: --protocol (proctor suites NAME lists them)"
_NO_LOGPROBS = "choose another protocol in a new run, e.g. --protocol hendrycks-5shot-chat"
_OWN = {"context_limit", "unparsable_reply", "model_refused"}


async def complete_text(
    session: ModelSession,
    prompt: str,
    sink: TurnSink,
    *,
    messages: list[Message],
    stop: Sequence[str] = (),
    max_tokens: int | None = None,
) -> Reply:
    """What the model writes after ``prompt``, up to the first stop string.

    Raises ModelError for what counts against the model, EndpointError for what does not.
    """
    if not _is_endpoint(session):
        reply = await session.turn(messages, [], sink)
        return replace(reply, content=cut_at_stop(reply.content, stop))
    extra: dict[str, Any] = {}
    if stop:
        extra["stop"] = list(stop[:_MAX_STOPS])
    if max_tokens is not None:
        extra["max_tokens"] = max_tokens
    reply, _ = await _request(session, prompt, extra, sink)
    return replace(reply, content=cut_at_stop(reply.content, stop))


async def option_scores(
    session: ModelSession, prompt: str, sink: TurnSink, *, messages: list[Message]
) -> Reply:
    """The letter whose token is likeliest to follow ``prompt``; log-probabilities in ``server``.

    A letter counts with and without a leading space, whichever is likelier. Where none of the
    letters is among the alternatives, the content is the token the model would have written.
    """
    if not _is_endpoint(session):
        return await session.turn(messages, [], sink)
    extra = {"max_tokens": 1, "logprobs": _TOP, "temperature": 0}
    reply, choice = await _request(session, prompt, extra, sink)
    if reply.time_up:
        return reply
    alternatives = _alternatives(choice.get("logprobs"))
    endpoint = _inner(session).endpoint
    if not alternatives:
        what, remedy = "the endpoint gives no log-probabilities", _NO_LOGPROBS
        if not endpoint.gave_logprobs:  # then it never will: nothing that a resume could mend
            endpoint.health.lost = ConflictError(what, where=endpoint.url, remedy=remedy)
        raise EndpointError(what, where=endpoint.url, remedy=remedy)
    endpoint.gave_logprobs = True
    scores: dict[str, float] = {}
    for token, value in alternatives:
        letter = token.strip()
        if letter in set(_LETTERS):
            scores[letter] = max(value, scores.get(letter, value))
    best = max(scores, key=lambda letter: scores[letter], default=None)
    content = reply.content if best is None else best
    # cut by length is how one token ends: nothing is missing
    server = {**reply.server, "option_logprobs": scores}
    return replace(reply, content=content, truncated=False, server=server)


def cut_at_stop(text: str, stop: Sequence[str]) -> str:
    """``text`` up to the first of the stop strings, taken literally."""
    ends = [at for mark in stop if (at := text.find(mark)) >= 0]
    return text[: min(ends)] if ends else text


def _is_endpoint(session: ModelSession) -> bool:
    return hasattr(_inner(session), "endpoint")


def _inner(session: ModelSession) -> Any:
    """The endpoint's own session, also inside the text protocol's."""
    return getattr(session, "_inner", session)


async def _request(
    session: ModelSession, prompt: str, extra: dict[str, Any], sink: TurnSink
) -> tuple[Reply, dict[str, Any]]:
    from harness.models.answer import chat_answer, whole_body
    from harness.models.body import parameters_of
    from harness.models.endpoint import explained
    from harness.models.failures import Failure
    from harness.models.in_flight import Request, TimeUp, in_flight
    from harness.models.retry import send_with_retries

    own: EndpointSession = _inner(session)
    model, endpoint = own.model, own.endpoint
    fields = {
        **parameters_of(model.plan, epoch=own.epoch),
        **extra,
        "prompt": prompt,
        "stream": False,
    }
    fields.pop("reasoning_effort", None)
    body = canonical_json(fields)
    shown = {key: value for key, value in fields.items() if key != "prompt"}

    turn_left_s = sink.time_left_s
    probe = model.probe(endpoint, PATH)

    async def send(attempt: int) -> tuple[Reply, dict[str, Any]]:
        await endpoint.brake.passed()
        sink.requested(attempt, endpoint.url, sha256_hex(body), shown)
        started = time.monotonic()
        request = Request(sink, endpoint, turn_left_s)
        try:
            async with (
                in_flight(request, timeout_s=model.request_timeout_s),
                endpoint.client.chat(body, session=own.key, path=PATH) as response,
            ):
                answer = chat_answer(await whole_body(response, request.bytes_came))
            reply, choice = _reply(answer, own, time.monotonic() - started)
        except TimeUp:
            used = request.working_s
            cut = Reply("", truncated=True, time_up=True, flag=request.silence(), working_s=used)
            return replace(cut, endpoint=endpoint.url, attempts=attempt, request_s=used), {}
        except Failure as failure:
            if failure.meaning is not None and failure.meaning.value in _OWN:
                raise ModelError(failure.meaning.value, failure.message) from failure
            raise
        endpoint.health.answers()
        endpoint.brake.release()
        return replace(reply, attempts=attempt), choice

    def announce(attempt: int, wait_s: float, failure: Failure, gives_up: str) -> None:
        sink.retrying(attempt, wait_s, failure.info(), gives_up)
        if failure.endpoint_wide and endpoint.brake.hold(wait_s):
            own.notify(f"{endpoint.url}: {failure.message[:200]}; holding back {wait_s:.0f} s")

    try:
        return await send_with_retries(
            send, model.policy, before_wait=announce, worth=probe.worth_waiting
        )
    except Failure as failure:
        error = explained(failure, endpoint.url)
        await endpoint.health.given_up(failure, error, probe)
        what, remedy = error.what, error.remedy
        if failure.status in (404, 405, 501):
            what, remedy = f"has no raw completions there: {failure.message}", _NO_COMPLETIONS
            if not endpoint.health.answered:
                endpoint.health.lost = ConflictError(what, where=error.where, remedy=remedy)
        raise EndpointError(what, where=error.where, remedy=remedy) from failure


def _reply(
    answer: dict[str, Any], own: EndpointSession, seconds: float
) -> tuple[Reply, dict[str, Any]]:
    """The reply, and the choice it was in. Raises Failure for an answer without a text."""
    from harness.models.failures import Failure
    from harness.models.stream import made_tokens
    from harness.models.usage import usage_of

    choices = answer["choices"]
    choice = choices[0] if isinstance(choices, list) else None
    if not isinstance(choice, dict) or not isinstance(choice.get("text"), str):
        raise Failure("malformed", f"an answer without a text: {str(choices)[:160]}")
    finish, text = choice.get("finish_reason"), choice["text"]
    if not text and not finish and not made_tokens(answer.get("usage")):
        raise Failure("malformed", "the answer holds an empty text that does not end")
    reply = Reply(
        content=text,
        finish_reason=finish if isinstance(finish, str) else None,
        usage=usage_of(answer.get("usage"), own.model.plan.prices),
        truncated=finish == "length",
        endpoint=own.endpoint.url,
        request_s=seconds,
        working_s=seconds,
        server={k: answer[k] for k in ("model", "system_fingerprint") if answer.get(k)},
    )
    return reply, choice


def _alternatives(found: Any) -> list[tuple[str, float]] | None:
    """The first token's alternatives, in either shape that servers use."""
    if not isinstance(found, dict):
        return None
    top = found.get("top_logprobs")
    if isinstance(top, list) and top and isinstance(top[0], dict):
        return [(t, float(v)) for t, v in top[0].items() if isinstance(v, int | float)]
    content = found.get("content")
    if isinstance(content, list) and content and isinstance(content[0], dict):
        entries = [content[0], *(content[0].get("top_logprobs") or ())]
        return [
            (str(e.get("token", "")), float(e["logprob"]))
            for e in entries
            if isinstance(e, dict) and isinstance(e.get("logprob"), int | float)
        ]
    return None
