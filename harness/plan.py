"""The sealed plan (what is measured) and the launch (how it is carried out).

The plan is canonical and free of secrets; its SHA-256 digest binds run folder, transcripts and
results. Whatever changes a score belongs into the plan, whatever does not into the launch.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from harness.ids import canonical_json, sha256_hex
from harness.sandbox.protocol import Limits

PLAN_VERSION = 1
_NAMED = 5  # tasks that a difference names; the rest is counted
_DIGEST = re.compile(r"\b([0-9a-f]{12})[0-9a-f]{52}\b")


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TaskRef(_Frozen):
    """A task and the digest of all that defines it (start, hidden tests, instruction, evidence)."""

    id: str
    digest: str


class SuitePlan(_Frozen):
    """One suite of the plan. ``split`` names a subsample in words ("test[first 20]")."""

    name: str
    version: str
    protocol: str
    executes_code: bool
    tasks: tuple[TaskRef, ...]
    split: str = "all"
    prompt_digest: str = ""
    options: dict[str, Any] = {}


class Sampling(_Frozen):
    """Sampling parameters sent with each request; None is not sent. ``seed`` is that of the first
    epoch, each further one adds 1."""

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    extra_body: dict[str, Any] = {}


class EndpointIdentity(_Frozen):
    """What a server tells of the model behind it; None is unknown.

    From ``/v1/models`` and llama-server's ``/props``: ids served, model file's base name, size in
    bytes, parameters, quantisation type, context a slot, build, SHA-256 of the chat template,
    default sampling.
    """

    kind: str
    model_id: str
    model_file: str | None = None
    size: int | None = None
    n_params: int | None = None
    ftype: str | None = None
    context: int | None = None
    build: str | None = None
    chat_template: str | None = None
    default_sampling: dict[str, Any] | None = None


class ModelPlan(_Frozen):
    """The model as planned. kind: openai, local, oracle, noop, wrong, replay, human, none."""

    kind: Literal["openai", "local", "oracle", "noop", "wrong", "replay", "human", "none"]
    name: str
    identity: EndpointIdentity
    tool_protocol: Literal["native", "text", "none"] = "none"
    sampling: Sampling = Sampling()
    reasoning_history: Literal["always", "never", "since_last_user"] = "since_last_user"
    system_prompt_digest: str | None = None
    prices: dict[str, float] | None = None


class EpisodeLimits(_Frozen):
    """Limits of one sample and of the run. Times in seconds, tokens as the server counts them,
    costs in the price table's currency; None is no limit."""

    max_turns: int = 50
    sample_time_s: float | None = 1800.0
    sample_tokens: int | None = None
    sample_cost: float | None = None
    run_cost: float | None = None
    context_tokens: int | None = None
    nudges_in_a_row: int = 3
    nudges_total: int = 12
    repeated_errors: int = 3


class Containment(_Frozen):
    """Class of containment that code runs in: provider, image and tools by digest, limits."""

    provider: Literal["docker", "podman", "bubblewrap"]
    image_digest: str
    tools_digest: str
    limits: Limits


