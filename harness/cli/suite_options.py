"""What a user chooses of each suite: ``VALUE`` for one suite, ``SUITE=VALUE`` for several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.config.settings import SETTINGS
from harness.errors import UsageError
from harness.suites.protocol import Suite, SuiteOptions

if TYPE_CHECKING:
    from harness.config import Resolved
    from harness.plan import Launch, SuitePlan

_PER_SUITE = ("protocol", "split", "variant", "data")


def suite_options(
    suites: Sequence[Suite],
    settings: Resolved,
    *,
    task_globs: tuple[str, ...] = (),
    before: Mapping[str, SuitePlan] | None = None,
    launch: Launch | None = None,
) -> list[SuiteOptions]:
    """The options of each suite, in their order.

    before, launch: of the run that is resumed or extended, where no setting says otherwise.
    Raises UsageError for what no suite takes.
    """
    chosen = {name: _by_suite(name, suites, settings) for name in _PER_SUITE}
    subjects = _subjects(suites, settings)
    _seed_is_of_use(suites, settings)
    return [
        _options(
            suite, settings, chosen, subjects, task_globs, (before or {}).get(suite.name), launch
        )
        for suite in suites
    ]


def data_by_suite(suites: Sequence[Suite], settings: Resolved) -> dict[str, str]:
    """Absolute paths of the suites' own data. Raises UsageError."""
    found = _by_suite("data", suites, settings)
    return {name: str(data_path(text)) for name, text in found.items()}


def data_path(text: str) -> Path:
    """The path that ``--data`` names. Raises UsageError."""
    path = Path(text).expanduser().resolve()
    if not path.exists():
        raise UsageError("--data does not exist", where=str(path), remedy="give a path that does")
    return path


def redux_file(settings: Resolved, suites: Sequence[Suite]) -> str | None:
    """Absolute path of MMLU-Redux labels, which are read once to see that they can be. Raises
    UsageError, ConfigError."""
    text = settings["redux"]
    if text is None or not any(_has_subjects(suite) for suite in suites):
        if text is not None and settings.values["redux"].source.startswith("flag"):
            raise UsageError("--redux is for suite mmlu, which is not run")
        return None
    from harness.report.redux import read_labels

    path = Path(text).expanduser().resolve()
    read_labels(path)
    return str(path)


def task_roots(data: Path | None) -> tuple[Path, ...]:
    """Where repositories are looked for: the shipped ones, or those of ``--data``."""
    from harness.tasks.repository import default_roots

    return (data,) if data is not None else tuple(default_roots())


def _options(
    suite: Suite,
    settings: Resolved,
    chosen: Mapping[str, Mapping[str, str]],
    subjects: tuple[str, ...],
    task_globs: tuple[str, ...],
    before: SuitePlan | None,
    launch: Launch | None,
) -> SuiteOptions:
    old: Mapping[str, Any] = before.options if before is not None else {}
    data = chosen["data"].get(suite.name)
    if data is None and launch is not None:
        data = launch.data_of(suite.name)
    path = data_path(data) if data else None
    return SuiteOptions(
        protocol=chosen["protocol"].get(suite.name) or (before.protocol if before else None),
        data=path,
        limit=settings["limit"],
        task_globs=task_globs,
        task_roots=task_roots(path) if suite.agentic else (),
        subjects=(subjects or tuple(old.get("subjects", ()))) if _has_subjects(suite) else (),
        split=chosen["split"].get(suite.name) or old.get("split"),
        variant=chosen["variant"].get(suite.name) or old.get("variant"),
    )


def _by_suite(name: str, suites: Sequence[Suite], settings: Resolved) -> dict[str, str]:
    """Suite -> value of a setting. What a file or a variable says is for the suites that have
    such a thing; what a flag says has to fit."""
    from harness.suites.registry import names

    known, running = set(names()), {suite.name: suite for suite in suites}
    strict = settings.values[name].source.startswith("flag")
    flag = SETTINGS[name].flag
    found: dict[str, str] = {}
    for item in settings[name] or ():
        suite, mark, value = item.partition("=")
        if mark and suite in known:
            if suite not in running:
                if strict:
                    raise UsageError(f"{flag} is for suite {suite}, which is not run")
                continue
            wanted = [suite]
        elif mark and name != "data":
            raise UsageError(f"{flag}: there is no suite {suite!r}", remedy="see: proctor suites")
        else:
            value = item
            wanted = [
                s.name for s in suites if strict or name in ("data", "protocol") or _takes(s, name)
            ]
            if len(wanted) > 1 and not (name == "data" and all(s.agentic for s in suites)):
                raise UsageError(
                    f"{flag} does not say for which suite",
                    where=", ".join(wanted),
                    remedy=f"say it: {flag} {wanted[0]}={value}",
                )
        for each in wanted:
            if not _takes(running[each], name):
                if strict:
                    raise UsageError(
                        f"suite {each} takes no {flag}", remedy=f"see: proctor suites {each}"
                    )
                continue
            if each in found and found[each] != value:
                raise UsageError(f"{flag} says two things of suite {each}", where=value)
            found[each] = value
    return found


def _takes(suite: Suite, name: str) -> bool:
    known = {"split": "splits", "variant": "variants"}.get(name)
    return known is None or bool(getattr(suite, known, ()))


def _has_subjects(suite: Suite) -> bool:
    return bool(getattr(suite, "has_subjects", False))


def _subjects(suites: Sequence[Suite], settings: Resolved) -> tuple[str, ...]:
    given = tuple(settings["subjects"] or ())
    by_flag = bool(given) and settings.values["subjects"].source.startswith("flag")
    if by_flag and not any(_has_subjects(suite) for suite in suites):
        raise UsageError(
            "--subjects is for suites that have subjects",
            where=", ".join(suite.name for suite in suites),
            remedy="e.g. mmlu; tasks are chosen with --task",
        )
    return given


def _seed_is_of_use(suites: Sequence[Suite], settings: Resolved) -> None:
    value = settings.values["exec_seed"]
    if value.source.startswith("flag") and not any(suite.executes_code for suite in suites):
        raise UsageError(
            "--exec-seed is for suites that execute code",
            where=", ".join(suite.name for suite in suites),
            remedy="the server's sampling is seeded with --seed",
        )
