"""Code that comes wrapped: in a tool call's JSON, or between the marks of few-shot prompts."""

from __future__ import annotations

import json
import re
from typing import Any

from harness.suites.extract.pytext import defines

_CALL = re.compile(r"<(tool_call|function_call)>(?P<body>.*?)(?:</\1>|\Z)", re.DOTALL)
_CODE_KEYS = ("code", "source", "solution", "completion", "content", "program", "input", "script")
# JSON beyond this size is not taken apart.
_MAX_JSON = 200_000


def tool_call_code(text: str, entry: str | None) -> str | None:
    """The code string inside a reply that is a tool call: JSON alone, fenced, or in tags."""
    call = _CALL.search(text) if "_call>" in text else None
    body = call["body"] if call else text
    body = body.strip()
    if body.startswith("```") and body.endswith("```"):
        body = body.strip("`").removeprefix("json").strip()
    if not body.startswith(("{", "[")) or len(body) > _MAX_JSON:
        return None
    try:
        value = json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return None
    strings = _strings(value, "", 0)
    if entry is not None:
        defining = [s for _, s in strings if defines(s, entry)]
        return defining[-1] if defining else None
    named = [s for key, s in strings if key in _CODE_KEYS]
    return max(named, key=len) if named else None


def _strings(value: Any, key: str, depth: int) -> list[tuple[str, str]]:
    if depth > 6:
        return []
    if isinstance(value, str):
        if depth < 6 and value.lstrip().startswith("{"):
            try:  # arguments of a call are JSON inside JSON
                return [*_strings(json.loads(value, strict=False), key, depth + 1), (key, value)]
            except (ValueError, RecursionError):
                pass
        return [(key, value)]
    if isinstance(value, dict):
        return [found for k, v in value.items() for found in _strings(v, str(k), depth + 1)]
    if isinstance(value, list):
        return [found for v in value for found in _strings(v, key, depth + 1)]
    return []


# Few-shot prompts of MBPP (Austin et al. 2021) and of Code Llama.
_MARKS = (("[BEGIN]", "[DONE]"), ("[PYTHON]", "[/PYTHON]"))


def between_marks(text: str) -> str | None:
    """What stands between few-shot marks; the opening one may be in the prompt, the closing one
    may lie behind a stop. Quotes round the code (opencompass#1407) go."""
    for begin, end in _MARKS:
        if begin not in text and end not in text:
            continue
        # what follows the first closing mark is the next example, made up by the model
        inside = text.split(begin, 1)[-1].split(end, 1)[0].strip("\n")
        quoted = inside.strip()
        if len(quoted) > 1 and quoted[0] == quoted[-1] and quoted[0] in "'\"":
            inside = quoted[1:-1]
        return inside
    return None
