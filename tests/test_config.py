"""proctor.toml: what it may say, how its mistakes are told, which value wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.config import load_config, resolve
from harness.errors import ConfigError, UsageError
from tests.support.files import ODD, make_odd

FULL = """\
[endpoints.box]
url = "http://127.0.0.1:8033/v1"
api_key_env = "BOX_KEY"

[models.quick]
endpoint = "box"
model = "served-name"
tool_protocol = "text"

[models.quick.sampling]
temperature = 0.2
seed = 7

[models.quick.prices]
prompt = 0.5
completion = 2

[defaults]
model = "quick"
epochs = 3
temperature = 0.9
"""


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """A user's configuration file that does not exist yet."""
    return tmp_path / "user" / "proctor.toml"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_project_file_is_found_from_a_folder_below(tmp_path: Path, user: Path) -> None:
    write(tmp_path / "project" / "proctor.toml", FULL)
    below = tmp_path / "project" / "a" / "b"
    below.mkdir(parents=True)
    config = load_config(below, user_file=user)
    assert config.endpoints["box"].url == "http://127.0.0.1:8033/v1"
    assert config.models["quick"].settings["temperature"] == 0.2


def test_flag_beats_variable_beats_preset_beats_project_beats_user_beats_default(
    tmp_path: Path, user: Path
) -> None:
    write(user, "[defaults]\nepochs = 2\nmax_turns = 9\nlimit = 4\n")
    write(tmp_path / "p" / "proctor.toml", FULL)
    config = load_config(tmp_path / "p", user_file=user)

    found = resolve({}, {}, config)
    assert (found["epochs"], found["max_turns"], found["limit"]) == (3, 9, 4)
    assert found["sandbox"] == "auto" and found.values["sandbox"].source == "default"
    assert found.values["epochs"].source == f"project {tmp_path / 'p' / 'proctor.toml'}:20"
    assert found.values["max_turns"].source == f"user {user}:3"
    # The preset is about this model, the defaults about all of them.
    assert found["temperature"] == 0.2
    assert found.values["temperature"].source.startswith("model quick in project")
    assert found.prices == {"prompt": 0.5, "completion": 2.0}

    environ = {"PROCTOR_EPOCHS": "5", "PROCTOR_TEMPERATURE": "0.4"}
    found = resolve({}, environ, config)
    assert (found["epochs"], found["temperature"]) == (5, 0.4)
    assert found.values["epochs"].source == "environment PROCTOR_EPOCHS"

    found = resolve({"epochs": 8, "temperature": 0.0}, environ, config)
    assert (found["epochs"], found["temperature"]) == (8, 0.0)
    assert found.values["epochs"].source == "flag --epochs"


def test_endpoints_by_flag_by_name_and_by_preset(tmp_path: Path, user: Path) -> None:
    write(tmp_path / "proctor.toml", FULL)
    config = load_config(tmp_path, user_file=user)
    preset = resolve({}, {}, config).endpoints
    assert [(e.url, e.api_key_env) for e in preset] == [("http://127.0.0.1:8033/v1", "BOX_KEY")]
    flag = resolve({"base_url": ("http://a/v1", "http://b/v1")}, {}, config).endpoints
    assert [e.url for e in flag] == ["http://a/v1", "http://b/v1"]
    assert all(e.api_key_env is None for e in flag)
    named = resolve({"base_url": ("box",)}, {}, config).endpoints
    assert [(e.url, e.api_key_env) for e in named] == [("http://127.0.0.1:8033/v1", "BOX_KEY")]
    variable = resolve({}, {"PROCTOR_BASE_URL": "http://c/v1"}, config).endpoints
    assert [e.url for e in variable] == ["http://c/v1"]


def test_a_projects_model_replaces_the_users_of_the_same_name(tmp_path: Path, user: Path) -> None:
    write(user, '[models.quick]\nmodel = "old"\n\n[models.other]\nmodel = "kept"\n')
    write(tmp_path / "proctor.toml", FULL)
    config = load_config(tmp_path, user_file=user)
    assert config.models["quick"].model == "served-name"
    assert config.models["other"].model == "kept"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("[defaults]\nepochs = \n", 2, "not valid TOML"),
        ("[defaults]\n\nepoch = 3\n", 3, "unknown key 'defaults.epoch'"),
        ("[default]\n", 1, "unknown key 'default'"),
        ("[defaults]\nepochs = 'three'\n", 2, "epochs: 'three' is not a whole number"),
        ("[defaults]\nepochs = true\n", 2, "epochs: True is not a whole number"),
        ("[defaults]\nepochs = 0\n", 2, "epochs: 0 is below 1"),
        ("[defaults]\nsandbox = 'chroot'\n", 2, "is not one of auto, docker, podman, bubblewrap"),
        ("[endpoints.a]\napi_key_env = 'K'\n", 1, "endpoint 'a' has no url"),
        ("[endpoints.a]\nurl = 'localhost:80'\n", 2, "is not an http URL"),
        ("[endpoints.a]\nurl = 'http://u:pw@h/v1'\n", 2, "must not hold credentials"),
        ("[endpoints.a]\nurl = 'http://h'\napi_key_env = 'sk-12-3'\n", 3, "name of a variable"),
        ("[models.m]\nprize = 1\n", 2, "unknown key 'models.m.prize'"),
        ("[models.m.sampling]\ntemprature = 1\n", 2, "unknown key 'models.m.sampling.temprature'"),
        ("[models.m.sampling]\ntop_p = 1.5\n", 2, "top_p: 1.5 is above 1"),
        ("[models.m.sampling]\ntemperature = nan\n", 2, "must be finite"),
        ("endpoints = 3\n", 1, "endpoints is not a table"),
    ],
)
def test_a_mistake_is_told_with_file_and_line(
    tmp_path: Path, user: Path, text: str, line: int, said: str
) -> None:
    path = write(tmp_path / "proctor.toml", text)
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, user_file=user)
    assert f"{caught.value.where}:".startswith(f"{path}:{line}:")
    assert said in caught.value.what


