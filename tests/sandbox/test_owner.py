"""Who opened a box is known by more than a number that is given again, and by no clock."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import psutil
import pytest

from harness.sandbox import owner


def other() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)


def owner_of(process: subprocess.Popen[bytes]) -> owner.Owner:
    return replace(owner.me(), pid=process.pid, started=owner._start_time(process.pid))


def test_an_owner_survives_its_text() -> None:
    assert owner.Owner.parse(str(owner.me())) == owner.me()
    for text in ("", "a|b|c", "a|1", "a|1|2|3", "a|-1|x"):
        assert owner.Owner.parse(text) is None


def test_who_lives_is_not_gone_and_who_ended_is() -> None:
    process = other()
    who = owner_of(process)
    assert not who.provably_gone()
    process.communicate(b"\n")
    assert who.provably_gone()


def test_an_owner_that_another_version_named_is_left_alone() -> None:
    when = f"{psutil.Process().create_time():.2f}"
    assert not replace(owner.me(), started=when).provably_gone()
    assert not replace(owner.me(), started="1.25").provably_gone()


def test_another_process_of_the_same_number_is_another_owner() -> None:
    assert replace(owner.me(), started="1").provably_gone()
    assert not replace(owner.me(), host="elsewhere", started="1").provably_gone()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells ticks")
def test_a_clock_that_jumps_makes_nobody_another(monkeypatch: pytest.MonkeyPatch) -> None:
    process = other()
    who = owner_of(process)
    boot = psutil.boot_time()
    for seconds in (-3600, -1, 1, 3600, 10**9):
        monkeypatch.setattr(f"{psutil.__name__}._pslinux.boot_time", lambda s=seconds: boot + s)
        assert psutil.Process(process.pid).create_time() != who.started
        assert not who.provably_gone()
        assert owner._start_time(os.getpid()) == owner.me().started
    process.communicate(b"\n")
