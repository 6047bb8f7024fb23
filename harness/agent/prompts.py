"""What the model is told: system prompt and first message, one pair a protocol."""

from __future__ import annotations

from collections.abc import Mapping

from harness.ids import sha256_hex

PROMPT_VERSION = 1  # raise on every change of wording; the digest below is part of the plan
TREE_ENTRIES = 500  # a longer listing is cut, list_files shows the rest

_PROCTOR_1 = """\
You are a software engineer at work on a small code base, alone: nobody answers questions.

How the session works
- You act only through the tools. Every reply must hold at least one tool call; text beside it is
  optional.
- There is no shell, and nothing can be run: no program, no test. `lint` (linter and type checker)
  is the only check you have.
- The session ends when you call `finish`, and in no other way. Call it once, when the work is
  done.

How the work is judged
- Hidden tests, which you cannot see, run on the tree as you leave it. Writing tests of your own
  earns nothing, and changes to test files or project configuration are not taken over.

How to work
- Read the code that matters before you edit it. Line numbers move after an edit: read again
  before you address lines below it.
- Make the smallest change that solves the whole task. Keep public names, signatures and the style
  of the code around you, unless the task says otherwise.
- When a tool answers with a text that begins with `Error:`, the call changed nothing. Read what it
  says and do it another way.
"""

_SACB = """\
You are an autonomous coding agent. You work on a small repository with a fixed set of tools.

Rules
- Every reply must contain a tool call. The session ends only when you call `finish`.
- You cannot run code, tests or shell commands. `lint` is the only feedback there is.
- Hidden tests decide whether the task is solved. They exist already; do not create tests.
- Read a file before you edit it. After an edit the numbers of later lines may have moved.
- Make the smallest correct change.
"""

_USER = """\
Files of the repository, with their number of lines:

{tree}

Task:

{instruction}
"""

SYSTEM_PROMPTS: dict[str, str] = {"proctor-1": _PROCTOR_1, "sacb": _SACB}

NUDGE = (
    "Your reply held no tool call, so nothing was done. Go on with the task by calling a tool, "
    "or call `finish` if the work is complete."
)
NUDGE_TRUNCATED = (
    "Your reply was cut off by the length limit before it held a complete tool call, so nothing "
    "was done. Go on with a shorter reply that calls a tool."
)


def system_prompt(protocol: str) -> str:
    """The system prompt of a protocol. Raises KeyError for an unknown one."""
    return SYSTEM_PROMPTS[protocol]


def user_message(tree: Mapping[str, bytes], instruction: str) -> str:
    """The first user message: the file tree with line counts, then the task."""
    return _USER.format(tree=tree_listing(tree), instruction=instruction.strip())


def tree_listing(tree: Mapping[str, bytes]) -> str:
    """One line a file in order of path: ``path (12 lines)``."""
    paths = sorted(tree)
    lines = [f"{path} ({_size(tree[path])})" for path in paths[:TREE_ENTRIES]]
    if len(paths) > TREE_ENTRIES:
        lines.append(f"... and {len(paths) - TREE_ENTRIES} more files; list_files shows them")
    return "\n".join(lines) if lines else "(no files)"


def _size(content: bytes) -> str:
    if b"\0" in content:
        return f"binary, {len(content)} bytes"
    count = content.count(b"\n") + (not content.endswith(b"\n") and bool(content))
    return f"{count} line{'' if count == 1 else 's'}"


def prompt_digest(protocol: str) -> str:
    """Digest of all wording that a protocol puts before the model."""
    parts = (str(PROMPT_VERSION), SYSTEM_PROMPTS[protocol], _USER, NUDGE, NUDGE_TRUNCATED)
    return sha256_hex("\0".join(parts).encode())
