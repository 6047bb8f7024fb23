"""The agent loop: model and tools in turn until the episode ends."""
