"""Edits keep the bytes of what they do not touch."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tools.workspace.text import (
    Text,
    bare,
    decode,
    find_all,
    replace_lines,
    replace_matches,
)

_BYTES = st.lists(
    st.sampled_from(
        [b"a", b"b", b"\n", b"\r\n", b"\r", b"\t", b"\xc3\xa9", b"\xff", b"\xe2\x80\xa8", b"\x0c"]
    ),
    max_size=30,
).map(b"".join)
_INSERTED = st.text(alphabet="xy \né\u2028", max_size=12)


@given(data=_BYTES | st.binary(max_size=60), bom=st.booleans())
def test_decoding_loses_no_byte(data: bytes, bom: bool) -> None:
    data = (b"\xef\xbb\xbf" if bom else b"") + data
    text = decode(data)
    assert text.encode() == data
    assert text.encode("".join(text.lines)) == data


@given(data=_BYTES, new=_INSERTED, where=st.data())
def test_lines_outside_the_range_keep_their_bytes(
    data: bytes, new: str, where: st.DataObject
) -> None:
    text = decode(data)
    lines = text.lines
    start = where.draw(st.integers(1, len(lines) + 1))
    end = where.draw(st.integers(start - 1, len(lines)))
    body, incoming = replace_lines(text, start, end, new)
    before, after = lines[: start - 1], lines[end:]
    pieces = (new[:-1] if new.endswith("\n") else new).split("\n") if new else []
    result = decode(text.encode(body)).lines
    assert incoming == len(pieces)
    assert len(result) == len(before) + len(pieces) + len(after)
    assert [bare(line) for line in result[len(before) : len(before) + len(pieces)]] == pieces
    assert result[len(before) + len(pieces) :] == after
    kept = result[: len(before)]
    if before and pieces and not after and not before[-1].endswith("\n"):
        assert kept.pop() in (before[-1] + "\n", before[-1] + "\r\n")
        before.pop()
    assert kept == before


@given(
    body=st.text(alphabet="ab\n", max_size=30),
    old=st.text(alphabet="ab\n", min_size=1, max_size=3),
    new=st.text(alphabet="abc\n", max_size=4),
)
def test_replacing_in_a_file_with_lf_is_what_bytes_do(body: str, old: str, new: str) -> None:
    matches = find_all(body, old)
    assert len(matches) == body.encode().count(old.encode())
    assert replace_matches(body, matches, new) == body.replace(old, new)
    assert replace_matches(body, matches[:1], new) == body.replace(old, new, 1)
    for match in matches:
        assert body[match.start : match.end] == old
        assert match.line == body[: match.start].count("\n") + 1


@given(
    body=st.text(alphabet="ab\n", max_size=30),
    old=st.text(alphabet="ab\n", min_size=1, max_size=3),
    new=st.text(alphabet="abc\n", max_size=4),
)
def test_replacing_in_a_file_with_crlf_is_the_same_seen_through_its_newlines(
    body: str, old: str, new: str
) -> None:
    crlf = body.replace("\n", "\r\n")
    matches = find_all(crlf, old)
    assert [m.line for m in matches] == [m.line for m in find_all(body, old)]
    expected = body.replace(old, new)
    if "\n" in body:
        expected = expected.replace("\n", "\r\n")
    assert replace_matches(crlf, matches, new) == expected


@given(data=_BYTES, old=st.sampled_from(["a", "b\n", "\n", "ab", "é"]), new=_INSERTED)
def test_bytes_around_a_match_stay(data: bytes, old: str, new: str) -> None:
    text = decode(data)
    matches = find_all(text.body, old)
    result = text.encode(replace_matches(text.body, matches, new))
    position = 0
    at = 0
    for match in matches:  # what lies between matches is found in the result, in order
        kept = text.body[at : match.start].encode("utf-8", "surrogateescape")
        found = result.find(kept, position)
        assert found >= 0
        position = found + len(kept)
        at = match.end
    assert result.endswith(text.body[at:].encode("utf-8", "surrogateescape"))


def test_only_a_line_feed_ends_a_line() -> None:
    body = "a\x0bb\x0cc\u2028d\x85e\rf\n"
    assert Text(False, body).lines == [body]


def test_new_lines_take_the_style_of_their_neighbours() -> None:
    crlf = Text(False, "a\r\nb\r\n")
    assert replace_lines(crlf, 2, 1, "x\ny")[0] == "a\r\nx\r\ny\r\nb\r\n"
    mixed = Text(False, "a\r\nb\nc\n")
    assert replace_lines(mixed, 1, 1, "x")[0] == "x\r\nb\nc\n"
    assert replace_lines(mixed, 3, 3, "x\r\ny")[0] == "a\r\nb\nx\ny\n"


def test_a_missing_final_newline_stays_missing() -> None:
    text = Text(False, "a\nb")
    assert replace_lines(text, 2, 2, "c\n")[0] == "a\nc"
    assert replace_lines(text, 3, 2, "c\n")[0] == "a\nb\nc"
    assert replace_lines(text, 1, 1, "c")[0] == "c\nb"
    assert replace_lines(text, 2, 2, "")[0] == "a\n"
    assert replace_lines(Text(False, ""), 1, 0, "c")[0] == "c\n"
    assert replace_lines(Text(False, "a\n"), 1, 1, "\n")[0] == "\n"


def test_a_blank_line_is_appended_after_a_missing_newline() -> None:
    assert replace_lines(Text(False, "a"), 2, 1, "\n")[0] == "a\n\n"
