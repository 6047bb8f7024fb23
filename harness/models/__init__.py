"""Models: OpenAI-compatible endpoints and the deterministic ones."""
