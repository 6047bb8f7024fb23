"""Tool calls as lines: one compact line that opens; edits as differences, lint as findings."""

from __future__ import annotations

import json
import re
from typing import Any

from harness.events.model import ToolCallRequest
from harness.events.tool import ToolResult, TreeChange
from tui.plain import clean, clean_line, clean_lines, plural
from tui.render.code import code_lines, language_of
from tui.render.context import Context
from tui.render.diff import diff_lines
from tui.render.lines import EMPTY, Line, cells, chop, clip, middle, wrap

# Lines of a result that an open call shows; the pager has all.
_RESULT_LINES = 400
_DIFF_LINES = 60
_ERROR_LINES = 6
_FINDING = re.compile(r"^(?P<place>[^\s:][^:]*:\d+(?::\d+)?)(?P<rest>.*)$")


def tool_result(event: ToolResult, ctx: Context) -> list[Line]:
    out = [_head(event, ctx)]
    if event.delta:
        for change in event.delta:
            out += _change(change, event, ctx)
    if event.is_error or not event.executed:
        out += _error(event, ctx)
    elif event.name == "lint" and event.lint_findings:
        out += _findings(event, ctx)
    elif event.name == "finish" and event.text.strip():
        summary = str((event.arguments or {}).get("summary") or event.text)
        for text in clean_lines(summary)[:40]:
            out += wrap((("  ", ""), (text, "text")), ctx.width, hang=2)
    if ctx.open:
        out += _opened(event, ctx)
    return out


def is_open(event: ToolResult) -> bool:
    """Whether there is nothing that opening would add."""
    return not event.text and not event.arguments


def pending(call: ToolCallRequest, ctx: Context) -> list[Line]:
    """A call whose result is not there yet."""
    name, facts = clean_line(call.name, 60), _facts(call.name, call.arguments or {})
    return [(("  ◌ ", "running"), (name, "tool"), (" ", ""), (facts[0], "path"), (" …", "muted"))]


def _head(event: ToolResult, ctx: Context) -> Line:
    mark, role = ("✓", "good") if event.executed else ("-", "warn")
    if event.is_error:
        mark, role = "✗", "bad"
    if event.path_refused:
        mark, role = "⊘", "bad"
    fold = "▾" if ctx.open else "▸"
    name = clean_line(event.name, 60)
    target, detail = _facts(event.name, event.arguments or {})
    state = _state(event)
    room = ctx.width - 5 - cells(name) - cells(detail) - cells(state) - 4
    return (
        (f"{fold} ", "muted"),
        (f"{mark} ", role),
        (name, "tool"),
        (" ", ""),
        (middle(target, max(room, 10)), "path"),
        (f" {detail}" if detail else "", "text"),
        (f"  {state}" if state else "", "bad" if event.is_error else "muted"),
    )


def _facts(name: str, arguments: dict[str, Any]) -> tuple[str, str]:
    """Where a call acts and the rest of what matters, in few words."""
    path = clean_line(str(arguments.get("path", "") or ""))
    start, end = arguments.get("start_line"), arguments.get("end_line")
    lines = ""
    if start is not None or end is not None:
        lines = clean_line(f"{start if start is not None else 1}-{end or ''}", 30)
        if isinstance(start, int) and isinstance(end, int) and end == start - 1:
            lines = f"insert at {start}"
    if name == "search":
        pattern = clean_line(str(arguments.get("pattern", "")), 60)
        glob = clean_line(str(arguments.get("glob") or ""), 40)
        place = " ".join(part for part in (path, glob) if part and part != ".")
        return f"/{pattern}/", f"in {place}" if place else ""
    if name == "finish":
        return "", ""
    if path:
        return path, lines
    rest = {key: value for key, value in arguments.items() if key != "path"}
    return (clean_line(json.dumps(rest, ensure_ascii=False), 120) if rest else ""), lines


def _state(event: ToolResult) -> str:
    if not event.executed:
        return "not carried out"
    if event.path_refused:
        return "path refused"
    if event.is_error:
        return "error"
    if event.name == "lint":
        found = event.lint_findings
        return "" if found is None else "clean" if not found else f"{found} findings"
    if event.delta:
        return ""
    rows = event.text.count("\n") + 1 if event.text else 0
    if event.name == "search":
        hits = sum(1 for row in event.text.split("\n") if _FINDING.match(row))
        return plural(hits, "hit")
    if event.name in ("read_file", "list_files"):
        return plural(rows, "line")
    return ""


