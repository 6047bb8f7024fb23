"""Honest but odd answers to a problem like ClassEval's: name -> code of the module."""
# ruff: noqa: E501 - tables of code read best one entry a line

from __future__ import annotations

from harness.suites.judging import CodeJob, ExecLimits
from tests.honest.answers import extracted

GOLD = '''\
class Account:
    """Money of one person."""

    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.moves = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("nothing to deposit")
        self.balance += amount
        self.moves.append(("in", amount))
        return self.balance

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("not so much there")
        self.balance -= amount
        self.moves.append(("out", amount))
        return self.balance

    def history(self):
        return list(self.moves)

    def interest(self, percent):
        return self.balance * percent / 100

    def largest(self):
        return max((amount for _, amount in self.moves), default=None)

    def as_dict(self):
        return {"owner": self.owner, "balance": self.balance}
'''
TESTS = """
import unittest

class AccountTestDeposit(unittest.TestCase):
    def setUp(self):
        self.account = Account("Ada", 100)

    def test_deposit(self):
        self.assertEqual(self.account.deposit(50), 150)

    def test_deposit_twice(self):
        self.account.deposit(5)
        self.assertEqual(self.account.deposit(7), 112)

    def test_deposit_nothing(self):
        with self.assertRaises(ValueError):
            self.account.deposit(0)

class AccountTestWithdraw(unittest.TestCase):
    def test_withdraw(self):
        self.assertEqual(Account("Bo", 80).withdraw(30), 50)

    def test_withdraw_too_much(self):
        self.assertRaises(ValueError, Account("Bo", 10).withdraw, 30)

class AccountTestHistory(unittest.TestCase):
    def test_history(self):
        account = Account("Cy", 20)
        account.deposit(1)
        account.withdraw(2)
        self.assertEqual(account.history(), [("in", 1), ("out", 2)])

    def test_history_empty(self):
        self.assertEqual(Account("Di").history(), [])

class AccountTestInterest(unittest.TestCase):
    def test_interest(self):
        self.assertAlmostEqual(Account("Ed", 250).interest(3), 7.5)

class AccountTestLargest(unittest.TestCase):
    def test_largest(self):
        account = Account("Fe", 1)
        account.deposit(9)
        account.deposit(4)
        self.assertEqual(account.largest(), 9)

    def test_largest_none(self):
        self.assertIsNone(Account("Gu").largest())

class AccountTestAsDict(unittest.TestCase):
    def test_as_dict(self):
        self.assertEqual(Account("Hy", 3).as_dict(), {"owner": "Hy", "balance": 3})

    def test_owner(self):
        self.assertTrue(Account("Io").as_dict()["owner"] == "Io")
"""


def gold(*changes: tuple[str, str], ahead: str = "", behind: str = "") -> str:
    """The plain answer with texts replaced, and code before and behind it."""
    text = GOLD
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return ahead + text + behind


