"""The least that a child can do: say that it ran. Shows that a box's fellow died on its own."""

from __future__ import annotations

from tools.testing.channel import emitter


def main() -> None:
    """Write one line."""
    emitter()({"type": "alive"})


if __name__ == "__main__":
    main()
