"""Honest but odd answers to problems like HumanEval's and MBPP's: name -> problem and code."""
# ruff: noqa: E501 - tables of code read best one entry a line

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from harness.sandbox.protocol import MiB
from harness.suites.extract.code import extract_code
from harness.suites.judging import CodeJob, ExecLimits

LIMITS = ExecLimits(cpu_s=8.0, wall_s=40.0, memory=512 * MiB)


@dataclass(frozen=True)
class Problem:
    """A problem's checks; names are what they take from the answer."""

    names: tuple[str, ...]
    checks: tuple[str, ...]
    setup: str = ""


class Answer(NamedTuple):
    """An answer to the problem of that name."""

    problem: str
    code: str


PROBLEMS = {
    "evens": Problem(
        ("evens",),
        ("assert evens([1, 2, 3, 4]) == [2, 4]", "assert evens([]) == []",
         "assert evens([0, -2, 5]) == [0, -2]"),
    ),
    "tally": Problem(
        ("tally",),
        ("assert tally('aab') == {'a': 2, 'b': 1}", "assert tally('') == {}",
         "assert tally('é€é') == {'é': 2, '€': 1}"),
    ),
    "area": Problem(
        ("area",),
        ("assert area(2, 3) == 6", "assert abs(area(0.5, 0.5) - 0.25) < 1e-9",
         "assert area(10 ** 30, 10) == 10 ** 31", "assert math.isclose(area(1.5, 2), 3)"),
        "import math\n",
    ),
    "shout": Problem(
        ("shout",),
        ("assert shout('ab') == 'AB!'", "assert shout('') == '!'", "assert len(shout('x')) == 2",
         "assert shout('ß').startswith('SS')"),
    ),
    "ends": Problem(
        ("ends",),
        ("assert ends([3, 1, 2]) == (3, 2)", "assert ends('xy') == ('x', 'y')",
         "assert ends([5])[0] == 5"),
    ),
    "arrange": Problem(
        ("arrange",),
        ("check(arrange)",),
        "def check(candidate):\n    a = [3, 1, 2]\n    candidate(a)\n    assert a == [1, 2, 3]\n"
        "    b = []\n    candidate(b)\n    assert b == []\n",
    ),
    "share": Problem(
        ("share",),
        ("assert share(6, 3) == 2", "check(share)"),
        "def check(candidate):\n    try:\n        candidate(1, 0)\n"
        "    except ValueError:\n        pass\n    else:\n        assert False\n",
    ),
    "steps": Problem(
        ("steps",),
        ("assert list(steps(3)) == [0, 1, 2]", "assert sum(steps(4)) == 6",
         "assert [x for x in steps(0)] == []"),
    ),
    "prime": Problem(
        ("prime",),
        ("assert prime(7) == True", "assert not prime(8)", "assert prime(2) is True or prime(2)",
         "assert [n for n in range(12) if prime(n)] == [2, 3, 5, 7, 11]"),
    ),
    "depth": Problem(
        ("depth",),
        ("assert depth(400) == 400", "assert depth(0) == 0"),
    ),
}  # fmt: skip
_EVENS = "def evens(numbers):\n    return [n for n in numbers if n % 2 == 0]\n"
_TALLY = "def tally(text):\n    return {c: text.count(c) for c in text}\n"
_AREA = "def area(w, h):\n    return w * h\n"
_SHOUT = "def shout(text):\n    return text.upper() + '!'\n"
_ENDS = "def ends(values):\n    return values[0], values[-1]\n"
_PRIME = "def prime(n):\n    return n > 1 and all(n % d for d in range(2, n))\n"
_SHARE = "def share(a, b):\n    if b == 0:\n        raise ValueError(b)\n    return a // b\n"


def evens(code: str) -> Answer:
    """Something else, and the plain answer."""
    return Answer("evens", code + _EVENS)


def tally(value: str, ahead: str = "") -> Answer:
    """The right counts in another kind of mapping: ``value`` made of ``found``."""
    return Answer(
        "tally",
        f"{ahead}def tally(text):\n    found = {{c: text.count(c) for c in text}}\n"
        f"    return {value}\n",
    )


def area(value: str, ahead: str = "") -> Answer:
    """The right product as another kind of number."""
    return Answer("area", f"{ahead}def area(w, h):\n    product = w * h\n    return {value}\n")


