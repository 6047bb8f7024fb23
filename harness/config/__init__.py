"""``proctor.toml``, the environment and the flags: what was chosen, and where each value came from.

Precedence: flag, environment, the chosen model's preset, project file, user file, default.
"""

from harness.config.files import Config, Endpoint, ModelPreset, load_config
from harness.config.resolve import Resolved, Value, resolve
from harness.config.settings import SETTINGS, Setting

__all__ = [
    "SETTINGS",
    "Config",
    "Endpoint",
    "ModelPreset",
    "Resolved",
    "Setting",
    "Value",
    "load_config",
    "resolve",
]
