"""The tree that the tools work on: confined paths, bytes and lines."""
