"""Every option of a run that may stand in a flag, a variable or a file: one table.

``epochs`` is ``--epochs``, ``PROCTOR_EPOCHS`` and ``epochs`` under ``[defaults]``.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["text", "integer", "number", "list", "object"]


@dataclass(frozen=True)
class Setting:
    """One option. low and high are inclusive bounds; ``above`` an exclusive lower one; ``commas``:
    a variable's text is split at them."""

    name: str
    kind: Kind
    help: str
    default: Any = None
    choices: tuple[str, ...] = ()
    low: float | None = None
    above: float | None = None
    high: float | None = None
    sampling: bool = False
    commas: bool = True

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        return "PROCTOR_" + self.name.upper()

    def from_text(self, text: str) -> Any:
        """The value that a variable's text stands for. Raises ValueError with the reason."""
        if self.kind == "text":
            return self.check(text)
        if self.kind == "list":
            parts = text.split(",") if self.commas else [text]
            return self.check([part.strip() for part in parts if part.strip()] or [""])
        if self.kind == "object":
            try:
                return self.check(json.loads(text))
            except json.JSONDecodeError as error:
                raise ValueError(f"is not JSON: {error}") from None
        try:
            return self.check(int(text) if self.kind == "integer" else float(text))
        except ValueError as error:
            if "invalid literal" in str(error) or "could not convert" in str(error):
                raise ValueError(f"{text!r} is not {_ARTICLE[self.kind]}") from None
            raise

    def check(self, value: Any) -> Any:
        """``value`` if it is of the right kind and within bounds. Raises ValueError."""
        if self.kind == "number" and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if self.kind == "list" and isinstance(value, str):
            value = [value]
        if not isinstance(value, _TYPES[self.kind]) or isinstance(value, bool):
            raise ValueError(f"{value!r} is not {_ARTICLE[self.kind]}")
        if isinstance(value, list) and not all(isinstance(item, str) for item in value):
            raise ValueError("is not a list of texts")
        if isinstance(value, list) and value and not any(item.strip(" ,") for item in value):
            raise ValueError("names nothing")  # an empty variable of a script, as a rule
        if self.choices and value not in self.choices:
            raise ValueError(f"{value!r} is not one of {', '.join(self.choices)}")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError("must be finite")
        if isinstance(value, int | float):
            if self.low is not None and value < self.low:
                raise ValueError(f"{value:g} is below {self.low:g}")
            if self.above is not None and value <= self.above:
                raise ValueError(f"{value:g} is not above {self.above:g}")
            if self.high is not None and value > self.high:
                raise ValueError(f"{value:g} is above {self.high:g}")
        return value


_TYPES: dict[Kind, type] = {
    "text": str,
    "integer": int,
    "number": float,
    "list": list,
    "object": dict,
}
_ARTICLE: dict[Kind, str] = {
    "text": "a text",
    "integer": "a whole number",
    "number": "a number",
    "list": "a list of texts",
    "object": "a JSON object",
}

_ALL = (
    Setting(
        "model",
        "text",
        "Model: a name that the endpoint serves, one named in proctor.toml, oracle, noop, wrong, "
        "replay:RUN, local or human.",
    ),
    Setting("base_url", "list", "URL of an OpenAI-compatible endpoint; may be repeated."),
    Setting("api_key_env", "text", "Variable that holds the endpoint's key."),
    Setting(
        "sandbox",
        "text",
        "Containment to use.",
        default="auto",
        choices=("auto", "docker", "podman", "bubblewrap"),
    ),
    Setting(
        "limit",
        "integer",
        "Take N tasks of each suite: in its order, the categories or subjects in turn.",
        low=1,
    ),
    Setting("epochs", "integer", "Samples of each task.", default=1, low=1, high=10_000),
    Setting("concurrency", "integer", "Samples at a time (default: the server's slots).", low=1),
    Setting(
        "tool_protocol",
        "text",
        "How tools are offered to the model.",
        default="auto",
        choices=("auto", "native", "text"),
    ),
    Setting(
        "reasoning_history",
        "text",
        "Which replies' reasoning is sent back (default: as the template wants it).",
        choices=("always", "never", "since_last_user"),
    ),
    Setting("protocol", "list", "The suite's protocol (SUITE=NAME where several suites are run)."),
    Setting("split", "list", "Part of the data, where a suite has several (or SUITE=NAME)."),
    Setting("variant", "list", "Edition of the data, where a suite has several (or SUITE=NAME)."),
    Setting(
        "subjects",
        "list",
        "Subjects of mmlu, parted by commas: names, patterns, fields or groups (STEM, humanities, "
        "'social sciences', other).",
    ),
    Setting("exec_seed", "integer", "Seed of each test's random inputs.", default=0, low=0),
    Setting("redux", "text", "MMLU-Redux labels: also tell mmlu's score without faulty rows."),
    Setting("max_turns", "integer", "Model turns a sample.", default=50, low=1),
    Setting(
        "request_timeout",
        "number",
        "Seconds for one request, then it is sent again (default: none; a server that is silent "
        "for 600 s is given up, and the sample's time limit ends any request).",
        above=0,
    ),
    Setting(
        "retry_wait",
        "number",
        "Seconds that one turn waits in all for requests that failed.",
        default=600.0,
        low=0,
    ),
    Setting(
        "sample_time_limit",
        "number",
        "Working seconds of one sample; a request that is out by then is cut off.",
        default=1800.0,
        above=0,
    ),
    Setting("sample_token_limit", "integer", "Tokens of one sample.", low=1),
    Setting("sample_cost_limit", "number", "Cost of one sample; needs prices.", above=0),
    Setting("run_cost_limit", "number", "Cost of the whole run; needs prices.", above=0),
    Setting("price_prompt", "number", "Price of a million prompt tokens.", low=0),
    Setting("price_cached", "number", "Price of a million cached prompt tokens.", low=0),
    Setting("price_completion", "number", "Price of a million completion tokens.", low=0),
    Setting(
        "data",
        "list",
        "Folder with further repositories, or a suite's own data (or SUITE=PATH).",
        commas=False,
    ),
    Setting("out", "text", "Folder that the run's folder is made in."),
    Setting(
        "fail_under", "number", "Exit with 5 when a suite scores below X (0 to 1).", low=0, high=1
    ),
    Setting("system_prompt", "text", "File whose text replaces the system prompt."),
    Setting("temperature", "number", "Sampling temperature.", low=0, sampling=True),
    Setting("top_p", "number", "Nucleus sampling.", low=0, high=1, sampling=True),
    Setting("top_k", "integer", "Sample among the K likeliest tokens.", low=0, sampling=True),
    Setting("min_p", "number", "Least relative probability.", low=0, high=1, sampling=True),
    Setting("max_tokens", "integer", "Longest reply in tokens.", low=1, sampling=True),
    Setting("seed", "integer", "Seed of the server's sampling.", sampling=True),
    Setting("reasoning_effort", "text", "Sent as reasoning_effort.", sampling=True),
    Setting("extra_body", "object", "JSON object added to each request.", sampling=True),
)

SETTINGS: dict[str, Setting] = {setting.name: setting for setting in _ALL}
SAMPLING: tuple[str, ...] = tuple(s.name for s in _ALL if s.sampling)
