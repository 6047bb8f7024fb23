"""Text layout for terminals and plain text."""

from galley.document import typeset
from galley.hyphen import Hyphenator
from galley.template import render

__all__ = ["Hyphenator", "render", "typeset"]
