"""From defects that were kept to tasks: one defect each, or several that are independent."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

from harness.tasks.mutate.distance import Graph, difficulty
from harness.tasks.mutate.distinct import Single
from harness.tasks.mutate.outcome import Outcome
from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.stream import Stream

APART = 7  # lines between two defects of a file, so that each has a hunk of its own
WAITING = 12  # kept defects among which a partner is looked for
# Share of tasks with at least 2, 3 and 4 defects where no difficulty is asked for.
_SHARES = (0.5, 0.22, 0.08)
_BY_DIFFICULTY = {1: (1, 1), 2: (1, 1), 3: (1, 2), 4: (1, 3), 5: (3, 4)}

Try = Callable[[tuple[Plant, ...]], Awaitable[Outcome]]


@dataclass(frozen=True)
class Proposal:
    """A task to be: its number in its stream, its defects, how hard it is."""

    number: int
    singles: tuple[Single, ...]
    difficulty: int

    @property
    def failing(self) -> dict[str, str]:
        """Every test that notices, with what it said of its defect."""
        return {t: text for single in self.singles for t, text in single.outcome.failing.items()}


async def proposals(
    singles: AsyncIterator[Single],
    graph: Graph,
    stream: Stream,
    attempt: Try,
    level: int | None,
) -> AsyncGenerator[Proposal, None]:
    """Proposals in their order; a longer series begins with the shorter one. ``level``: only
    those of that difficulty. Raises what ``attempt`` raises."""
    waiting: list[Single] = []
    number = 0
    ended = False
    while True:
        while len(waiting) < WAITING and not ended:
            single = await anext(singles, None)
            ended = single is None
            if single is not None and (level not in (1, 2) or _level(graph, single) == level):
                waiting.append(single)
        if not waiting:
            return
        first = waiting.pop(0)
        wanted = _defects(stream, first, level)
        chosen = [first]
        for other in list(waiting):
            if len(chosen) == wanted:
                break
            if all(_independent(other, each) for each in chosen):
                chosen.append(other)
        together = tuple(chosen)
        if level is not None and difficulty(graph, together) != level:
            together = (first,)
            if difficulty(graph, together) != level:
                continue
        if len(together) > 1 and not await _divides(together, attempt):
            together = (first,)
            if level is not None and difficulty(graph, together) != level:
                continue
        for each in together[1:]:
            waiting.remove(each)
        number += 1
        yield Proposal(number, together, difficulty(graph, together))


def _level(graph: Graph, single: Single) -> int:
    return difficulty(graph, (single,))


def _defects(stream: Stream, first: Single, level: int | None) -> int:
    share = stream.share("defects", first.plant.key)
    if level is None:
        return 1 + sum(share < each for each in _SHARES)
    low, high = _BY_DIFFICULTY[level]
    return low + int(share * (high - low + 1))


def _independent(one: Single, two: Single) -> bool:
    return not one.failing & two.failing and not one.near(two, APART)


async def _divides(singles: tuple[Single, ...], attempt: Try) -> bool:
    """Whether the defects together turn red exactly what each turns red alone, also when one of
    them is mended."""
    sets = [singles]
    if len(singles) > 2:
        sets += [tuple(s for s in singles if s is not left_out) for left_out in singles]
    for group in sets:
        outcome = await attempt(tuple(single.plant for single in group))
        expected = {test for single in group for test in single.failing}
        if outcome.problem or set(outcome.failing) != expected:
            return False
    return True
