"""From events to what a viewer shows; no interface code."""
