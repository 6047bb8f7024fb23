"""Options of a command made from the table of settings, so that names and help agree everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from harness.config.settings import SETTINGS, Setting

F = TypeVar("F", bound=Callable[..., Any])

_TYPES: dict[str, Any] = {"text": str, "integer": int, "number": float, "list": str, "object": str}
_METAVARS = {
    "base_url": "URL",
    "system_prompt": "FILE",
    "data": "PATH",
    "protocol": "NAME",
    "split": "NAME",
    "variant": "NAME",
    "subjects": "A,B,...",
    "redux": "FILE",
    "out": "DIR",
    "extra_body": "JSON",
    "api_key_env": "NAME",
    "fail_under": "X",
}


def setting_options(names: Iterable[str] = SETTINGS) -> Callable[[F], F]:
    """Add an option for each setting; what is not given is None (or an empty tuple)."""

    def decorate(function: F) -> F:
        for name in reversed(list(names)):
            function = _option(SETTINGS[name])(function)
        return function

    return decorate


def _option(setting: Setting) -> Callable[[F], F]:
    shown = f" [default: {setting.default}]" if setting.default is not None else ""
    return click.option(
        setting.flag,
        setting.name,
        type=click.Choice(setting.choices) if setting.choices else _TYPES[setting.kind],
        multiple=setting.kind == "list",
        default=None,
        metavar=_METAVARS.get(setting.name),
        help=setting.help + shown,
    )
