"""Known vulnerabilities among the locked packages, where they can be asked for.

``audit.py [URL]``: exit status 1 when there are some. Without pip-audit, or where its service does
not answer (URL is what is asked first), it says so in a line and is no reason to stop.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SERVICE = "https://pypi.org/pypi/pip/json"
# A registry that is reachable and no more, as inside a company, answers at once that it has none.
ANSWER_S = 5
AUDIT_S = 180


def main(url: str = SERVICE) -> int:
    program = shutil.which("pip-audit", path=str(Path(sys.executable).parent)) or shutil.which(
        "pip-audit"
    )
    if program is None:
        return _not_asked("pip-audit is not installed")
    try:
        with urllib.request.urlopen(url, timeout=ANSWER_S) as answer:
            json.load(answer)
    except (OSError, ValueError) as error:
        return _not_asked(f"{url} does not answer ({error})")
    line = [program, "--requirement", str(ROOT / "requirements.lock"), "--disable-pip"]
    line += ["--require-hashes", "--format", "json", "--progress-spinner", "off"]
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=AUDIT_S)
        packages = json.loads(done.stdout)["dependencies"]
    except subprocess.TimeoutExpired:
        return _not_asked(f"pip-audit did not end in {AUDIT_S} s")
    except (OSError, ValueError, KeyError, TypeError):
        told = done.stderr.strip().splitlines() or ["it said nothing"]
        return _not_asked(f"pip-audit failed: {told[-1][:200]}")
    found = [package for package in packages if package.get("vulns")]
    for package in found:
        names = ", ".join(str(each.get("id")) for each in package["vulns"])
        print(f"{package['name']} {package['version']}: {names}")
    if not found:
        print(f"audit: {len(packages)} locked packages, no known vulnerability")
    return 1 if found else 0


def _not_asked(why: str) -> int:
    print(f"audit: known vulnerabilities were not looked for: {why}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
