"""What ``proctor doctor`` looks at; each check returns rows of name, state, detail, remedy."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.cli.common import require_folder
from harness.errors import ProctorError
from harness.plan import SuitePlan
from harness.sandbox.protocol import Limits, ProbeReport

if TYPE_CHECKING:
    from harness.config import Config, Resolved
    from harness.suites.protocol import Suite

# Less than this and a run with trees and transcripts may not get to its end.
LOW_SPACE = 1 << 30

Row = dict[str, Any]


async def check_runtimes() -> tuple[list[Row], list[ProbeReport]]:
    """Every provider's state, and the reports of those that are ready."""
    import asyncio

    from harness.sandbox.select import providers

    found = providers()
    reports = await asyncio.gather(*(provider.probe(Limits()) for provider in found))
    for provider in found:
        await provider.close()
    rows = [
        {
            "name": report.provider,
            "state": report.readiness.value,
            "detail": ", ".join(filter(None, (report.version, report.detail, *_toolchain(report)))),
            "remedy": report.remedy,
            "version": report.version,
            "toolchain": report.toolchain,
        }
        for report in reports
    ]
    return rows, [report for report in reports if report.ready]


def _toolchain(report: ProbeReport) -> list[str]:
    return [f"{name} {version}" for name, version in sorted(report.toolchain.items())]


def check_suites(ready: list[ProbeReport], settings: Resolved) -> list[Row]:
    """Whether each suite runs here, per language where the toolchain decides."""
    from harness.cli.suite_data import lacking, present
    from harness.suites import registry

    rows: list[Row] = []
    for name in registry.names():
        suite = registry.suite(name)
        absent = lacking(suite, settings)
        try:
            known = suite.executes_code and not (suite.agentic and absent)
            languages = _languages(suite, settings) if known else [""]
        except ProctorError as error:
            rows.append(
                {"name": name, "state": "not ready", "detail": error.what, "remedy": error.remedy}
            )
            continue
        found = [_suite_row(name, each, suite.executes_code, ready) for each in languages]
        if absent is not None and all(row["state"] == "runs here" for row in found):
            found = [
                {"name": name, "state": "needs data", "detail": absent[0], "remedy": absent[1]}
            ]
        for row in found:
            if row["state"] == "runs here" and (data := present(suite, settings)) is not None:
                row["detail"] += f", {data}"
        rows += found
    return rows


def _languages(suite: Suite, settings: Resolved) -> list[str]:
    """Languages of a suite's tasks. Only repositories are looked through: other suites have one
    language, and their data may not be here yet."""
    from harness.cli.suite_options import data_by_suite, task_roots
    from harness.suites.protocol import SuiteOptions

    if suite.agentic:
        given = data_by_suite([suite], settings).get(suite.name)
        path = None if given is None else Path(given)
        options = SuiteOptions(data=path, task_roots=task_roots(path))
        return sorted(suite.languages(suite.plan(options)))
    empty = SuitePlan(
        name=suite.name, version=suite.version, protocol="", executes_code=True, tasks=()
    )
    return sorted(suite.languages(empty))


def _suite_row(name: str, language: str, executes: bool, ready: list[ProbeReport]) -> Row:
    from harness.sandbox.select import missing

    label = f"{name} ({language})" if language else name
    if not executes:
        return {"name": label, "state": "runs here", "detail": "executes no code", "remedy": None}
    able = [report.provider for report in ready if not missing(report, {language} - {""})]
    if able:
        return {
            "name": label,
            "state": "runs here",
            "detail": f"in {', '.join(able)}",
            "remedy": None,
        }
    if not ready:
        return {
            "name": label,
            "state": "refused",
            "detail": "no containment is ready",
            "remedy": "see the runtimes above",
        }
    return {
        "name": label,
        "state": "refused",
        "detail": f"no runtime that is ready has the toolchain of {language}",
        "remedy": f"run: proctor setup {ready[0].provider}",
    }


def check_folders(out: str | None) -> list[Row]:
    """Runs folder, the one configured as ``out``, and cache: writable, and is there space."""
    from harness.sandbox.cache import cache_dir
    from harness.store.run_folder import default_runs_dir

    rows = [_folder("runs", default_runs_dir(), "PROCTOR_RUNS")]
    if out:
        rows.append(_folder("out", Path(out).expanduser(), "--out"))
    try:
        rows.append(_folder("cache", cache_dir(), "PROCTOR_CACHE"))
    except ProctorError as error:
        rows.append(
            {"name": "cache", "state": "not usable", "detail": error.what, "remedy": error.remedy}
        )
    return rows


def _folder(name: str, path: Path, setting: str) -> Row:
    try:
        require_folder(path, setting)
    except ProctorError as error:
        return {
            "name": name,
            "state": "not usable",
            "detail": f"{error.where} {error.what}",
            "remedy": error.remedy,
        }
    nearest = existing(path)
    free = shutil.disk_usage(nearest).free
    detail = f"{path}, {free / (1 << 30):.1f} GiB free"
    if not os.access(nearest, os.W_OK):
        return {"name": name, "state": "not writable", "detail": detail, "remedy": "use --out"}
    if free < LOW_SPACE:
        return {"name": name, "state": "low space", "detail": detail, "remedy": "free some space"}
    return {"name": name, "state": "ok", "detail": detail, "remedy": None}


def existing(path: Path) -> Path:
    """The nearest folder at or above ``path`` that exists."""
    for folder in (path, *path.parents):
        if folder.is_dir():
            return folder
    return Path("/")


async def check_endpoints(config: Config, resolved: Resolved) -> list[Row]:
    """Each endpoint that is configured or named: does it answer, and what does it serve?"""
    from harness.config.files import Endpoint

    known: dict[str, Endpoint] = {e.url: e for e in config.endpoints.values()}
    known |= {e.url: e for e in resolved.endpoints}
    return [*[await _endpoint(endpoint) for endpoint in known.values()], check_local()]


def check_local() -> Row:
    """Whether the small local model is there."""
    from harness.models.local import missing

    lacking = missing()
    return {
        "name": "local",
        "state": "not set up" if lacking else "ready",
        "detail": f"without {' and '.join(lacking)}" if lacking else "the small local model",
        "remedy": "run: proctor setup local" if lacking else None,
    }


async def _endpoint(endpoint: Any) -> Row:
    from harness.models.registry import ModelRequest, plan_model

    try:
        model, launches = await plan_model(
            ModelRequest(base_urls=(endpoint.url,), api_key_env=endpoint.api_key_env, tools=False)
        )
    except ProctorError as error:
        return {
            "name": endpoint.name,
            "state": "not usable",
            "detail": error.what,
            "remedy": error.remedy,
        }
    identity = model.identity
    context = f"context {identity.context}" if identity.context else "context unknown"
    slots = launches[0].slots if launches else None
    return {
        "name": endpoint.name,
        "state": "answers",
        "detail": f"serves {identity.model_id}, {context}, slots {slots or 'unknown'}",
        "remedy": None,
    }
