"""The tabs beside the transcript, made and kept up to date only while they are looked at."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from tui.model.blocks import NoBlocks
from tui.model.facts import Groups, attempt_facts
from tui.model.hidden_tests import TestBlocks
from tui.model.panes import DiffBlocks, FactBlocks, FileBlocks, RawBlocks, TextBlocks
from tui.model.source import Source, text_reader
from tui.widgets.block_list import BlockList

LISTS = ("diff", "tests", "file-list", "file", "raw", "info")


class OtherTabs:
    """``shown`` gives the list of a name in LISTS."""

    def __init__(self, shown: Callable[[str], BlockList]) -> None:
        self._list = shown
        self._source: Source | None = None
        self._stale: set[str] = set()
        self._file: tuple[str, str] | None = None
        self.run_facts: Groups = []
        self._clear()

    def _clear(self) -> None:
        self._diff = DiffBlocks(source=self._source)
        self._tests, self._files, self._facts = TestBlocks(), FileBlocks(), FactBlocks()
        self._raw = RawBlocks(rows=self._source.rows if self._source else None)

    def begin(self, source: Source) -> None:
        """Another sample, or another attempt at it."""
        self._source, self._file = source, None
        self._clear()
        self._stale = {"diff", "tests", "files", "raw", "info"}

    def empty(self, words: str) -> None:
        """There is no sample; the lists say why."""
        self._source, self._file, self.run_facts = None, None, []
        for name in LISTS:
            self._list(name).show(NoBlocks(words))

    def update(self, tab: str) -> None:
        """Bring a tab up to date; quick when nothing changed."""
        source = self._source
        if source is None or tab == "transcript":
            return
        name = "file-list" if tab == "files" else tab
        if tab in self._stale:
            self._stale.discard(tab)
            blocks = {
                "diff": self._diff,
                "tests": self._tests,
                "files": self._files,
                "raw": self._raw,
                "info": self._facts,
            }[tab]
            self._list(name).show(blocks)
        if self._refresh(tab, source):
            self._renew(name)
        if tab == "files":
            self.show_file()

    def _refresh(self, tab: str, source: Source) -> bool:
        match tab:
            case "diff":
                return self._diff.refresh()
            case "tests":
                return self._tests.refresh(source.view)
            case "files":
                return self._files.refresh(source.view)
            case "raw":
                self._raw.rows = source.rows
                return self._raw.refresh()
        return self._facts.put([*attempt_facts(source.view), *self.run_facts])

    def _renew(self, name: str) -> None:
        shown = self._list(name)
        keep: Hashable | None = None
        if shown.cursor < len(shown.blocks):
            keep = shown.blocks.key(shown.cursor)
        shown.window.forget_heights()
        shown.changed(keep)

    def show_file(self) -> None:
        """The content of the file that the cursor is on, as it is at the source's place."""
        names, shown, source = self._list("file-list"), self._list("file"), self._source
        if source is None or not len(self._files):
            words = "Single-shot suites have no tree;\nothers show theirs from the start."
            shown.show(NoBlocks(words))
            return
        path = self._files.text(min(names.cursor, len(self._files) - 1))
        state = source.view.tree.get(path)
        digest = state.digest if state else ""
        if (path, digest) == self._file:
            return
        again = self._file is not None and self._file[0] == path
        self._file, cursor = (path, digest), shown.cursor
        text = text_reader(source)(digest) if digest else None
        if text is None:
            word = "The file is deleted here." if not digest else "Its content is not shown."
            why = "" if not digest else "It is binary, large, or not stored with the transcript."
            shown.show(NoBlocks(f"{word}\n{why}".strip()))
            return
        shown.show(TextBlocks(content=text, path=path, empty="An empty file."))
        if again:
            shown.move_to(cursor)
