"""Type checks trees sent as JSON lines; run as `python -I -P -c SOURCE CACHE TARGET SECONDS`.

Runs inside the toolchain's interpreter, apart from the tools, which send its source. mypy is
imported once; each check is a fork, so that none leaves a trace in the next. The files come as
text and are never cached (mypy's cache takes a file with the same size and second for unchanged);
the standard library's stubs are.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import json
import os
import re
import signal
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:  # imported where used: the package itself needs only the standard library
    from mypy.options import Options

MAX_FINDINGS = 5_000
RETRIES = 5  # a file that stops mypy altogether is left out and the rest tried again
LINE = re.compile(r"(.+?):(\d+):(?:(\d+):)? (error|note|warning): (.*)", re.DOTALL)
# The bundled stubs would break if the tree's file took the place of one of these
RESERVED = sys.stdlib_module_names | {"typing_extensions", "_typeshed", "mypy_extensions"}
SEED = """
import abc, argparse, array, ast, asyncio, base64, bisect, builtins, calendar, collections.abc
import concurrent.futures, configparser, contextlib, contextvars, copy, csv, dataclasses, datetime
import decimal, difflib, email, enum, errno, fnmatch, fractions, functools, glob, gzip, hashlib
import heapq, hmac, html, http.client, http.server, importlib.metadata, importlib.resources
import inspect, io, ipaddress, itertools, json, keyword, linecache, locale, logging.handlers, math
import mimetypes, multiprocessing, numbers, operator, os.path, pathlib, pickle, platform, pprint
import queue, random, re, secrets, select, selectors, shelve, shlex, shutil, signal, socket
import sqlite3, ssl, stat, statistics, string, struct, subprocess, sys, tempfile, textwrap
import threading, time, timeit, tokenize, tomllib, traceback, types, typing, typing_extensions
import unicodedata, unittest.mock, urllib.parse, urllib.request, uuid, warnings, weakref
import xml.etree.ElementTree, zipfile, zlib, zoneinfo
"""


def options(cache: str, target: str) -> Options:
    """Our own choice; no configuration file is read."""
    from mypy.options import Options

    chosen = Options()
    major, minor = target.split(".")
    chosen.python_version = (int(major), int(minor))
    chosen.python_executable = None  # installed packages are not looked at
    chosen.cache_dir = cache
    chosen.sqlite_cache = False  # SQLite refuses a folder that cannot be written to
    chosen.skip_cache_mtime_checks = True  # a toolchain is copied, which changes its times
    chosen.sqlite_cache = False  # a database cannot be opened where the cache is read-only
    chosen.ignore_missing_imports = True
    chosen.fast_module_lookup = True  # modules are found among the files sent, not on a disk
    chosen.namespace_packages = True
    chosen.show_column_numbers = True
    chosen.error_summary = False
    chosen.show_traceback = False
    return chosen


def modules(files: dict[str, str]) -> dict[str, str]:
    """A module name, never given twice, for each path; below src/ names begin after it."""
    names: dict[str, str] = {}
    for path in sorted(files, key=lambda p: (p.startswith("src/"), not p.endswith(".pyi"), p)):
        parts = [part.replace(".", "_") for part in path.rpartition(".")[0].split("/")]
        if parts[0] == "src" and len(parts) > 1 and "src/__init__.py" not in files:
            parts = parts[1:]
        if parts[-1] == "__init__" and len(parts) > 1:
            parts.pop()
        if parts[0] in RESERVED:
            parts[0] += "__in_tree"
        name = ".".join(parts)
        while name in names:
            name += "__again"
        names[name] = path
    return {path: name for name, path in names.items()}


def parses(path: str, text: str) -> bool:
    """Whether mypy may see the file: one with a syntax error, which ruff tells, would stop it."""
    try:
        compile(text, path, "exec", ast.PyCF_ONLY_AST)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False
    return True


def check(files: dict[str, str], chosen: Options, careful: bool = False) -> dict[str, Any]:
    """Findings as [path, line, column, text, is_note]; `failed` when mypy gave up.

    `unparsed` names files left out because Python cannot parse them; they are looked for when
    asked to be careful, or when something stops mypy.
    """
    from mypy.build import build
    from mypy.errors import CompileError
    from mypy.modulefinder import BuildSource

    findings: list[tuple[str, int, int, str, bool]] = []
    names = modules(files)
    left = set(files)
    unparsed: list[str] = []
    failed = True
    for attempt in range(RETRIES):
        if careful and not unparsed:
            unparsed = sorted(path for path in left if not parses(path, files[path]))
            left -= set(unparsed)
        sources = [BuildSource(path, names[path], files[path]) for path in sorted(left)]
        try:
            lines = build(sources, chosen).errors if sources else []
        except CompileError as error:
            if attempt == 0 and not careful:
                careful = True
                continue
            stopping = [found for line in error.messages if (found := parse(line))]
            findings += stopping
            blamed = {found[0] for found in stopping} & left
            if not blamed:
                break
            left -= blamed
            continue
        findings += [found for line in lines if (found := parse(line))]
        failed = False
        break
    return {"findings": findings[:MAX_FINDINGS], "failed": failed, "unparsed": unparsed}


def parse(line: str) -> tuple[str, int, int, str, bool] | None:
    """One line of mypy's report, None for those that name no place."""
    match = LINE.fullmatch(line)
    if match is None:
        return None
    path, number, column, severity, message = match.groups()
    return path, int(number), int(column or 0), f"{severity}: {message}", severity == "note"


class Spare:
    """A child that waits for one question, forked ahead so that a check does not wait for it."""

    def __init__(self, chosen: Options, seconds: float) -> None:
        asked, self._question = os.pipe()
        self._answer, answering = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._question)
            os.close(self._answer)
            serve_once(asked, answering, chosen, seconds)
        os.close(asked)
        os.close(answering)

    def ask(self, line: bytes) -> bytes:
        """The answer line; one that says `failed` when the child dies over it."""
        with contextlib.suppress(BrokenPipeError), open(self._question, "wb") as pipe:
            pipe.write(line)
        with open(self._answer, "rb") as pipe:
            answer = pipe.readline()
        return answer if answer.endswith(b"\n") else b'{"findings": [], "failed": true}\n'

    def reap(self) -> None:
        """Wait for the child's end."""
        os.waitpid(self._pid, 0)


def serve_once(asked: int, answering: int, chosen: Options, seconds: float) -> NoReturn:
    """The child's life: read, check, answer, end without any cleanup."""
    try:
        with open(asked, "rb") as pipe:
            line = pipe.readline()
        if line:
            signal.alarm(int(seconds) + 1)  # if nobody is left to stop it
            question = json.loads(line)
            files = {"seed.py": SEED} if question.get("seed") else question["files"]
            found = check(files, chosen, question.get("careful", False))
            answer = json.dumps(found).encode() + b"\n"
            with open(answering, "wb") as pipe:
                pipe.write(answer)
    finally:
        os._exit(0)


def main() -> None:
    """Answer until the other side is gone."""
    cache, target, seconds = sys.argv[1:4]
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)  # what mypy prints must not mix with the answers
    os.dup2(nowhere, 2)
    with contextlib.suppress(OSError):
        Path(cache).mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    chosen = options(cache, target)
    check({"warm.py": "import typing"}, chosen)  # what mypy does only once is done before forking
    gc.collect()
    gc.freeze()
    spare = Spare(chosen, float(seconds))
    for line in sys.stdin.buffer:
        answers.write(spare.ask(line))
        spare.reap()
        spare = Spare(chosen, float(seconds))


if __name__ == "__main__":
    main()
