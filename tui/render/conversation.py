"""The conversation as lines: prompts, replies, nudges, retries, limits, faults, the end."""

from __future__ import annotations

from harness.events.base import Usage
from harness.events.model import MessageAdded, ModelTurn, RequestRetried
from harness.events.sample import (
    AttemptFinished,
    AttemptStarted,
    EpisodeFinished,
    Fault,
    LimitReached,
)
from harness.outcome import END_POLICY
from tui.plain import clean, clean_line, clean_lines, plural
from tui.render.context import Context
from tui.render.lines import EMPTY, Line, clip, wrap
from tui.render.markdown import markdown
from tui.theme import verdict_mark

# A prompt longer than this is folded to its beginning.
_PROMPT_LINES = 8
# Not worth folding.
_FEW = 3
# The line in the agent's first message between the list of files and the task.
_TASK = "Task:"


def attempt_started(event: AttemptStarted, ctx: Context) -> list[Line]:
    facts = [clean_line(event.suite), f"epoch {event.epoch}", f"attempt {event.attempt}"]
    if event.tree:
        facts.append(plural(len(event.tree), "file"))
    # One question with one answer: no tool is called, whatever the model could.
    if event.tree and event.tool_protocol and event.tool_protocol != "none":
        facts.append(f"{clean_line(event.tool_protocol)} tool calls")
    head: Line = ((clean_line(event.task_id), "title"), ("  ", ""), (", ".join(facts), "muted"))
    return [*wrap(head, ctx.width), ((f"model {clean_line(event.model)}", "muted"),), EMPTY]


def message(event: MessageAdded, ctx: Context) -> list[Line]:
    if event.kind == "prompt":
        return _prompt(event, ctx)
    mark, word = ("↪", "nudge") if event.kind == "nudge" else ("i", "notice")
    out: list[Line] = []
    for number, text in enumerate(clean_lines(event.content)):
        lead = f"{mark} {word}: " if number == 0 else " " * (len(word) + 4)
        out += wrap(((lead, "nudge"), (text, "nudge")), ctx.width, hang=len(lead))
    return [*out, EMPTY]


def _prompt(event: MessageAdded, ctx: Context) -> list[Line]:
    word = "System prompt" if event.role == "system" else "Task"
    rows = clean_lines(event.content)
    if event.role == "system" and not ctx.open:
        count = plural(len(rows), "line")
        return [(("▸ ", "muted"), (word, "prompt"), (f"  {count}", "muted")), EMPTY]
    listed, rows = _parts(rows)
    body = markdown("\n".join(rows), ctx.width - 2)
    if listed and not ctx.open:
        head: Line = (("▸ ", "muted"), (word, "prompt"))
        more = f"  {plural(len(listed), 'line')} before: the files"
        return [(*head, (more, "muted")), *((("  ", ""), *part) for part in body), EMPTY]
    cut = len(body) - _PROMPT_LINES
    long = cut > _FEW
    folded = long and not ctx.open
    mark = "▸ " if folded else "▾ " if long or listed or event.role == "system" else "  "
    out: list[Line] = [((mark, "muted"), (word, "prompt"))]
    for row in listed:  # names of files are no Markdown
        out += [(("  ", ""), *part) for part in wrap(((row, "text"),), ctx.width - 2)]
    for part in body[:_PROMPT_LINES] if folded else body:
        out.append((("  ", ""), *part))
    if folded:
        out.append(((f"  … {plural(cut, 'more line')}", "muted"),))
    return [*out, EMPTY]


def _parts(rows: list[str]) -> tuple[list[str], list[str]]:
    """A first message in two: the list of files, which is folded, and the task itself."""
    if _TASK not in rows:
        return [], rows
    place = rows.index(_TASK)
    return rows[:place], rows[place + 1 :]


