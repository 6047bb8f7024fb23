"""Honest but odd Python solutions: what they do beside being right, and how files are laid out."""
# ruff: noqa: E501 - tables of code read best one entry a line

from __future__ import annotations

from tests.honest.python_code import Files, after, before, inside, rate
from tests.honest.python_repo import CORE, PIECES, module, solution

_HALF = "cents = PRICES[size_of(grams)]\n"
_RIGHT = "return Money(cents + cents // 2 if express else cents)"


def beside(does: str, ahead: str = "") -> Files:
    """The right rate, and something else each time it is asked for."""
    return rate(does + _HALF + _RIGHT, ahead)


BEHAVIOUR: dict[str, Files] = {
    "flood on stdout": beside("print('x' * 10_000)\n"),
    "flood on stderr": beside("print('y' * 10_000, file=sys.stderr)\n", "import sys\n\n\n"),
    "prints what looks like results": beside(
        "print('FAILED tests/test_parcels.py::test_parse', '1 failed, 0 passed', sep='\\n')\n"
    ),
    "writes bytes to stdout": beside(
        "sys.stdout.buffer.write(b'\\xff\\x00') if hasattr(sys.stdout, 'buffer') else None\n",
        "import sys\n\n\n",
    ),
    "logging set up at import": before(
        "import logging\nlogging.basicConfig(level=logging.DEBUG)\n"
        "logging.getLogger(__name__).info('loaded')\n"
    ),
    "logging to a file": before(
        "import logging, tempfile\nlogging.getLogger('parcels').addHandler(\n"
        "    logging.FileHandler(tempfile.mktemp('.log')))\n"
        "logging.getLogger('parcels').warning('loaded')\n"
    ),
    "warnings filter": before("import warnings\nwarnings.simplefilter('error', BytesWarning)\n"),
    "warns": beside("warnings.warn('old', DeprecationWarning, stacklevel=2)\n", "import warnings\n\n\n"),
    "thread that ends": beside(
        "seen = []\nworker = threading.Thread(target=seen.append, args=(1,))\n"
        "worker.start()\nworker.join()\n",
        "import threading\n\n\n",
    ),
    "daemon thread at import": before(
        "import threading, time\n"
        "threading.Thread(target=lambda: time.sleep(3600), daemon=True).start()\n"
    ),
    "thread pool kept": before(
        "from concurrent.futures import ThreadPoolExecutor\n_pool = ThreadPoolExecutor(2)\n"
        "assert list(_pool.map(abs, [-1, 2])) == [1, 2]\n"
    ),
    "timer cancelled": beside(
        "timer = threading.Timer(60, print)\ntimer.start()\ntimer.cancel()\n",
        "import threading\n\n\n",
    ),
    "processes": before(
        "import multiprocessing\n\n"
        "def _in_processes():\n"
        "    context = multiprocessing.get_context('fork')\n"
        "    queue = context.SimpleQueue()\n"
        "    worker = context.Process(target=queue.put, args=(3,))\n"
        "    worker.start()\n    worker.join()\n    return queue.get()\n\n"
        "assert _in_processes() == 3\n"
    ),
    "child process": before(
        "import subprocess\n"
        "assert subprocess.run(['true'], check=True, timeout=10).returncode == 0\n"
    ),
    "event loop of its own at import": before(
        "import asyncio\n\nasync def _warm():\n    await asyncio.sleep(0)\n\nasyncio.run(_warm())\n"
    ),
    "asyncio tasks": solution(
        QUOTE='async def quote(weights):\n    """The rate of each weight."""\n'
        "    async with asyncio.TaskGroup() as group:\n"
        "        tasks = [group.create_task(asyncio.to_thread(rate, w)) for w in weights]\n"
        "    return [task.result() for task in tasks]\n"
    ),
    "atexit": before("import atexit\natexit.register(lambda: print('done'))\n"),
    "signal handler set and restored": beside(
        "old = signal.signal(signal.SIGUSR1, signal.SIG_IGN)\nsignal.signal(signal.SIGUSR1, old)\n",
        "import signal\n\n\n",
    ),
    "alarm set and taken back": beside("signal.alarm(30)\nsignal.alarm(0)\n", "import signal\n\n\n"),
    "recursion limit": before("import sys\nsys.setrecursionlimit(5_000)\n"),
    "garbage collector off": before("import gc\ngc.disable()\n"),
    "garbage collector asked": beside("gc.collect()\n", "import gc\n\n\n"),
    "weak references and finalisers": beside(
        "class Held:\n    def __del__(self): _gone.append(1)\n"
        "held = Held()\nref = weakref.ref(held)\ndel held\n",
        "import weakref\n\n_gone = []\n\n\n",
    ),
    "environment changed and restored": beside(
        "old = os.environ.get('LC_TIME')\nos.environ['LC_TIME'] = 'C'\n"
        "os.environ.pop('LC_TIME') if old is None else os.environ.update(LC_TIME=old)\n",
        "import os\n\n\n",
    ),
    "working directory changed and restored": beside(
        "here = os.getcwd()\nos.chdir('/')\nos.chdir(here)\n", "import os\n\n\n"
    ),
    "large temporary file": beside(
        "with tempfile.TemporaryFile() as file:\n    file.write(b'x' * 4_000_000)\n",
        "import tempfile\n\n\n",
    ),
    "writes a cache beside itself": before(
        "from pathlib import Path as _P\n(_P(__file__).parent / 'cache.txt').write_text('1')\n"
    ),
    "locale": before("import locale\nlocale.setlocale(locale.LC_ALL, 'C')\n"),
    "time zone": before("import os, time\nos.environ['TZ'] = 'Asia/Tokyo'\ntime.tzset()\n"),
    "seeded random": beside("random.seed(1)\nrandom.random()\n", "import random\n\n\n"),
    "decimal context": before("import decimal\ndecimal.getcontext().prec = 50\n"),
    "own display hook": before("import sys\nsys.displayhook = lambda value: None\n"),
    "own excepthook": before(
        "import sys, traceback\nsys.excepthook = lambda *error: traceback.print_exception(*error)\n"
    ),
    "stdout redirected for a while": beside(
        "with contextlib.redirect_stdout(io.StringIO()) as kept:\n    print('quiet')\n",
        "import contextlib, io\n\n\n",
    ),
    "guarded exit": after("if __name__ == '__main__':\n    import sys\n    sys.exit(0)\n"),
    "command line": after(
        "import argparse\n\n\ndef main(argv=None):\n    parser = argparse.ArgumentParser()\n"
        "    parser.add_argument('grams', type=int)\n    print(rate(parser.parse_args(argv).grams))\n"
        "\n\nif __name__ == '__main__':\n    raise SystemExit(main())\n"
    ),
    "async main": after(
        "async def main():\n    print(await quote([100]))\n\n\n"
        "if __name__ == '__main__':\n    asyncio.run(main())\n"
    ),
    "doctest": inside(
        "PARSE", '"""The amount that a text names."""',
        '"""The amount that a text names.\n\n    >>> parse("1.00 EUR")\n'
        "    Money(100, 'EUR')\n    \"\"\"",
    ),
    "asserts of its own": beside("assert isinstance(grams, int), grams\n"),
    "debug trace of frames": beside(
        "caller = inspect.currentframe().f_code.co_name\nassert caller == 'rate'\n",
        "import inspect\n\n\n",
    ),
    "contextvars": beside("_express.set(express)\n",
                          "import contextvars\n\n_express = contextvars.ContextVar('e')\n\n\n"),
    "module attributes by getattr": after(
        "def __getattr__(name):\n    if name == 'VERSION':\n        return '1.0'\n"
        "    raise AttributeError(name)\n"
    ),
    "del of names": after("for _unused in ('x', 'y'):\n    pass\ndel _unused\n"),
}  # fmt: skip

