"""Everything that Stockroom raises on purpose.

StockroomError
    JournalError      a line that cannot be read, or an entry that was refused
    QuantityError     a quantity or pack definition that makes no sense
    CatalogError      unknown or duplicate item
    LocationError     unknown location, no room, wrong storage class
    LotError          unknown, duplicate, held or expired lot
    OrderError        an order that is not in the state the entry needs
        ShortageError not enough usable stock for a line
"""


class StockroomError(Exception):
    """Base of all errors of this package."""


class JournalError(StockroomError):
    """An entry that could not be read or carried out, with its line number."""

    def __init__(self, line: int, message: str, cause: StockroomError | None = None) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message
        self.cause = cause


class QuantityError(StockroomError):
    """A quantity or a pack that makes no sense."""


class CatalogError(StockroomError):
    """Unknown or duplicate item."""


class LocationError(StockroomError):
    """Unknown location, no room there, or the wrong storage class."""


class LotError(StockroomError):
    """Unknown, duplicate, held or expired lot, or too little of it."""


class OrderError(StockroomError):
    """The order is not in a state that allows this."""


class ShortageError(OrderError):
    """Not enough usable stock; figures are in base units."""

    def __init__(self, sku: str, wanted: int, found: int) -> None:
        super().__init__(f"{sku}: wanted {wanted}, found {found}")
        self.sku = sku
        self.wanted = wanted
        self.found = found
