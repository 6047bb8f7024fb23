"""Fill a lint cache when an image is built: `python -m tools.linting CACHE_DIR PYTHON [RUFF]`."""

from __future__ import annotations

import sys

from tools.linting.checker import seed
from tools.linting.config import LintConfig
from tools.linting.process import ProcessDiedError, ProcessTimeoutError


def main(arguments: list[str]) -> str | None:
    """None when the cache is filled, else what went wrong."""
    if len(arguments) not in (2, 3):
        return __doc__
    cache_dir, python, *ruff = arguments
    try:
        seed(LintConfig(cache_dir=cache_dir, python=python, ruff=ruff[0] if ruff else None))
    except ProcessDiedError as error:
        return f"mypy cannot fill {cache_dir}: {error}"
    except ProcessTimeoutError:
        return f"mypy took too long to fill {cache_dir}"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
