"""Find what can be falsified in node test files, with TypeScript's own parser and printer.

Configuration: ``files`` (path -> text), ``classes`` (name -> base of the tree's error classes).
One line a file: ``path``, ``text`` (printed anew without comments), ``units`` and ``pool`` in the
shapes of ``harness.grading.twins``. Runs in a box that holds nothing of a model's.
"""

from __future__ import annotations

from tools.testing.channel import read_config, toolchain
from tools.testing.run_node import exec_script


def main() -> None:
    """Replace this process by Node running ``find_twins.mjs``."""
    config = read_config()
    paths = toolchain(config)
    exec_script("find_twins.mjs", {**config, "toolchain": paths}, paths["node"])


if __name__ == "__main__":
    main()