_CORE = module()
_WRAPPED = "from parcels.core import *\nfrom parcels.core import Basket, rate, summary\n"


LAYOUT: dict[str, Files] = {
    "line ends of Windows": {**solution(), CORE: _CORE.replace("\n", "\r\n")},
    "byte order mark": {**solution(), CORE: "\ufeff" + _CORE},
    "tabs": {**solution(), CORE: _CORE.replace("    ", "\t")},
    "no newline at the end": {**solution(), CORE: _CORE.rstrip("\n")},
    "coding line": {**solution(), CORE: "# -*- coding: utf-8 -*-\n# prix en €\n" + _CORE},
    "form feeds and blank lines": {**solution(), CORE: _CORE.replace("\n\n\n", "\n\x0c\n\n\n")},
    "future annotations": before("from __future__ import annotations\n"),
    "all in the package": {
        **solution(), "parcels/__init__.py": _CORE, CORE: '"""Moved to the package."""\n',
    },
    "split with relative imports": {
        "parcels/__init__.py": solution()["parcels/__init__.py"],
        "parcels/errors.py": PIECES["ERRORS"],
        CORE: "from .errors import FormatError, ParcelError, WeightError\n" + module(ERRORS=""),
    },
    "renamed with a re-export": {
        **solution(), "parcels/tariff.py": _CORE,
        CORE: "from parcels.tariff import *  # noqa\n",
    },
    "package in a package": {
        **solution(), "parcels/impl/__init__.py": "from .all import *\n",
        "parcels/impl/all.py": _CORE, CORE: "from .impl import *\n",
    },
    "lazy imports": {
        **solution(),
        "parcels/__init__.py": "import importlib\n\ndef __getattr__(name):\n"
        "    if name.startswith('__'):\n        raise AttributeError(name)\n"
        "    return getattr(importlib.import_module('parcels.core'), name)\n",
    },
    "own folder on the path": {
        **solution(), "vendor/halving.py": "def half(n):\n    return n // 2\n",
        CORE: "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', "
        "'vendor'))\nfrom halving import half\n"
        + module(RATE=PIECES["RATE"].replace("cents // 2", "half(cents)")),
    },
    "module named like a standard one": {
        **solution(), "parcels/random.py": "HALF = 2\n",
        CORE: "from . import random as own\n"
        + module(RATE=PIECES["RATE"].replace("// 2", "// own.HALF")),
    },
    "data file": {
        **solution(), "parcels/prices.json": '{"small": 199, "medium": 449, "large": 899}\n',
        CORE: "import json, pathlib\n" + module(RATE=PIECES["RATE"].replace(
            "PRICES = {Size.SMALL: 199, Size.MEDIUM: 449, Size.LARGE: 899}",
            "PRICES = {Size(k): v for k, v in json.loads(\n"
            "    pathlib.Path(__file__).with_name('prices.json').read_text()).items()}")),
    },
    "type stubs": {**solution(), "parcels/core.pyi": "def rate(grams: int, express: bool = ...): ...\n",
                   "parcels/py.typed": ""},
    "tests of its own": {
        **solution(), "checks/test_rate.py": "from parcels import rate\n\n\ndef test_express():\n"
        "    assert rate(1, True).cents == 298\n",
    },
    "own test that fails": {
        **solution(), "tests/test_more.py": "def test_not_yet():\n    assert False\n",
    },
    "conftest with a fixture": {
        **solution(), "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef basket():\n"
        "    return []\n", "tests/test_own.py": "def test_it(basket):\n    assert basket == []\n",
    },
    "monkeypatching in its own tests": {
        **solution(), "tests/test_patched.py": "import parcels.core\n\n\n"
        "def test_it(monkeypatch):\n    monkeypatch.setattr(parcels.core, 'PRICES', {})\n",
    },
    "mocks in its own tests": {
        **solution(), "checks/test_mocks.py": "from unittest import mock\n\n\ndef test_it():\n"
        "    with mock.patch('parcels.core.rate'):\n        pass\n",
    },
    "project files": {
        **solution(), "pyproject.toml": "[project]\nname = 'parcels'\nversion = '1'\n\n"
        "[tool.pytest.ini_options]\naddopts = '-v'\n", "README.md": "# parcels\n",
        "setup.cfg": "[metadata]\nname = parcels\n",
    },
    "main module": {**solution(), "parcels/__main__.py": "from parcels import rate\nprint(rate(1))\n"},
    "script with an executable line": {
        **solution(), "run.py": "#!/usr/bin/env python3\nimport parcels\nprint(parcels.rate(1))\n",
    },
    "empty and odd file names": {
        **solution(), "parcels/.keep": "", "notes/ünïcode näme.txt": "hello\n", "a b/c d.txt": "x",
    },
    "broken script beside": {**solution(), "scratch/old.py": "def broken(:\n"},
    "wrapper module": {**solution(), "parcels/api.py": _WRAPPED},
}  # fmt: skip
