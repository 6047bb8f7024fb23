"""Numbers as they are printed: 4, iv, d."""

from galley.errors import LayoutError

KINDS = ("decimal", "roman", "alpha")

_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)


def roman(number: int) -> str:
    if not 0 < number < 4000:
        raise LayoutError(f"no roman numeral for {number}")
    text = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        text += letters * count
    return text


def alpha(number: int) -> str:
    """a ... z, aa ... az, ba ..."""
    if number < 1:
        raise LayoutError(f"no letter for {number}")
    text = ""
    while number:
        number, place = divmod(number - 1, 26)
        text = chr(ord("a") + place) + text
    return text


def numeral(number: int, kind: str = "decimal") -> str:
    """The number in one of ``KINDS``."""
    if kind == "roman":
        return roman(number)
    if kind == "alpha":
        return alpha(number)
    return str(number)
