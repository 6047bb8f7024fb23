"""Small mendings of ClassEval for its variant ``repaired``; ``official`` has none of them.

The tests of seven classes depend on the year, a machine's name, packages of their time or data
that has to be fetched; two name test classes that cannot pass. Each mending is applied to the
user's own copy of the data and says why it is there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from harness.errors import ConfigError
from harness.suites.data.rows import ClassEvalRow


@dataclass(frozen=True)
class Repair:
    """One mending. replacements: (old, new) texts in the tests, each of which has to be there.
    support: text that runs before candidate and tests. instead_of: (listed, right) test classes."""

    task: str
    reason: str
    replacements: tuple[tuple[str, str], ...] = ()
    support: str = ""
    instead_of: tuple[tuple[str, str], ...] = ()
    strip_names: bool = False


_NLTK = """
import sys as _sys, types as _types
_TAGS = {
    "I": "PRP", "He": "PRP", "She": "PRP", "it": "PRP", "They": "PRP", "am": "VBP", "is": "VBZ",
    "Is": "VBZ", "was": "VBD", "had": "VBD", "been": "VBN", "running": "VBG", "eating": "VBG",
    "taking": "VBG", "barked": "VBD", "hope": "VBP", "in": "IN", "at": "IN", "Until": "IN",
    "a": "DT", "the": "DT", "The": "DT", "this": "DT", "and": "CC", "but": "CC", "weak": "JJ",
    "adequate": "JJ", "same": "JJ", "Cantancos": "NNP", "dogs": "NNS",
}
_LEMMAS = {
    "v": {"am": "be", "is": "be", "Is": "Is", "was": "be", "been": "be", "had": "have",
          "running": "run", "eating": "eat", "taking": "take", "barked": "bark"},
    "n": {"dogs": "dog"}, "a": {}, "r": {},
}
def _word_tokenize(text, *_args, **_kwargs):
    import re
    return re.findall(r"\\w+|[^\\w\\s]", text)
def _pos_tag(words, *_args, **_kwargs):
    return [(word, _TAGS.get(word, "NN")) for word in words]
class _Lemmatizer:
    def lemmatize(self, word, pos="n"):
        return _LEMMAS.get("a" if pos == "s" else pos, {}).get(word, word)
def _install():
    root = _types.ModuleType("nltk")
    names = ("stem", "tokenize", "tag", "corpus")
    parts = {name: _types.ModuleType("nltk." + name) for name in names}
    for part in (root, parts["tokenize"]):
        part.word_tokenize = _word_tokenize
    for part in (root, parts["tag"]):
        part.pos_tag = _pos_tag
    for part in (root, parts["stem"]):
        part.WordNetLemmatizer = _Lemmatizer
    root.download = lambda *_args, **_kwargs: True
    parts["corpus"].wordnet = _types.SimpleNamespace(NOUN="n", VERB="v", ADJ="a", ADV="r")
    parts["stem.wordnet"] = parts["stem"]
    for name, part in parts.items():
        _sys.modules["nltk." + name] = part
        if "." not in name:
            setattr(root, name, part)
    _sys.modules["nltk"] = root
_install()
"""

_NUMPY = """
import numpy as _np
class _Matrix(_np.matrix):
    def __float__(self):
        return float(self.item())
if not hasattr(_np, "mat"):
    _np.mat = lambda data, dtype=None: _np.asmatrix(data, dtype).view(_Matrix)
"""

REPAIRS = (
    Repair(
        "ClassEval_17",
        "events meant to lie ahead lie in 2024: they are moved to the year 9024",
        replacements=(("datetime(2024, 1, 2", "datetime(9024, 1, 2"),),
    ),
    Repair(
        "ClassEval_48",
        "expects the name of the authors' machine for 0.0.0.0: what this one says is expected",
        replacements=(("'LAPTOP-2CS86KUM'", "_name_of('0.0.0.0')"),),
        support=(
            "def _name_of(address):\n    import socket\n    try:\n"
            "        return socket.gethostbyaddr(address)[0]\n    except OSError:\n"
            "        return None\n"
        ),
    ),
    Repair(
        "ClassEval_51",
        "uses np.mat and floats of 1x1 matrices, which NumPy 2 has no more: both are given back",
        support=_NUMPY,
    ),
    Repair(
        "ClassEval_52",
        "needs NLTK's taggers and WordNet, which have to be downloaded: a few words' worth of "
        "both stand in",
        support=_NLTK,
    ),
    Repair(
        "ClassEval_69",
        "lists a test class that only has fixtures: no test in it can run",
        instead_of=(("TestPDFHandler", "PDFHandlerTestMergePdfs"),),
    ),
    Repair(
        "ClassEval_97",
        "the name of a test class begins with a blank, so that none is found",
        strip_names=True,
    ),
)
_BY_TASK = {repair.task: repair for repair in REPAIRS}


def repaired(row: ClassEvalRow) -> tuple[ClassEvalRow, str]:
    """The row as mended, and the text that has to run first. Raises ConfigError where the data
    are not those that a mending was written for."""
    repair = _BY_TASK.get(row.id)
    if repair is None:
        return row, ""
    mended: Callable[[str], str] = lambda text: _replaced(text, repair)  # noqa: E731
    right = dict(repair.instead_of)
    names = [right.get(name, name) for name in row.test_classes]
    if repair.strip_names:
        names = [name.strip() for name in names]
    methods = [replace(m, test_class=right.get(m.test_class, m.test_class)) for m in row.methods]
    test_classes = tuple(dict.fromkeys(names))
    return (
        replace(row, test=mended(row.test), test_classes=test_classes, methods=tuple(methods)),
        repair.support,
    )


def _replaced(text: str, repair: Repair) -> str:
    for old, new in repair.replacements:
        if old not in text:
            raise ConfigError(
                f"{repair.task} is not as published: its tests have no {old!r}",
                remedy="choose --variant official",
            )
        text = text.replace(old, new)
    return text
