"""``proctor show RUN``: scores, a sample, a turn, or the exact request of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from harness.cli.common import emit_json, find_run, json_option, run_name
from harness.errors import UsageError
from harness.words import counted

if TYPE_CHECKING:
    from harness.store.records import SampleRecord
    from harness.store.run_folder import RunFolder


# More samples than this are listed only when asked for.
_LISTED = 200


@click.command("show", short_help="Show a run's scores, a sample, or a request.")
@click.argument("run", metavar="RUN")
@click.option("--sample", metavar="ID", help="Show this sample (a unique beginning will do).")
@click.option("--turn", type=click.IntRange(min=1), metavar="N", help="Only this turn.")
@click.option("--curl", is_flag=True, help="The request of --turn as a curl command.")
@click.option("--subjects-table", is_flag=True, help="Also the score of each subject or class.")
@click.option("--samples", is_flag=True, help="List every sample, also of a large run.")
@click.option("--redux", metavar="FILE", help="MMLU-Redux labels: also mmlu without faulty rows.")
@json_option
def command(
    run: str,
    sample: str | None,
    turn: int | None,
    curl: bool,
    subjects_table: bool,
    samples: bool,
    redux: str | None,
    as_json: bool,
) -> None:
    """Show RUN (a path, an id, a unique beginning of one, a name, or last)."""
    if turn is not None and sample is None:
        raise UsageError("--turn needs --sample", remedy="name the sample with --sample ID")
    if curl and turn is None:
        raise UsageError("--curl needs --sample and --turn", remedy="name both")
    from harness.store.run_folder import RunFolder

    folder = RunFolder.open(find_run(run))
    if sample is None:
        _run(folder, as_json, every_part=subjects_table, samples=samples, redux=redux)
        return
    from harness.cli.samples import choose_sample

    key = choose_sample(folder, sample)
    if curl and turn is not None:
        from harness.cli.curl import curl_command

        text, request = curl_command(folder, key, turn)
        if as_json:
            emit_json({**request, "curl": text})
        else:
            click.echo(text)
        return
    _sample(folder, key, turn, as_json)


def _run(
    folder: RunFolder, as_json: bool, *, every_part: bool, samples: bool, redux: str | None
) -> None:
    from harness.cli.console import console
    from harness.cli.run_facts import state_of, summary_of
    from harness.report.table import summary_table

    summary = summary_of(folder, redux)
    state = state_of(folder.path)
    if as_json:
        emit_json(
            {
                "run": folder.path.name,
                "folder": str(folder.path),
                "state": state,
                "summary": summary.model_dump(mode="json"),
            }
        )
        return
    plan = folder.plan
    click.echo(f"{folder.path.name}: {state}, model {plan.model.name}, plan {plan.digest[:12]}")
    click.echo(f"folder: {folder.path}")
    out = console()
    out.print(summary_table(summary, every_part=every_part))
    records = folder.records()
    if len(records) > _LISTED and not samples:
        name = run_name(folder.path)
        click.echo(f"{counted(len(records), 'sample')}; list them: proctor show {name} --samples")
        return
    for record in records.values():
        flagged = "  flagged" if record.flags else ""
        reason = record.stop_reason.value
        click.echo(f"{record.verdict.value:<10}  {record.sample}  {reason}{flagged}")


def _sample(folder: RunFolder, key: str, turn: int | None, as_json: bool) -> None:
    from harness.cli.samples import attempt_events
    from harness.cli.transcript_text import transcript_lines
    from harness.report.flag_words import flag_words
    from harness.state.sanitize import safe, safe_line

    events: list[Any] = list(attempt_events(folder, key))
    record = folder.records().get(key)
    if turn is not None:
        events = [event for event in events if getattr(event, "turn", None) == turn]
        if not events:
            raise UsageError(f"sample {key} has no turn {turn}", where=str(folder.path))
    if as_json:
        emit_json(
            {
                "sample": key,
                "record": record.model_dump(mode="json") if record else None,
                "events": [event.model_dump(mode="json") for event in events],
            }
        )
        return
    for line in transcript_lines(events):
        click.echo(safe(line))
    if turn is None and record is not None:
        for flag in _further_flags(record, events):
            click.echo(safe_line(f"[flag] {flag_words(flag)}", 4000))


def _further_flags(record: SampleRecord, events: list[Any]) -> list[str]:
    """Flags of the record that no event tells of."""
    from harness.events.grading import GradingFinished

    told = {flag.kind for e in events if isinstance(e, GradingFinished) for flag in e.flags}
    return [flag for flag in record.flags if flag not in told]
