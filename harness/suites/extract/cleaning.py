"""What is taken off a reply before anything is looked for in it."""

from __future__ import annotations

import re

# End-of-text marks that servers leave at the end of a reply (bigcode-evaluation-harness#311).
_END_MARKS = re.compile(
    r"(?:<\|(?:endoftext|im_end|end|eot_id|end_of_text|eom_id|return|file_separator)\|>"
    r"|</s>|<eos>|<end_of_turn>|<EOT>|<file_sep>|<\uff5cend\u2581of\u2581sentence\uff5c>|\s)+\Z"
)
# A model that did not stop goes on with the next turn of the conversation, its user's.
_NEXT_TURN = re.compile(
    r"<\|(?:im_start|start_header_id)\|>\s*user\b|<\|user\|>|<start_of_turn>\s*user\b"
    r"|</s>\s*\[INST\]|<\|eot_id\|>\s*user\b"
)
_MARK = re.compile(r"<[|/a-zA-Z\uff5c]")
_OPEN = re.compile(r"<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_CLOSE = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
# Only this much of a tail is looked at for end marks.
_TAIL = 400


def clean(reply: str) -> str | None:
    """The reply with LF line ends, without thinking, end marks and turns of others that follow;
    None where it only thinks.

    Everything up to the last closing tag is thinking (drafts inside must not be graded); an
    opening tag that is never closed means that the reply never came to its answer.
    """
    text = reply.replace("\r\n", "\n").replace("\r", "\n")
    # a byte order mark begins a file, so it may stand behind a fence, too
    text = text.lstrip("\ufeff").replace("\n\ufeff", "\n")
    following = _NEXT_TURN.search(text)
    if following and text[: following.start()].strip():
        text = text[: following.start()]
    closings = list(_CLOSE.finditer(text))
    if closings:
        text = text[closings[-1].end() :]
    opening = _OPEN.search(text)
    if opening:
        before = text[: opening.start()]
        # an answer given before the tag stands; a tag at the start leaves nothing
        return before if before.strip() else None
    return _without_end_marks(text)


def _without_end_marks(text: str) -> str:
    head, tail = text[:-_TAIL], text[-_TAIL:]
    for mark in _MARK.finditer(tail):
        if _END_MARKS.fullmatch(tail, mark.start()):
            return head + tail[: mark.start()]
    return text
