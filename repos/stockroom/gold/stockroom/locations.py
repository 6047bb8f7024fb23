"""Locations: where stock stands, what may stand there and how much of it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from stockroom.catalog import Item
from stockroom.errors import LocationError

KINDS = ("rack", "dock", "quarantine")
_RUN = re.compile(r"(\d+)")


def natural_key(code: str) -> tuple[tuple[int, int, str], ...]:
    """Order in which A-2 comes before A-10."""
    parts = (part for part in _RUN.split(code) if part)
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)


@dataclass(frozen=True)
class Location:
    """A place. Only racks are picked from; `capacity` is in base units, None is no limit."""

    code: str
    kind: str = "rack"
    storage: str = "ambient"
    capacity: int | None = None

    @classmethod
    def from_options(cls, code: str, options: Mapping[str, str]) -> "Location":
        """Build from the options of a `location` entry."""
        kind = options.get("kind", "rack")
        if kind not in KINDS:
            raise LocationError(f"kind must be one of {', '.join(KINDS)}")
        return cls(code, kind, options.get("class", "ambient"), _capacity(options.get("capacity")))

    @property
    def pickable(self) -> bool:
        return self.kind == "rack"

    def check(self, item: Item, load: int, quantity: int) -> None:
        """LocationError unless `quantity` more of the item may stand here beside `load`."""
        if self.pickable and self.storage != item.storage:
            raise LocationError(f"{self.code} is {self.storage}, {item.sku} needs {item.storage}")
        if self.capacity is not None and load + quantity > self.capacity:
            raise LocationError(f"{self.code} has room for {self.capacity - load} more")


def _capacity(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isdecimal() or int(text) == 0:
        raise LocationError(f"capacity must be a whole number above zero, not {text!r}")
    return int(text)


class LocationBook:
    """All locations by code, listed in natural order."""

    def __init__(self) -> None:
        self._places: dict[str, Location] = {}

    def add(self, location: Location) -> None:
        if location.code in self._places:
            raise LocationError(f"location {location.code} is already defined")
        self._places[location.code] = location

    def get(self, code: str) -> Location:
        try:
            return self._places[code]
        except KeyError:
            raise LocationError(f"unknown location {code}") from None

    def __iter__(self) -> Iterator[Location]:
        return iter(sorted(self._places.values(), key=lambda place: natural_key(place.code)))
