"""Source text as lines with roles, by Pygments."""

from __future__ import annotations

from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tui.render.lines import Line, Span

if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

# Above this, colouring costs more than it tells.
LARGEST = 50_000

_ROLES = (
    ("Token.Keyword", "code.keyword"),
    ("Token.Literal.String", "code.string"),
    ("Token.Literal.Number", "code.number"),
    ("Token.Comment", "code.comment"),
    ("Token.Name.Function", "code.name"),
    ("Token.Name.Class", "code.name"),
    ("Token.Name.Decorator", "code.name"),
    ("Token.Name.Builtin", "code.builtin"),
    ("Token.Name.Tag", "code.keyword"),
    ("Token.Operator.Word", "code.keyword"),
)
# A table, since searching all of Pygments' lexers by file name takes a third of a second.
_LANGUAGES = {
    ".bash": "bash", ".c": "c", ".cfg": "ini", ".cpp": "cpp", ".css": "css", ".diff": "diff",
    ".go": "go", ".h": "c", ".html": "html", ".ini": "ini", ".java": "java", ".js": "javascript",
    ".json": "json", ".jsonl": "json", ".jsx": "jsx", ".md": "markdown", ".mjs": "javascript",
    ".patch": "diff", ".py": "python", ".pyi": "python", ".rs": "rust", ".rst": "rst",
    ".sh": "bash", ".sql": "sql", ".toml": "toml", ".ts": "typescript", ".tsx": "tsx",
    ".xml": "xml", ".yaml": "yaml", ".yml": "yaml",
}  # fmt: skip


@lru_cache(maxsize=64)
def _lexer(name: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def language_of(path: str) -> str:
    """A language's name for a path, empty when unknown."""
    return _LANGUAGES.get(PurePosixPath(path).suffix.lower(), "")


@lru_cache(maxsize=512)
def _role(token: _TokenType) -> str:
    name = str(token)
    return next((role for prefix, role in _ROLES if name.startswith(prefix)), "code")


def code_lines(text: str, language: str = "") -> list[Line]:
    """Lines of a clean text; plain when the language is unknown or the text long."""
    lexer = _lexer(language) if language and len(text) <= LARGEST else None
    if lexer is None:
        return [((part, "code"),) for part in text.split("\n")]
    out: list[Line] = []
    row: list[Span] = []
    for token, value in lexer.get_tokens(text):
        role = _role(token)
        pieces = value.split("\n")
        for number, piece in enumerate(pieces):
            if number:
                out.append(tuple(row))
                row = []
            if piece:
                row.append((piece, role))
    out.append(tuple(row))
    return out
