"""What ``proctor grade`` grades: the tasks that are asked for, as far as the file answers them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from harness.cli.common import said
from harness.cli.suite_options import suite_options
from harness.errors import UsageError
from harness.suites.single_shot import SingleShotSuite
from harness.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.config import Resolved
    from harness.models.completions_file import Completions, Given
    from harness.plan import SuitePlan
    from harness.suites.protocol import Suite, SuiteOptions

_NAMED = 8  # so many tasks are named in a notice, the rest is counted


def graded_tasks(
    suite: Suite, given: Completions, settings: Resolved, task_globs: tuple[str, ...]
) -> tuple[SuitePlan, int]:
    """The suite's plan for the tasks that are chosen and answered, and the epochs.

    Where a chosen task has no answer there is no headline score. Raises UsageError, ConfigError.
    """
    if not isinstance(suite, SingleShotSuite):
        raise UsageError(f"suite {suite.name} has episodes, not completions")
    options = suite_options([suite], settings, task_globs=task_globs)[0]
    options = replace(options, protocol=_protocol(suite, given, settings))
    plan = suite.plan(options)
    if not plan.tasks:
        raise UsageError(
            f"no task of suite {suite.name} is chosen",
            where=", ".join(task_globs) or None,
            remedy=f"see: proctor suites {suite.name}",
        )
    answers = given.by_task(_all_ids(suite, options, plan))
    chosen = [task for task in plan.tasks if task.id in answers]
    missing = [task.id for task in plan.tasks if task.id not in answers]
    if not chosen:
        raise UsageError(
            f"answers none of the {counted(len(plan.tasks), 'task')} that are chosen",
            where=str(given.path),
            remedy=f"chosen are {_few(missing)}",
        )
    if len(chosen) < len(answers):
        over = counted(len(answers) - len(chosen), "answered task")
        said(f"not graded, because not chosen: {over}")
    epochs = _epochs({task.id: answers[task.id] for task in chosen})
    if not missing:
        return plan, epochs
    said(
        f"partial: {len(chosen)} of {counted(len(plan.tasks), 'task')} "
        f"{'is' if len(chosen) == 1 else 'are'} answered, so there is no headline score; "
        f"missing {_few(missing)}"
    )
    return _partial(plan, chosen_ids={task.id for task in chosen}), epochs


def _all_ids(suite: SingleShotSuite, options: SuiteOptions, plan: SuitePlan) -> list[str]:
    """Ids of all that a file may answer, whatever is chosen of it in ``plan``."""
    if options.limit or options.task_globs or options.subjects:
        plan = suite.plan(replace(options, limit=None, task_globs=(), subjects=()))
    return [task.id for task in plan.tasks]


def _partial(plan: SuitePlan, chosen_ids: set[str]) -> SuitePlan:
    number, wanted = len(chosen_ids), len(plan.tasks)
    name = plan.split.partition("[")[0]
    limited = " of " in plan.split
    return plan.model_copy(
        update={
            "tasks": tuple(task for task in plan.tasks if task.id in chosen_ids),
            "split": f"{plan.split}, {number} answered"
            if limited
            else f"{name}[{number} of {wanted}]",
            "options": {**plan.options, "partial": [number, wanted]},
        }
    )


def _protocol(suite: SingleShotSuite, given: Completions, settings: Resolved) -> str | None:
    """The protocol that texts are read by: the one asked for, else the file's form decides.

    Raises UsageError for texts that it cannot have brought forth.
    """
    asked = settings.values["protocol"]
    if not asked.source.startswith("flag"):  # files and variables say how a model is asked
        forms = {protocol.name for protocol in suite.protocols}
        of_completions = given.form == "completion" and "given-completion" in forms
        return "given-completion" if of_completions else None
    name = asked.value[0].rpartition("=")[2]
    protocol = next((each for each in suite.protocols if each.name == name), None)
    if protocol is None:
        return str(name)  # the suite says which ones there are
    if given.form == "solution" and protocol.mode != "chat":
        raise UsageError(
            f"protocol {name} reads what continues a prompt, the file has whole programs",
            where=str(given.path),
            remedy="leave --protocol out",
        )
    beyond = [
        f"line {each.line}"
        for each in given.given
        if any(stop in each.text.rstrip() for stop in protocol.stop)
    ]
    if beyond:
        raise UsageError(
            f"goes on beyond a stop string of protocol {name}: {_few(beyond)}",
            where=str(given.path),
            remedy="cut the texts there, or leave --protocol out",
        )
    return str(name)


def _epochs(answers: dict[str, list[Given]]) -> int:
    """Answers a task that all tasks have; what is over is named."""
    number = min(len(texts) for texts in answers.values())
    over = [
        f"{task} (line {texts[number].line})"
        for task, texts in answers.items()
        if len(texts) > number
    ]
    if over:
        said(
            f"not all tasks have as many answers: the first {number} of each "
            f"{'is' if number == 1 else 'are'} graded, further ones are not: {_few(over)}"
        )
    return number


def _few(items: Sequence[str]) -> str:
    shown = ", ".join(items[:_NAMED])
    return shown if len(items) <= _NAMED else f"{shown} and {len(items) - _NAMED} more"
