"""The first frame to a box: what it is to be."""

from __future__ import annotations

from typing import Any

from harness.sandbox.protocol import BoxSpec
from harness.sandbox.toolchain import lint_fields


def hello_fields(confinement: str, spec: BoxSpec) -> dict[str, Any]:
    """Confinement (``uid`` or ``namespaces``), limits, and what the tools need."""
    return {
        "confinement": confinement,
        "limits": spec.limits.model_dump(),
        "tool_protocol": spec.tool_protocol,
        "lint": lint_fields(spec.language),
        "processor": spec.processor,
    }