VALUES: dict[str, Answer] = {
    "list subclass": Answer("evens", "class Evens(list):\n    pass\n\n" + _EVENS.replace(
        "return [n for n in numbers if n % 2 == 0]", "return Evens(n for n in numbers if not n % 2)"
    )),
    "user list": Answer("evens", "from collections import UserList\n" + _EVENS.replace(
        "return [", "return UserList([").replace("== 0]", "== 0])")),
    "true and false for 1 and 0": area("int(product) * True if product == 6 else product"),
    "ordered dict": tally("OrderedDict(found)", "from collections import OrderedDict\n"),
    "counter": tally("Counter(text)", "from collections import Counter\n"),
    "defaultdict of a lambda": tally(
        "defaultdict(lambda: 0, found)", "from collections import defaultdict\n"
    ),
    "dict subclass with missing": tally(
        "Zero(found)",
        "class Zero(dict):\n    def __missing__(self, key):\n        return 0\n\n",
    ),
    "mapping proxy": tally("MappingProxyType(found)", "from types import MappingProxyType\n"),
    "chain map": tally("ChainMap({}, found)", "from collections import ChainMap\n"),
    "user dict": tally("UserDict(found)", "from collections import UserDict\n"),
    "fraction": area("Fraction(product)", "from fractions import Fraction\n"),
    "complex": area("complex(product) if product == 6 else product"),
    "decimal where whole": area(
        "Decimal(product) if isinstance(product, int) else product", "from decimal import Decimal\n"
    ),
    "int subclass": area(
        "Metres(product) if isinstance(product, int) else product",
        "class Metres(int):\n    def __str__(self):\n        return f'{int(self)} m²'\n\n",
    ),
    "int enum": area(
        "A(6) if product == 6 else product", "import enum\nclass A(enum.IntEnum):\n    SIX = 6\n\n"
    ),
    "float subclass": area(
        "Float(product) if isinstance(product, float) else product",
        "class Float(float):\n    __slots__ = ()\n\n",
    ),
    "str subclass": Answer("shout", "class Text(str):\n    pass\n\ndef shout(t):\n"
                           "    return Text(t.upper() + '!')\n"),
    "string enum": Answer("shout", "import enum\nclass W(enum.StrEnum):\n    AB = 'AB!'\n\n"
                          "def shout(t):\n    return W.AB if t == 'ab' else t.upper() + '!'\n"),
    "user string": Answer("shout", "from collections import UserString\ndef shout(t):\n"
                          "    return UserString(t.upper() + '!')\n"),
    "named tuple": Answer("ends", "from collections import namedtuple\n"
                          "E = namedtuple('E', 'first last')\ndef ends(v):\n"
                          "    return E(v[0], v[-1])\n"),
    "typed named tuple": Answer("ends", "from typing import NamedTuple, Any\n"
                                "class E(NamedTuple):\n    first: Any\n    last: Any = None\n\n"
                                "    def both(self):\n        return self\n\ndef ends(v):\n"
                                "    return E(v[0], v[-1]).both()\n"),
    "tuple subclass": Answer("ends", "class E(tuple):\n    @property\n    def first(self):\n"
                             "        return self[0]\n\ndef ends(v):\n    return E((v[0], v[-1]))\n"),
    "generator": Answer("steps", "def steps(n):\n    at = 0\n    while at < n:\n        yield at\n"
                        "        at += 1\n"),
    "range": Answer("steps", "steps = range\n"),
    "map": Answer("steps", "def steps(n):\n    return map(int, range(n))\n"),
    "own iterator": Answer("steps", "class Steps:\n    def __init__(self, n):\n        self.n, self.a = n, -1\n"
                           "    def __iter__(self):\n        return self\n    def __next__(self):\n"
                           "        self.a += 1\n        if self.a >= self.n:\n"
                           "            raise StopIteration\n        return self.a\n\nsteps = Steps\n"),
    "own iterable": Answer("steps", "class Steps:\n    def __init__(self, n):\n        self.n = n\n"
                           "    def __iter__(self):\n        yield from range(self.n)\n\n"
                           "def steps(n):\n    return Steps(n)\n"),
    "dict views": Answer("steps", "def steps(n):\n    return dict.fromkeys(range(n)).keys()\n"),
    "deque": Answer("steps", "from collections import deque\ndef steps(n):\n"
                    "    return deque(range(n), maxlen=n or 1)\n"),
    "array": Answer("steps", "from array import array\ndef steps(n):\n"
                    "    return array('l', range(n))\n"),
    "memory view": Answer("steps", "def steps(n):\n    return memoryview(bytes(range(n)))\n"),
    "bytes": Answer("steps", "def steps(n):\n    return bytes(range(n))\n"),
    "set": Answer("steps", "def steps(n):\n    return set(range(n))\n"),
    "sorted in place": Answer("arrange", "def arrange(v):\n    v.sort()\n"),
    "slice assigned": Answer("arrange", "def arrange(v):\n    v[:] = sorted(v)\n    return v\n"),
    "bubble sort": Answer("arrange", "def arrange(v):\n    for i in range(len(v)):\n"
                          "        for j in range(len(v) - 1 - i):\n"
                          "            if v[j] > v[j + 1]:\n"
                          "                v[j], v[j + 1] = v[j + 1], v[j]\n"),
    "own error of a builtin kind": Answer("share", "class NoShare(ValueError):\n"
                                          "    def __init__(self, a, b):\n        self.both = a, b\n\n"
                                          "def share(a, b):\n    if not b:\n"
                                          "        raise NoShare(a, b)\n    return a // b\n"),
    "error raised from another": Answer("share", "def share(a, b):\n    try:\n        return a // b\n"
                                        "    except ZeroDivisionError as error:\n"
                                        "        raise ValueError('no') from error\n"),
    "unicode error": Answer("share", "def share(a, b):\n    if not b:\n"
                            "        raise UnicodeDecodeError('utf-8', b'x', 0, 1, 'no')\n"
                            "    return a // b\n"),
}  # fmt: skip

