"""Suites: named sets of tasks, one file each."""
