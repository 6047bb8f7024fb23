"""Code from chat replies: each form that is known to have been mis-scored, with its right value."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.suites.extract.code import extract_code, hoisted_futures

ADD = "def add(a, b):\n    return a + b\n"
HEADER = 'def add(a, b):\n    """Sum."""\n'


def taken(reply: str, entry: str = "add", header: str | None = None) -> str:
    return (extract_code(reply, entry_point=entry, header=header).value or "").strip("\n")


@pytest.mark.parametrize(
    "reply",
    [
        f"```python\n{ADD}```",
        f"```\n{ADD}```",
        f"```py\n{ADD}```",
        f"```python3\n{ADD}```",
        f"```Python title=a.py\n{ADD}```",
        f"~~~py\n{ADD}~~~",
        f"`````python\n{ADD}`````",
        f"Sure.\n```python\n{ADD}```\nIt adds.",
        f"Sure: ```python\n{ADD}```",
        f"```python\r\n{ADD}```".replace("\n", "\r\n"),
        f"```python\n{ADD}",
        f"```python\n{ADD.rstrip()}```\nDone.",
        f"```{ADD}```",
        "1. So:\n   ```python\n   def add(a, b):\n       return a + b\n   ```",
        f"````markdown\nHere:\n```python\n{ADD}```\n````",
        f"```markdown\nHere:\n```python\n{ADD}```\n```",
        ADD,
        f"Here is it:\n\n{ADD}\nThis adds two numbers.",
        f"Please complete the function.\n\n{ADD}",
        f"{ADD}<|endoftext|>",
        f"```python\n{ADD}```<|im_end|>\n",
        f"[BEGIN]\n{ADD}[DONE]\nYou are an expert",
        f"{ADD}[DONE]",
        f"[BEGIN]\n'{ADD}'\n[DONE]",
        f"[PYTHON]\n{ADD}[/PYTHON]",
        f"<think>\n```python\ndef add(a, b): return 0\n```\n</think>\n```python\n{ADD}```",
        f"no opening tag</think>\n{ADD}",
        f"```python\n{ADD}```\nUse it:\n```python\nprint(add(1, 2))\n```",
        f"Plan:\n```\n1. add\n```\nCode:\n```python\n{ADD}```\n```bash\npython add.py\n```",
        f"```python\ndef add(a, b):\n    return a - b\n```\nNo, better:\n```python\n{ADD}```",
        f"```python\n{ADD}```\nIn short:\n```python\ndef add(a, b):\n    ...\n```",
        f"```python\n{ADD}```\nBroken:\n```python\ndef add(a, b:\n```",
        json.dumps({"name": "submit", "arguments": {"code": ADD}}),
        f"<tool_call>{json.dumps({'arguments': json.dumps({'code': ADD})})}</tool_call>",
        f"```json\n{json.dumps({'code': ADD})}\n```",
    ],
)
def test_what_a_careful_person_would_take(reply: str) -> None:
    assert taken(reply) == ADD.strip()


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("I cannot help with that.", "no_code"),
        (f"<think>\n```python\n{ADD}```", "only_thinking"),
    ],
)
def test_no_answer_is_said_to_be_none(reply: str, why: str) -> None:
    answer = extract_code(reply, entry_point="add")
    assert answer.none
    assert answer.rule == f"no_answer:{why}"


@pytest.mark.parametrize(("entry", "other"), [("f", "factorial"), ("tri", "tribonacci")])
def test_a_longer_name_is_another_function(entry: str, other: str) -> None:
    right = f"def {entry}(n):\n    return n"
    wrong = f"def {other}(n):\n    return 0"
    assert taken(f"```python\n{right}\n```\n```python\n{wrong}\n```", entry) == right
    assert taken(f"```python\n{wrong}\n```\n```python\n{right}\n```", entry) == right


def test_the_block_is_taken_whole() -> None:
    code = (
        "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n"
        "from functools import lru_cache\nif True:\n    LIMIT = 3\nA, B = 1, 2\nX = [0]\nX[0] = 5\n"
        "def add(a, b):\n    return 0\n\n@lru_cache\ndef add(a, b):\n    yield_ = gen()\n"
        "    return a + b\n\ndef gen():\n    yield 1"
    )
    assert taken(f"```python\n{code}\n```") == code


def test_imports_and_helpers_of_other_blocks_are_replayed() -> None:
    reply = (
        "```python\nimport math\nprint('hello')\n```\n"
        "```python\ndef half(x):\n    return x / 2\n```\n"
        "```python\ndef add(a, b):\n    return math.floor(half(a)) + b\n```"
    )
    answer = extract_code(reply, entry_point="add")
    assert answer.rule == "fence:defines_entry+other_blocks"
    space: dict[str, object] = {}
    exec(answer.value or "", space)
    assert space["add"](4, 1) == 3  # type: ignore[operator]
    assert "print" not in (answer.value or "")


@pytest.mark.parametrize(
    ("reply", "body", "rule"),
    [
        ("    c = a\n    return c + b", "    c = a\n    return c + b", "bare+body"),
        ("c = a\n    return c + b", "    c = a\n    return c + b", "bare+body:first_line_indented"),
        (
            " c = a\n    return c + b",
            "    c = a\n    return c + b",
            "bare+body:first_line_indented",
        ),
        ("c = a\nreturn c + b", "    c = a\n    return c + b", "bare+body:indented"),
        ("```python\n    return a + b\n```", "    return a + b", "fence:last+body"),
        ("    return a + b\n\nThis adds.", "    return a + b", "bare+body"),
    ],
)
def test_a_body_continues_the_prompt(reply: str, body: str, rule: str) -> None:
    answer = extract_code(reply, entry_point="add", header=HEADER)
    assert (answer.value or "").rstrip() == body
    assert (answer.form, answer.rule) == ("body", rule)


def test_a_body_is_no_answer_where_nothing_can_be_continued() -> None:
    assert extract_code("    return a + b", entry_point="add").rule == "no_answer:no_code"


def test_async_and_class_entry_points() -> None:
    assert taken("```\nasync def add(a):\n    return a\n```") == "async def add(a):\n    return a"
    assert taken("Well.\nclass Box:\n    pass\n", "Box") == "class Box:\n    pass"


def test_futures_go_to_the_top() -> None:
    prelude, code = hoisted_futures("import math\n", f"from __future__ import annotations\n{ADD}")
    compile(prelude + code, "x", "exec")
    assert prelude.startswith("from __future__")


PIECES = st.sampled_from(
    ["```", "```python\n", "~~~", "\n", "    ", "def add(", "a, b):\n", " return a", "<think>",
     "</think>", "[BEGIN]", "[DONE]", '{"code": "', "'''", '"""', "(", "[", "\\", "\r\n", "\x00",
     "\ud83d", "class add:\n", "@", "import x\n", "é", "`", "<tool_call>", "lambda: " ]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=40))
def test_never_raises_and_takes_nothing_that_was_not_said(pieces: list[str]) -> None:
    answer = extract_code("".join(pieces), entry_point="add", header=HEADER)
    assert answer.rule
    assert (answer.value is None) == answer.rule.startswith("no_answer")


@pytest.mark.parametrize(
    "unit",
    ["```\n", "```python\n", "`", "<think>", "def add(a, b):\n", "([", "-", "x = 1\n!!\n", "\n",
     " ", "{", "text\n```python\ndef add(a, b):\n  x=(\n```\n", "'''\n", "a.b", "not ", "<|end|>"],
)  # fmt: skip
def test_hostile_megabyte_takes_bounded_time(unit: str) -> None:
    started = time.process_time()
    extract_code((unit * 1_000_000)[:1_000_000], entry_point="add", header=HEADER)
    # CPU seconds, far above what any of them needs: quadratic time would take minutes
    assert time.process_time() - started < 20


def test_byte_order_mark_behind_a_fence_is_no_part_of_the_code() -> None:
    reply = "Here:\n\n```python\n\ufeffdef add(a, b):\n    return a + b\n```\n"
    found = extract_code(reply, entry_point="add")
    assert found.value is not None
    assert found.value.startswith("def add(a, b):")
