"""Reads a configuration text: plans, organisations and keys, in any order."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import TypeVar

from tollgate.accounts import ApiKey, Organisation, Overrides
from tollgate.clock import Clock, instant
from tollgate.errors import ConfigError, ParseError, TollgateError
from tollgate.limits import LimitTerms
from tollgate.money import ROUNDING, currency, parse_decimal
from tollgate.plans import MeterTerms, Plan, PlanBook
from tollgate.service import Tollgate
from tollgate.taxes import TaxRule
from tollgate.zones import Zone

_A = TypeVar("_A")
_T = TypeVar("_T")
_HEADER = re.compile(r"\[(plan|organisation|key) ([\w-]+)\]", re.ASCII)
_COMMENT = re.compile(r"(?:^|\s)#.*")
_SETTINGS = {
    "plan": {"fee", "like", "meter", "limit"},
    "organisation": {"parent", "zone", "currency", "rounding", "tax", "plan", "limit", "cap"},
    "key": {"organisation", "expires", "limit", "cap"},
}
_NAMED = {"meter", "limit", "cap"}


@dataclass(slots=True)
class Setting:
    """A value and the line on which it begins."""

    line: int
    value: str


@dataclass(slots=True)
class Section:
    """`[kind name]` and its settings by name (`fee`, `meter.requests`)."""

    kind: str
    name: str
    line: int
    settings: dict[str, Setting] = field(default_factory=dict)

    def read(self, name: str, reader: Callable[[str], _T]) -> _T | None:
        """The value of a setting, None where there is none."""
        setting = self.settings.get(name)
        return None if setting is None else _at(setting.line, reader, setting.value)

    def family(self, family: str, reader: Callable[[str], _T]) -> dict[str, _T]:
        """The values of all `family.name`, by name."""
        return {
            name.partition(".")[2]: _at(setting.line, reader, setting.value)
            for name, setting in self.settings.items()
            if name.startswith(family + ".")
        }

    def line_of(self, name: str) -> int:
        return self.settings[name].line if name in self.settings else self.line


def load(text: str, clock: Clock) -> Tollgate:
    """A service with all that a configuration text names. Raises ConfigError."""
    sections = parse(text)
    gate = Tollgate(clock, _plans(_of_kind(sections, "plan")))
    for section in _parents_first(_of_kind(sections, "organisation")):
        _add_organisation(gate, section)
    for section in _of_kind(sections, "key").values():
        _add_key(gate, section)
    return gate


def parse(text: str) -> list[Section]:
    """The sections of a text, checked for form only."""
    sections: list[Section] = []
    last: Setting | None = None
    for number, line in _lines(text):
        if line[0].isspace():
            if last is None:
                raise ConfigError(number, "nothing to go on with")
            last.value = f"{last.value} {line.strip()}".strip()
        elif line.startswith("["):
            sections.append(_header(number, line, sections))
            last = None
        else:
            if not sections:
                raise ConfigError(number, "a setting before the first section")
            last = _setting(number, line, sections[-1])
    return sections


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that are not empty, without comments."""
    for number, line in enumerate(text.splitlines(), 1):
        bare = _COMMENT.sub("", line).rstrip()
        if bare:
            yield number, bare


def _header(number: int, line: str, before: list[Section]) -> Section:
    match = _HEADER.fullmatch(line)
    if match is None:
        raise ConfigError(number, f"not a section ([plan name], [organisation name], ...): {line}")
    kind, name = match.groups()
    if any(section.kind == kind and section.name == name for section in before):
        raise ConfigError(number, f"{kind} {name} is there already")
    return Section(kind, name, number)


def _setting(number: int, line: str, section: Section) -> Setting:
    name, equals, value = (part.strip() for part in line.partition("="))
    if not equals:
        raise ConfigError(number, f"neither a section nor a setting: {line}")
    family, dot, rest = name.partition(".")
    known = family in _SETTINGS[section.kind] and bool(rest) == (family in _NAMED)
    if not known or (dot and not rest):
        raise ConfigError(number, f"no setting of a {section.kind}: {name}")
    if name in section.settings:
        raise ConfigError(number, f"{name} is there already")
    section.settings[name] = Setting(number, value)
    return section.settings[name]


