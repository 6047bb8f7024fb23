"""Run hidden tests of style ``node`` (node:test) and report each one over descriptor 4.

Configuration and lines are those of ``run_pytest``. The process becomes Node, which runs all test
files in itself: a child's report would travel over its stdout, where it can be forged.
"""

from __future__ import annotations

import json
import os
import pkgutil
import tempfile
from pathlib import Path

from tools.testing.channel import RESULTS_FD, read_config, toolchain


def main() -> None:
    """Replace this process by Node running ``node_runner.mjs``. Raises KeyError without Node."""
    config = read_config()
    exec_script("node_runner.mjs", config, toolchain(config)["node"])


def exec_script(name: str, config: dict[str, object], node: str) -> None:
    """Become ``node`` running a script of this package, with ``config`` as a file beside it."""
    source = pkgutil.get_data("tools.testing", name)
    if source is None:
        raise FileNotFoundError(name)
    own = Path(tempfile.mkdtemp(prefix="proctor-"))
    script = own / name
    script.write_bytes(source)
    settings = own / "config.json"
    settings.write_text(json.dumps(config), encoding="utf-8")
    os.set_inheritable(RESULTS_FD, True)
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "TZ": "UTC"}
    arguments = [node, "--no-warnings", "--no-addons", str(script), str(settings)]
    os.execve(node, arguments, environment)


if __name__ == "__main__":
    main()
