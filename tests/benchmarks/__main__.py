"""``python -m tests.benchmarks [NAME...] [--json]``: all figures, or those of the named modules."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import pkgutil
import sys
from pathlib import Path

from tests.benchmarks.figures import Figure, show

_NO_FIGURES = {"__main__", "figures", "peers"}


def names() -> list[str]:
    """Modules of this package that have figures."""
    found = pkgutil.iter_modules([str(Path(__file__).parent)])
    return [module.name for module in found if module.name not in _NO_FIGURES]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names())}")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    options = parser.parse_args()
    if unknown := sorted(set(options.names) - set(names())):
        parser.error(f"no such figures: {', '.join(unknown)}")
    figures: list[Figure] = []
    broken = 0
    for name in options.names or names():
        print(f"{name} ...", file=sys.stderr)
        try:
            figures += importlib.import_module(f"tests.benchmarks.{name}").figures()
        except Exception as error:  # one that cannot be measured here hides no other
            broken += 1
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
    if options.json:
        print(json.dumps([dataclasses.asdict(figure) for figure in figures]))
    else:
        print(show(figures))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
