"""The repository that defects are planted in: gold, hidden tests, and what may be changed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from harness.grading.assemble import is_protected
from harness.grading.subject import Subject
from harness.ids import canonical_json, sha256_hex
from harness.tasks.mutate.plant import Plant
from harness.tasks.mutate.registry import ENDINGS, plants
from harness.tasks.repository import read_repository
from harness.tasks.repository_proof import gold_subject
from harness.tasks.task import Repository, Tree

# Raised whenever the same seed no longer makes the same tasks.
VERSION = 1


@dataclass(frozen=True)
class Ground:
    """A repository as loaded; its tasks are not looked at."""

    repository: Repository

    @property
    def name(self) -> str:
        return self.repository.spec.name

    @property
    def gold(self) -> Tree:
        return self.repository.gold

    @property
    def hidden(self) -> Tree:
        return self.repository.hidden

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all that fresh tasks are made of."""
        return sha256_hex(canonical_json([VERSION, self.repository.subject]))

    @cached_property
    def subject(self) -> Subject:
        """Gold as the starting tree: how its tests run, and what is protected."""
        return gold_subject(self.repository)

    def text(self, path: str) -> str:
        return self.gold[path].content.decode("utf-8")

    def plants(self) -> list[Plant]:
        """Every defect that could be planted, in a fixed order."""
        language = self.repository.spec.language
        found: list[Plant] = []
        for path, file in sorted(self.gold.items()):
            if not path.endswith(ENDINGS[language]) or file.link is not None:
                continue
            if is_protected(path, self.subject) or b"\r" in file.content:
                continue
            try:
                text = file.content.decode("utf-8")
            except UnicodeDecodeError:
                continue
            found += plants(language, path, text)
        return found


def load_ground(folder: Path) -> Ground:
    """The repository in ``folder``. Raises ConfigError."""
    return Ground(read_repository(folder))
