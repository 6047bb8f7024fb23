"""Run inside a box with a writable toolchain: compile its packages, fill the linters' cache."""

from __future__ import annotations

import compileall
import sys
from pathlib import Path


def main() -> int:
    """``seed.py TOOLS_ARCHIVE``; exit status 1 when something does not compile."""
    sys.path.insert(0, sys.argv[1])
    from tools.box import layout
    from tools.linting.checker import seed
    from tools.linting.config import LintConfig

    compileall.compile_dir(
        Path(layout.TOOLCHAIN) / "lib",
        quiet=2,
        invalidation_mode=compileall.py_compile.PycInvalidationMode.UNCHECKED_HASH,  # type: ignore[attr-defined]
    )
    seed(LintConfig(cache_dir=f"{layout.TOOLCHAIN}/cache", python=layout.PYTHON))
    return 0


if __name__ == "__main__":
    sys.exit(main())
