"""Items: what the warehouse may hold, and the rules that go with each."""

from collections.abc import Iterator
from dataclasses import dataclass

from stockroom.dates import Span
from stockroom.errors import CatalogError
from stockroom.quantity import PackTable


@dataclass
class Item:
    """An article. `min_life` is in days, `reorder` in base units."""

    sku: str
    name: str
    packs: PackTable
    shelf: Span | None = None
    storage: str = "ambient"
    min_life: int = 0
    policy: str = "fefo"
    reorder: int | None = None


class Catalog:
    """All items by SKU, listed in SKU order."""

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}

    def add(self, item: Item) -> None:
        if item.sku in self._items:
            raise CatalogError(f"item {item.sku} is already defined")
        self._items[item.sku] = item

    def get(self, sku: str) -> Item:
        try:
            return self._items[sku]
        except KeyError:
            raise CatalogError(f"unknown item {sku}") from None

    def __iter__(self) -> Iterator[Item]:
        return iter(sorted(self._items.values(), key=lambda item: item.sku))
