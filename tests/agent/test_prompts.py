"""What the model is told."""

from __future__ import annotations

from harness.agent.prompts import (
    SYSTEM_PROMPTS,
    TREE_ENTRIES,
    prompt_digest,
    system_prompt,
    tree_listing,
    user_message,
)
from tools.schema import PROTOCOLS


def test_every_protocol_has_a_prompt_of_its_own() -> None:
    assert set(SYSTEM_PROMPTS) == set(PROTOCOLS)
    digests = {prompt_digest(name) for name in PROTOCOLS}
    assert len(digests) == len(PROTOCOLS)
    for name in PROTOCOLS:
        assert "`finish`" in system_prompt(name) and "`lint`" in system_prompt(name)


def test_the_tree_is_listed_with_line_counts() -> None:
    tree = {"b.py": b"x\ny", "a/c.py": b"x\n", "e": b"", "z.bin": b"\0\1"}
    assert tree_listing(tree).splitlines() == [
        "a/c.py (1 line)",
        "b.py (2 lines)",
        "e (0 lines)",
        "z.bin (binary, 2 bytes)",
    ]
    assert tree_listing({}) == "(no files)"
    many = {f"f{n:04}": b"" for n in range(TREE_ENTRIES + 3)}
    assert "3 more files" in tree_listing(many).splitlines()[-1]


def test_braces_in_files_and_instructions_are_text() -> None:
    text = user_message({"{x}.py": b""}, "Mend {0} and {tree}.")
    assert "{x}.py" in text and "Mend {0} and {tree}." in text
