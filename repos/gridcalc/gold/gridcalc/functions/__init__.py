"""All functions that formulas know; importing this package registers them."""

from gridcalc.functions import aggregate, dates, logical, lookup, maths, textual

__all__ = ["aggregate", "dates", "logical", "lookup", "maths", "textual"]
