"""Finding and reading ``proctor.toml``: endpoints, models, defaults; unknown keys are refused."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from harness.config.settings import SAMPLING, SETTINGS
from harness.errors import ConfigError

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
    """What the files say. ``defaults``: (source, values) in falling precedence."""

    endpoints: Mapping[str, Endpoint] = field(default_factory=dict)
    models: Mapping[str, ModelPreset] = field(default_factory=dict)
    defaults: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    files: tuple[Path, ...] = ()


def load_config(start: Path | None = None, *, user_file: Path | None = None) -> Config:
    """Read the project's file (``start`` or the nearest folder above it) and the user's.

    Raises ConfigError naming file and line.
    """
    found = [("project", path) for path in [_project_file(start or Path.cwd())] if path]
    user = user_file or user_config_file()
    if user.is_file() and all(not user.samefile(path) for _, path in found):
        found.append(("user", user))
    parts = [_read(kind, path) for kind, path in found]
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
                    remedy=_known(name, endpoints) or "add it under [endpoints]",
                )
    return Config(
        endpoints, models, tuple(d for p in parts for d in p.defaults), tuple(p for _, p in found)
    )


def user_config_file() -> Path:
    """Where the user's own file lies."""
    import platformdirs

    return Path(platformdirs.user_config_dir("proctor")) / FILE_NAME


def _project_file(start: Path) -> Path | None:
    here = start.resolve()
    for folder in (here, *here.parents):
        path = folder / FILE_NAME
        if path.is_file():
            return path
    return None


def _read(kind: str, path: Path) -> Config:
    try:
        text = path.read_bytes().decode("utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise ConfigError(
            f"cannot be read: {error.strerror}", where=str(path), remedy="check its permissions"
        ) from None
    except UnicodeDecodeError as error:
        raise ConfigError("is not UTF-8", where=f"{path}, byte {error.start}") from None
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        where = f"{path}:{line.group(1)}" if line else f"{path}, at its end"
        what = re.sub(r"\s*\(at .*\)$", "", str(error))
        raise ConfigError(
            f"is not valid TOML: {what}", where=where, remedy="mend that line"
        ) from None
    return _Reader(kind, path, text).config(data)


class _Reader:
    """Checks one file's tables; ``where`` finds the line that a key stands on."""

    def __init__(self, kind: str, path: Path, text: str) -> None:
        self.path = path
        self.lines = text.splitlines()
        self.source = f"{kind} {path}"

    def config(self, data: dict[str, Any]) -> Config:
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
        return Config(endpoints, models, ((self.source, values),), (self.path,))

    def _endpoint(self, name: str, table: dict[str, Any]) -> Endpoint:
        at = ("endpoints", name)
        self._only(table, ("url", "api_key_env"), at)
        url = table.get("url")
        if not isinstance(url, str):
            raise self._error(f"endpoint {name!r} has no url", at, 'add url = "http://..."')
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
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
        return Endpoint(name, url, key, self.source)

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
        return ModelPreset(name, tuple(endpoints), model, settings, self.source)

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
        return self._error(f"unknown key {'.'.join(at)!r}", at, _known(key, known))

    def _error(self, what: str, at: tuple[str, ...], remedy: str | None = None) -> ConfigError:
        line = self._line(at)
        return ConfigError(
            what, where=f"{self.path}:{line}" if line else str(self.path), remedy=remedy
        )

    def _line(self, at: tuple[str, ...]) -> int | None:
        """Line of a dotted key: its table's header, then the key below it; a plain scan, for TOML
        parsers do not keep positions."""
        table: tuple[str, ...] = ()
        best: int | None = None
        for number, text in enumerate(self.lines, 1):
            header = re.match(r"\s*\[+\s*([^\]]+?)\s*\]", text)
            if header:
                table = _dotted(header.group(1))
                if table == at[: len(table)] and len(table) <= len(at):
                    best = number
                continue
            key = re.match(r"\s*([\w.\"'-]+)\s*=", text)
            if key and (full := table + _dotted(key.group(1))) == at[: len(full)]:
                best = number
                if full == at:
                    return number
        return best


def _dotted(text: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in text.split("."))


def _known(word: str, known: Iterable[str]) -> str | None:
    names = list(known)
    near = difflib.get_close_matches(word, names, 1, 0.6)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"known: {', '.join(sorted(names))}" if names else None
