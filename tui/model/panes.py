"""The blocks of the other tabs: differences, tests, files, raw events, facts."""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import dataclass, field

from harness.state.view import FileState, TranscriptView
from tui.model.rows import Rows, elapsed_of
from tui.model.source import Source, has_tree, text_reader
from tui.plain import clean, clean_line, clean_lines
from tui.render.code import code_lines, language_of
from tui.render.diff import diff_lines, split_files, unified_lines
from tui.render.lines import EMPTY, Line, chop, middle, wrap


@dataclass(frozen=True)
class Item:
    """One block that was made beforehand: head, body that opens, text for copying."""

    name: str
    head: Line
    body: tuple[Line, ...] = ()
    text: str = ""


@dataclass
class Foldable:
    """Blocks by key with folds; subclasses say what a block shows."""

    empty: str = ""
    keys: list[Hashable] = field(default_factory=list)
    closed: set[Hashable] = field(default_factory=set)
    version: int = 0

    def __len__(self) -> int:
        return len(self.keys)

    def key(self, index: int) -> Hashable:
        return self.keys[index]

    def index_of(self, key: Hashable) -> int | None:
        return self.keys.index(key) if key in self.keys else None

    def estimates(self, start: int) -> list[int]:
        return [3] * (len(self) - start)

    def revision(self, index: int) -> Hashable:
        return (self.version, self.keys[index] in self.closed)

    def toggle(self, index: int) -> bool:
        self.closed ^= {self.keys[index]}
        return True

    def open_all(self) -> None:
        self.closed = set() if self.closed else set(self.keys)

    def lines(self, index: int, width: int) -> list[Line]:
        return []

    def text(self, index: int) -> str:
        return ""


@dataclass
class DiffBlocks(Foldable):
    """Files of the tree that differ from the starting tree, as they are at the source's place."""

    source: Source | None = None
    _state: tuple[object, ...] = ()

    def refresh(self) -> bool:
        """True when the tree changed since."""
        assert self.source is not None
        view = self.source.view
        changes = _digests(view)
        state = (tuple(sorted(changes)), view.snapshot is None, view.header is None)
        if state == self._state:
            return False
        self._state, self.version = state, self.version + 1
        self._parts = split_files(view.snapshot.diff) if view.snapshot else {}
        paths = {path for path, *_ in changes} | set(self._parts)
        self.keys = [*sorted(paths)]
        self.empty = (
            "No file differs from the starting tree.\nEdits show up here as they are made."
            if has_tree(self.source)
            else "This sample has no tree:\nit is one question and one answer."
        )
        return True

    _parts: dict[str, str] = field(default_factory=dict)

    def _sides(self, path: str) -> tuple[str | None, str | None, bool]:
        assert self.source is not None
        view = self.source.view
        start = start_state(view, path)
        now = view.tree.get(path)
        read = text_reader(self.source)
        before = read(start.digest) if start else None
        after = read(now.digest) if now else None
        known = (before is not None or start is None) and (after is not None or now is None)
        return before, after, known

    def lines(self, index: int, width: int) -> list[Line]:
        path = str(self.keys[index])
        before, after, known = self._sides(path)
        body: list[Line]
        if path in self._parts and not known:
            body = unified_lines(self._parts[path], path, width)
        elif known:
            body = diff_lines(before, after, path, width, 4000)
        else:
            body = [(("  the contents are not stored with this transcript", "muted"),)]
        added = sum(1 for row in body if _sign(row) == "+")
        removed = sum(1 for row in body if _sign(row) == "-")
        kind = "added" if before is None and known else "deleted" if after is None and known else ""
        closed = path in self.closed
        head: Line = (
            ("▸ " if closed else "▾ ", "muted"),
            (middle(clean_line(path, 400), width - 24), "path"),
            (f"  +{added}", "diff.add"),
            (f" -{removed}", "diff.remove"),
            (f"  {kind}" if kind else "", "muted"),
        )
        return [head, EMPTY] if closed else [head, *body, EMPTY]

    def text(self, index: int) -> str:
        path = str(self.keys[index])
        before, after, known = self._sides(path)
        if not known:
            return self._parts.get(path, "")
        return _unified(path, before or "", after or "")


@dataclass
class RawBlocks(Foldable):
    """Every event's JSON, folded to a line."""

    rows: Rows | None = None
    _size: int = 0

    def __len__(self) -> int:
        return self._size

    def refresh(self) -> bool:
        assert self.rows is not None
        before, self._size = self._size, len(self.rows)
        self.empty = "No event yet."
        return before != self._size

    def key(self, index: int) -> Hashable:
        return index

    def index_of(self, key: Hashable) -> int | None:
        return key if isinstance(key, int) and key < self._size else None

    def estimates(self, start: int) -> list[int]:
        return [1] * (len(self) - start)

    def revision(self, index: int) -> Hashable:
        return index in self.closed  # here the set holds what is open: most are folded

    def toggle(self, index: int) -> bool:
        self.closed ^= {index}
        return True

    def open_all(self) -> None:
        self.closed = set() if self.closed else set(range(self._size))

    def lines(self, index: int, width: int) -> list[Line]:
        assert self.rows is not None
        raw = self.rows.raw(index)
        kind = self.rows.kind(index) or "?"
        opened = index in self.closed
        head: Line = (
            ("▾ " if opened else "▸ ", "muted"),
            (f"{index + 1:>5}  ", "number"),
            (f"{elapsed_of(raw):>9.3f} s  ", "muted"),
            (f"{kind:<17}", "tool"),
            (f" {len(raw):>8,} bytes", "muted"),
        )
        if not opened:
            return [head]
        out = [head]
        for row in code_lines("\n".join(clean_lines(pretty(raw))), "json"):
            out += [(("  ", ""), *part) for part in chop(row, width - 2)]
        return [*out, EMPTY]

    def text(self, index: int) -> str:
        assert self.rows is not None
        return pretty(self.rows.raw(index))