def _of_kind(sections: list[Section], kind: str) -> dict[str, Section]:
    return {section.name: section for section in sections if section.kind == kind}


def _plans(sections: dict[str, Section]) -> PlanBook:
    made: dict[str, Plan] = {}
    for name in sections:
        _make_plan(name, sections, made, [])
    return PlanBook(made.values())


def _make_plan(
    name: str, sections: dict[str, Section], made: dict[str, Plan], below: list[str]
) -> Plan:
    """A plan, after the one that it is `like`."""
    if name in made:
        return made[name]
    section = sections[name]
    base = Plan(name)
    like = section.read("like", str)
    if like is not None:
        if like not in sections:
            raise ConfigError(section.line_of("like"), f"no plan {like}")
        if like in [*below, name]:
            raise ConfigError(section.line_of("like"), f"plan {name} is like itself")
        base = _make_plan(like, sections, made, [*below, name])
    fee = section.read("fee", parse_decimal)
    limits = section.family("limit", _limit)
    lifted = {limit for limit, terms in limits.items() if terms is None}
    agreed = {**base.limits, **{n: terms for n, terms in limits.items() if terms is not None}}
    made[name] = Plan(
        name,
        base.fee if fee is None else Fraction(fee),
        {**base.meters, **section.family("meter", MeterTerms.parse)},
        {limit: terms for limit, terms in agreed.items() if limit not in lifted},
    )
    return made[name]


def _parents_first(sections: dict[str, Section]) -> list[Section]:
    ordered: list[Section] = []
    waiting = dict(sections)
    while waiting:
        ready = [s for s in waiting.values() if s.read("parent", str) not in waiting]
        if not ready:
            first = next(iter(waiting.values()))
            raise ConfigError(first.line, f"organisations in a circle: {', '.join(waiting)}")
        for section in ready:
            ordered.append(waiting.pop(section.name))
    return ordered


def _add_organisation(gate: Tollgate, section: Section) -> None:
    tax = section.read("tax", TaxRule.parse)
    organisation = Organisation(
        section.name,
        parent=section.read("parent", str),
        zone=section.read("zone", Zone.parse),
        currency=section.read("currency", currency),
        rounding=section.read("rounding", _rounding),
        tax=None if "tax" not in section.settings else () if tax is None else (tax,),
        overrides=_overrides(section),
    )
    _at(section.line_of("parent"), gate.add_organisation, organisation)
    plan = section.read("plan", _plan_since)
    if plan is not None:
        name, since = plan
        day = since or gate.today(section.name)
        _at(section.line_of("plan"), lambda told: gate.subscribe(section.name, told, day), name)


def _add_key(gate: Tollgate, section: Section) -> None:
    owner = section.read("organisation", str)
    if owner is None:
        raise ConfigError(section.line, f"key {section.name} needs an organisation")
    expires = section.read("expires", instant)
    key = ApiKey(section.name, owner, expires, overrides=_overrides(section))
    _at(section.line_of("organisation"), gate.add_key, key)


def _overrides(section: Section) -> Overrides:
    return Overrides(section.family("limit", _limit), section.family("cap", _cap))


def _limit(text: str) -> LimitTerms | None:
    return None if text == "none" else LimitTerms.parse(text)


def _cap(text: str) -> int:
    if not text.isdecimal():
        raise ParseError(f"a cap is a number of units: {text!r}")
    return int(text)


def _rounding(text: str) -> str:
    if text not in ROUNDING:
        raise ParseError(f"not a rounding rule ({', '.join(ROUNDING)}): {text!r}")
    return text


def _plan_since(text: str) -> tuple[str, date | None]:
    """Read `basic` or `basic since 2024-01-10`."""
    match text.split():
        case [name]:
            return name, None
        case [name, "since", day]:
            try:
                return name, date.fromisoformat(day)
            except ValueError:
                raise ParseError(f"not a day (YYYY-MM-DD): {day!r}") from None
    raise ParseError(f"not a plan (basic, basic since 2024-01-10): {text!r}")


def _at(line: int, reader: Callable[[_A], _T], value: _A) -> _T:
    """What the reader makes of the value; its errors name the line."""
    try:
        return reader(value)
    except ConfigError:
        raise
    except TollgateError as error:
        raise ConfigError(line, str(error)) from error
