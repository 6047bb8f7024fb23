"""Grading as lines: the tree, each hidden test, the verdict, single-shot answers."""

from __future__ import annotations

from harness.events.grading import (
    AnswerExtracted,
    AnswerJudged,
    GradingFinished,
    GradingStarted,
    SnapshotTaken,
    TestOutcome,
)
from harness.outcome import GRADE_POLICY
from harness.words import counted
from tui.plain import clean_line, clean_lines, plural
from tui.render.code import code_lines
from tui.render.context import Context
from tui.render.lines import EMPTY, Line, chop, middle, wrap
from tui.theme import OUTCOMES

GROUPS = {
    "fail_to_pass": "Tests that have to be mended (fail_to_pass)",
    "pass_to_pass": "Tests that must not break (pass_to_pass)",
    "other": "Other tests",
}
_MESSAGE_LINES = 12


def snapshot(event: SnapshotTaken, ctx: Context) -> list[Line]:
    files = plural(event.files, "file")
    changed = len(event.changes)
    head = f"■ Tree as the episode left it: {files}, {changed} changed"
    out = wrap(((head, "strong"),), ctx.width, hang=2)
    for change in event.changes:
        note = "  protected, not graded" if change.protected else ""
        counts = f"+{change.added_lines} -{change.removed_lines}"
        path = middle(clean_line(change.path), ctx.width - 34)
        out.append(
            (
                (f"  {change.kind:<9}", "muted"),
                (path, "path"),
                (f"  {counts}", "text"),
                (note, "warn"),
            )
        )
    return [*out, EMPTY]


def grading_started(event: GradingStarted, ctx: Context) -> list[Line]:
    where = f" in {clean_line(event.provider)}" if event.provider else ""
    counts = f"{event.fail_to_pass} fail_to_pass, {event.pass_to_pass} pass_to_pass"
    return wrap(((f"Grading{where}", "turn"), (f"  {counts}", "muted")), ctx.width)


def test_outcome(event: TestOutcome, ctx: Context) -> list[Line]:
    out: list[Line] = []
    before = ctx.previous
    if not isinstance(before, TestOutcome) or before.group != event.group:
        if isinstance(before, TestOutcome):
            out.append(EMPTY)
        group = "Tests" if isinstance(before, AnswerExtracted) else GROUPS[event.group]
        out.append(((group, "head"),))
    out += test_line(event, ctx)
    return out


def test_line(event: TestOutcome, ctx: Context) -> list[Line]:
    """One test without a heading: the line, and its failure text."""
    mark = OUTCOMES[event.outcome]
    tampered = event.outcome == "passed" and event.twin == "passed"
    notes = "  passes falsified as well" if tampered else ""
    seconds = f"  {event.seconds:.2f} s" if event.seconds else ""
    room = ctx.width - 13 - len(seconds) - len(notes)
    out: list[Line] = [
        (
            ("  ", ""),
            (f"{mark.symbol} {mark.word:<8}", mark.role),
            (middle(clean_line(event.id, 400), max(20, room)), "text"),
            (seconds, "muted"),
            (notes, "alarm"),
        )
    ]
    if event.message and event.outcome != "passed":
        rows = clean_lines(event.message)
        shown = rows if ctx.open else rows[:_MESSAGE_LINES]
        for row in shown:
            out += [(("    │ ", "faint"), *p) for p in chop(((row, "result"),), ctx.width - 6)]
        if len(rows) > len(shown):
            out.append(((f"    … {plural(len(rows) - len(shown), 'more line')}", "muted"),))
    return out


def grading_finished(event: GradingFinished, ctx: Context) -> list[Line]:
    policy = GRADE_POLICY[event.grade_status]
    role = "good" if event.resolved else "bad" if policy.counts else "warn"
    word = "resolved" if event.resolved else "not resolved" if policy.counts else "no score"
    symbol = "✓" if event.resolved else "✗" if policy.counts else "∅"
    out: list[Line] = [EMPTY, ((f"{symbol} Graded: {word}", role), (f"  {policy.label}", "text"))]
    rows = [
        ("fail_to_pass", f"{event.fail_to_pass_passed} of {event.fail_to_pass_total}"),
        ("pass_to_pass", f"{event.pass_to_pass_passed} of {event.pass_to_pass_total}"),
    ]
    if event.partial is not None:
        rows.append(("partial", f"{100 * event.partial:.0f} %"))
    rows.append(("seconds", f"{event.seconds:.1f}"))
    out += [((f"  {label:<13}", "label"), (value, "text")) for label, value in rows]
    if event.detail:
        for row in clean_lines(event.detail, 8000):
            out += wrap((("  ", ""), (row, "text")), ctx.width, hang=2)
    for test in event.tampered_ids:
        text = f"  ‼ passes true and falsified: {clean_line(test, 400)}"
        out += wrap(((text, "bad"),), ctx.width, hang=4)
    for flag in event.flags:
        text = f"  ⚑ {clean_line(flag.kind, 60)}: {clean_line(flag.detail, 600)}"
        out += wrap(((text, "warn"),), ctx.width, hang=4)
    if ctx.open:
        for number, box in enumerate(event.boxes, start=1):
            facts = ", ".join(f"{k} {v}" for k, v in box.items() if not isinstance(v, dict | list))
            text = f"  box {number}: {clean_line(facts, 400)}"
            out += wrap(((text, "muted"),), ctx.width, hang=4)
    return [*out, EMPTY]


def extraction(event: AnswerExtracted, ctx: Context) -> list[Line]:
    rule = clean_line(event.rule)
    if event.value is None:
        why = rule.removeprefix("no_answer:").replace("_", " ")
        return [(("Answer", "turn"), (f"  none was found: {why}", "warn")), EMPTY]
    how = (f"  {event.kind}, by {rule}", "muted")
    if event.kind in ("letter", "number"):
        return [(("Answer", "turn"), (f"  {clean_line(event.value)}", "strong"), how), EMPTY]
    out: list[Line] = [(("Answer", "turn"), how)]
    language = "python" if event.kind == "code" else ""
    for row in code_lines("\n".join(clean_lines(event.value)), language):
        out += [(("  ", ""), *part) for part in chop(row, ctx.width - 2)]
    return [*out, EMPTY]


def judgement(event: AnswerJudged, ctx: Context) -> list[Line]:
    policy = GRADE_POLICY[event.grade_status]
    role = "good" if policy.clean else "bad" if policy.counts else "warn"
    none = event.detail.startswith("no answer")
    symbol, label = "✓" if policy.clean else "✗", "no answer" if none else policy.label
    head: Line = ((f"{symbol} Judged: {label}", role),)
    if event.checks_total is not None:
        # Where tests are listed, a check is a class of them.
        classes = isinstance(ctx.previous, TestOutcome)
        of = counted(event.checks_total, "test class", "test classes")
        of = of if classes else plural(event.checks_total, "check")
        passed = f"{event.checks_passed} of {of} passed"
        head = (*head, (f"  {passed}", "text"))
    out: list[Line] = [EMPTY] if isinstance(ctx.previous, TestOutcome) else []
    out += wrap(head, ctx.width, hang=2)
    if event.detail and not none:
        for row in clean_lines(event.detail, 8000):
            out += wrap((("  ", ""), (row, "text")), ctx.width, hang=4)
    for name, value in (("expected", event.expected), ("got", event.got)):
        if value is not None:
            spans: Line = ((f"  {name:<9}", "label"), (clean_line(value, 1000), "text"))
            out += wrap(spans, ctx.width, hang=11)
    return [*out, EMPTY]
