"""Code from a chat reply: what a careful person would take.

In order: thinking and end marks go; code inside a tool call or between marks; fenced blocks, of
which the last that defines the entry point counts; bare code among prose; a body that continues
the prompt. The code taken is run whole: nothing inside it is dropped or reordered, so Python's
own rules decide (of two definitions of a name, the last).
"""

from __future__ import annotations

import ast
import re
import textwrap

from harness.suites.extract.answer import Answer, no_answer
from harness.suites.extract.cleaning import clean
from harness.suites.extract.fences import Block, blocks, has_fence
from harness.suites.extract.pytext import (
    CODE_LINE,
    Budget,
    defines,
    is_stub,
    names,
    parse,
    supplements,
)
from harness.suites.extract.wrapped import between_marks, tool_call_code

# Prose after bare code is cut line by line only this often.
_MAX_CUTS = 60
_INDENT = "    "


def extract_code(reply: str, *, entry_point: str | None, header: str | None = None) -> Answer:
    """The code of ``reply``. Never raises; time is bounded for any text.

    entry_point: the name that the tests call, None where any code will do. header: the prompt
    that a function's body may continue (HumanEval); without it only whole definitions count.
    """
    text = clean(reply)
    if text is None:
        return no_answer("only_thinking")
    if not text.strip():
        return no_answer("empty")
    return _Extraction(entry_point, header).run(text)


class _Extraction:
    def __init__(self, entry_point: str | None, header: str | None) -> None:
        self.entry, self.header = entry_point, header
        self.budget = Budget()

    def run(self, text: str, depth: int = 0) -> Answer:
        wrapped = tool_call_code(text, self.entry)
        if wrapped is not None:
            return self.whole(wrapped, "tool_call")
        marked = between_marks(text)
        if marked is not None and depth < 2:
            if has_fence(marked):
                inner = self.run(marked, depth + 1)
                if not inner.none:
                    return inner
            return self.whole(marked, "marks")
        if has_fence(text):
            answer = self.fenced(text)
            if answer is not None:
                return answer
        return self.bare(text)

    def fenced(self, text: str) -> Answer | None:
        found = self.flat(blocks(text))
        if not found:
            return None
        chosen = self.choose(found)
        if chosen is not None:
            rule = "fence" if len(found) == 1 else "fence:defines_entry"
            if not chosen.closed:
                rule += "+unclosed"
            code, repairs = self.program(chosen.code)
            code, more = self.supplemented(code, [b for b in found if b is not chosen])
            return Answer(code, rule + repairs + more)
        outside = self.bare(text)
        if self.entry and outside.value and defines(outside.value, self.entry):
            return outside
        likely = [block for block in found if block.maybe_python] or found
        return self.whole(likely[-1].code, "fence:last")

    def flat(self, outer: list[Block], depth: int = 0) -> list[Block]:
        """Blocks with text in them; one that holds fences itself (Markdown in an outer fence)
        gives way to its own."""
        found: list[Block] = []
        for block in outer:
            inner = blocks(block.code) if depth < 2 and has_fence(block.code) else []
            if inner and parse(block.code, self.budget) is None:
                found += self.flat(inner, depth + 1)
            elif block.code.strip():
                found.append(block)
        return found

    def choose(self, found: list[Block]) -> Block | None:
        """The last block that defines the entry point; of these one that parses comes before one
        that does not, and one with a body before a mere outline."""
        if self.entry is None:
            python = [b for b in found if b.maybe_python]
            return max(python, key=lambda b: len(b.code)) if len(python) == 1 else None
        defining = [b for b in found if defines(textwrap.dedent(b.code), self.entry)]
        if not defining:
            return None
        parsed = [(b, parse(textwrap.dedent(b.code), self.budget)) for b in defining[-20:]]
        good = [b for b, tree in parsed if tree is not None and not is_stub(tree, self.entry)]
        whole = [b for b, tree in parsed if tree is not None]
        return (good or whole or defining)[-1]

    def program(self, code: str) -> tuple[str, str]:
        """``code`` at column 0, and the repairs that took."""
        dedented = textwrap.dedent(code)
        if dedented != code and (self.entry is None or not defines(code, self.entry)):
            return dedented, "+dedented"
        return code, ""

    def supplemented(self, code: str, others: list[Block]) -> tuple[str, str]:
        """``code`` preceded by what other blocks define and it needs (imports, helpers)."""
        tree = parse(code, self.budget)
        if tree is None:
            return code, ""
        missing = names(tree).missing
        parts: list[str] = []
        for block in others[:20]:
            if not missing:
                break
            other = textwrap.dedent(block.code)
            other_tree = parse(other, self.budget) if block.maybe_python else None
            if other_tree is None:
                continue
            found, got = supplements(other_tree, other, missing)
            parts += found
            missing -= got
        if not parts:
            return code, ""
        return "\n\n".join([*parts, code]), "+other_blocks"

    def whole(self, code: str, rule: str) -> Answer:
        """Code known to be code: a program, or the body of the prompt's function."""
        program, repairs = self.program(code)
        if self.entry is not None and defines(program, self.entry):
            return Answer(program, rule + repairs)
        body = self.body(code)
        if body is not None:
            return Answer(body.value, f"{rule}+{body.rule}", "body")
        if not code.strip():
            return no_answer("empty")
        return Answer(program, rule + repairs)

    def body(self, code: str) -> Answer | None:
        """``code`` as the rest of the header's function, re-indented where that makes it parse."""
        if self.header is None or not code.strip():
            return None
        code = code.strip("\n")
        lines = code.split("\n")
        # servers strip a reply, and with it the first line's indent (lm-evaluation-harness#2371)
        first = "\n".join([_INDENT + lines[0].lstrip(), *lines[1:]])
        tries = [
            ("body", code),
            ("body:indented", textwrap.indent(textwrap.dedent(code), _INDENT)),
            ("body:first_line_indented", first),
        ]
        for rule, body in tries:
            tree = parse(self.header + body, self.budget)
            if tree is not None and _continues(tree, self.entry, self.header):
                return Answer(body, rule, "body")
        return None

    def bare(self, text: str) -> Answer:
        """Code without fences: all of it, the part from its first line of code, or a body."""
        text = text.strip("\n")
        program, repairs = self.program(text)
        named = self.entry is None or defines(program, self.entry)
        if named and parse(program, self.budget) is not None and CODE_LINE.search(program):
            return Answer(program, "bare" + repairs)
        if not named:
            body = self.body(text) or self.body_before_prose(text)
            if body is not None:
                return Answer(body.value, f"bare+{body.rule}", "body")
        part = self.code_among_prose(program)
        if part is not None and (self.entry is None or defines(part, self.entry)):
            return Answer(part, "bare:from_first_code_line")
        if named:
            return Answer(program, "bare:unparsed")
        if part is not None:
            return Answer(part, "bare:other_name")
        return no_answer("no_code")

    def body_before_prose(self, text: str) -> Answer | None:
        """An indented continuation, up to the first line that stands at column 0 again."""
        lines = text.split("\n")
        if not lines[0].startswith((" ", "\t")):
            return None
        end = next((i for i, li in enumerate(lines) if li.strip() and li[0] not in " \t"), None)
        return self.body("\n".join(lines[:end])) if end else None

    def code_among_prose(self, text: str) -> str | None:
        """From the first line of code on, without what follows the last line that parses."""
        lines = text.split("\n")
        first = next((i for i, line in enumerate(lines) if CODE_LINE.match(line)), None)
        if first is None:
            return None
        rest = lines[first:]
        starts = [i for i, line in enumerate(rest) if line.strip() and line[0] not in " \t)]}"]
        ends = [len(rest), *reversed(starts[1:])]
        for end in _thinned(ends):
            code = "\n".join(rest[:end]).rstrip()
            if parse(code, self.budget) is not None and (
                self.entry is None or defines(code, self.entry)
            ):
                return code
        return "\n".join(rest)


