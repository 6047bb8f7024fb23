"""The app: screens, themes, signals and how it ends. What is on a screen belongs to the screen."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, ClassVar

from textual.app import SystemCommand
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.filter import Monochrome, NoColor
from textual.screen import Screen

from tui.bindings import BY_ID, bindings
from tui.keys import OrderedKeys
from tui.no_color import Colourless, no_color
from tui.screens.base import ProctorScreen
from tui.screens.dialogs import Ask
from tui.screens.help import Help
from tui.terminal import TerminalDriver
from tui.theme import DEFAULT, PLAIN, plain_theme, themes


class ProctorApp(OrderedKeys):
    """``first``: makes the first screen. clock (seconds, monotonic) and now: tests bring
    their own."""

    TITLE = "Proctor"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("app")
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self,
        first: Callable[[], ProctorScreen],
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        theme: str | None = None,
    ) -> None:
        super().__init__()
        self._first = first
        self.clock, self.now = clock, now
        self.failure: Exception | None = None
        self.no_color = no_color()
        # Textual's own for NO_COLOR send greys, and heed an empty value too.
        kept = [f for f in self._filters if not isinstance(f, Monochrome | NoColor)]
        self._filters = [Colourless()] if self.no_color else kept
        for each in (*themes(), plain_theme()):
            self.register_theme(each)
        self.theme = PLAIN if self.no_color else theme or DEFAULT

    def get_driver_class(self) -> type[Driver]:
        found = super().get_driver_class()
        return TerminalDriver if found is LinuxDriver else found

    def on_mount(self) -> None:
        self._listen()
        self.push_screen(self._first())

    def _listen(self) -> None:
        """Without these the terminal would stay as it is when the process is told to end."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            # Not in a thread, not on every system: then the default stays.
            with suppress(ValueError, RuntimeError, NotImplementedError):
                loop.add_signal_handler(number, self._told_to_end, number)

    def stop_listening(self) -> None:
        """Give the signals back."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            with suppress(ValueError, RuntimeError, NotImplementedError):
                loop.remove_signal_handler(number)

    def _told_to_end(self, number: int) -> None:
        self.exit(return_code=128 + number)

    # --- errors

    def _handle_exception(self, error: Exception) -> None:
        """End with the error kept; whoever ran the app tells of it in one line."""
        if self.is_headless:
            super()._handle_exception(error)
            return
        if self.failure is None:
            self.failure = error
        self._return_code = 1
        self._close_messages_no_wait()

    # --- messages

    def notify(self, message: str, *, markup: bool = False, **more: Any) -> None:
        """One message at a time, and none from one screen on another."""
        self.clear_notifications()
        super().notify(message, markup=markup, **more)

    def push_screen(self, *arguments: Any, **more: Any) -> Any:
        self.clear_notifications()
        return super().push_screen(*arguments, **more)

    def pop_screen(self) -> AwaitComplete:
        self.clear_notifications()
        return super().pop_screen()

    # --- leaving

    def leave(self) -> None:
        """Back to the screen below, or out when there is none."""
        if len(self.screen_stack) > 2:
            self.pop_screen()
        else:
            self.exit()

    async def action_interrupt(self) -> None:
        """Ctrl+C asks once; a second one goes at once."""
        if isinstance(self.screen, Ask) and self.screen.id == "leave":
            self.exit(return_code=130)
            return
        screen = self.screen
        if isinstance(screen, ProctorScreen) and await screen.ask_before_exit():
            return
        question = Ask("Leave Proctor?", "Ctrl+C again leaves at once.", ["Leave"])
        question.id = "leave"
        self.push_screen(question, lambda answer: self.exit() if answer == 0 else None)

    # --- help, themes, palette

    def action_help(self) -> None:
        if isinstance(self.screen, Help):
            self.pop_screen()
            return
        active = self.screen.active_bindings.values()
        ids = [each.binding.id or "" for each in active if each.enabled]
        scopes = dict.fromkeys(BY_ID[i].scope for i in ids if i in BY_ID)
        order = [scope for scope in scopes if scope not in ("app", "list")]
        self.push_screen(Help([*order, *(["list"] if "list" in scopes else []), "app"], set(ids)))

    def action_next_theme(self) -> None:
        if self.no_color:
            self.notify("NO_COLOR is set: no theme shows.", markup=False)
            return
        names = [each.name for each in themes()]
        here = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(here + 1) % len(names)]
        self.notify(self.theme.removeprefix("proctor-"), title="Theme", timeout=2, markup=False)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The palette: every key that does something here, and no more, each once."""
        told: set[str] = set()
        for _, binding, enabled, _ in screen.active_bindings.values():
            key = BY_ID.get(binding.id or "")
            if key is None or not enabled or key.id == "app.palette" or key.words in told:
                continue
            told.add(key.words)
            words = key.words[:1].upper() + key.words[1:]

            def run(keys: str = key.keys) -> None:
                self.call_later(self.simulate_key, keys.split(",")[0])

            yield SystemCommand(words, f"key {key.shown}", run)
