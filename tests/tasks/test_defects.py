"""Which hunks make which defect, and how a wrong division is told."""

from __future__ import annotations

import pytest

from harness.errors import ConfigError
from harness.tasks.defects import defect_groups
from harness.tasks.task import TaskSpec


def spec(defects: int, *groups: tuple[int, ...], category: str = "logic") -> TaskSpec:
    return TaskSpec.model_validate(
        {
            "schema_version": 1,
            "id": "shop-discount",
            "category": category,
            "difficulty": 2,
            "defects": defects,
            "defect_hunks": groups,
            "instruction": "The discount is not taken off the total.",
        }
    )


@pytest.mark.parametrize(
    ("given", "hunks", "groups"),
    [
        (spec(1), 3, [{0, 1, 2}]),
        (spec(1, (1, 2)), 2, [{0, 1}]),
        (spec(2), 2, [{0}, {1}]),
        (spec(2, (3, 1), (2,)), 3, [{0, 2}, {1}]),
        (spec(3, category="feature"), 5, []),
        (spec(2, (1,), (2,), category="feature"), 2, [{0}, {1}]),
    ],
)
def test_hunks_are_divided(given: TaskSpec, hunks: int, groups: list[set[int]]) -> None:
    assert list(defect_groups(given, hunks, "task.toml")) == groups


@pytest.mark.parametrize(
    ("given", "hunks", "said"),
    [
        (spec(2), 3, "missing: 2 defects, but start.patch has 3 hunks"),
        (spec(2), 1, "missing: 2 defects, but start.patch has 1 hunk"),
        (spec(2, (1, 2)), 2, "1 groups for defects = 2"),
        (spec(1, (1,), (2,)), 2, "2 groups for defects = 1"),
        (spec(2, (1,), ()), 1, "group 2 is empty"),
        (spec(2, (1,), (3,)), 2, "no hunk 3; start.patch has 2 hunks"),
        (spec(2, (0,), (1,)), 2, "no hunk 0"),
        (spec(2, (1,), (1, 2)), 2, "hunk 1 stands there twice"),
        (spec(2, (1,), (3,)), 3, "hunk 2 belongs to no defect"),
    ],
)
def test_a_wrong_division_is_refused(given: TaskSpec, hunks: int, said: str) -> None:
    with pytest.raises(ConfigError, match="defect_hunks: ") as caught:
        defect_groups(given, hunks, "task.toml")
    assert said in str(caught.value) and caught.value.where == "task.toml"
