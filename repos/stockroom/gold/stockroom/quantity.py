"""Quantities: whole numbers of an item's base unit, written in packs."""

import re

from stockroom.errors import QuantityError

_TERM = re.compile(r"\s*(\d+)\s*([A-Za-z][A-Za-z_]*)?")


class PackTable:
    """The units that one item is counted in: a base unit and packs of it."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self._sizes: dict[str, int] = {unit: 1}

    def copy(self) -> "PackTable":
        """A table that can be added to without changing this one."""
        other = PackTable(self.unit)
        other._sizes = dict(self._sizes)
        return other

    def define(self, name: str, text: str) -> None:
        """Add the pack `name`, its content written in units known so far (`40 case`)."""
        if name in self._sizes:
            raise QuantityError(f"pack {name!r} is already defined")
        size = self.parse(text)
        if size < 2:
            raise QuantityError(f"pack {name!r} must hold at least 2 {self.unit}")
        self._sizes[name] = size

    def size(self, name: str) -> int:
        """Base units in one pack of that name."""
        try:
            return self._sizes[name]
        except KeyError:
            raise QuantityError(f"unknown unit {name!r}") from None

    def parse(self, text: str, *, zero: bool = False) -> int:
        """Read `2 pallet 3 case 5`; a number without a unit counts base units."""
        text = text.strip()
        if not text:
            raise QuantityError("empty quantity")
        total = 0
        seen: set[str] = set()
        position = 0
        while position < len(text):
            match = _TERM.match(text, position)
            if match is None:
                raise QuantityError(f"cannot read quantity {text!r}")
            unit = match.group(2) or self.unit
            if unit in seen:
                raise QuantityError(f"unit {unit!r} appears twice in {text!r}")
            seen.add(unit)
            total += int(match.group(1)) * self.size(unit)
            position = match.end()
        if total == 0 and not zero:
            raise QuantityError(f"quantity must be more than zero: {text!r}")
        return total

    def render(self, quantity: int) -> str:
        """Write a quantity in the largest packs that fit, `-` in front when negative."""
        sign, rest = ("-", -quantity) if quantity < 0 else ("", quantity)
        terms: list[str] = []
        for name, size in self._largest_first():
            count, rest = divmod(rest, size)
            if count:
                terms.append(f"{count} {name}")
        return sign + (" ".join(terms) or f"0 {self.unit}")

    def round_up(self, quantity: int) -> int:
        """Round up to whole packs of the largest pack that is not larger than `quantity`."""
        for _, size in self._largest_first():
            if size <= quantity:
                return -(-quantity // size) * size
        return quantity

    def _largest_first(self) -> list[tuple[str, int]]:
        return sorted(self._sizes.items(), key=lambda pair: (-pair[1], pair[0]))
