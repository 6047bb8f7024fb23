"""Finding and reading ``proctor.toml``: endpoints, models, defaults; unknown keys are refused."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from harness.config.settings import SAMPLING, SETTINGS
from harness.errors import ConfigError
from harness.toml_file import read_toml
from harness.words import known_words

FILE_NAME = "proctor.toml"
_PRICES = ("prompt", "cached", "completion")
_NAME = re.compile(r"^[A-Z_][A-Z0-9_]*$", re.IGNORECASE)
# A preset names its endpoint; where a run is stored and what it is run on are not a model's affair.
_MODEL_KEYS = ("endpoint", "model", "tool_protocol", "sampling", "prices")


@dataclass(frozen=True)
class Endpoint:
    """``[endpoints.NAME]``; ``api_key_env`` names a variable, the key itself never stands here."""

    name: str
    url: str
    api_key_env: str | None
    source: str


@dataclass(frozen=True)
class ModelPreset:
    """``[models.NAME]``: endpoints by name, the name sent, settings by their names in SETTINGS."""

    name: str
    endpoints: tuple[str, ...]
    model: str | None
    settings: Mapping[str, Any]
    source: str


@dataclass(frozen=True)
class Config:
    """What the files say. ``defaults``: (source of each value, values) in falling precedence."""

    endpoints: Mapping[str, Endpoint] = field(default_factory=dict)
    models: Mapping[str, ModelPreset] = field(default_factory=dict)
    defaults: tuple[tuple[Mapping[str, str], Mapping[str, Any]], ...] = ()
    files: tuple[Path, ...] = ()


def load_config(start: Path | None = None, *, user_file: Path | None = None) -> Config:
    """Read the project's file (``start`` or the nearest folder above it) and the user's.

    Raises ConfigError naming file and line.
    """
    found = [("project", path) for path in [_project_file(start)] if path]
    user = user_file or user_config_file()
    if os.path.lexists(user) and all(not _same(user, path) for _, path in found):
        found.append(("user", user))
    parts = [_Reader(kind, path).config() for kind, path in found]
    endpoints: dict[str, Endpoint] = {}
    models: dict[str, ModelPreset] = {}
    for part in reversed(parts):
        endpoints |= part.endpoints
        models |= part.models
    for preset in models.values():
        for name in preset.endpoints:
            if name not in endpoints:
                raise ConfigError(
                    f"model {preset.name!r} names the unknown endpoint {name!r}",
                    where=preset.source,
                    remedy=known_words(name, endpoints) or "add it under [endpoints]",
                )
    return Config(
        endpoints, models, tuple(d for p in parts for d in p.defaults), tuple(p for _, p in found)
    )


def user_config_file() -> Path:
    """Where the user's own file lies."""
    import platformdirs

    return Path(platformdirs.user_config_dir("proctor")) / FILE_NAME


def _project_file(start: Path | None) -> Path | None:
    try:
        here = (start or Path.cwd()).resolve()
    except FileNotFoundError:  # the working folder was deleted, and with it all it held
        return None
    for folder in (here, *here.parents):
        path = folder / FILE_NAME
        if os.path.lexists(path):  # whatever it is: what cannot be read is told, not passed over
            return path
    return None


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # reading it will say what is wrong
        return False