class Plan(_Frozen):
    """All that is measured. ``containment`` is None only where no suite executes code."""

    version: int = PLAN_VERSION
    proctor: str
    suites: tuple[SuitePlan, ...]
    model: ModelPlan
    epochs: int = Field(default=1, ge=1)
    limits: EpisodeLimits = EpisodeLimits()
    containment: Containment | None = None
    exec_seed: int = 0

    @model_validator(mode="after")
    def _contained(self) -> Plan:
        if self.containment is None and any(s.executes_code for s in self.suites):
            raise ValueError("a suite that executes code needs a containment")
        return self

    def canonical(self) -> bytes:
        """The plan as canonical JSON."""
        return canonical_json(self.model_dump(mode="json"))

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical form, 64 hex digits."""
        return sha256_hex(self.canonical())


class EndpointLaunch(_Frozen):
    """Where requests go. ``api_key_env`` names a variable, never holds a key."""

    url: str
    api_key_env: str | None = None
    slots: int | None = None


class Launch(_Frozen):
    """How a session carries a plan out; free to change on resume. retry_wait_s: the most that one
    turn waits in all for requests that failed. suite_data: each suite's own data where it is not
    ``data``; redux: labels of faulty questions, for reports only."""

    endpoints: tuple[EndpointLaunch, ...] = ()
    concurrency: int = 4
    boxes: int = 4
    request_timeout_s: float | None = None
    idle_timeout_s: float = 600.0
    retry_wait_s: float = 600.0
    host: str = ""
    name: str = ""
    note: str = ""
    task_roots: tuple[str, ...] = ()
    data: str | None = None
    suite_data: dict[str, str] = {}
    redux: str | None = None
    system_prompt_file: str | None = None
    replay_run: str | None = None
    on_finish: str | None = None
    proctor: str = ""
    python: str = ""
    sources: dict[str, str] = {}

    def data_of(self, suite: str) -> str | None:
        """The data that ``suite`` is loaded from; None: its usual source."""
        return self.suite_data.get(suite, self.data)


def differences(old: Plan, new: Plan, *, extend: bool = False) -> list[str]:
    """Fields that differ, as ``path: old -> new`` lines; tasks are counted and a few named.

    With ``extend`` more epochs, further tasks of the same suites and a larger limit on the run's
    cost are no difference, as long as every old task is still there with the same digest.
    """
    lines: list[str] = []

    def walk(path: str, a: Any, b: Any) -> None:
        if isinstance(a, dict) and isinstance(b, dict):
            if path.startswith("suites.") and path.endswith(".tasks"):
                lines.extend(f"{path}: {words}" for words in task_words(a, b))
                return
            for key in sorted(a.keys() | b.keys()):
                walk(f"{path}.{key}" if path else key, a.get(key), b.get(key))
        elif a != b:
            lines.append(f"{path}: {_short(a)} -> {_short(b)}")

    left, right = old.model_dump(mode="json"), new.model_dump(mode="json")
    left["suites"] = {s["name"]: _suite_map(s) for s in left["suites"]}
    right["suites"] = {s["name"]: _suite_map(s) for s in right["suites"]}
    if extend:
        if right["epochs"] >= left["epochs"]:
            right["epochs"] = left["epochs"]
        old_cost, new_cost = left["limits"]["run_cost"], right["limits"]["run_cost"]
        if new_cost is None or (old_cost is not None and new_cost >= old_cost):
            right["limits"]["run_cost"] = old_cost
        for name, suite in left["suites"].items():
            other = right["suites"].get(name)
            if other is not None:
                other["split"] = suite["split"]
                other["tasks"] = {k: v for k, v in other["tasks"].items() if k in suite["tasks"]}
    walk("", left, right)
    return lines


def _suite_map(suite: dict[str, Any]) -> dict[str, Any]:
    return {**suite, "tasks": {t["id"]: t["digest"] for t in suite["tasks"]}}


def task_words(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """``3 tasks changed: a, b, c`` for changed, further and missing ones."""
    kinds = {
        "changed": [task for task in old if task in new and old[task] != new[task]],
        "added": [task for task in new if task not in old],
        "missing": [task for task in old if task not in new],
    }
    return [
        f"{len(ids)} {'task' if len(ids) == 1 else 'tasks'} {kind}: {', '.join(ids[:_NAMED])}"
        + (f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else "")
        for kind, ids in kinds.items()
        if ids
    ]


def short_digests(text: str) -> str:
    """``text`` with the 12 first digits of each SHA-256: enough to tell two apart."""
    return _DIGEST.sub(r"\1", text)


def _short(value: Any) -> str:
    if isinstance(value, dict) and "tasks" in value:  # a whole suite
        return f"{len(value['tasks'])} tasks"
    text = "none" if value is None else short_digests(str(value))
    return text if len(text) <= 80 else text[:77] + "..."
