"""``python -m galley FILE [--sheet FILE] [--data FILE.json] [--patterns FILE]``"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from galley.document import typeset
from galley.errors import GalleyError
from galley.hyphen import read_patterns


def main(arguments: Sequence[str], out: TextIO, err: TextIO) -> int:
    """Print the document. 0, 1 for an error in it, 2 for a file that cannot be read."""
    parser = argparse.ArgumentParser(prog="galley")
    parser.add_argument("file", type=Path)
    parser.add_argument("--sheet", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--patterns", type=Path)
    given = parser.parse_args(arguments)
    try:
        text = given.file.read_text(encoding="utf-8")
        sheet = given.sheet.read_text(encoding="utf-8") if given.sheet else ""
        data = json.loads(given.data.read_text(encoding="utf-8")) if given.data else None
        patterns = given.patterns.read_text(encoding="utf-8") if given.patterns else ""
        hyphenator = read_patterns(patterns) if given.patterns else None
    except (OSError, ValueError) as error:
        print(f"galley: {error}", file=err)
        return 2
    try:
        pages = typeset(text, sheet, data, hyphenator)
    except GalleyError as error:
        print(f"galley: {error}", file=err)
        return 1
    out.write("\f".join(pages))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdout, sys.stderr))
