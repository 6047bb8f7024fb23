"""The child process that serves the local model: ``python -P -m harness.models.local_server``.

Reads one JSON line of settings from stdin, writes one JSON line with its address to stdout, and
ends when stdin closes, so that it cannot outlive the process that started it.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from typing import Any

_PR_SET_PDEATHSIG = 1


def serve() -> None:
    """Load the model, listen on a free loopback port and wait for the end of stdin."""
    _die_with_parent()
    settings = json.loads(sys.stdin.buffer.readline())
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the library prints goes to stderr, stdout carries the address only
    import xllamacpp

    params: Any = xllamacpp.CommonParams()
    params.model.path = settings["model"]
    params.model_alias = [settings["alias"]]
    params.n_ctx = settings["context"] * settings["slots"]
    params.n_parallel = settings["slots"]
    params.kv_unified = False  # one slot's context is then its own
    params.cpuparams.n_threads = settings["threads"]
    params.cpuparams_batch.n_threads = settings["threads"]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.use_jinja = True
    params.ui = False
    params.offline = True
    params.warmup = True
    server = xllamacpp.Server(params)
    answers.write(json.dumps({"url": server.listening_address}) + "\n")
    answers.flush()
    while sys.stdin.buffer.read(4096):
        pass
    os._exit(0)  # a reply under way would keep the library's destructor waiting


def _die_with_parent() -> None:
    """Be killed with the parent where the kernel can do that (Linux); the closed stdin serves
    everywhere else."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the runner's to handle
    if sys.platform == "linux":
        parent = os.getppid()
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(0)


if __name__ == "__main__":
    serve()
