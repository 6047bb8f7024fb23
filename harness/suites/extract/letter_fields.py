"""Answers given as a field: of a JSON object, or between tags."""

from __future__ import annotations

import re

_NAME = (
    r"(?:(?:final|correct|best|selected|chosen|predicted|model|my)[ _-]?)?"
    r"(?:answer|choice|option|letter|selection|prediction|response|ans|label)"
    r"(?:[ _-]?(?:letter|choice|option|key|label))?"
)
_STRING = r"\"(?P<{0}>(?:[^\"\\\n]|\\.){{0,400}})\"|'(?P<{1}>(?:[^'\\\n]|\\.){{0,400}})'"
_JSON = re.compile(
    rf"(?P<quote>[\"'])(?P<name>{_NAME})(?P=quote)\s*:\s*"
    rf"(?:{_STRING.format('double', 'single')}|\[(?P<list>[^\[\]{{}}]{{0,400}})\]"
    r"|(?P<bare>[^\s,{}\[\]\"']{1,100}))",
    re.IGNORECASE,
)
_TAG = re.compile(
    rf"<(?P<name>{_NAME}|output|result|solution)>(?P<value>[^<>]{{1,400}})</(?P=name)>",
    re.IGNORECASE,
)


def fields(text: str) -> tuple[list[str], str]:
    """Values of the fields named like an answer, and the text behind the last of them.

    Of one given several times, the last; a list of several values is one value with commas.
    """
    found: dict[str, str] = {}
    end = 0
    for match in _JSON.finditer(text):
        value = match["double"] or match["single"] or match["bare"] or match["list"] or ""
        if match["list"] is not None:
            value = re.sub(r"[\"']", "", value)
        found[match["name"].lower()] = value.strip()
        end = max(end, text.find("}", match.end()) + 1 or len(text))
    for match in _TAG.finditer(text):
        found[match["name"].lower()] = match["value"].strip()
        end = max(end, match.end())
    return list(found.values()), text[end:].strip(" \n`")