def model_turn(event: ModelTurn, ctx: Context) -> list[Line]:
    facts = [usage_words(event.usage), f"{event.request_s:.1f} s"]
    if event.attempts > 1:
        facts.append(f"{event.attempts} sendings")
    if event.truncated:
        facts.append("cut by the time limit" if event.time_up else "cut by length")
    if event.first_token_s is not None:
        facts.append(f"first token {event.first_token_s:.1f} s")
    head = f"Turn {event.turn}"
    facts_text = clip(", ".join(facts), max(0, ctx.width - len(head) - 2))
    out: list[Line] = [((head, "turn"), ("  ", ""), (facts_text, "muted"))]
    if event.reasoning:
        out += reasoning(event.reasoning, ctx)
    if event.content.strip():
        out += markdown(clean(event.content).strip("\n"), ctx.width)
    elif not event.tool_calls and not event.reasoning:
        out.append((("(an empty reply)", "warn"),))
    for call in event.tool_calls:
        if call.problem:
            problem = f"! {clean_line(call.name)}: {clean_line(call.problem)}"
            out += wrap(((problem, "error"),), ctx.width, hang=2)
    return [*out, EMPTY]


def reasoning(text: str, ctx: Context) -> list[Line]:
    rows = clean_lines(text.strip("\n"))
    if not ctx.open:
        first = next((row.strip() for row in rows if row.strip()), "")
        count = plural(len(rows), "line")
        lead = f"▸ reasoning, {count}: "
        return [((lead, "muted"), (clip(first, max(0, ctx.width - len(lead))), "reasoning"))]
    out: list[Line] = [(("▾ reasoning", "muted"),)]
    for row in rows:
        out += [(("│ ", "faint"), *part) for part in wrap(((row, "reasoning"),), ctx.width - 2)]
    return out


def retry(event: RequestRetried, ctx: Context) -> list[Line]:
    text = (
        f"↻ {clean_line(event.error.kind)}: {clean_line(event.error.message, 400)}; "
        f"sent again after {event.wait_s:.1f} s (sending {event.attempt})"
    )
    return wrap(((text, "retry"),), ctx.width, hang=2)


def limit(event: LimitReached, ctx: Context) -> list[Line]:
    name = clean_line(event.name).replace("_", " ")
    text = f"■ limit reached: {name}, {event.value:g} of {event.limit:g}"
    return [*wrap(((text, "warn"),), ctx.width, hang=2), EMPTY]


def fault(event: Fault, ctx: Context) -> list[Line]:
    text = f"! {clean_line(event.error.kind)}: {clean_line(event.error.message, 1000)}"
    out = wrap(((text, "error"),), ctx.width, hang=2)
    if event.error.remedy:
        out += wrap(((f"  {clean_line(event.error.remedy, 400)}", "muted"),), ctx.width, hang=2)
    if event.error.traceback and ctx.open:
        for row in clean_lines(event.error.traceback):
            out += wrap((("  ", ""), (row, "muted")), ctx.width, hang=2)
    return [*out, EMPTY]


def episode_finished(event: EpisodeFinished, ctx: Context) -> list[Line]:
    words = END_POLICY[event.stop_reason].label
    text = f"■ Episode over: {words}"
    if event.detail:
        text += f": {clean_line(event.detail, 600)}"
    out = wrap(((text, "strong"),), ctx.width, hang=2)
    counts = [
        f"{event.metrics[name]} {label}"
        for name, label in (
            ("turns", "turns"),
            ("tool_calls", "tool calls"),
            ("tool_errors", "tool errors"),
            ("edits", "edits"),
            ("path_refusals", "path refusals"),
            ("nudges", "nudges"),
        )
        if isinstance(event.metrics.get(name), int)
    ]
    if counts:
        out += wrap((("  " + ", ".join(counts), "muted"),), ctx.width, hang=2)
    return [*out, EMPTY]


def attempt_finished(event: AttemptFinished, ctx: Context) -> list[Line]:
    mark = verdict_mark(event.verdict)
    label = END_POLICY[event.stop_reason].label
    return [
        EMPTY,
        ((f"{mark.symbol} {mark.word}", mark.role), (f"  ended: {label}", "muted")),
    ]


def usage_words(usage: Usage) -> str:
    """``1,234 in, 56 out``; unknown is said."""
    if usage.prompt is None and usage.completion is None:
        return "tokens unknown"
    known = ["?" if value is None else f"{value:,}" for value in (usage.prompt, usage.completion)]
    text = f"{known[0]} in, {known[1]} out"
    return text if usage.cost is None else f"{text}, cost {usage.cost:.4f}"
