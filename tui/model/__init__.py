"""What screens show and how it moves, without Textual: pure and tested without an app."""
