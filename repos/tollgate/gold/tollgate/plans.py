"""Plans: a monthly fee, and the terms of each meter and limit."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from tollgate.errors import DuplicateName, ParseError, UnknownName
from tollgate.limits import LimitTerms
from tollgate.pricing import Price, parse_price

_PRICES = ("unit", "graduated", "volume", "package")


@dataclass(frozen=True, slots=True)
class MeterTerms:
    """What a plan says of a meter.

    `included`: units a month. `carry`: how many units may be carried into a month at most.
    `price`: of what goes over the allowance; None: nothing may go over it.
    """

    included: int = 0
    carry: int = 0
    price: Price | None = None

    @property
    def hard(self) -> bool:
        return self.price is None

    @classmethod
    def parse(cls, text: str) -> "MeterTerms":
        """Read `10000 carry 2000 hard`, `500 unit 0.02`, `0 graduated 1000@0.01 *@0.005`."""
        words = text.split()
        if not words or not words[0].isdecimal():
            raise ParseError(f"a meter begins with its included units: {text!r}")
        included, rest, carry = int(words[0]), words[1:], 0
        if rest[:1] == ["carry"]:
            if len(rest) < 2 or not rest[1].isdecimal():
                raise ParseError(f"carry needs a number of units: {text!r}")
            carry, rest = int(rest[1]), rest[2:]
        if rest == ["hard"]:
            return cls(included, carry)
        if not rest or rest[0] not in _PRICES:
            raise ParseError(f"a meter is hard or has a price: {text!r}")
        return cls(included, carry, parse_price(rest))


@dataclass(frozen=True, slots=True)
class Plan:
    """`fee`: for a whole month, in the currency of whoever subscribes."""

    name: str
    fee: Fraction = Fraction(0)
    meters: Mapping[str, MeterTerms] = field(default_factory=dict)
    limits: Mapping[str, LimitTerms] = field(default_factory=dict)

    def meter(self, name: str) -> MeterTerms:
        found = self.meters.get(name)
        if found is None:
            raise UnknownName(f"plan {self.name} has no meter {name}")
        return found


class PlanBook:
    """All plans by name."""

    def __init__(self, plans: Iterable[Plan] = ()) -> None:
        self._plans: dict[str, Plan] = {}
        for plan in plans:
            self.add(plan)

    def add(self, plan: Plan) -> None:
        if plan.name in self._plans:
            raise DuplicateName(f"plan {plan.name} is there already")
        self._plans[plan.name] = plan

    def get(self, name: str) -> Plan:
        found = self._plans.get(name)
        if found is None:
            raise UnknownName(f"no plan {name}")
        return found