def _thinned(ends: list[int]) -> list[int]:
    """At most _MAX_CUTS of ``ends``: those nearest the end, then evenly spread."""
    if len(ends) <= _MAX_CUTS:
        return ends
    half = _MAX_CUTS // 2
    step = max(1, (len(ends) - half) // half)
    return ends[:half] + ends[half::step]


def _continues(tree: ast.Module, entry: str | None, header: str) -> bool:
    """Whether the function that ``header`` opens has got a statement beyond its docstring."""
    functions = [
        n
        for n in tree.body
        if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
        and (entry is None or n.name == entry)
    ]
    if not functions:
        return False
    last_line = header.rstrip("\n").count("\n") + 1
    return any(
        (statement.lineno > last_line and not isinstance(statement, ast.Expr))
        or (isinstance(statement, ast.Expr) and not isinstance(statement.value, ast.Constant))
        for statement in functions[-1].body
    )


_FUTURE = re.compile(r"^from[ \t]+__future__[ \t]+import[ \t].*$", re.MULTILINE)


def hoisted_futures(prelude: str, code: str) -> tuple[str, str]:
    """``prelude`` and ``code`` with the code's ``from __future__`` lines put first: they are
    valid only at the top of a module, which the prelude takes."""
    found = _FUTURE.findall(code) if prelude.strip() else []
    if not found:
        return prelude, code
    return "\n".join(found) + "\n" + prelude, _FUTURE.sub("", code)
