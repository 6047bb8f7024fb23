"""Which formulas read which cells, and in what order to compute them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from gridcalc.addresses import Address, Box


@dataclass(frozen=True)
class Group:
    """Formulas that are computed together: one, or all of a circle."""

    cells: tuple[Address, ...]
    circular: bool


@dataclass
class DependencyGraph:
    """Formulas and the boxes of cells that they read."""

    _reads: dict[Address, tuple[Box, ...]] = field(default_factory=dict)
    _readers: dict[Address, set[Address]] = field(default_factory=dict)
    _ranges: dict[Address, tuple[Box, ...]] = field(default_factory=dict)

    def record(self, cell: Address, boxes: Iterable[Box]) -> None:
        """Make a cell known as a formula that reads these boxes, and no others."""
        self.remove(cell)
        self._reads[cell] = tuple(boxes)
        ranges: list[Box] = []
        for box in self._reads[cell]:
            if box.height == box.width == 1:
                self._readers.setdefault(Address(box.sheet, box.top, box.left), set()).add(cell)
            else:
                ranges.append(box)
        if ranges:
            self._ranges[cell] = tuple(ranges)

    def remove(self, cell: Address) -> None:
        """Forget a formula; those that read it stay."""
        for box in self._reads.pop(cell, ()):
            self._readers.get(Address(box.sheet, box.top, box.left), set()).discard(cell)
        self._ranges.pop(cell, None)

    def clear(self) -> None:
        self._reads.clear()
        self._readers.clear()
        self._ranges.clear()

    def readers(self, cell: Address) -> set[Address]:
        """Formulas that read a cell themselves."""
        ranged = {
            reader for reader, boxes in self._ranges.items() if any(cell in box for box in boxes)
        }
        return ranged | self._readers.get(cell, set())

    def affected(self, changed: Iterable[Address]) -> set[Address]:
        """Formulas among the changed cells, and all that read them directly or through others."""
        found: set[Address] = set()
        waiting = list(changed)
        seen = set(waiting)
        while waiting:
            cell = waiting.pop()
            if cell in self._reads:
                found.add(cell)
            new = self.readers(cell) - seen
            seen |= new
            waiting.extend(new)
        return found

    def ordered(self, cells: set[Address]) -> Iterator[Group]:
        """The formulas `cells` in groups, each behind those that it reads.

        Tarjan's strongly connected components, without recursion.
        """
        index: dict[Address, int] = {}
        low: dict[Address, int] = {}
        path: list[Address] = []
        on_path: set[Address] = set()
        for root in sorted(cells):
            if root in index:
                continue
            index[root] = low[root] = len(index)
            path.append(root)
            on_path.add(root)
            work = [(root, self._precedents(root, cells))]
            while work:
                cell, rest = work[-1]
                following = next(rest, None)
                if following is None:
                    work.pop()
                    if work:
                        caller = work[-1][0]
                        low[caller] = min(low[caller], low[cell])
                    if low[cell] == index[cell]:
                        yield self._unwind(cell, path, on_path)
                elif following not in index:
                    index[following] = low[following] = len(index)
                    path.append(following)
                    on_path.add(following)
                    work.append((following, self._precedents(following, cells)))
                elif following in on_path:
                    low[cell] = min(low[cell], index[following])

    def _unwind(self, cell: Address, path: list[Address], on_path: set[Address]) -> Group:
        members: list[Address] = []
        while not members or members[-1] != cell:
            members.append(path.pop())
        on_path.difference_update(members)
        circular = len(members) > 1 or any(cell in box for box in self._reads[cell])
        return Group(tuple(sorted(members)), circular)

    def _precedents(self, cell: Address, among: set[Address]) -> Iterator[Address]:
        for box in self._reads[cell]:
            if box.height * box.width <= len(among):
                yield from (address for address in box if address in among)
            else:
                yield from sorted(address for address in among if address in box)
