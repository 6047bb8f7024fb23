"""Prices of units over the allowance: graduated, by volume, or by package."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from tollgate.errors import ParseError
from tollgate.money import parse_decimal

_BAND = re.compile(r"(\d+|\*)@([\d.]+)(?:\+([\d.]+))?")


@dataclass(frozen=True, slots=True)
class Charge:
    """So many units (or packages) at a price each, and a fee on top."""

    quantity: int
    price: Fraction
    fee: Fraction = Fraction(0)

    @property
    def amount(self) -> Fraction:
        return self.quantity * self.price + self.fee


class Price(Protocol):
    """Turns units into charges; no units, no charge."""

    def charges(self, units: int) -> list[Charge]: ...


@dataclass(frozen=True, slots=True)
class Band:
    """Up to and including the unit number `top`; without end where it is None."""

    top: int | None
    price: Fraction
    fee: Fraction

    def reaches(self, units: int) -> bool:
        return self.top is None or units <= self.top


@dataclass(frozen=True, slots=True)
class Graduated:
    """Each unit at the price of the band that it falls into."""

    bands: tuple[Band, ...]

    def charges(self, units: int) -> list[Charge]:
        found: list[Charge] = []
        bottom = 0
        for band in self.bands:
            if units <= bottom:
                break
            top = units if band.top is None else min(units, band.top)
            found.append(Charge(top - bottom, band.price, band.fee))
            bottom = top
        return found


@dataclass(frozen=True, slots=True)
class Volume:
    """All units at the price of the band that the last of them falls into."""

    bands: tuple[Band, ...]

    def charges(self, units: int) -> list[Charge]:
        if not units:
            return []
        band = next(band for band in self.bands if band.reaches(units))
        return [Charge(units, band.price, band.fee)]


@dataclass(frozen=True, slots=True)
class Package:
    """Whole packages; one that is begun is paid."""

    size: int
    price: Fraction

    def charges(self, units: int) -> list[Charge]:
        packages = -(-units // self.size)
        return [Charge(packages, self.price)] if packages else []


def parse_price(words: list[str]) -> Price:
    """Read `graduated 1000@0.01 *@0.005`, `volume ...`, `package 1000@5.00`, `unit 0.02`."""
    match words:
        case ["unit", price]:
            return Graduated((Band(None, Fraction(parse_decimal(price)), Fraction(0)),))
        case ["package", band]:
            return _package(band)
        case ["graduated", _, *_]:
            return Graduated(_bands(words[1:]))
        case ["volume", _, *_]:
            return Volume(_bands(words[1:]))
    raise ParseError(f"not a price: {' '.join(words)!r}")


def _package(word: str) -> Package:
    size, at, price = word.partition("@")
    if not at or not size.isdecimal() or int(size) == 0:
        raise ParseError(f"not a package (1000@5.00): {word!r}")
    return Package(int(size), Fraction(parse_decimal(price)))


def _bands(words: list[str]) -> tuple[Band, ...]:
    bands: list[Band] = []
    for word in words:
        match = _BAND.fullmatch(word)
        if match is None:
            raise ParseError(f"not a band (1000@0.01, 1000@0.01+5.00, *@0.005): {word!r}")
        top = None if match.group(1) == "*" else int(match.group(1))
        fee = Fraction(parse_decimal(match.group(3) or "0"))
        bands.append(Band(top, Fraction(parse_decimal(match.group(2))), fee))
    bottom = 0
    for band in bands[:-1]:
        if band.top is None or band.top <= bottom:
            raise ParseError("bands must rise, and only the last may be *")
        bottom = band.top
    if bands[-1].top is not None:
        raise ParseError("the last band must be *")
    return tuple(bands)
