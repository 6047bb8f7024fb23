"""What can be run here, from what ``doctor`` found and the configuration says."""

from __future__ import annotations

import shlex
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from harness.errors import ProctorError
from tui.plain import clean_line
from tui.render.lines import Line, pad, wrap

# Models that need no server.
BUILT_IN = (
    ("oracle", "plays the reference solution, to check that everything works"),
    ("noop", "finishes at once: the score that doing nothing gets"),
)


@dataclass(frozen=True)
class Choice:
    """One thing to choose: name, why or where it runs, whether it may be chosen, a word of
    warning before the detail, and what more is said of it when it is marked."""

    name: str
    detail: str
    usable: bool = True
    warning: str = ""
    more: str = ""


@dataclass
class ChoiceBlocks:
    """Choices with a mark; many or one of them can be marked."""

    choices: list[Choice] = field(default_factory=list)
    many: bool = False
    marked: list[str] = field(default_factory=list)
    empty: str = "Looking …"

    def put(self, choices: list[Choice]) -> None:
        self.choices = choices
        known = {choice.name for choice in choices if choice.usable}
        self.marked = [name for name in self.marked if name in known]

    def __len__(self) -> int:
        return len(self.choices)

    def key(self, index: int) -> Hashable:
        return self.choices[index].name

    def index_of(self, key: Hashable) -> int | None:
        return next((i for i, c in enumerate(self.choices) if c.name == key), None)

    def estimates(self, start: int) -> list[int]:
        return [1] * (len(self) - start)

    def revision(self, index: int) -> Hashable:
        return (self.choices[index], self.choices[index].name in self.marked)

    def lines(self, index: int, width: int) -> list[Line]:
        choice = self.choices[index]
        on = choice.name in self.marked
        box = ("[x]" if on else "[ ]") if self.many else ("(•)" if on else "( )")
        if not choice.usable:
            box = " ✗ "
        name = pad(clean_line(choice.name, 60), 14)
        role = "strong" if on else "text" if choice.usable else "muted"
        lead: Line = ((f"{box} ", "accent" if on else "muted"), (f"{name} ", role))
        detail = clean_line(choice.detail + (choice.more if on else ""), 600)
        word = choice.warning if choice.usable else "refused: "
        return wrap((*lead, (word, "warn"), (detail, "muted")), width, hang=19)

    def toggle(self, index: int) -> bool:
        choice = self.choices[index]
        if not choice.usable:
            return True
        if self.many:
            if choice.name in self.marked:
                self.marked.remove(choice.name)
            else:
                self.marked.append(choice.name)
        else:
            self.marked = [choice.name]
        return True

    def text(self, index: int) -> str:
        return self.choices[index].name


def suite_choices(document: Any) -> list[Choice]:
    """Suites of ``doctor --json``; one that runs for some languages runs, and one whose data are
    not here may be chosen: the form has a field for them."""
    found: dict[str, list[tuple[str, bool, str]]] = {}
    wanting: dict[str, str] = {}
    for row in _rows(document, "suites"):
        name, _, language = str(row.get("name", "")).partition(" (")
        usable = row.get("state") in ("runs here", "needs data")
        detail = str(row.get("detail") or "")
        remedy = f" -> {row['remedy']}" if row.get("remedy") else ""
        if row.get("state") == "needs data":
            wanting[name] = remedy
        else:
            detail += remedy
        found.setdefault(name, []).append((language.rstrip(")"), usable, detail))
    choices = []
    for name, parts in found.items():
        usable = any(ok for _, ok, _ in parts)
        details = {detail for _, ok, detail in parts if ok == usable}
        detail = "; ".join(sorted(details))
        refused = [language for language, ok, _ in parts if not ok and language]
        if usable and refused:
            detail += f"; not {', '.join(refused)}"
        warning = "needs data: " if name in wanting else ""
        choices.append(Choice(name, detail, usable, warning, wanting.get(name, "")))
    return choices


def sandbox_choices(document: Any) -> list[Choice]:
    """Providers of ``doctor --json``, ``auto`` first."""
    choices = [Choice("auto", "the first that is ready")]
    for row in _rows(document, "runtimes"):
        ready = row.get("state") == "ready"
        detail = str(row.get("version") or row.get("detail") or "")
        if not ready:
            detail = str(row.get("detail") or row.get("state"))
            if row.get("remedy"):
                detail += f" -> {row['remedy']}"
        choices.append(Choice(str(row.get("name")), detail, ready))
    return choices


def model_choices(document: Any) -> list[Choice]:
    """Models and endpoints of the configuration, then those that need no server."""
    from harness.config import load_config

    choices = []
    try:
        config = load_config()
        for name, preset in config.models.items():
            where = ", ".join(preset.endpoints)
            choices.append(Choice(name, f"{preset.model or name} at {where or 'the default'}"))
        said = {str(row.get("name")): row for row in _rows(document, "endpoints")}
        for name, endpoint in config.endpoints.items():
            row = said.get(name, {})
            usable = row.get("state") != "not usable"
            detail = str(row.get("detail") or endpoint.url)
            choices.append(Choice(f"@{name}", detail, usable))
        if "local" in said and "local" not in config.endpoints:
            detail = str(said["local"].get("detail") or "")
            choices.append(Choice("local", detail, said["local"].get("state") == "ready"))
    except ProctorError as error:
        choices.append(Choice("configuration", str(error), usable=False))
    return [*choices, *(Choice(name, detail) for name, detail in BUILT_IN)]


def endpoint_url(name: str) -> str | None:
    """The URL of an endpoint that was chosen as ``@name``."""
    from harness.config import load_config

    try:
        found = load_config().endpoints.get(name.removeprefix("@"))
    except ProctorError:
        return None
    return found.url if found else None


def run_arguments(
    suites: list[str], model: str, sandbox: str, fields: dict[str, str]
) -> tuple[list[str], str]:
    """The arguments of ``proctor run``, and what is missing (empty when nothing is)."""
    if not suites:
        return [], "choose a suite"
    arguments = ["run", *suites]
    chosen = fields.get("model", "").strip() or model
    url = fields.get("base_url", "").strip()
    if chosen.startswith("@"):
        url, chosen = url or endpoint_url(chosen) or "", ""
    if not chosen and not url:
        return [], "choose a model, or give a base URL"
    if chosen:
        arguments += ["--model", chosen]
    if url:
        arguments += ["--base-url", url]
    if sandbox not in ("", "auto"):
        arguments += ["--sandbox", sandbox]
    try:
        data = shlex.split(fields.get("data", ""))
    except ValueError:
        return [], "the quotes around a path of data are not closed"
    arguments += [part for path in data for part in ("--data", path)]
    for name in ("limit", "epochs", "concurrency"):
        value = fields.get(name, "").strip()
        if value and not (value.isdecimal() and int(value) > 0):
            return [], f"{name} is a number from 1"
        if value:
            arguments += [f"--{name}", value]
    if fields.get("name", "").strip():
        arguments += ["--name", fields["name"].strip()]
    return arguments, ""


def _rows(document: Any, name: str) -> list[dict[str, Any]]:
    rows = document.get(name) if isinstance(document, dict) else None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
