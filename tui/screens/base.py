"""What all full screens share: sizes, the key bar, a notice where there is no room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.screen import Screen

from tui.plain import Plain

if TYPE_CHECKING:
    from tui.app import ProctorApp


class ProctorScreen(Screen[Any]):
    """``-narrow`` below 100 columns (one pane at a time), ``-tiny``/``-flat``: no room at all."""

    HORIZONTAL_BREAKPOINTS = [
        (0, "-tiny"),
        (50, "-narrow"),
        (100, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (12, "-tall")]

    @property
    def proctor(self) -> ProctorApp:
        return cast("ProctorApp", self.app)

    @property
    def narrow(self) -> bool:
        return self.size.width < 100

    def too_small(self) -> Plain:
        """The notice; yield it from ``compose``."""
        return Plain("Too small: at least 50 x 12.\nMake the window larger.", classes="too-small")

    async def ask_before_exit(self) -> bool:
        """Ask a question of its own before the app is left; True when it does."""
        return False

    def say(self, text: str, *, error: bool = False) -> None:
        """A short message that goes by itself."""
        self.notify(text, severity="error" if error else "information", markup=False)
