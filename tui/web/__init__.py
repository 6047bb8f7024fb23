"""The interface in a browser page."""
