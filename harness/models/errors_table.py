"""Servers' phrasings and what they mean.

A status alone does not tell a full context from a bad parameter, nor a server's crash from a
reply of the model that the server could not parse. Each row names who says it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Meaning(StrEnum):
    """What an error is about; the first three are the model's own, the last never is."""

    CONTEXT_LIMIT = "context_limit"
    UNPARSABLE_REPLY = "unparsable_reply"
    MODEL_REFUSED = "model_refused"
    NO_STREAM_OPTIONS = "no_stream_options"
    NO_TOOLS = "no_tools"
    NO_RESPONSE_FORMAT = "no_response_format"
    UNKNOWN_MODEL = "unknown_model"
    SERVER_FAULT = "server_fault"


@dataclass(frozen=True)
class Phrase:
    """A row: an error of one of ``statuses`` (None: told inside a stream) whose code, type or
    message matches ``pattern``."""

    meaning: Meaning
    statuses: frozenset[int | None]
    pattern: re.Pattern[str]
    server: str


def _row(meaning: Meaning, statuses: tuple[int | None, ...], pattern: str, server: str) -> Phrase:
    return Phrase(meaning, frozenset(statuses), re.compile(pattern, re.IGNORECASE), server)


_FULL = (400, 413, 422, 500, None)
_BROKEN = (*range(500, 600), None)
_BAD = (400, 404, 422, 500, 501, None)

TABLE: tuple[Phrase, ...] = (
    _row(Meaning.CONTEXT_LIMIT, _FULL, r"exceed_context_size_error", "llama.cpp"),
    _row(
        Meaning.CONTEXT_LIMIT,
        _FULL,
        r"exceeds the available context size",
        "llama.cpp, before 2026",
    ),
    _row(Meaning.CONTEXT_LIMIT, _FULL, r"context_length_exceeded", "OpenAI"),
    _row(
        Meaning.CONTEXT_LIMIT, _FULL, r"maximum context length (is|of)", "OpenAI, vLLM, OpenRouter"
    ),
    _row(Meaning.CONTEXT_LIMIT, _FULL, r"longer than the maximum model length", "vLLM"),
    _row(
        Meaning.CONTEXT_LIMIT,
        _FULL,
        r"(longer than|exceeds) the model'?s (maximum )?context length",
        "SGLang",
    ),
    _row(Meaning.CONTEXT_LIMIT, _FULL, r"inputs?`? tokens \+ `?max_new_tokens", "TGI"),
    _row(Meaning.CONTEXT_LIMIT, _FULL, r"prompt is too long: \d+ tokens", "Anthropic"),
    _row(Meaning.CONTEXT_LIMIT, _FULL, r"input token count .{0,40}exceeds the maximum", "Gemini"),
    _row(Meaning.CONTEXT_LIMIT, _FULL, r"when context the overflows", "LM Studio"),
    _row(
        Meaning.CONTEXT_LIMIT,
        _FULL,
        r"tokens to keep .{0,60}greater than the context length",
        "LM Studio",
    ),
    _row(Meaning.CONTEXT_LIMIT, _FULL, r"exceeds? (the )?maximum context length", "Ollama"),
    _row(Meaning.CONTEXT_LIMIT, _FULL, r"too large for model with \d+ maximum context", "Mistral"),
    _row(
        Meaning.CONTEXT_LIMIT, _FULL, r"prompt length \d+ is greater than max_seq_len", "TabbyAPI"
    ),
    _row(Meaning.UNPARSABLE_REPLY, (500, None), r"failed to parse input at pos", "llama.cpp"),
    _row(
        Meaning.UNPARSABLE_REPLY,
        (500, None),
        r"does not match the expected [\w-]+ format",
        "llama.cpp",
    ),
    _row(Meaning.UNPARSABLE_REPLY, (500, None), r"error parsing tool call: raw=", "Ollama"),
    _row(Meaning.UNPARSABLE_REPLY, (400, None), r"tool_use_failed|output_parse_failed", "Groq"),
    _row(
        Meaning.MODEL_REFUSED,
        (400, 403, None),
        r"content_filter|content_policy_violation|ResponsibleAIPolicyViolation",
        "OpenAI, Azure",
    ),
    _row(Meaning.NO_STREAM_OPTIONS, (400, 422), r"stream_options|include_usage", "proxies"),
    _row(Meaning.NO_TOOLS, _BAD, r"does not support tools", "Ollama"),
    _row(Meaning.NO_TOOLS, _BAD, r"tools param requires --jinja", "llama.cpp"),
    _row(Meaning.NO_TOOLS, _BAD, r"requires --enable-auto-tool-choice", "vLLM"),
    _row(
        Meaning.NO_RESPONSE_FORMAT,
        (400, 422, 501),
        r"response_format|json_schema|grammar",
        "several",
    ),
    _row(
        Meaning.UNKNOWN_MODEL,
        (400, 404),
        r"model_not_found|model .{0,200}(does not exist|not found)",
        "OpenAI, vLLM, Ollama",
    ),
    # of a server's state, whatever the prompt: never the model's, however often they come
    _row(Meaning.SERVER_FAULT, _BROKEN, r"out ?of ?memory|memory ?allocation", "several"),
    _row(
        Meaning.SERVER_FAULT,
        _BROKEN,
        r"\b(cuda|cublas|cudnn|nccl|hip|rocm|vulkan|metal)\w* ?error",
        "several",
    ),
    _row(
        Meaning.SERVER_FAULT,
        _BROKEN,
        r"failed to (allocate|find (a memory slot|free space in the kv cache))",
        "llama.cpp",
    ),
    _row(
        Meaning.SERVER_FAULT,
        _BROKEN,
        r"(engine|runner|worker|process|backend)\w*( \w+){0,3} "
        r"(dead|died|terminated|crashed|exited|stopped)|EngineDeadError",
        "vLLM, Ollama",
    ),
    _row(
        Meaning.SERVER_FAULT,
        _BROKEN,
        r"timed? ?out|deadline exceeded|overloaded|unavailable|at capacity|queue is full"
        r"|too many requests|shutting down|upstream|connection (refused|reset|error|aborted)"
        r"|no space left",
        "TGI, proxies",
    ),
)


def meaning_of(status: int | None, message: str) -> Meaning | None:
    """What an error answer means, or None where its status must speak for itself.

    ``message`` holds code, type and message of the answer (see ``failures.error_text``).
    """
    for phrase in TABLE:
        if status in phrase.statuses and phrase.pattern.search(message):
            return phrase.meaning
    return None
