"""Names of ranges."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from gridcalc.addresses import looks_like_cell
from gridcalc.errors import NamedRangeError
from gridcalc.nodes import Node
from gridcalc.printer import print_formula

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")


@dataclass
class NameTable:
    """Named ranges of a workbook; the case of letters does not matter."""

    _targets: dict[str, tuple[str, Node]] = field(default_factory=dict)

    @staticmethod
    def check(name: str) -> None:
        """Raises NamedRangeError for what formulas could not tell from something else."""
        if not _NAME.fullmatch(name):
            raise NamedRangeError(f"{name!r} is no name")
        if looks_like_cell(name) or name.upper() in ("TRUE", "FALSE"):
            raise NamedRangeError(f"{name!r} already means something else")

    def define(self, name: str, target: Node) -> None:
        """Give a name to a range, or another range to a name. Raises NamedRangeError."""
        self.check(name)
        self._targets[name.casefold()] = (name, target)

    def remove(self, name: str) -> None:
        """Raises NamedRangeError for a name that is not defined."""
        if self._targets.pop(name.casefold(), None) is None:
            raise NamedRangeError(f"there is no name {name!r}")

    def find(self, name: str) -> Node | None:
        found = self._targets.get(name.casefold())
        return None if found is None else found[1]

    def rewrite(self, change: Callable[[Node], Node]) -> None:
        """Let all names follow a change of the sheets."""
        for key, (name, target) in self._targets.items():
            self._targets[key] = (name, change(target))

    def listed(self) -> dict[str, str]:
        """Each name and its range as text, sorted by name."""
        entries = sorted(self._targets.items())
        return {name: print_formula(target) for _, (name, target) in entries}
