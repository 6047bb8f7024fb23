"""Heights of a very long list: sums and searches in logarithmic time (a Fenwick tree)."""

from __future__ import annotations

from collections.abc import Iterable


class Heights:
    """Heights in lines, by position; they begin as estimates and are corrected when seen."""

    def __init__(self, values: Iterable[int] = ()) -> None:
        self._values = list(values)
        self._tree = [0, *self._values]
        size = len(self._values)
        for i in range(1, size + 1):
            parent = i + (i & -i)
            if parent <= size:
                self._tree[parent] += self._tree[i]
        self.total = sum(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: int) -> int:
        return self._values[index]

    def append(self, value: int) -> None:
        self._values.append(value)
        i = len(self._values)
        low = i - (i & -i)
        node = value
        j = i - 1
        while j > low:
            node += self._tree[j]
            j -= j & -j
        self._tree.append(node)
        self.total += value

    def extend(self, values: list[int]) -> None:
        """Append many; a new tree is quicker than many insertions."""
        if len(values) * 8 > len(self._values):
            self.__init__([*self._values, *values])  # type: ignore[misc]
        else:
            for value in values:
                self.append(value)

    def beginning(self, size: int) -> Heights:
        """A copy of the first ``size`` positions."""
        return Heights(self._values[:size])

    def truncate(self, size: int) -> None:
        """Drop all positions from ``size`` on."""
        self.total = self.before(size)
        del self._values[size:]
        del self._tree[size + 1 :]

    def set(self, index: int, value: int) -> None:
        change = value - self._values[index]
        if change == 0:
            return
        self._values[index] = value
        self.total += change
        i = index + 1
        while i < len(self._tree):
            self._tree[i] += change
            i += i & -i

    def before(self, index: int) -> int:
        """Lines above position ``index``."""
        total, i = 0, min(index, len(self._values))
        while i > 0:
            total += self._tree[i]
            i -= i & -i
        return total

    def find(self, y: int) -> tuple[int, int]:
        """The position that line ``y`` belongs to, and the line in it."""
        size = len(self._values)
        if size == 0:
            return 0, 0
        index, left = 0, max(0, min(y, self.total - 1))
        step = 1 << size.bit_length()
        while step:
            nxt = index + step
            if nxt <= size and self._tree[nxt] <= left:
                index = nxt
                left -= self._tree[nxt]
            step >>= 1
        return min(index, size - 1), left
