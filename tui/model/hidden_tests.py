"""The blocks of the tab Tests."""

from __future__ import annotations

from dataclasses import dataclass, field

from harness.events.grading import AnswerJudged, TestOutcome
from harness.state.view import TranscriptView
from tui.model.panes import Foldable
from tui.render.context import Context
from tui.render.grading import GROUPS, judgement, test_line
from tui.render.lines import EMPTY, Line, text_of

_JUDGED = "judged"


@dataclass
class TestBlocks(Foldable):
    """Hidden tests: those that have to be mended first, failures first within each group. The
    judgement of a single-shot answer comes before its tests, or stands alone."""

    __test__ = False
    tests: list[TestOutcome] = field(default_factory=list)
    judged: AnswerJudged | None = None
    _heads: dict[int, str] = field(default_factory=dict)

    def refresh(self, view: TranscriptView) -> bool:
        if len(view.tests) == len(self.tests) and view.judgement is self.judged and self.empty:
            return False
        self.judged = view.judgement
        order = list(GROUPS)
        self.tests = sorted(
            view.tests, key=lambda t: (order.index(t.group), t.outcome == "passed", t.id)
        )
        self.keys = [*([_JUDGED] if self.judged else []), *((t.group, t.id) for t in self.tests)]
        self.version += 1
        self._heads = {}
        for index, test in enumerate(self.tests):
            if index == 0 or self.tests[index - 1].group != test.group:
                mine = [t for t in self.tests if t.group == test.group]
                passed = sum(t.outcome == "passed" for t in mine)
                group = "Tests" if view.extraction else GROUPS[test.group]
                self._heads[index] = f"{group}: {passed} of {len(mine)} passed"
        self.empty = (
            "No test has run yet.\nHidden tests run when the episode is over."
            if view.verdict is None
            else "This sample was not graded by hidden tests.\nSee the end of its transcript."
        )
        return True

    def estimates(self, start: int) -> list[int]:
        return [1] * (len(self) - start)

    def lines(self, index: int, width: int) -> list[Line]:
        ctx = Context(width, open=self.keys[index] not in self.closed)
        index -= self.judged is not None
        if index < 0:
            assert self.judged is not None
            return judgement(self.judged, ctx)
        test = self.tests[index]
        out: list[Line] = []
        if index in self._heads:
            out = [EMPTY] if index else []
            out.append(((self._heads[index], "head"),))
        return [*out, *test_line(test, ctx)]

    def text(self, index: int) -> str:
        index -= self.judged is not None
        if index < 0:
            assert self.judged is not None
            return "\n".join(text_of(line) for line in judgement(self.judged, Context(200)))
        test = self.tests[index]
        return f"{test.outcome} {test.id}\n{test.message}".rstrip()
