"""What a sample's flag says to the person who looks at it."""

from __future__ import annotations

_WORDS = {
    "left_processes": "the code left processes behind, which were ended",
    "tried_again_alone": "it ran out of time beside others, and was judged again alone",
}


def flag_words(flag: str) -> str:
    """The words for a flag of a record; most are sentences already."""
    said = _WORDS.get(flag)
    return flag if said is None else f"{flag}: {said}"