WRITING: dict[str, Answer] = {
    "lambda": Answer("evens", "evens = lambda numbers: list(filter(lambda n: not n & 1, numbers))\n"),
    "partial": Answer("area", "import functools, operator\narea = functools.partial(operator.mul)\n"),
    "builtin itself": Answer("area", "from operator import mul as area\n"),
    "callable object": Answer("area", "class Area:\n    def __call__(self, w, h):\n"
                              "        return w * h\n\narea = Area()\n"),
    "bound method": Answer("prime", "class Sieve:\n    def ask(self, n):\n"
                           "        return n > 1 and all(n % d for d in range(2, n))\n\n"
                           "prime = Sieve().ask\n"),
    "decorator": Answer("prime", "import functools\ndef traced(f):\n    @functools.wraps(f)\n"
                        "    def inner(*a):\n        return f(*a)\n    return inner\n\n@traced\n" + _PRIME),
    "lru cache": Answer("prime", "import functools\n\n@functools.lru_cache\n" + _PRIME),
    "single dispatch": Answer("shout", "import functools\n\n@functools.singledispatch\n"
                              "def shout(t):\n    raise TypeError(t)\n\n@shout.register\n"
                              "def _(t: str):\n    return t.upper() + '!'\n"),
    "sieve kept between calls": Answer("prime", "_known = [2]\ndef prime(n):\n"
                                       "    while _known[-1] < n:\n        c = _known[-1] + 1\n"
                                       "        while any(c % p == 0 for p in _known):\n"
                                       "            c += 1\n        _known.append(c)\n"
                                       "    return n in _known\n"),
    "generated code": Answer("area", "space = {}\nexec('def area(w, h): return w * h', space)\n"
                             "area = space['area']\n"),
    "match statement": Answer("ends", "def ends(v):\n    match list(v):\n        case [one]:\n"
                              "            return one, one\n        case [a, *_, b]:\n"
                              "            return a, b\n"),
    "shadows builtins": Answer("evens", "list = tuple\nsum = None\ncheck = 3\ncandidate = 4\n"
                               "def evens(max):\n    return [n for n in max if n % 2 == 0]\n"),
    "unicode identifiers": Answer("area", "def area(ширина, höhe):\n    return ширина * höhe\n"),
    "windows line ends": Answer("evens", _EVENS.replace("\n", "\r\n")),
    "tabs": Answer("evens", _EVENS.replace("    ", "\t")),
    "no last newline": Answer("evens", _EVENS.rstrip()),
    "byte order mark": Answer("evens", "\ufeff" + _EVENS),
    "form feed": Answer("evens", "import os\n\x0c\n" + _EVENS),
    "future import": evens("from __future__ import annotations\n"),
    "type hints and type variables": Answer("evens", "from typing import TypeVar, Sequence, List\n"
                                            "T = TypeVar('T', bound=int)\n" + _EVENS.replace(
                                                "(numbers)", "(numbers: Sequence[T]) -> List[T]")),
    "recursion near the limit": Answer("depth", "def depth(n):\n    return n and 1 + depth(n - 1)\n"),
    "recursion with its own limit": Answer("depth", "import sys\nsys.setrecursionlimit(10 ** 6)\n"
                                           "def depth(n):\n    def down(k):\n"
                                           "        return k and 1 + down(k - 1)\n"
                                           "    return down(n * 20) // 20\n"),
    "recursion in a big thread": Answer("depth", "import sys, threading\n"
                                        "threading.stack_size(64 * 1024 * 1024)\n"
                                        "sys.setrecursionlimit(10 ** 5)\n"
                                        "def depth(n):\n    found = []\n    def down(k):\n"
                                        "        return k and 1 + down(k - 1)\n"
                                        "    t = threading.Thread(target=lambda: found.append(down(n)))\n"
                                        "    t.start()\n    t.join()\n    return found[0]\n"),
    "classes of its own": Answer("tally", "from dataclasses import dataclass, asdict, field\n\n"
                                 "@dataclass(order=True)\nclass Seen:\n    letter: str\n"
                                 "    count: int = field(default=0, compare=False)\n\n"
                                 "    def __hash__(self):\n        return hash(self.letter)\n\n"
                                 "def tally(text):\n    seen = {Seen(c, text.count(c)) for c in text}\n"
                                 "    return {s.letter: asdict(s)['count'] for s in seen}\n"),
    "comparison of its own objects": Answer("evens", "class Even:\n    def __eq__(self, other):\n"
                                            "        return other % 2 == 0\n\n"
                                            "def evens(numbers):\n"
                                            "    return [n for n in numbers if n == Even()]\n"),
    "pickles its own class": Answer("ends", "import pickle\nclass P:\n    def __init__(self, v):\n"
                                    "        self.v = v\n\ndef ends(v):\n"
                                    "    v = pickle.loads(pickle.dumps(P(v))).v\n"
                                    "    return v[0], v[-1]\n"),
    "keeps and returns its argument": Answer("evens", "_all = []\ndef evens(numbers):\n"
                                             "    _all.append(numbers)\n"
                                             "    numbers[:] = [n for n in numbers if n % 2 == 0]\n"
                                             "    return numbers\n"),
    "returns one list again and again": Answer("evens", "_out = []\ndef evens(numbers):\n"
                                               "    _out[:] = (n for n in numbers if n % 2 == 0)\n"
                                               "    return _out\n"),
}  # fmt: skip

