"""``python box.pyz PROGRAM``: run ``tools.testing.PROGRAM``; descriptors as in ChildSpec."""

from __future__ import annotations

import importlib
import re
import sys


def main() -> int:
    """Run the named program. Exit status 64 when there is none of that name."""
    name = sys.argv[1] if len(sys.argv) == 2 else ""
    if not re.fullmatch(r"run_[a-z_]+", name):
        print(f"no program {name!r}", file=sys.stderr)
        return 64
    module = importlib.import_module(f"tools.testing.{name}")
    return int(module.main() or 0)


if __name__ == "__main__":
    sys.exit(main())