def test_a_near_match_is_offered(tmp_path: Path, user: Path) -> None:
    write(tmp_path / "proctor.toml", "[defaults]\nconcurency = 3\n")
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, user_file=user)
    assert caught.value.remedy == "did you mean 'concurrency'?"


def test_a_key_in_the_file_is_not_repeated_in_the_error(tmp_path: Path, user: Path) -> None:
    write(tmp_path / "proctor.toml", "[endpoints.a]\nurl = 'http://h'\napi_key_env = 'sk-SECRET'\n")
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, user_file=user)
    assert "SECRET" not in str(caught.value)


def test_an_unknown_endpoint_of_a_model_is_refused(tmp_path: Path, user: Path) -> None:
    write(
        tmp_path / "proctor.toml",
        '[endpoints.box]\nurl = "http://h/v1"\n[models.m]\nendpoint = "bix"\n',
    )
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, user_file=user)
    assert "'bix'" in caught.value.what and caught.value.remedy == "did you mean 'box'?"


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path, user: Path) -> None:
    (tmp_path / "proctor.toml").write_bytes(b"[defaults]\nmodel = '\xff'\n")
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_config(tmp_path, user_file=user)


@pytest.mark.parametrize(
    ("variable", "text"),
    [("PROCTOR_EPOCHS", "many"), ("PROCTOR_EXTRA_BODY", "{"), ("PROCTOR_SANDBOX", "vm")],
)
def test_a_variable_with_a_bad_value_is_named(
    tmp_path: Path, user: Path, variable: str, text: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        resolve({}, {variable: text}, load_config(tmp_path, user_file=user))
    assert variable in str(caught.value)


def test_a_flag_out_of_bounds_is_named(tmp_path: Path, user: Path) -> None:
    with pytest.raises(UsageError, match=r"--fail-under: 80 is above 1"):
        resolve({"fail_under": 80.0}, {}, load_config(tmp_path, user_file=user))


def test_extra_body_is_an_object_in_every_place(tmp_path: Path, user: Path) -> None:
    write(tmp_path / "proctor.toml", "[defaults]\nextra_body = { a = 1 }\n")
    config = load_config(tmp_path, user_file=user)
    assert resolve({}, {}, config)["extra_body"] == {"a": 1}
    assert resolve({"extra_body": '{"b": [2]}'}, {}, config)["extra_body"] == {"b": [2]}
    with pytest.raises(UsageError, match="not a JSON object"):
        resolve({"extra_body": "[1]"}, {}, config)


@pytest.mark.parametrize("place", ["project", "user"])
@pytest.mark.parametrize("kind", ODD)
def test_what_is_no_file_is_told_and_never_waited_for(
    tmp_path: Path, user: Path, place: str, kind: str
) -> None:
    path = user if place == "user" else tmp_path / "proctor.toml"
    path.parent.mkdir(exist_ok=True)
    make_odd(path, kind)
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, user_file=user)
    assert caught.value.where == str(path)


def test_a_byte_order_mark_and_windows_line_ends_are_taken(tmp_path: Path, user: Path) -> None:
    (tmp_path / "proctor.toml").write_bytes(b"\xef\xbb\xbf[defaults]\r\nepochs = 3\r\n")
    assert resolve({}, {}, load_config(tmp_path, user_file=user))["epochs"] == 3


def test_an_empty_file_says_nothing(tmp_path: Path, user: Path) -> None:
    write(tmp_path / "proctor.toml", "")
    assert resolve({}, {}, load_config(tmp_path, user_file=user))["epochs"] == 1


def test_syntax_errors_have_a_column(tmp_path: Path, user: Path) -> None:
    path = write(tmp_path / "proctor.toml", "[defaults]\nepochs = 3 4\n")
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, user_file=user)
    assert caught.value.where == f"{path}:2:12"


def test_a_value_that_is_refused_later_can_be_found(tmp_path: Path, user: Path) -> None:
    path = write(tmp_path / "proctor.toml", "[defaults]\nepochs = 2\nbase_url = ['labb']\n")
    write(user, "[endpoints.lab]\nurl = 'http://lab/v1'\n")
    with pytest.raises(UsageError) as caught:
        resolve({}, {}, load_config(tmp_path, user_file=user))
    assert caught.value.where == f"project {path}:3"
    assert caught.value.remedy == "did you mean 'lab'?"
    with pytest.raises(UsageError, match="write http://localhost:8080/v1"):
        resolve({"base_url": ("localhost:8080/v1",)}, {}, load_config(user_file=tmp_path / "no"))


def test_names_with_dots_are_found_on_their_line(tmp_path: Path, user: Path) -> None:
    text = '[models."gpt-4.1"]\nmodel = "gpt-4.1"\nprize = 1\n'
    path = write(tmp_path / "proctor.toml", text)
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, user_file=user)
    assert caught.value.where == f"{path}:3"
