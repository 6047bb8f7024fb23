"""Declarations, validation and the messages that a wrong call gets."""

from __future__ import annotations

import json

import pytest

from tools.schema import NAMES, PROTOCOLS, function_definitions, reference, validate


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_definitions_are_json_and_name_every_required_parameter(protocol: str) -> None:
    definitions = json.loads(json.dumps(function_definitions(protocol)))
    assert [d["function"]["name"] for d in definitions] == list(NAMES)
    for definition in definitions:
        parameters = definition["function"]["parameters"]
        assert set(parameters["required"]) <= set(parameters["properties"])
        assert parameters["additionalProperties"] is False


def test_lint_is_left_out_where_there_is_none() -> None:
    names = [d["function"]["name"] for d in function_definitions("proctor-1", lint=False)]
    assert "lint" not in names and len(names) == len(NAMES) - 1


def test_only_our_protocol_tells_of_insertion() -> None:
    ours = json.dumps(function_definitions("proctor-1"))
    theirs = json.dumps(function_definitions("sacb"))
    assert "insert" in ours and "insert" not in theirs


def test_unknown_protocol_is_a_programming_error() -> None:
    with pytest.raises(ValueError, match="proctor-1"):
        function_definitions("other")


def test_defaults_are_filled_in() -> None:
    assert validate("proctor-1", "read_file", {"path": "a"}) == {
        "path": "a",
        "start_line": 1,
        "end_line": None,
    }


@pytest.mark.parametrize("value", [12, "12", " 12 ", 12.0])
def test_integers_may_come_in_unambiguous_disguise(value: object) -> None:
    values = validate("proctor-1", "read_file", {"path": "a", "start_line": value})
    assert isinstance(values, dict) and values["start_line"] == 12


@pytest.mark.parametrize(
    "value",
    [
        True,
        "twelve",
        "1.5",
        1.5,
        float("nan"),
        float("inf"),
        [12],
        "9" * 50,
        pytest.param(10**5000, id="huge"),
    ],
)
def test_other_values_are_no_integers(value: object) -> None:
    error = validate("proctor-1", "read_file", {"path": "a", "start_line": value})
    assert isinstance(error, str) and error.startswith("Error: start_line ")


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("read_fil", {}, "read_file"),
        (None, {}, "list_files"),
        ("read_file", {}, "path is missing"),
        ("read_file", {"path": None}, "must not be null"),
        ("read_file", {"path": "a", "strat_line": 1}, "Did you mean start_line"),
        ("read_file", ["a"], "must be a JSON object"),
        ("read_file", "path", "must be a JSON object"),
        ("read_file", {"path": 3}, "must be a string"),
        ("write_file", {"path": "a", "content": "\ud800"}, "surrogate"),
        ("edit_replace", {"path": "a", "old_text": "", "new_text": "", "replace_all": 1}, "true"),
    ],
)
def test_errors_say_what_is_wrong_and_how_to_do_it_right(
    name: object, arguments: object, told: str
) -> None:
    error = validate("proctor-1", name, arguments)
    assert isinstance(error, str)
    assert error.startswith("Error:") and told in error


def test_a_blank_folder_means_the_tree_only_in_our_protocol() -> None:
    assert validate("proctor-1", "list_files", {"path": " "}) == {"path": "."}
    assert validate("sacb", "list_files", {"path": " "}) == {"path": " "}


def test_reference_names_every_tool_and_parameter() -> None:
    text = reference("proctor-1")
    for definition in function_definitions("proctor-1"):
        function = definition["function"]
        assert f"`{function['name']}`" in text
        assert all(f"`{key}`" in text for key in function["parameters"]["properties"])