@dataclass
class FileBlocks(Foldable):
    """The paths of the tree; changed ones say so."""

    tree: dict[str, FileState] = field(default_factory=dict)
    changed: dict[str, int] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)
    _state: int = -1

    def refresh(self, view: TranscriptView) -> bool:
        if view.events == self._state:
            return False
        self._state = view.events
        start = view.header.tree if view.header else {}
        self.tree, self.changed = view.tree, view.changed
        self.deleted = [path for path in view.changed if path not in view.tree and path in start]
        keys: list[Hashable] = [*sorted({*view.tree, *self.deleted})]
        same = keys == self.keys
        self.keys, self.version = keys, self.version + 1
        self.empty = "No tree."
        return not same or bool(view.changed)

    def estimates(self, start: int) -> list[int]:
        return [1] * (len(self) - start)

    def toggle(self, index: int) -> bool:
        return False

    def lines(self, index: int, width: int) -> list[Line]:
        path = str(self.keys[index])
        mark, role = ("  ", "muted")
        if path in self.deleted:
            mark, role = "- ", "diff.remove"
        elif path in self.changed:
            mark, role = "~ ", "diff.add"
        return [((mark, role), (middle(clean_line(path, 400), width - 2), "path"))]

    def text(self, index: int) -> str:
        return str(self.keys[index])


@dataclass
class TextBlocks:
    """One text, a line a block, with numbers: a file as it was."""

    empty: str = ""
    content: str = ""
    path: str = ""
    numbered: bool = True
    _rows: list[Line] = field(default_factory=list)

    def __post_init__(self) -> None:
        shown = clean(self.content, 400_000)
        rows = code_lines(shown, language_of(self.path)) if self.content else []
        if rows and not rows[-1]:
            rows.pop()
        digits = len(str(len(rows)))
        self._rows = [
            ((f"{n:>{digits}}  ", "muted"), *row) if self.numbered else row
            for n, row in enumerate(rows, start=1)
        ]
        self._hang = digits + 2 if self.numbered else 0

    def __len__(self) -> int:
        return len(self._rows)

    def key(self, index: int) -> Hashable:
        return index

    def index_of(self, key: Hashable) -> int | None:
        return key if isinstance(key, int) and key < len(self._rows) else None

    def estimates(self, start: int) -> list[int]:
        return [1] * (len(self) - start)

    def revision(self, index: int) -> Hashable:
        return 0

    def lines(self, index: int, width: int) -> list[Line]:
        return chop(self._rows[index], width)

    def toggle(self, index: int) -> bool:
        return False

    def text(self, index: int) -> str:
        return self.content


@dataclass
class FactBlocks(Foldable):
    """Headed groups of labels and values."""

    groups: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)

    def put(self, groups: list[tuple[str, list[tuple[str, str]]]]) -> bool:
        if groups == self.groups:
            return False
        self.groups, self.version = groups, self.version + 1
        self.keys = [name for name, _ in groups]
        self.empty = "Nothing is known of this sample yet."
        return True

    def lines(self, index: int, width: int) -> list[Line]:
        name, rows = self.groups[index]
        closed = name in self.closed
        out: list[Line] = [(("▸ " if closed else "▾ ", "muted"), (name, "head"))]
        if not closed:
            space = min(24, max((len(label) for label, _ in rows), default=0) + 2)
            for label, value in rows:
                lead = clean_line(label, 40)
                spans: Line = ((f"  {lead:<{space}}", "label"), (clean_line(value, 600), "text"))
                out += wrap(spans, width, hang=space + 2)
        return [*out, EMPTY]

    def text(self, index: int) -> str:
        name, rows = self.groups[index]
        return "\n".join([name, *(f"{label}: {value}" for label, value in rows)])


def start_state(view: TranscriptView, path: str) -> FileState | None:
    """A file as it was in the starting tree, None when it was not there."""
    facts = view.header.tree.get(path) if view.header else None
    return FileState(str(facts.get("digest"))) if facts else None


def pretty(raw: bytes) -> str:
    """A line of JSON, indented; as it is when it is none."""
    try:
        return json.dumps(json.loads(raw), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return raw.decode("utf-8", "backslashreplace")


def _digests(view: TranscriptView) -> list[tuple[str, str, str]]:
    """(path, digest before, digest now) of files that are not as they were."""
    out = []
    for path in view.changed:
        start, now = start_state(view, path), view.tree.get(path)
        before, after = start.digest if start else "", now.digest if now else ""
        if before != after:
            out.append((path, before, after))
    return out


def _sign(row: Line) -> str:
    return row[0][0].rstrip()[-1:] if row and row[0][1] in ("diff.add", "diff.remove") else ""


def _unified(path: str, before: str, after: str) -> str:
    import difflib

    return "".join(
        difflib.unified_diff(
            before.splitlines(keepends=True),
            after.splitlines(keepends=True),
            f"a/{path}",
            f"b/{path}",
        )
    )
