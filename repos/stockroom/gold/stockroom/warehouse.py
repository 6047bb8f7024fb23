"""The state of a warehouse. Rules that change it live in `movements` and `fulfil`."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from stockroom.catalog import Catalog
from stockroom.errors import OrderError, StockroomError
from stockroom.locations import LocationBook
from stockroom.lots import LotBook
from stockroom.stock import Stock


@dataclass(frozen=True)
class Pick:
    """A quantity to take from one lot at one location."""

    lot: str
    location: str
    quantity: int


@dataclass
class OrderLine:
    """One item of an order, in base units."""

    sku: str
    wanted: int
    picks: list[Pick] = field(default_factory=list)
    shipped: int = 0

    @property
    def reserved(self) -> int:
        return sum(pick.quantity for pick in self.picks)

    @property
    def short(self) -> int:
        """What is neither shipped nor reserved."""
        return self.wanted - self.shipped - self.reserved


@dataclass
class Order:
    """A customer's order. `policy` None leaves the choice to each item."""

    id: str
    customer: str
    lines: list[OrderLine]
    policy: str | None = None
    single_lot: bool = False
    partial: bool = False
    cancelled: bool = False

    @property
    def status(self) -> str:
        """cancelled, shipped, backorder or reserved."""
        if self.cancelled:
            return "cancelled"
        if all(line.shipped == line.wanted for line in self.lines):
            return "shipped"
        if any(line.short for line in self.lines):
            return "backorder"
        return "reserved"


class OrderBook:
    """Orders by id, in the order in which they were placed."""

    def __init__(self) -> None:
        self._orders: dict[str, Order] = {}

    def add(self, order: Order) -> None:
        self.check_new(order.id)
        self._orders[order.id] = order

    def check_new(self, order_id: str) -> None:
        if order_id in self._orders:
            raise OrderError(f"order {order_id} already exists")

    def get(self, order_id: str) -> Order:
        try:
            return self._orders[order_id]
        except KeyError:
            raise OrderError(f"unknown order {order_id}") from None

    def __iter__(self) -> Iterator[Order]:
        return iter(self._orders.values())


@dataclass
class Shipment:
    """What left: one lot of one order on one day. `returned` came back since."""

    order: str
    customer: str
    day: date
    lot: str
    quantity: int
    returned: int = 0


@dataclass(frozen=True)
class Adjustment:
    """A correction of a balance by a count or by scrapping."""

    day: date
    lot: str
    location: str
    delta: int
    reason: str


@dataclass
class Warehouse:
    """All that is known; `today` is set by `date` entries and only moves forward."""

    today: date | None = None
    catalog: Catalog = field(default_factory=Catalog)
    locations: LocationBook = field(default_factory=LocationBook)
    lots: LotBook = field(default_factory=LotBook)
    stock: Stock = field(default_factory=Stock)
    orders: OrderBook = field(default_factory=OrderBook)
    shipments: list[Shipment] = field(default_factory=list)
    adjustments: list[Adjustment] = field(default_factory=list)

    @property
    def day(self) -> date:
        """Today; StockroomError before the first `date` entry."""
        if self.today is None:
            raise StockroomError("no date yet: a date entry must come first")
        return self.today