def _change(change: TreeChange, event: ToolResult, ctx: Context) -> list[Line]:
    path = clean_line(change.path)
    out: list[Line] = []
    if len(event.delta) > 1 or path != str((event.arguments or {}).get("path")):
        out.append((("  ", ""), (path, "path")))
    before = ctx.blob(change.before) if change.before else None
    after = ctx.blob(change.after) if change.after else None
    known = (before is not None or not change.before) and (after is not None or not change.after)
    if not known:
        before, after = _from_arguments(event.arguments or {})
    most = 4000 if ctx.open else _DIFF_LINES
    rows = diff_lines(before, after, change.path, ctx.width - 2, most)
    out += [(("  ", ""), *row) for row in rows]
    if change.before == change.after and change.mode_before != change.mode_after:
        modes = f"mode {change.mode_before or 0:o} -> {change.mode_after or 0:o}"
        out.append(((f"  {modes}", "muted"),))
    if change.after is None:
        out.append((("  file deleted", "muted"),))
    return out


def _from_arguments(arguments: dict[str, Any]) -> tuple[str | None, str | None]:
    """What a call says itself, where the contents are not at hand."""
    old = arguments.get("old_text")
    new = arguments.get("new_text", arguments.get("content"))
    return (str(old) if old is not None else None), (str(new) if new is not None else None)


def _error(event: ToolResult, ctx: Context) -> list[Line]:
    rows = clean_lines(event.text)
    shown = rows if ctx.open else rows[:_ERROR_LINES]
    out: list[Line] = []
    for row in shown:
        out += wrap((("  ", ""), (row, "error")), ctx.width, hang=2)
    if len(rows) > len(shown):
        out.append(((f"  … {plural(len(rows) - len(shown), 'more line')}", "muted"),))
    return out


def _findings(event: ToolResult, ctx: Context) -> list[Line]:
    rows = clean_lines(event.text)
    shown = rows if ctx.open else rows[:12]
    out: list[Line] = []
    for row in shown:
        found = _FINDING.match(row)
        spans: Line = (
            (("  ", ""), (found["place"], "path"), (found["rest"], "warn"))
            if found
            else (("  ", ""), (row, "muted"))
        )
        out += wrap(spans, ctx.width, hang=4)
    if len(rows) > len(shown):
        out.append(((f"  … {plural(len(rows) - len(shown), 'more line')}", "muted"),))
    return out


def _opened(event: ToolResult, ctx: Context) -> list[Line]:
    out: list[Line] = []
    for key, value in (event.arguments or {}).items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        rows = clean_lines(text)
        lead = f"  {clean_line(str(key), 40)}: "
        if len(rows) == 1:
            out += wrap(((lead, "label"), (rows[0], "text")), ctx.width, hang=len(lead))
            continue
        out.append(((lead.rstrip(), "label"),))
        for row in rows[:_RESULT_LINES]:
            out += [(("  │ ", "faint"), *part) for part in chop(((row, "text"),), ctx.width - 4)]
    out.append(((f"  result, {1000 * event.elapsed_s:.1f} ms", "label"),))
    if event.is_error or (event.name == "lint" and event.lint_findings):
        return [*out[:-1], EMPTY]
    out += _result(event, ctx)
    return [*out, EMPTY]


def _result(event: ToolResult, ctx: Context) -> list[Line]:
    text = clean(event.text)
    path = str((event.arguments or {}).get("path", "") or "")
    language = language_of(path) if event.name == "read_file" and path else ""
    rows = code_lines(text.rstrip("\n"), language)
    out: list[Line] = []
    for row in rows[:_RESULT_LINES]:
        plain = row if language else tuple((t, "result") for t, _ in row)
        out += [(("  │ ", "faint"), *part) for part in chop(plain, ctx.width - 4)]
    if len(rows) > _RESULT_LINES:
        more = f"  … {plural(len(rows) - _RESULT_LINES, 'more line')}; v shows all of it"
        out.append(((clip(more, ctx.width), "muted"),))
    return out
