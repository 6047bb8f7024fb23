"""Stockroom: a warehouse kept as a text journal. See README.md."""

__version__ = "1.4.0"
