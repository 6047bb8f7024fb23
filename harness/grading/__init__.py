"""Grading: snapshot, fresh boxes, hidden tests and their falsified twins."""
