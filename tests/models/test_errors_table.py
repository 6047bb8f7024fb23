"""Every phrasing in the table, as its server words it, and what must not be mistaken for one."""

from __future__ import annotations

import json

import pytest

from harness.models.errors_table import TABLE, Meaning, meaning_of
from harness.models.failures import http_failure

SAMPLES: list[tuple[str, int, str, Meaning]] = [
    (
        "llama.cpp",
        400,
        '{"error":{"code":400,"message":"request (9 tokens) exceeds the available '
        'context size (8 tokens), try increasing it","type":"exceed_context_size_error"}}',
        Meaning.CONTEXT_LIMIT,
    ),
    (
        "llama.cpp, before 2026",
        400,
        '{"error":{"code":400,"message":"the request exceeds the '
        'available context size. try increasing the context size"}}',
        Meaning.CONTEXT_LIMIT,
    ),
    (
        "OpenAI",
        400,
        '{"error":{"message":"Please reduce the length.","code":"context_length_exceeded"}}',
        Meaning.CONTEXT_LIMIT,
    ),
    (
        "vLLM",
        400,
        '{"object":"error","message":"This model\'s maximum context length is 4096 '
        'tokens. However, you requested 5000 tokens","code":400}',
        Meaning.CONTEXT_LIMIT,
    ),
    (
        "vLLM",
        400,
        '{"error":{"message":"The decoder prompt (length 9000) is longer than the '
        'maximum model length of 8192."}}',
        Meaning.CONTEXT_LIMIT,
    ),
    (
        "SGLang",
        400,
        '{"message":"The input (5000 tokens) is longer than the model\'s context '
        'length (4096 tokens)."}',
        Meaning.CONTEXT_LIMIT,
    ),
    (
        "TGI",
        422,
        '{"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be '
        '<= 4096","error_type":"validation"}',
        Meaning.CONTEXT_LIMIT,
    ),
    (
        "Anthropic",
        400,
        '{"error":{"message":"prompt is too long: 250000 tokens > 200000 maximum"}}',
        Meaning.CONTEXT_LIMIT,
    ),
    (
        "Gemini",
        400,
        '{"error":{"message":"The input token count (2000000) exceeds the maximum '
        'number of tokens allowed (1048576)."}}',
        Meaning.CONTEXT_LIMIT,
    ),
    (
        "LM Studio",
        400,
        '{"error":"Trying to keep the first 9000 tokens when context the overflows"}',
        Meaning.CONTEXT_LIMIT,
    ),
    (
        "LM Studio",
        400,
        '{"error":"The number of tokens to keep from the initial prompt is greater '
        'than the context length"}',
        Meaning.CONTEXT_LIMIT,
    ),
    (
        "Ollama",
        400,
        '{"error":"the input length exceeds maximum context length"}',
        Meaning.CONTEXT_LIMIT,
    ),
    (
        "Mistral",
        400,
        '{"message":"Prompt contains 40000 tokens, too large for model with 32768 '
        'maximum context length"}',
        Meaning.CONTEXT_LIMIT,
    ),
    (
        "TabbyAPI",
        400,
        '{"detail":"Prompt length 9000 is greater than max_seq_len 8192"}',
        Meaning.CONTEXT_LIMIT,
    ),
    (
        "llama.cpp",
        500,
        '{"error":{"code":500,"message":"Failed to parse input at pos 17: <x>",'
        '"type":"server_error"}}',
        Meaning.UNPARSABLE_REPLY,
    ),
    (
        "llama.cpp",
        500,
        '{"error":{"message":"The model produced output that does not match the '
        'expected peg-native format"}}',
        Meaning.UNPARSABLE_REPLY,
    ),
    (
        "Ollama",
        500,
        '{"error":{"message":"error parsing tool call: raw=\'{\', err=unexpected end"}}',
        Meaning.UNPARSABLE_REPLY,
    ),
    (
        "Groq",
        400,
        '{"error":{"message":"Failed to call a function","code":"tool_use_failed"}}',
        Meaning.UNPARSABLE_REPLY,
    ),
    (
        "Azure",
        400,
        '{"error":{"message":"filtered","code":"content_filter"}}',
        Meaning.MODEL_REFUSED,
    ),
    (
        "proxies",
        400,
        '{"error":{"message":"Unknown parameter: stream_options"}}',
        Meaning.NO_STREAM_OPTIONS,
    ),
    ("Ollama", 400, '{"error":{"message":"x does not support tools"}}', Meaning.NO_TOOLS),
    (
        "llama.cpp",
        500,
        '{"error":{"message":"tools param requires --jinja flag"}}',
        Meaning.NO_TOOLS,
    ),
    (
        "vLLM",
        400,
        '{"message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and '
        '--tool-call-parser to be set"}',
        Meaning.NO_TOOLS,
    ),
    (
        "several",
        400,
        '{"error":{"message":"response_format is not supported"}}',
        Meaning.NO_RESPONSE_FORMAT,
    ),
    ("vLLM", 404, '{"message":"The model `x` does not exist."}', Meaning.UNKNOWN_MODEL),
    (
        "PyTorch",
        500,
        '{"error":{"message":"CUDA out of memory. Tried to allocate 20.00 MiB"}}',
        Meaning.SERVER_FAULT,
    ),
    (
        "PyTorch",
        500,
        '{"error":{"message":"CUDA error: an illegal memory access was encountered"}}',
        Meaning.SERVER_FAULT,
    ),
    (
        "llama.cpp",
        500,
        '{"error":{"message":"failed to find a memory slot for batch of size 512"}}',
        Meaning.SERVER_FAULT,
    ),
    (
        "Ollama",
        500,
        '{"error":{"message":"llama runner process has terminated: signal: killed"}}',
        Meaning.SERVER_FAULT,
    ),
    ("vLLM", 500, '{"error":{"message":"EngineDeadError"}}', Meaning.SERVER_FAULT),
    ("TGI", 500, '{"error":"Model is overloaded"}', Meaning.SERVER_FAULT),
]


@pytest.mark.parametrize(("server", "status", "body", "meaning"), SAMPLES)
def test_phrasings_are_understood(server: str, status: int, body: str, meaning: Meaning) -> None:
    json.loads(body)
    assert http_failure(status, {}, body.encode()).meaning is meaning


def test_every_row_has_a_sample() -> None:
    texts = [http_failure(status, {}, body.encode()) for _, status, body, _ in SAMPLES]
    for row in TABLE:
        assert any(f.status in row.statuses and row.pattern.search(str(f)) for f in texts), (
            row.pattern.pattern
        )


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (500, "internal server error"),
        (429, "maximum context length is 4096"),
        (503, "Failed to parse input at pos 3"),
        (500, "Failed to parse tool call arguments as JSON"),
        (400, "temperature must be a number"),
    ],
)
def test_other_errors_mean_nothing_special(status: int, text: str) -> None:
    assert meaning_of(status, text) is None
