"""The process that runs the model's tools, under the child's uid, for as long as the box lasts."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import asdict
from typing import Any

from tools.wire import encode

SOCKET_FD = 5


def serve(root: str, protocol: str, lint: dict[str, Any]) -> int:
    """Answer calls on descriptor 5 until it closes: JSON lines in, frames out."""
    from tools.dispatch import LintConfig, ToolHost

    os.makedirs(root, exist_ok=True)
    os.chdir(root)
    host = ToolHost(root, protocol, lint_command=LintConfig(**lint) if lint else None)
    with socket.socket(fileno=SOCKET_FD) as sock, sock.makefile("rb") as requests:
        for line in requests:
            request = json.loads(line)
            outcome = host.call(request["name"], request["arguments"])
            header, payload = describe(outcome)
            sock.sendall(encode({"id": request["id"], "ok": True, **header}, payload))
    return 0


def describe(outcome: Any) -> tuple[dict[str, Any], bytes]:
    """A tool's outcome as a header and the contents of the files it changed, one after another."""
    deltas, contents = [], []
    for delta in outcome.delta:
        fields = asdict(delta)
        content = fields.pop("content", None)
        deltas.append({**fields, "size": None if content is None else len(content)})
        contents.append(content or b"")
    header = {
        "text": outcome.text,
        "is_error": outcome.is_error,
        "path_refused": outcome.path_refused,
        "finished": outcome.finished,
        "internal": outcome.internal,
        "lint_findings": outcome.lint_findings,
        "delta": deltas,
    }
    return header, b"".join(contents)
