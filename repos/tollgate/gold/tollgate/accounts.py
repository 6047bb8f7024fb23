"""Organisations in a tree, and the keys that they hand out.

What an organisation does not say itself, it inherits from the nearest one above that does.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from tollgate.errors import AccessDenied, DuplicateName, HierarchyError, UnknownName
from tollgate.limits import LimitTerms
from tollgate.money import Currency, currency
from tollgate.taxes import TaxRule
from tollgate.zones import Zone

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Overrides:
    """Limits by name (None lifts one), caps in units a month by meter."""

    limits: Mapping[str, LimitTerms | None] = field(default_factory=dict)
    caps: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Organisation:
    """None: inherited. `tax` holds the rule in a tuple, an empty one for no tax."""

    name: str
    parent: str | None = None
    zone: Zone | None = None
    currency: Currency | None = None
    rounding: str | None = None
    tax: tuple[TaxRule, ...] | None = None
    suspended: bool = False
    overrides: Overrides = Overrides()


@dataclass(frozen=True, slots=True)
class ApiKey:
    """Good until just before `expires`."""

    name: str
    organisation: str
    expires: datetime | None = None
    revoked: bool = False
    overrides: Overrides = Overrides()


class Directory:
    """All organisations and keys by name. A name is used once, by either."""

    def __init__(self) -> None:
        self._organisations: dict[str, Organisation] = {}
        self._keys: dict[str, ApiKey] = {}

    def add_organisation(self, organisation: Organisation) -> None:
        self._claim(organisation.name)
        if organisation.parent is not None:
            self.organisation(organisation.parent)
        self._organisations[organisation.name] = organisation

    def add_key(self, key: ApiKey) -> None:
        self._claim(key.name)
        self.organisation(key.organisation)
        self._keys[key.name] = key

    def organisation(self, name: str) -> Organisation:
        found = self._organisations.get(name)
        if found is None:
            raise UnknownName(f"no organisation {name}")
        return found

    def key(self, name: str) -> ApiKey:
        found = self._keys.get(name)
        if found is None:
            raise UnknownName(f"no key {name}")
        return found

    def lineage(self, name: str) -> list[Organisation]:
        """The organisation, then those above it, nearest first."""
        found = [self.organisation(name)]
        while found[-1].parent is not None:
            found.append(self.organisation(found[-1].parent))
        return found

    def keys_under(self, name: str) -> list[ApiKey]:
        """Keys of the organisation and of all below it, by name."""
        self.organisation(name)
        return [
            self._keys[key]
            for key in sorted(self._keys)
            if any(org.name == name for org in self.lineage(self._keys[key].organisation))
        ]

    def suspend(self, name: str, suspended: bool = True) -> None:
        self._organisations[name] = replace(self.organisation(name), suspended=suspended)

    def revoke(self, name: str) -> None:
        self._keys[name] = replace(self.key(name), revoked=True)

    def move(self, name: str, parent: str | None) -> None:
        """Put an organisation, and with it all below, under another one."""
        moved = self.organisation(name)
        if parent is not None and any(org.name == name for org in self.lineage(parent)):
            raise HierarchyError(f"{name} cannot stand below {parent}")
        self._organisations[name] = replace(moved, parent=parent)

    def override(
        self,
        name: str,
        limits: Mapping[str, LimitTerms | None] | None = None,
        caps: Mapping[str, int] | None = None,
    ) -> None:
        """Add to the overrides of a key or an organisation."""
        holder: ApiKey | Organisation = self._keys.get(name) or self.organisation(name)
        known = holder.overrides
        added = Overrides({**known.limits, **(limits or {})}, {**known.caps, **(caps or {})})
        if isinstance(holder, ApiKey):
            self._keys[name] = replace(holder, overrides=added)
        else:
            self._organisations[name] = replace(holder, overrides=added)

    def chain(self, key: ApiKey, top: str | None = None) -> Iterator[tuple[str, Overrides]]:
        """Names and overrides that a key is under: its own, then up the tree, to `top` if told."""
        yield key.name, key.overrides
        for org in self.lineage(key.organisation):
            yield org.name, org.overrides
            if org.name == top:
                return

    def check_access(self, key: ApiKey, now: datetime) -> None:
        """AccessDenied unless the key may be used now."""
        if key.revoked:
            raise AccessDenied(f"key {key.name} is revoked")
        if key.expires is not None and now >= key.expires:
            raise AccessDenied(f"key {key.name} has expired")
        for org in self.lineage(key.organisation):
            if org.suspended:
                raise AccessDenied(f"organisation {org.name} is suspended")

    def zone(self, name: str) -> Zone:
        return _nearest((org.zone for org in self.lineage(name)), Zone())

    def currency(self, name: str) -> Currency:
        return _nearest((org.currency for org in self.lineage(name)), currency("EUR"))

    def rounding(self, name: str) -> str:
        return _nearest((org.rounding for org in self.lineage(name)), "half_up")

    def tax(self, name: str) -> TaxRule | None:
        rules = _nearest((org.tax for org in self.lineage(name)), ())
        return rules[0] if rules else None

    def _claim(self, name: str) -> None:
        if name in self._organisations or name in self._keys:
            raise DuplicateName(f"{name} is there already")


def _nearest(values: Iterator[_T | None], default: _T) -> _T:
    return next((value for value in values if value is not None), default)
