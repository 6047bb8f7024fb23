"""What is read from the text of a failure: the value seen, the error, the first difference."""

from __future__ import annotations

import ast
import re

_LINE = re.compile(r"^E[ \t]+(.*)$", re.MULTILINE)
_ENDS = "Error|Exception|Exit|Interrupt|Warning|Iteration"
# An error of Python's own by its name, another one by the module before it.
_ERROR = re.compile(rf"^([A-Za-z_][\w.]*(?:{_ENDS})\w*|[a-z_][\w.]*\.[A-Z]\w*)(: .*)?$")
_MORE = re.compile(r"(Left|Right) contains (?:one|\d+) more items?(?:, first extra item)?: ?(.*)$")
_DIFFER = re.compile(r"^(?:Lists|Tuples|Dicts|Sets|Sequences) differ: ")
# What is not the same from run to run, or belongs to the box.
_PASSING = re.compile(r"0x[0-9a-fA-F]{5,}|/tmp/|/work/|pytest-\d")
_CUT = re.compile(r"""['"\[({].*\.\.\..*['"\])}]$""")
LONG = 600


def lines_told(message: str) -> list[str]:
    """The lines in which pytest tells what went wrong."""
    return _LINE.findall(message)


def seen_value(message: str) -> str:
    """The value that was compared with the expected one, as program text; '' when it is not told
    in full."""
    for line in lines_told(message):
        text = line.removeprefix("AssertionError: ")
        unit = _DIFFER.sub("", text)
        text = text.removeprefix("assert ")
        for part, mark in ((text, " == "), (unit, " != "), (text, " is ")):
            value = _left(part, mark)
            if value:
                return value
        if text in ("False", "True", "None", "0", "[]", "''"):
            return text
        if text in ("False is not true", "True is not false"):
            return text.split()[0]
    return ""


def error_seen(message: str) -> str:
    """The error that a test ended with, ``Kind: text``; '' for an assertion."""
    for line in reversed(lines_told(message)):
        match = _ERROR.match(line)
        if match is None:
            continue
        name = match.group(1).rsplit(".", 1)[-1]
        if name == "AssertionError":
            return ""
        text = (match.group(2) or "")[2:]
        if _PASSING.search(text) or len(text) > LONG:
            text = ""
        return f"{name}: {text}" if text else name
    return ""


def not_raised(message: str) -> bool:
    """Whether an expected error did not come."""
    told = " ".join(lines_told(message))
    return "DID NOT RAISE" in told or " not raised" in told


def first_difference(message: str) -> str:
    """Where two long values first differ, in words; '' when that is not told."""
    told = lines_told(message)
    for number, line in enumerate(told):
        match = re.match(r"At index (\d+) diff: (.*)$", line)
        if match:
            left = _left(match.group(2), " != ")
            right = match.group(2)[len(left) + 4 :]
            if left and _literal(right):
                place = int(match.group(1)) + 1
                return f"entry {place} is {left} where it should be {right}"
        match = re.match(r"First differing element (\d+):", line)
        if match and number + 2 < len(told):
            left, right = told[number + 1].strip(), told[number + 2].strip()
            if _literal(left) and _literal(right):
                place = int(match.group(1)) + 1
                return f"entry {place} is {left} where it should be {right}"
        match = _MORE.match(line)
        if match:
            more = match.group(2) or (told[number + 1] if number + 1 < len(told) else "")
            if _literal(more):
                side = "is there and should not be" if match.group(1) == "Left" else "is missing"
                return f"{more} {side}"
    return ""


def _left(text: str, mark: str) -> str:
    """What stands before a mark, where it is a value written out and the other side is one, too,
    or one that was cut."""
    at = text.find(mark)
    while at >= 0:
        left, right = text[:at].strip(), text[at + len(mark) :].strip()
        if _literal(left) and (_literal(right) or _CUT.match(right)):
            return left
        at = text.find(mark, at + 1)
    return ""


def _literal(text: str) -> bool:
    if not text or "..." in text or len(text) > LONG or _PASSING.search(text):
        return False
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return False
    return True