def _address(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        return parts if parts.port is None or parts.port > 0 else None
    except ValueError:  # brackets without an end, a port that is none
        return None


class _Reader:
    """Checks one file's tables."""

    def __init__(self, kind: str, path: Path) -> None:
        self.file = read_toml(path)
        self.kind = kind

    def config(self) -> Config:
        data = self.file.data
        self._only(data, ("endpoints", "models", "defaults"), ())
        endpoints = {
            name: self._endpoint(name, table)
            for name, table in self._tables(data, "endpoints").items()
        }
        models = {
            name: self._model(name, table) for name, table in self._tables(data, "models").items()
        }
        defaults = self._table(data.get("defaults", {}), ("defaults",))
        values = {k: self._setting(k, v, ("defaults", k)) for k, v in defaults.items()}
        sources = {k: self._source(("defaults", k)) for k in values}
        return Config(endpoints, models, ((sources, values),), (self.file.path,))

    def _source(self, at: tuple[str, ...]) -> str:
        return f"{self.kind} {self.file.where(at)}"

    def _endpoint(self, name: str, table: dict[str, Any]) -> Endpoint:
        at = ("endpoints", name)
        self._only(table, ("url", "api_key_env"), at)
        url = table.get("url")
        if not isinstance(url, str):
            raise self._error(f"endpoint {name!r} has no url", at, 'add url = "http://..."')
        parts = _address(url)
        if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
            raise self._error(f"{url!r} is not an http URL", (*at, "url"), "write http://host/v1")
        if parts.username or parts.password:
            raise self._error(
                "a URL must not hold credentials", (*at, "url"), "use api_key_env instead"
            )
        key = table.get("api_key_env")
        if key is not None and not (isinstance(key, str) and _NAME.match(key)):
            raise self._error(
                "api_key_env is not the name of a variable",
                (*at, "api_key_env"),
                "name the variable that holds the key, not the key",
            )
        return Endpoint(name, url, key, self._source(at))

    def _model(self, name: str, table: dict[str, Any]) -> ModelPreset:
        at = ("models", name)
        self._only(table, _MODEL_KEYS, at)
        settings: dict[str, Any] = {}
        if "tool_protocol" in table:
            settings["tool_protocol"] = self._setting(
                "tool_protocol", table["tool_protocol"], (*at, "tool_protocol")
            )
        sampling = self._table(table.get("sampling", {}), (*at, "sampling"))
        self._only(sampling, SAMPLING, (*at, "sampling"))
        for key, value in sampling.items():
            settings[key] = self._setting(key, value, (*at, "sampling", key))
        prices = self._table(table.get("prices", {}), (*at, "prices"))
        self._only(prices, _PRICES, (*at, "prices"))
        for key, value in prices.items():
            settings[f"price_{key}"] = self._setting(f"price_{key}", value, (*at, "prices", key))
        endpoints = table.get("endpoint", [])
        endpoints = [endpoints] if isinstance(endpoints, str) else endpoints
        if not isinstance(endpoints, list) or not all(isinstance(e, str) for e in endpoints):
            raise self._error("endpoint is not a name or a list of names", (*at, "endpoint"))
        model = table.get("model")
        if model is not None and not isinstance(model, str):
            raise self._error("model is not a text", (*at, "model"))
        return ModelPreset(name, tuple(endpoints), model, settings, self._source(at))

    def _setting(self, name: str, value: Any, at: tuple[str, ...]) -> Any:
        setting = SETTINGS.get(name)
        if setting is None:
            raise self._unknown(name, SETTINGS, at)
        try:
            return setting.check(value)
        except ValueError as error:
            raise self._error(f"{name}: {error}", at) from None

    def _tables(self, data: dict[str, Any], name: str) -> dict[str, dict[str, Any]]:
        outer = self._table(data.get(name, {}), (name,))
        return {key: self._table(value, (name, key)) for key, value in outer.items()}

    def _table(self, value: Any, at: tuple[str, ...]) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self._error(f"{'.'.join(at)} is not a table", at, f"write [{'.'.join(at)}]")
        return value

    def _only(self, table: dict[str, Any], known: Iterable[str], at: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                raise self._unknown(key, known, (*at, key))

    def _unknown(self, key: str, known: Iterable[str], at: tuple[str, ...]) -> ConfigError:
        return self._error(f"unknown key {'.'.join(at)!r}", at, known_words(key, known))

    def _error(self, what: str, at: tuple[str, ...], remedy: str | None = None) -> ConfigError:
        return ConfigError(what, where=self.file.where(at), remedy=remedy)
