"""Scores with intervals, and what is derived from them."""
