"""Where a block of code ends, when its own text holds fences."""

from __future__ import annotations

import textwrap

import pytest

from harness.suites.extract.code import extract_code

DOC = '''\
def add(a, b):
    """Sum.

    Example:

    ```
    >>> add(1, 2)
    3
    ```
    """
    return a + b'''
TAGGED = DOC.replace("    ```\n    >>>", "    ```python\n    >>>")
AT_MARGIN = 'def add(a, b):\n    """\n```\n>>> add(1, 2)\n```\n"""\n    return a + b'
PLAIN = "def add(a, b):\n    return a + b"


def fenced(code: str, ticks: str = "```", tag: str = "python") -> str:
    return f"{ticks}{tag}\n{code}\n{ticks}"


def listed(code: str, columns: int) -> str:
    return "1. So:\n\n" + textwrap.indent(fenced(code), " " * columns)


REPLIES: dict[str, tuple[str, str]] = {
    "docstring": (fenced(DOC), DOC),
    "docstring, no tag": (fenced(DOC, tag=""), DOC),
    "tagged fence in a docstring": (fenced(TAGGED), TAGGED),
    "tildes": (fenced(DOC.replace("```", "~~~"), "~~~"), DOC.replace("```", "~~~")),
    "tabs": (fenced(DOC.replace("    ", "\t")), DOC.replace("    ", "\t")),
    "at the margin of a string": (fenced(AT_MARGIN), AT_MARGIN),
    "never closed": (f"```python\n{DOC}", DOC),
    "in a list, three columns": (listed(DOC, 3), DOC),
    "in a list, four columns": (listed(DOC, 4), DOC),
    "in an inner list": (listed(TAGGED, 8), TAGGED),
    "behind a bullet": (f"- ```python\n{textwrap.indent(DOC, '  ')}\n  ```", DOC),
    "indented, closed at the margin": ("    " + fenced(textwrap.indent(DOC, "    ")), DOC),
    "closed three columns deeper": (f"```python\n{DOC}\n   ```\nDone.", DOC),
    "closed four columns deeper": (f"```python\n{PLAIN}\n    ```\nDone.", PLAIN),
    "closed deeper, then a block": (
        f"```python\n{PLAIN}\n    ```\nUse:\n```python\nprint(add(1, 2))\n```",
        PLAIN,
    ),
    "a block before": (f"```python\nprint(1)\n```\n{fenced(DOC)}", DOC),
    "a block behind": (f"{fenced(DOC)}\nUse:\n```python\nprint(add(1, 2))\n```", DOC),
    "an untagged block behind": (f"{fenced(DOC)}\nUse:\n```\nprint(add(1, 2))\n```", DOC),
    "in Markdown": (fenced(f"So:\n{fenced(DOC)}", "````", "markdown"), DOC),
    "in Markdown of as many ticks": (fenced(f"So:\n{fenced(DOC)}", tag="md"), DOC),
    "in a quotation": (textwrap.indent(fenced(DOC), "> ", lambda _: True) + "\nDone.", DOC),
}


@pytest.mark.parametrize("kind", REPLIES)
def test_a_fence_in_a_string_is_text_of_the_block(kind: str) -> None:
    reply, code = REPLIES[kind]
    found = extract_code(reply, entry_point="add")
    assert (found.value or "").rstrip() == code
    assert found.rule.startswith("fence")
    space: dict[str, object] = {}
    exec(found.value or "", space)
    assert space["add"](1, 2) == 3  # type: ignore[operator]


def test_a_block_cut_inside_its_docstring_ends_where_its_fence_is() -> None:
    reply = '```python\ndef add(a, b):\n    """Sum\n```\nSorry, again:\n' + fenced(PLAIN)
    assert extract_code(reply, entry_point="add").value == PLAIN
