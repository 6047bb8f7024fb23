"""Which hunks of a task's patch make which of its defects."""

from __future__ import annotations

from harness.errors import ConfigError
from harness.tasks.task import TaskSpec

Groups = tuple[frozenset[int], ...]


def defect_groups(spec: TaskSpec, hunks: int, where: str) -> Groups:
    """Hunks of each defect, numbered from 0 over the whole patch; () where no such division is
    known (a feature's parts need none). ``hunks``: how many the patch has.

    Raises ConfigError for a ``defect_hunks`` that does not divide them among ``defects``.
    """
    given = spec.defect_hunks
    if not given:
        if spec.defects == 1:
            return (frozenset(range(hunks)),)
        if spec.category == "feature":
            return ()
        if spec.defects == hunks:
            return tuple(frozenset({number}) for number in range(hunks))
        raise ConfigError(
            f"defect_hunks: missing: {spec.defects} defects, but start.patch has {_count(hunks)}",
            where=where,
            remedy="say which hunks (from 1, over the whole patch) make each defect, such as "
            "defect_hunks = [[1], [2, 3]]",
        )
    if len(given) != spec.defects:
        raise ConfigError(
            f"defect_hunks: {len(given)} groups for defects = {spec.defects}",
            where=where,
            remedy="one group of hunks a defect",
        )
    seen: set[int] = set()
    for number, group in enumerate(given, 1):
        if not group:
            raise ConfigError(f"defect_hunks: group {number} is empty", where=where)
        for hunk in group:
            if not 1 <= hunk <= hunks:
                raise ConfigError(
                    f"defect_hunks: there is no hunk {hunk}; start.patch has {_count(hunks)}",
                    where=where,
                    remedy="hunks are numbered from 1, over the whole patch",
                )
            if hunk in seen:
                raise ConfigError(f"defect_hunks: hunk {hunk} stands there twice", where=where)
            seen.add(hunk)
    if missing := sorted(set(range(1, hunks + 1)) - seen):
        raise ConfigError(
            f"defect_hunks: hunk {missing[0]} belongs to no defect",
            where=where,
            remedy="name every hunk exactly once",
        )
    return tuple(frozenset(hunk - 1 for hunk in group) for group in given)


def _count(hunks: int) -> str:
    return "1 hunk" if hunks == 1 else f"{hunks} hunks"
