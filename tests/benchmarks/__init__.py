"""Figures of speed, each beside a peer measured in the same run: ``make bench``."""
