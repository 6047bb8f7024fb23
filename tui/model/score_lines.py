"""The scores of a run in a few lines: all numbers are those of ``proctor show``."""

from __future__ import annotations

from harness.plan import Plan, SuitePlan
from harness.report.numbers import interval, percent
from harness.report.scores import SuiteScore, Summary
from harness.store.task_score import is_part
from tui.plain import clean_line, plural
from tui.render.lines import Line, Span, cells, clip, middle

Item = tuple[Span, ...]
# More parts than this are for the screen of all scores.
_MANY = 12
_GAP = "  "


def score_lines(summary: Summary, plan: Plan, width: int, most: int) -> list[Line]:
    """Each suite's score under the name of its protocol, then what else fits into ``most``
    lines; what does not is left to the screen of all scores, and that is said."""
    suites = list(zip(summary.suites, plan.suites, strict=True))
    shown = suites if len(suites) <= most else suites[: most - 1]
    lines: list[Line] = []
    for number, (score, planned) in enumerate(shown):
        room = most - len(lines) - (len(suites) - number - 1)
        lines += _suite(score, planned, width, max(1, room))
    if len(shown) < len(suites):
        more = plural(len(suites) - len(shown), "more suite")
        lines.append(((f" {more}: m shows all scores", "muted"),))
    return lines


def plain_lines(scores: list[float | None], plan: Plan, width: int, most: int) -> list[Line]:
    """The scores alone, in the same places, until all else is there."""
    lines: list[Line] = []
    for score, suite in list(zip(scores, plan.suites, strict=False))[:most]:
        value = _value(score, suite, "")
        name = f"{suite.name} {suite.split}, {suite.protocol}"
        lines.append(tuple(_first(name, value, width)))
    return lines


def _first(name: str, value: Item, width: int) -> list[Span]:
    shown = middle(clean_line(name), max(12, width - _size(value) - 4))
    return [(f" {shown}: ", "label"), *value]


def _suite(score: SuiteScore, planned: SuitePlan, width: int, most: int) -> list[Line]:
    bounds = f" ({interval(score.interval)})" if score.interval is not None else ""
    value = _value(score.score, planned, bounds)
    rows = [_first(score.score_name, value, width)]
    for item in _extras(score):
        if _size(rows[-1]) + len(_GAP) + _size(item) > width:
            if len(rows) == most:
                _say_more(rows[-1], width)
                break
            rows.append([(" ", "")])
        rows[-1] += [(_GAP, ""), *item]
    return [tuple(row) for row in rows]


def _value(score: float | None, planned: SuitePlan, bounds: str) -> Item:
    if is_part(planned):
        answered, wanted = planned.options["partial"]
        return (("-", "strong"), (f" ({answered} of {plural(wanted, 'task')} answered)", "muted"))
    if score is None:
        return (("none yet", "muted"),)
    return ((percent(score), "strong"), (bounds, "muted"))


def _extras(score: SuiteScore) -> list[Item]:
    items: list[Item] = []
    if score.flagged:
        items.append(((f"⚑ {score.flagged} flagged", "warn"),))
    if score.tampered:
        items.append(((f"‼ {score.tampered} tampered", "bad"),))
    mmlu = score.classic.mmlu if score.classic else None
    if mmlu is not None:
        whole = mmlu.overall
        of = () if score.score is not None else ((" of those answered", "muted"),)
        items.append((*_pair("micro", whole.micro), *_pair("macro", whole.macro, ", "), *of))
    if len(score.pass_at_k) > 1:
        for rate in score.pass_at_k:
            undefined = f" (not of {plural(rate.undefined, 'task')})" if rate.undefined else ""
            items.append((*_pair(f"pass@{rate.k}", rate.value), (undefined, "muted")))
    if mmlu is not None:
        items += [_pair(group.name, group.micro) for group in mmlu.groups]
    elif 1 < len(score.categories) <= _MANY:
        items += [_pair(part.name, part.score) for part in score.categories]
    if score.score is not None and score.mean_partial is not None and score.partial_samples:
        items.append(_pair("partial", score.mean_partial))
    return items


def _pair(name: str, value: float | None, before: str = "") -> Item:
    return ((f"{before}{clean_line(name, 40)} ", "muted"), (percent(value), "text"))


def _say_more(row: list[Span], width: int) -> None:
    more = f"{_GAP}… m: all"
    room = width - cells(more)
    while len(row) > 1 and _size(row) > room:
        text, role = row.pop()
        if text.strip() and room - _size(row) > 12:
            row.append((clip(text, room - _size(row)), role))
            break
    row.append((more, "muted"))


def _size(spans: list[Span] | Item) -> int:
    return sum(cells(text) for text, _ in spans)
