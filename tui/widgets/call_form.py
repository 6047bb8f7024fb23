"""The form of a tool call: the tools at the left, the chosen one's fields beside them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Input, TextArea

from tui.bindings import bindings
from tui.model.call_form import Field, ToolFields, arguments_of, complete, part_of, tool_forms
from tui.plain import Plain, clean_line, content
from tui.render.lines import Line, clip
from tui.widgets.block_list import BlockList

_SHOWN_PATHS = 8


class ToolBlocks:
    """The tools, a line each."""

    def __init__(self, tools: list[ToolFields]) -> None:
        self.tools = tools
        self.empty = ""

    def __len__(self) -> int:
        return len(self.tools)

    def key(self, index: int) -> Hashable:
        return self.tools[index].name

    def index_of(self, key: Hashable) -> int | None:
        return next((i for i, tool in enumerate(self.tools) if tool.name == key), None)

    def estimates(self, start: int) -> list[int]:
        return [1] * (len(self.tools) - start)

    def revision(self, index: int) -> Hashable:
        return 0

    def toggle(self, index: int) -> bool:
        return False

    def lines(self, index: int, width: int) -> list[Line]:
        return [((clip(self.tools[index].name, width), "tool"),)]

    def text(self, index: int) -> str:
        return self.tools[index].description


class ToolList(BlockList):
    COMPACT = True


class PathInput(Input):
    """Tab completes a path as a shell does, and goes on to the next field when it cannot."""

    def __init__(self, paths: Callable[[], Iterable[str]], **more: Any) -> None:
        super().__init__(**more)
        self._paths = paths

    class Candidates(Message):
        """What the path may go on with."""

        def __init__(self, found: list[str]) -> None:
            super().__init__()
            self.found = found

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "tab" and self.cursor_position == len(self.value):
            done, found = complete(self.value, list(self._paths()))
            if done != self.value:
                self.value = done
                self.cursor_position = len(done)
                event.stop()
                event.prevent_default()
                self.post_message(self.Candidates([] if found == [done] else found))
                return
        await super()._on_key(event)


class CallForm(Vertical):
    """``paths``: the files of the tree as they are now; ``read``: a file's text, None when it has
    none that can be shown."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("form")
    DEFAULT_CSS = """
    CallForm { height: 12; max-height: 50%; border-top: solid $border; background: $surface; }
    CallForm #form-body { height: 1fr; }
    CallForm ToolList { width: 16; height: 1fr; background: $surface; overflow-y: hidden; }
    CallForm .fields { width: 1fr; height: 1fr; padding: 0 1; }
    CallForm .field { height: 1; }
    CallForm .field.-long { height: 1fr; min-height: 3; }
    CallForm .field-name { width: 13; color: $foreground-muted; }
    CallForm Input { width: 1fr; height: 1; border: none; padding: 0 1; background: $panel; }
    CallForm TextArea { width: 1fr; height: 100%; border: none; padding: 0 1; background: $panel; }
    CallForm #form-hint { height: auto; max-height: 2; padding: 0 1; color: $foreground-muted; }
    CallForm #form-hint.-problem { color: $error; text-style: bold; }
    """

    class Made(Message):
        """A call that is complete."""

        def __init__(self, name: str, arguments: dict[str, Any]) -> None:
            super().__init__()
            self.name, self.arguments = name, arguments

    class Left(Message):
        """Escape was pressed."""

    def __init__(
        self,
        protocol: str,
        paths: Callable[[], Iterable[str]],
        read: Callable[[str], str | None],
    ) -> None:
        super().__init__(id="call-form")
        self._protocol, self._paths, self._read = protocol, paths, read
        self.tools = tool_forms(protocol)
        self.tool = self.tools[0]
        self._path = ""

    def compose(self) -> ComposeResult:
        with Horizontal(id="form-body"):
            yield ToolList(ToolBlocks(self.tools), id="form-tools")
            for tool in self.tools:
                with VerticalScroll(id=f"fields-{tool.name}", classes="fields", can_focus=False):
                    for field in tool.fields:
                        with Horizontal(classes="field -long" if field.long else "field"):
                            yield Plain(field.name, classes="field-name")
                            yield self._made(tool, field)
        yield Plain("", id="form-hint")

    def on_mount(self) -> None:
        self._show_fields()

    # --- fields

    @on(BlockList.Moved, "#form-tools")
    def _other_tool(self, event: BlockList.Moved) -> None:
        event.stop()
        self._keep()
        self.tool = self.tools[event.index]
        if (path := self._path_input()) is not None:
            path.value = self._path
        self._show_fields()

    @on(BlockList.Chosen, "#form-tools")
    def _chosen(self, event: BlockList.Chosen) -> None:
        event.stop()
        self.open_fields()

    def open_fields(self) -> None:
        """Go to the chosen tool's first field; a tool without any is called."""
        if self.tool.fields:
            self.screen.set_focus(self.field(self.tool.fields[0].name))
        else:
            self.make()

    def _show_fields(self) -> None:
        # All tools' fields are there all the time: keys typed on find them at once.
        for tool in self.tools:
            self.query_one(f"#fields-{tool.name}").display = tool is self.tool
        self.say(self.tool.description)

    def _made(self, tool: ToolFields, field: Field) -> Input | TextArea:
        name, hint = f"{tool.name}-{field.name}", field.hint
        if field.long:
            return TextArea("", id=name, placeholder=hint, soft_wrap=False, compact=True)
        if field.path:
            return PathInput(self._paths, placeholder=hint, id=name, compact=True)
        return Input(placeholder=hint, id=name, compact=True)

    def field(self, name: str) -> Input | TextArea:
        """The widget of one of the chosen tool's fields."""
        found = self.query_one(f"#{self.tool.name}-{name}")
        assert isinstance(found, Input | TextArea)
        return found

    def _path_input(self) -> PathInput | None:
        named = next((field.name for field in self.tool.fields if field.path), None)
        found = self.field(named) if named else None
        return found if isinstance(found, PathInput) else None

    def _texts(self) -> dict[str, str]:
        texts = {}
        for field in self.tool.fields:
            widget = self.field(field.name)
            texts[field.name] = widget.text if isinstance(widget, TextArea) else widget.value
        return texts

    def _keep(self) -> None:
        """A path stays when another tool is chosen: it is mostly the same file."""
        path = self._path_input()
        self._path = path.value if path is not None and path.value else self._path

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        last = self.tool.fields[-1]
        if not last.long and event.input is self.field(last.name):
            self.make()
        else:
            self.screen.focus_next()

    @on(PathInput.Candidates)
    def _candidates(self, event: PathInput.Candidates) -> None:
        event.stop()
        more = f"  and {len(event.found) - _SHOWN_PATHS} more"
        shown = "  ".join(event.found[:_SHOWN_PATHS])
        self.say(shown + (more if len(event.found) > _SHOWN_PATHS else ""))

    # --- the call

    def make(self) -> None:
        """Check the fields, and tell the screen of the call."""
        found = arguments_of(self._protocol, self.tool, self._texts())
        if isinstance(found, str):
            self.say(found, problem=True)
        else:
            self.post_message(self.Made(self.tool.name, found))

    def clear(self) -> None:
        """Empty the fields after a call; the path stays."""
        self._keep()
        for field in self.tool.fields:
            widget = self.field(field.name)
            if isinstance(widget, TextArea):
                widget.text = ""
            elif not field.path:
                widget.value = ""

    def fill(self) -> None:
        """Put the text of the file, or of the lines named, into the piece of text."""
        texts = self._texts()
        text = self._read(texts.get("path", ""))
        areas = [f for f in self.tool.fields if f.long]
        if not areas or text is None:
            self.say("There is no file of this path to take text from.", problem=True)
            return
        part = part_of(text, texts.get("start_line", ""), texts.get("end_line", ""))
        area = self.field(areas[0].name)
        assert isinstance(area, TextArea)
        area.text = part
        area.move_cursor(area.document.end)
        self.screen.set_focus(area)

    def say(self, text: str, *, problem: bool = False) -> None:
        """The line below the fields."""
        hint = self.query_one("#form-hint", Plain)
        hint.set_class(problem, "-problem")
        hint.update(content(clean_line(text, 400)))

    def begin(self) -> None:
        """Take the focus: the list of tools."""
        self.screen.set_focus(self.query_one("#form-tools", BlockList))

    @property
    def in_fields(self) -> bool:
        """Whether the focus is in a field of the chosen tool."""
        return isinstance(self.screen.focused, Input | TextArea) and self.has_focus_within

    def action_leave(self) -> None:
        self.post_message(self.Left())
