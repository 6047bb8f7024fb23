"""One value for each setting, with the place it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.config.files import Config, Endpoint, ModelPreset
from harness.config.settings import SETTINGS
from harness.errors import ConfigError, UsageError
from harness.words import known_words


@dataclass(frozen=True)
class Value:
    """A value and where it came from (``flag --epochs``, ``environment PROCTOR_EPOCHS``, ...)."""

    value: Any
    source: str


@dataclass(frozen=True)
class Resolved:
    """All settings, the preset that the model's name stands for, the endpoints to use; models:
    names of all presets."""

    values: Mapping[str, Value]
    preset: ModelPreset | None
    endpoints: tuple[Endpoint, ...]
    models: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self.values[name].value

    @property
    def sources(self) -> dict[str, str]:
        """Where each value that is not a default came from."""
        return {k: v.source for k, v in self.values.items() if v.source != "default"}

    @property
    def prices(self) -> dict[str, float] | None:
        """Prices per million tokens, None when none is known."""
        found = {
            kind: self[f"price_{kind}"]
            for kind in ("prompt", "cached", "completion")
            if self[f"price_{kind}"] is not None
        }
        return found or None


def resolve(flags: Mapping[str, Any], environ: Mapping[str, str], config: Config) -> Resolved:
    """Choose each setting's value: flag, environment, model preset, project, user, default.

    ``flags`` holds None for what was not given. Raises UsageError and ConfigError.
    """
    chosen = _first("model", flags, environ, config, None)
    preset = config.models.get(chosen.value) if isinstance(chosen.value, str) else None
    values = {name: _first(name, flags, environ, config, preset) for name in SETTINGS}
    return Resolved(values, preset, _endpoints(values, preset, config), tuple(config.models))


def _first(
    name: str,
    flags: Mapping[str, Any],
    environ: Mapping[str, str],
    config: Config,
    preset: ModelPreset | None,
) -> Value:
    setting = SETTINGS[name]
    given = flags.get(name)
    if given is not None and given != ():
        given = list(given) if isinstance(given, tuple) else given
        try:
            return Value(
                setting.from_text(given)
                if setting.kind == "object" and isinstance(given, str)
                else setting.check(given),
                f"flag {setting.flag}",
            )
        except ValueError as error:
            raise UsageError(f"{setting.flag}: {error}") from None
    text = environ.get(setting.variable)
    if text:
        try:
            return Value(setting.from_text(text), f"environment {setting.variable}")
        except ValueError as error:
            raise ConfigError(
                str(error), where=f"environment variable {setting.variable}", remedy="correct it"
            ) from None
    if preset is not None and name in preset.settings:
        return Value(preset.settings[name], f"model {preset.name} in {preset.source}")
    for sources, values in config.defaults:
        if name in values:
            return Value(values[name], sources[name])
    return Value(setting.default, "default")


def _endpoints(
    values: Mapping[str, Value], preset: ModelPreset | None, config: Config
) -> tuple[Endpoint, ...]:
    """A URL by flag or variable beats the preset's endpoints, which beat URLs in files.

    A value of ``base_url`` may be the name of an endpoint.
    """
    urls, key = values["base_url"], values["api_key_env"]
    explicit = urls.source.startswith(("flag", "environment"))
    if preset is not None and preset.endpoints and not explicit:
        return tuple(config.endpoints[name] for name in preset.endpoints)
    found: list[Endpoint] = []
    for url in urls.value or ():
        named = config.endpoints.get(url)
        if named is None and "://" not in url:
            near = known_words(url, config.endpoints) or ""
            raise UsageError(
                f"{url!r} is neither a URL nor an endpoint of proctor.toml",
                where=urls.source,
                remedy=near if near.startswith("did") else f"write http://{url}",
            )
        found.append(named or Endpoint(url, url, None, urls.source))
    if not found and len(config.endpoints) == 1:
        found = list(config.endpoints.values())
    if key.value is not None:
        found = [Endpoint(e.name, e.url, key.value, e.source) for e in found]
    return tuple(found)
