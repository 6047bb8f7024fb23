"""Every cap on what the tools read, write and answer, in one place."""

from __future__ import annotations

READ_LINES = 400  # lines one read_file shows
SEARCH_HITS = 60  # hits one search shows
SEARCH_SECONDS = 5.0  # a catastrophic pattern is stopped after this
SEARCH_LINE_CHARS = 200  # of a matching line
LINE_CHARS = 2_000  # of one line in a view; minified files have lines of megabytes
RESULT_CHARS = 12_000  # of any result
WRITE_BYTES = 1 << 20  # of a file that a tool writes
READ_BYTES = 16 << 20  # of a file that a tool opens
TREE_BYTES = 64 << 20  # of the whole tree
TREE_FILES = 20_000  # files of the whole tree
LINT_FILE_BYTES = 1 << 20  # larger sources are named, not linted
LINT_TREE_BYTES = 16 << 20  # of all sources handed to a linter
LINT_SECONDS = 90.0  # of one lint
PATH_BYTES = 4_000  # Linux takes 4095
NAME_BYTES = 255  # of one component of a path
PATH_NAMES = 100  # components of a path; walks recurse once for each
EDIT_CONTEXT = 3  # lines shown before and after an edit
EDIT_SHOWN = 60  # lines of an edit's own text that its answer repeats
