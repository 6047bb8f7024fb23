"""Typed events: everything that happens in a run, written once, read by every viewer."""
