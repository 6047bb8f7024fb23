"""Colours: three themes, the style of each role, and how each state looks.

Meaning never hangs on colour alone: a state is a symbol, a word and a colour, a difference a sign
and a colour. Added and removed are told apart by lightness too (teal against orange), so that
they stay apart for most who do not see red and green alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rich.style import Style
from textual.theme import Theme

from harness.outcome import SampleState, Verdict


@dataclass(frozen=True)
class Mark:
    """How a state looks: one cell, a word, a role."""

    symbol: str
    word: str
    role: str


STATES: dict[SampleState, Mark] = {
    SampleState.QUEUED: Mark("·", "queued", "muted"),
    SampleState.RUNNING: Mark("●", "running", "running"),
    SampleState.GRADING: Mark("◆", "grading", "grading"),
    SampleState.RESOLVED: Mark("✓", "resolved", "good"),
    SampleState.UNRESOLVED: Mark("✗", "unresolved", "bad"),
    SampleState.TAMPERED: Mark("‼", "tampered", "alarm"),
    SampleState.NO_SCORE: Mark("∅", "no score", "warn"),
}
RUN_STATES: dict[str, Mark] = {
    "running": Mark("●", "running", "running"),
    "complete": Mark("✓", "complete", "good"),
    "incomplete": Mark("∅", "incomplete", "warn"),
    "cancelled": Mark("■", "cancelled", "warn"),
    "failed": Mark("✗", "failed", "bad"),
    "interrupted": Mark("◌", "interrupted", "warn"),
    "not started": Mark("·", "not started", "muted"),
    "unreadable": Mark("!", "unreadable", "bad"),
}
OUTCOMES: dict[str, Mark] = {
    "passed": Mark("✓", "passed", "good"),
    "failed": Mark("✗", "failed", "bad"),
    "error": Mark("!", "error", "bad"),
    "skipped": Mark("-", "skipped", "warn"),
    "missing": Mark("?", "missing", "warn"),
    "none": Mark("-", "none", "muted"),
}


def verdict_mark(verdict: Verdict) -> Mark:
    """The mark of a verdict."""
    return STATES[SampleState(verdict.value)]


# Role -> style in a theme's own names for colours; later words win.
_ROLES = {
    "": "fg",
    "text": "fg",
    "strong": "bold fg",
    "muted": "dim_fg",
    "faint": "faint",
    "title": "bold primary",
    "key": "bold primary",
    "accent": "accent",
    "label": "dim_fg",
    "number": "fg",
    "running": "bold primary",
    "grading": "bold accent",
    "good": "bold good",
    "bad": "bold bad",
    "warn": "bold warn",
    "alarm": "bold reverse bad",
    "error": "bad",
    "nudge": "italic warn",
    "retry": "italic accent",
    "turn": "bold primary",
    "prompt": "bold accent",
    "reasoning": "italic dim_fg",
    "tool": "bold fg",
    "path": "path",
    "result": "dim_fg",
    "md.heading": "bold underline fg",
    "md.bullet": "primary",
    "md.quote": "italic dim_fg",
    "md.code": "path",
    "md.bold": "bold fg",
    "md.italic": "italic fg",
    "code": "fg",
    "code.keyword": "keyword",
    "code.string": "string",
    "code.number": "number",
    "code.comment": "italic dim_fg",
    "code.name": "bold name",
    "code.builtin": "name",
    "diff.add": "bold good",
    "diff.remove": "bold bad",
    "bar": "primary",
    "bar.rest": "faint",
    "head": "bold dim_fg",
    "cursor": "primary",
}
_TINTS = ("add", "remove", "match", "hit", "selected")

_DARK = {
    "fg": "#d8dee9", "dim_fg": "#8d99ab", "faint": "#3d4757", "primary": "#7cb7ff",
    "accent": "#c9a7ff", "good": "#5fd7b0", "bad": "#ff8f6b", "warn": "#f2c14e",
    "path": "#9fd3ff", "keyword": "#c9a7ff", "string": "#b5d99c", "number": "#f2c14e",
    "name": "#8cc8ff", "add": "#12352f", "remove": "#42241d", "match": "#5a4a12",
    "hit": "#8a6d12", "selected": "#1d2736", "background": "#0f141b", "surface": "#141b24",
    "panel": "#1b2430",
}  # fmt: skip
_LIGHT = {
    "fg": "#1f2933", "dim_fg": "#5c6b7a", "faint": "#c3ccd6", "primary": "#0b62c4",
    "accent": "#7a3fbf", "good": "#00735c", "bad": "#b3400f", "warn": "#8a6100",
    "path": "#0b5c8a", "keyword": "#7a3fbf", "string": "#3f6f12", "number": "#8a6100",
    "name": "#0b62c4", "add": "#d7f3ea", "remove": "#fbe0d5", "match": "#fff0b8",
    "hit": "#ffd75e", "selected": "#e6eef8", "background": "#fbfcfd", "surface": "#f3f6f9",
    "panel": "#e7edf3",
}  # fmt: skip
_CONTRAST = {
    "fg": "#ffffff", "dim_fg": "#d0d0d0", "faint": "#808080", "primary": "#66d9ff",
    "accent": "#ffaaff", "good": "#00ffbf", "bad": "#ff9a4d", "warn": "#ffff00",
    "path": "#a8e6ff", "keyword": "#ffaaff", "string": "#c8ff8a", "number": "#ffff00",
    "name": "#66d9ff", "add": "#003d2e", "remove": "#4d1f00", "match": "#5c5c00",
    "hit": "#8a5cff", "selected": "#262626", "background": "#000000", "surface": "#000000",
    "panel": "#1a1a1a",
}  # fmt: skip
_COLOURS = {"proctor-dark": _DARK, "proctor-light": _LIGHT, "proctor-contrast": _CONTRAST}
DEFAULT = "proctor-dark"
PLAIN = "proctor-plain"
"""The theme for NO_COLOR: its colours are not sent, what they mark is marked otherwise."""
_PLAIN_TINTS = {
    "hit": Style(reverse=True, bold=True),
    "match": Style(underline=True),
    "selected": Style(bold=True),
}


def themes() -> list[Theme]:
    """The themes to choose from."""
    return [_theme(name, colours) for name, colours in _COLOURS.items()]


def plain_theme() -> Theme:
    """The theme PLAIN."""
    return _theme(PLAIN, _DARK)


def _theme(name: str, c: dict[str, str]) -> Theme:
    return Theme(
        name=name,
        primary=c["primary"],
        secondary=c["accent"],
        accent=c["accent"],
        warning=c["warn"],
        error=c["bad"],
        success=c["good"],
        foreground=c["fg"],
        background=c["background"],
        surface=c["surface"],
        panel=c["panel"],
        dark=name != "proctor-light",
        variables={
            "border": c["faint"],
            "border-blurred": c["faint"],
            "scrollbar": c["faint"],
            "scrollbar-hover": c["dim_fg"],
            "scrollbar-active": c["primary"],
            "scrollbar-background": c["background"],
            "scrollbar-background-hover": c["background"],
            "scrollbar-background-active": c["background"],
            "scrollbar-corner-color": c["background"],
            "footer-background": c["panel"],
            "input-cursor-background": c["primary"],
        },
    )


class Palette:
    """Styles by role for one theme. A role may carry a tint: ``code.string|add``."""

    def __init__(self, name: str) -> None:
        self._colours = _COLOURS.get(name, _DARK)
        self._plain = name == PLAIN
        self._cache: dict[str, Style] = {}

    def style(self, role: str) -> Style:
        """The style of a role; an unknown one looks like text."""
        found = self._cache.get(role)
        if found is None:
            found = self._cache[role] = self._make(role)
        return found

    def tint(self, name: str) -> Style:
        """A background alone: add, remove, match, hit, selected."""
        return self.style(f"|{name}")

    def _make(self, role: str) -> Style:
        name, *tints = role.split("|")
        style = Style()
        if name or not tints:
            style = self._words(_ROLES.get(name, "fg"))
        for tint in tints:
            if self._plain:
                style += _PLAIN_TINTS.get(tint, Style())
            elif tint in _TINTS:
                style += Style(bgcolor=self._colours[tint])
        return style

    def _words(self, words: str) -> Style:
        names = words.split()
        return Style(
            color=self._colours[names[-1]],
            bold="bold" in names or None,
            italic="italic" in names or None,
            underline="underline" in names or None,
            reverse="reverse" in names or None,
        )


@lru_cache(maxsize=8)
def palette(name: str) -> Palette:
    """The palette that goes with a theme; other themes get the dark one."""
    return Palette(name)