_STATE = "        self.balance = balance\n"
CLASSES: dict[str, str] = {
    "plain": GOLD,
    "dataclass": gold(
        ("    def __init__(self, owner, balance=0):\n        self.owner = owner\n" + _STATE
         + "        self.moves = []\n",
         "    owner: str\n    balance: int = 0\n    moves: list = field(default_factory=list)\n"),
        ahead="from dataclasses import dataclass, field\n\n@dataclass\n",
    ),
    "slots": gold(("    def __init__", "    __slots__ = ('owner', 'balance', 'moves')\n\n"
                   "    def __init__")),
    "property": gold(
        (_STATE, "        self._cents = balance * 100\n"),
        ("    def deposit", "    @property\n    def balance(self):\n"
         "        return self._cents // 100\n\n    @balance.setter\n"
         "    def balance(self, value):\n        self._cents = value * 100\n\n    def deposit"),
    ),
    "descriptor": gold(
        ("    def __init__", "    balance = Kept()\n\n    def __init__"),
        ahead="class Kept:\n    def __set_name__(self, owner, name):\n        self.key = name\n\n"
        "    def __get__(self, instance, owner):\n        return instance.__dict__[self.key]\n\n"
        "    def __set__(self, instance, value):\n        instance.__dict__[self.key] = value\n\n\n",
    ),
    "metaclass": gold(
        ("class Account:", "class Account(metaclass=Registry):"),
        ahead="class Registry(type):\n    known = []\n\n    def __init__(cls, *args):\n"
        "        super().__init__(*args)\n        Registry.known.append(cls)\n\n\n",
    ),
    "abstract base": gold(
        ("class Account:", "class Account(Holder):"),
        ahead="import abc\n\nclass Holder(abc.ABC):\n    @abc.abstractmethod\n"
        "    def deposit(self, amount): ...\n\n\n",
    ),
    "mixin and super": gold(
        ("class Account:", "class Account(Noted):"),
        ("        self.moves = []", "        super().__init__()\n        self.moves = []"),
        ahead="class Noted:\n    def __init__(self):\n        super().__init__()\n"
        "        self.notes = {}\n\n\n",
    ),
    "init subclass": gold(
        ("class Account:", "class Account(Base, label='a'):"),
        ahead="class Base:\n    def __init_subclass__(cls, label, **more):\n"
        "        cls.label = label\n\n\n",
    ),
    "attributes by getattr": gold(
        (_STATE, "        self.__dict__['_facts'] = {'balance': balance}\n"),
        ("    def deposit", "    def __getattr__(self, name):\n        try:\n"
         "            return self.__dict__['_facts'][name]\n        except KeyError:\n"
         "            raise AttributeError(name) from None\n\n"
         "    def __setattr__(self, name, value):\n        if name == 'balance':\n"
         "            self._facts[name] = value\n        else:\n"
         "            super().__setattr__(name, value)\n\n    def deposit"),
    ),
    "own equality and hash": gold(
        ("    def deposit", "    def __eq__(self, other):\n"
         "        return isinstance(other, Account) and self.owner == other.owner\n\n"
         "    def __hash__(self):\n        return hash(self.owner)\n\n    def deposit"),
    ),
    "class decorator": gold(
        ahead="def counted(cls):\n    cls.count = 0\n    return cls\n\n\n@counted\n"
    ),
    "decorated methods": gold(
        ("    def deposit", "    @checked\n    def deposit"),
        ahead="import functools\n\ndef checked(f):\n    @functools.wraps(f)\n"
        "    def inner(self, *a):\n        assert self.balance >= 0\n        return f(self, *a)\n"
        "    return inner\n\n\n",
    ),
    "cached method": gold(
        ("    def interest", "    @functools.lru_cache(maxsize=8)\n    def interest"),
        ahead="import functools\n\n\n",
    ),
    "named tuples in the history": gold(
        ('("in", amount)', 'Move("in", amount)'), ('("out", amount)', 'Move("out", amount)'),
        ahead="from typing import NamedTuple\n\nclass Move(NamedTuple):\n    way: str\n"
        "    amount: int\n\n\n",
    ),
    "enum of strings": gold(
        ('("in", amount)', "(Way.IN, amount)"), ('("out", amount)', "(Way.OUT, amount)"),
        ahead="import enum\n\nclass Way(str, enum.Enum):\n    IN = 'in'\n    OUT = 'out'\n\n\n",
    ),
    "balance as a subclass of int": gold(
        ("self.balance += amount", "self.balance = Cents(self.balance + amount)"),
        ahead="class Cents(int):\n    def __repr__(self):\n        return f'{int(self)} ct'\n\n\n",
    ),
    "decimal": gold(
        ("return self.balance * percent / 100",
         "return float(Decimal(self.balance) * percent / 100)"),
        ahead="from decimal import Decimal\n\n\n",
    ),
    "fraction": gold(
        ("return self.balance * percent / 100", "return Fraction(self.balance * percent, 100)"),
        ahead="from fractions import Fraction\n\n\n",
    ),
    "own error": gold(
        ('raise ValueError("not so much there")', "raise Overdrawn(amount)"),
        ahead="class Overdrawn(ValueError):\n    def __init__(self, amount):\n"
        "        super().__init__(f'{amount} is too much')\n        self.amount = amount\n\n\n",
    ),
    "error of two kinds": gold(
        ('raise ValueError("nothing to deposit")', "raise Nothing(amount)"),
        ahead="class Nothing(ValueError, ArithmeticError):\n    pass\n\n\n",
    ),
    "error of two common kinds": gold(
        ('raise ValueError("nothing to deposit")', "raise Nothing(amount)"),
        ahead="class Nothing(ValueError, TypeError):\n    pass\n\n\n",
    ),
    "unicode error is a value error": gold(
        ('raise ValueError("nothing to deposit")',
         "raise UnicodeEncodeError('ascii', 'x', 0, 1, 'nothing')"),
    ),
    "error from an error": gold(
        ('        if amount > self.balance:\n            raise ValueError("not so much there")\n',
         "        try:\n            assert amount <= self.balance\n"
         "        except AssertionError as error:\n            raise ValueError from error\n"),
    ),
    "lock": gold(
        ("        self.balance += amount", "        with LOCK:\n            self.balance += amount"),
        ahead="import threading\n\nLOCK = threading.RLock()\n\n\n",
    ),
    "thread in each call": gold(
        ("        self.balance += amount\n",
         "        worker = threading.Thread(target=self._add, args=(amount,))\n"
         "        worker.start()\n        worker.join()\n"),
        ("    def withdraw", "    def _add(self, amount):\n        self.balance += amount\n\n"
         "    def withdraw"),
        ahead="import threading\n\n\n",
    ),
    "asyncio inside": gold(
        ("        return list(self.moves)", "        async def read():\n"
         "            return list(self.moves)\n        return asyncio.run(read())"),
        ahead="import asyncio\n\n\n",
    ),
    "history by a generator": gold(
        ("        return list(self.moves)", "        return [*self._each()]\n\n    def _each(self):\n"
         "        yield from self.moves"),
    ),
    "database": gold(
        ("        self.moves = []", "        self.db = sqlite3.connect(':memory:')\n"
         "        self.db.execute('create table t(way, amount)')"),
        ('self.moves.append(("in", amount))',
         "self.db.execute('insert into t values (?, ?)', ('in', amount))"),
        ('self.moves.append(("out", amount))',
         "self.db.execute('insert into t values (?, ?)', ('out', amount))"),
        ("list(self.moves)", "self.db.execute('select * from t').fetchall()"),
        ("in self.moves", "in self.history()"),
        ahead="import sqlite3\n\n\n",
    ),
    "a file of its own": gold(
        ("        self.moves = []\n", "        self.moves = []\n"
         "        with open(f'{owner}.txt', 'w') as file:\n            file.write(owner)\n"
         "        os.remove(f'{owner}.txt')\n"),
        ahead="import os\n\n\n",
    ),
    "prints": gold(("        self.balance += amount", "        print('deposit', amount, 'x' * 5_000)\n"
                    "        self.balance += amount")),
    "floods both streams at import": gold(
        ahead="import sys\nprint('x' * 50_000)\nsys.stderr.write('y' * 50_000)\n\n\n"
    ),
    "logging": gold(
        ahead="import logging\nlogging.basicConfig(level=logging.DEBUG)\n"
        "logging.getLogger('account').info('loaded')\n\n\n"
    ),
    "warnings": gold(
        ("        return self.balance * percent", "        warnings.warn('old', DeprecationWarning)\n"
         "        return self.balance * percent"),
        ahead="import warnings\nwarnings.simplefilter('always')\n\n\n",
    ),
    "atexit and signals": gold(
        ahead="import atexit, signal\natexit.register(print, 'bye')\n"
        "signal.signal(signal.SIGUSR1, signal.SIG_IGN)\n\n\n"
    ),
    "recursion limit and collector": gold(
        ahead="import gc, sys\nsys.setrecursionlimit(9_000)\ngc.disable()\n\n\n"
    ),
    "environment, folder and locale": gold(
        ahead="import locale, os\nos.environ['A'] = '1'\nhere = os.getcwd()\nos.chdir('/')\n"
        "os.chdir(here)\nlocale.setlocale(locale.LC_ALL, 'C')\n\n\n"
    ),
    "tests of its own": gold(
        behind="\n\nimport unittest\n\nclass OwnTest(unittest.TestCase):\n"
        "    def test_it(self):\n        self.assertEqual(Account('x').history(), [])\n\n"
        "if __name__ == '__main__':\n    unittest.main()\n"
    ),
    "mocks at import": gold(
        behind="\n\nfrom unittest import mock\n\nwith mock.patch.object(Account, 'deposit', "
        "return_value=1):\n    assert Account('x').deposit(3) == 1\n"
    ),
    "a base named like the tests'": gold(
        ahead="class TestCase:\n    def assertEqual(self, a, b):\n        return a == b\n\n\n"
    ),
    "guarded main": gold(
        behind="\n\ndef main():\n    import argparse, sys\n    argparse.ArgumentParser().parse_args()\n"
        "    sys.exit(0)\n\nif __name__ == '__main__':\n    main()\n"
    ),
    "tabs and Windows line ends": GOLD.replace("    ", "\t").replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + GOLD,
    "unicode identifiers": gold(("amount", "betrag_größe"), ("percent", "процент")),
    "generated class": f"space = {{}}\nexec({GOLD!r}, space)\nAccount = space['Account']\n",
    "class made by type": gold(
        behind="\n\nAccount = type('Account', (Account,), {'__slots__': ()})\n"
    ),
    "single dispatch method": gold(
        ("    def interest(self, percent):", "    @functools.singledispatchmethod\n"
         "    def interest(self, percent):"),
        ahead="import functools\n\n\n",
    ),
    "match statement": gold(
        ("        return max((amount for _, amount in self.moves), default=None)",
         "        match self.moves:\n            case []:\n                return None\n"
         "            case moves:\n                return max(a for _, a in moves)"),
    ),
    "slow but right": gold(ahead="import time\ntime.sleep(2)\n\n\n"),
    "random and time": gold(
        ("        self.moves = []", "        self.moves = []\n        self.id = random.random()\n"
         "        self.made = time.time()"),
        ahead="import random, time\nrandom.seed()\n\n\n",
    ),
    "frames looked at": gold(
        ("        return {\"owner\"", "        assert sys._getframe().f_code.co_name == 'as_dict'\n"
         "        return {\"owner\""),
        ahead="import sys\n\n\n",
    ),
    "ordered result": gold(
        ('return {"owner": self.owner, "balance": self.balance}',
         "return OrderedDict(owner=self.owner, balance=self.balance)"),
        ahead="from collections import OrderedDict\n\n\n",
    ),
}  # fmt: skip


def job(name: str) -> CodeJob:
    """An answer as ClassEval would hand it to the pool."""
    checks = [line.split("(")[0][6:] for line in TESTS.splitlines() if line.startswith("class ")]
    return CodeJob(
        kind="classeval",
        suite="classeval",
        task_id="ClassEval_account",
        sample="ClassEval_account@1",
        candidate=extracted(CLASSES[name], "Account"),
        setup=TESTS,
        checks=tuple(checks),
        entry_point="Account",
        limits=ExecLimits(cpu_s=20.0, wall_s=60.0),
    )
