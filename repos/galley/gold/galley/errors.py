"""What can go wrong."""


class GalleyError(Exception):
    """Any error that galley reports on purpose."""


class SourceError(GalleyError):
    """An error at a line of some text."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message


class MarkupError(SourceError):
    """The document does not read."""


class TemplateError(SourceError):
    """A template does not read, or asks for what is not there."""


class StyleError(SourceError):
    """A style sheet does not read."""


class UnknownLabelError(GalleyError):
    """A cross reference or a footnote mark leads nowhere."""


class LayoutError(GalleyError):
    """There is no room for what has to be set."""