DOING: dict[str, Answer] = {
    "flood on stdout": evens("print('x' * 100_000)\n"),
    "flood on stderr": evens("import sys\nsys.stderr.write('y' * 100_000)\n"),
    "prints in each call": Answer("prime", "def prime(n):\n    print('checking', n, flush=True)\n"
                                  "    return n > 1 and all(n % d for d in range(2, n))\n"),
    "logging": evens("import logging\nlogging.basicConfig(level=0)\nlogging.debug('up')\n"),
    "warnings as errors": evens("import warnings\nwarnings.simplefilter('error')\n"),
    "standard output replaced": evens("import io, sys\nsys.stdout = io.StringIO()\n"),
    "guarded main": evens("if __name__ == '__main__':\n    import sys\n    sys.exit(evens([1]))\n"),
    "guarded tests": evens(
        "import unittest\nclass T(unittest.TestCase):\n    def test_it(self):\n"
        "        self.assertEqual(evens([2]), [2])\nif __name__ == '__main__':\n    unittest.main()\n"
    ),
    "asserts of its own": Answer("evens", _EVENS + "assert evens([1, 2]) == [2]\n"),
    "doctest run at import": Answer("evens", _EVENS + "import doctest\ndoctest.testmod()\n"),
    "thread": evens(
        "import threading\nt = threading.Thread(target=print)\nt.start()\nt.join()\n"
    ),
    "daemon thread": evens(
        "import threading, time\n"
        "threading.Thread(target=time.sleep, args=(99,), daemon=True).start()\n"
    ),
    "thread pool in each call": Answer("evens", "from concurrent.futures import ThreadPoolExecutor\n"
                                       "def evens(numbers):\n    with ThreadPoolExecutor(4) as pool:\n"
                                       "        flags = list(pool.map(lambda n: n % 2 == 0, numbers))\n"
                                       "    return [n for n, f in zip(numbers, flags) if f]\n"),
    "process pool": Answer("evens", "import multiprocessing as mp\ndef even(n):\n    return n % 2 == 0\n"
                           "def evens(numbers):\n    with mp.get_context('fork').Pool(2) as pool:\n"
                           "        flags = pool.map(even, numbers)\n"
                           "    return [n for n, f in zip(numbers, flags) if f]\n"),
    "child process": evens("import subprocess\nsubprocess.run(['true'], check=True)\n"),
    "asyncio": Answer("evens", "import asyncio\nasync def work(numbers):\n    await asyncio.sleep(0)\n"
                      "    return [n for n in numbers if n % 2 == 0]\n\n"
                      "def evens(numbers):\n    return asyncio.run(work(numbers))\n"),
    "atexit": evens("import atexit\natexit.register(print, 'bye')\n"),
    "signal handler": evens("import signal\nsignal.signal(signal.SIGTERM, lambda *a: None)\n"),
    "alarm as a time limit": Answer("prime", "import signal\ndef late(*a):\n    raise TimeoutError\n"
                                    "def prime(n):\n    signal.signal(signal.SIGALRM, late)\n"
                                    "    signal.alarm(5)\n    try:\n"
                                    "        return n > 1 and all(n % d for d in range(2, n))\n"
                                    "    finally:\n        signal.alarm(0)\n"),
    "temporary files": Answer("evens", "import json, tempfile\ndef evens(numbers):\n"
                              "    with tempfile.NamedTemporaryFile('w+') as f:\n"
                              "        json.dump([n for n in numbers if n % 2 == 0], f)\n"
                              "        f.seek(0)\n        return json.load(f)\n"),
    "database in memory": Answer("evens", "import sqlite3\ndef evens(numbers):\n"
                                 "    db = sqlite3.connect(':memory:')\n    db.execute('create table t(n)')\n"
                                 "    db.executemany('insert into t values (?)', [(n,) for n in numbers])\n"
                                 "    return [n for n, in db.execute('select n from t where n % 2 = 0')]\n"),
    "working directory changed": evens("import os\nos.makedirs('a/b')\nos.chdir('a/b')\n"),
    "environment changed": evens("import os\nos.environ['A'] = 'b'\nos.environ.pop('PATH', 0)\n"),
    "random seeded": evens("import random\nrandom.seed(4)\nrandom.shuffle(list(range(9)))\n"),
    "garbage collector off": evens("import gc\ngc.disable()\ngc.freeze()\n"),
    "descriptors closed that it opened": evens(
        "import os\na, b = os.pipe()\nos.close(a)\nos.close(b)\n"
    ),
    "standard input closed": evens("import sys\nsys.stdin.close()\n"),
    "reads what input there is": evens("import sys\nassert sys.stdin.read() == ''\n"),
    "decimal context": Answer("area", "import decimal\ndecimal.getcontext().prec = 5\n" + _AREA),
    "locale and time zone": evens(
        "import locale, os, time\nlocale.setlocale(locale.LC_ALL, '')\n"
        "os.environ['TZ'] = 'UTC-9'\ntime.tzset()\n"
    ),
    "slow but right": Answer("ends", "import time\ntime.sleep(2)\n" + _ENDS),
    "busy but right": Answer("prime", "def prime(n):\n    for _ in range(200_000):\n        pass\n"
                             "    return n > 1 and all(n % d for d in range(2, n))\n"),
    "much memory but right": Answer("ends", "def ends(v):\n    big = bytearray(100_000_000)\n"
                                    "    return v[0], v[len(big) - 100_000_001]\n"),
    "trace function of its own": evens("import sys\nsys.settrace(lambda *a: None)\n"),
    "frames looked at": Answer("shout", "import inspect\ndef shout(t):\n"
                               "    assert inspect.currentframe().f_code.co_name == 'shout'\n"
                               "    return t.upper() + '!'\n"),
    "import hook for itself": evens(
        "import sys, types\nm = sys.modules['helper'] = types.ModuleType('helper')\n"
        "m.two = 2\nfrom helper import two\n"
    ),
    "path additions": evens("import sys\nsys.path.insert(0, '/tmp/nowhere')\n"),
    "swallows what it raises": Answer("share", "import contextlib\n" + _SHARE + "with contextlib."
                                      "suppress(ValueError):\n    share(1, 0)\n"),
    "plain": Answer("tally", _TALLY), "plain text": Answer("shout", _SHOUT),
}  # fmt: skip

ANSWERS: dict[str, Answer] = {**VALUES, **WRITING, **DOING}


def extracted(code: str, entry_point: str) -> str:
    """The code as a suite takes it out of a reply."""
    found = extract_code(f"Here it is.\n\n```python\n{code}\n```\n", entry_point=entry_point)
    assert found.value is not None, found
    return found.value


def job(name: str) -> CodeJob:
    """An answer as a suite would hand it to the pool."""
    answer = ANSWERS[name]
    problem = PROBLEMS[answer.problem]
    return CodeJob(
        kind="mbpp",
        suite="mbpp",
        task_id=answer.problem,
        sample=f"{answer.problem}@1",
        candidate=extracted(answer.code, problem.names[0]),
        setup=problem.setup,
        checks=problem.checks,
        entry_point=problem.names[0],
        names=problem.names,
        limits=LIMITS,
    )
