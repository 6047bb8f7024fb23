"""What the Info tab tells of a sample: verdict, usage, timings, plan, containment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.errors import ProctorError
from harness.outcome import END_POLICY, GRADE_POLICY
from harness.plan import Plan
from harness.report.flag_words import flag_words
from harness.report.numbers import percent
from harness.sandbox.protocol import Attestation
from harness.state.view import TranscriptView
from harness.store.labels import read_labels
from harness.store.plan_file import read_plan
from harness.store.records import SampleRecord
from harness.store.run_folder import RunFolder
from harness.store.sessions import SessionFiles
from tui.plain import plural
from tui.render.conversation import usage_words

Rows = list[tuple[str, str]]
Groups = list[tuple[str, Rows]]
# Reading all records of a larger run only for one sample's timings takes too long.
_LARGEST_INDEX = 32 << 20


def attempt_facts(view: TranscriptView) -> Groups:
    """What the transcript itself tells, as of the position."""
    rows: Rows = []
    if view.header is not None:
        rows += [
            ("task", view.header.task_id),
            ("suite", view.header.suite),
            ("epoch, attempt", f"{view.header.epoch}, {view.header.attempt}"),
            ("model", view.header.model),
            ("endpoint", view.header.endpoint or "none"),
            ("tool protocol", view.header.tool_protocol or "none"),
        ]
        rows += [(key, str(value)) for key, value in view.header.task.items() if _plain(value)]
    counts: Rows = [
        ("events", f"{view.events:,}"),
        ("elapsed", f"{view.elapsed:.1f} s"),
        ("turns", str(view.turn)),
        ("tool calls", f"{view.tool_calls}, {view.tool_errors} with an error"),
        ("edits", str(view.edits)),
        ("path refusals", str(view.path_refusals)),
        ("nudges, retries", f"{view.nudges}, {view.retries}"),
        ("tokens", usage_words(view.usage)),
        ("cached, reasoning", f"{_known(view.usage.cached)}, {_known(view.usage.reasoning)}"),
    ]
    if view.damaged:
        counts.append(("damaged lines", str(view.damaged)))
    if view.stop_reason is not None:
        counts.append(("ended", END_POLICY[view.stop_reason].label))
    groups: Groups = [("Sample", rows)] if rows else []
    return [*groups, ("So far", counts)] if view.events else groups


def run_facts(folder: Path, key: str) -> Groups:
    """What the run folder tells: record, plan, sessions, containment. Reads files."""
    groups: Groups = []
    record = _record(folder, key)
    if record is not None:
        groups += _record_facts(record)
    try:
        plan, digest = read_plan(folder)
        sessions = SessionFiles(folder)
        numbers = sessions.numbers()
        session = sessions.read(record.session if record else numbers[-1])
    except (ProctorError, IndexError) as error:
        return [*groups, ("Run", [("folder", str(folder)), ("problem", str(error))])]
    launch = session.launch
    name, note = read_labels(folder)
    groups.append(
        (
            "Run",
            [
                ("run", folder.name),
                ("folder", str(folder)),
                ("name", name or "none"),
                ("note", note or "none"),
                ("sessions", str(len(numbers))),
                ("host, process", f"{session.host or 'not begun'}, {session.pid or '-'}"),
                ("concurrency", str(launch.concurrency)),
                ("endpoints", ", ".join(e.url for e in launch.endpoints) or "none"),
            ],
        )
    )
    groups.append(("Plan", _plan_facts(plan, digest)))
    attestation = session.attestation or (record.attestation if record else None)
    if attestation is not None:
        groups.append(("Containment, read inside the box", _attestation(attestation)))
    elif plan.containment is not None:
        groups.append(("Containment", [("planned", plan.containment.provider)]))
    return groups


def _record(folder: Path, key: str) -> SampleRecord | None:
    try:
        if (folder / "samples.jsonl").stat().st_size > _LARGEST_INDEX:
            return None
        return RunFolder.open(folder).records().get(key)
    except (ProctorError, OSError):
        return None


def _record_facts(record: SampleRecord) -> Groups:
    rows: Rows = [
        ("verdict", record.verdict.value.replace("_", " ")),
        ("ended", END_POLICY[record.stop_reason].label),
    ]
    if record.grade_status is not None:
        rows.append(("grading", GRADE_POLICY[record.grade_status].label))
    if record.metrics.get("no_answer"):
        rows.append(("answer", "none was found in the reply"))
    parts = (("subject", record.subject), ("category", record.category))
    rows += [(name, value) for name, value in parts if value]
    if record.partial is not None:
        rows.append(("partial", percent(record.partial)))
    for name, pair in (
        ("fail_to_pass", record.fail_to_pass),
        ("pass_to_pass", record.pass_to_pass),
    ):
        if pair is not None:
            rows.append((name, f"{pair[0]} of {pair[1]}"))
    rows += [("flag", flag_words(flag)) for flag in record.flags]
    rows.append(("tokens", usage_words(record.usage)))
    timings = [(name, f"{seconds:.2f} s") for name, seconds in record.timings.items()]
    digests = list(record.digests.items())
    return [("Result", rows), ("Timings", timings), ("Digests", digests)]


def _plan_facts(plan: Plan, digest: str) -> Rows:
    identity = plan.model.identity
    rows: Rows = [("digest", digest), ("proctor", plan.proctor)]
    for suite in plan.suites:
        words = (
            f"{suite.name} {suite.version}, {suite.protocol}, {plural(len(suite.tasks), 'task')}"
        )
        rows.append(("suite", f"{words} ({suite.split})"))
    rows += [
        ("epochs", str(plan.epochs)),
        ("model", f"{plan.model.name} ({plan.model.kind})"),
        ("served as", identity.model_id),
        ("file", identity.model_file or "unknown"),
        ("quantisation", identity.ftype or "unknown"),
        ("context a slot", _known(identity.context)),
        ("server", identity.build or "unknown"),
        ("tool protocol", plan.model.tool_protocol),
    ]
    sampling = plan.model.sampling.model_dump(exclude_none=True, exclude_defaults=True)
    rows.append(("sampling", _pairs(sampling) or "the server's own"))
    rows.append(("limits", _pairs(plan.limits.model_dump(exclude_none=True))))
    return rows


def _attestation(found: Attestation) -> Rows:
    limits = found.limits
    return [
        ("runtime", f"{found.provider} {found.runtime_version}"),
        ("image", found.image_digest),
        ("tools", found.tools_digest),
        ("network", found.network),
        ("filesystem", found.filesystem.replace("_", " ")),
        ("user", f"uid {found.uid}, no new privileges, seccomp {found.seccomp}"),
        ("memory, processes", f"{limits.memory >> 20} MiB, {limits.pids}"),
        ("processors", f"{limits.cpus:g}"),
        ("toolchain", _pairs(found.toolchain)),
    ]


def _pairs(values: dict[str, Any]) -> str:
    return ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in values.items())


def _known(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"


def _plain(value: object) -> bool:
    return isinstance(value, str | int | float) and len(str(value)) < 200
