"""A planted key is looked for in everything that is stored and everything that is said."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard

from tests.support import boxes
from tests.support.proctor_process import Home
from tests.support.scripted_server import (
    ChatRequest,
    ScriptedServer,
    Step,
    call,
    calls,
    error,
    finish,
    say,
)
from tests.support.terminal import Terminal

# No word of it looks like a key, so that only knowing it helps.
KEY = "vQ7kHb2MzT9xLw4RjPd8"
OPENAI_KEY = "nW5tYc3GsF6uXe1BqKa0"
TASK = "stockroom-last-day"

pytestmark = [pytest.mark.timeout(300)]


def forms(key: str) -> dict[str, bytes]:
    """The key as it may lie somewhere."""
    return {
        "plain": key.encode(),
        "reversed": key[::-1].encode(),
        "base64": base64.b64encode(f"user:{key}".encode())[8:-4],
        "url": urllib.parse.quote(key).encode(),
        "hex": key.encode().hex().encode(),
    }


def holding(content: bytes) -> list[str]:
    return [
        f"{name} {form}"
        for name, key in (("key", KEY), ("OpenAI's key", OPENAI_KEY))
        for form, text in forms(key).items()
        if text in content
    ]


def search(folder: Path) -> list[str]:
    """Files below ``folder`` that hold a key, packed ones unpacked."""
    found = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        content = path.read_bytes()
        if path.suffix == ".zst":
            content = zstandard.ZstdDecompressor().decompressobj().decompress(content)
        found += [f"{path.relative_to(folder)}: {what}" for what in holding(content)]
    return found


@pytest.fixture
async def home(tmp_path: Path) -> Home:
    await (await boxes.require("bubblewrap")).close()
    return Home(tmp_path, "bubblewrap")


@pytest.fixture
def proctor(home: Home) -> Iterator[Callable[..., tuple[int, str]]]:
    """Run ``proctor``; what it says is searched at once."""

    def run(*arguments: str, expect: set[int] | None = None) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "harness.cli.main", *arguments],
            cwd=home.root,
            env=home.env
            | {
                "PLANTED_KEY": KEY,
                "OPENAI_API_KEY": OPENAI_KEY,
                "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")),
            },
            capture_output=True,
            timeout=240,
        )
        said = done.stdout + done.stderr
        assert holding(said) == [], f"proctor {' '.join(arguments[:2])} says it: {said.decode()}"
        assert done.returncode in (expect or {0}), said.decode()
        return done.returncode, said.decode()

    yield run
    assert search(home.root) == []


def configured(home: Home, url: str) -> None:
    (home.root / "proctor.toml").write_text(
        f'[endpoints.keyed]\nurl = "{url}"\napi_key_env = "PLANTED_KEY"\n'
        '[models.keyed]\nendpoint = "keyed"\n'
    )


def talkative(request: ChatRequest) -> Step:
    """A server that repeats the key it was given in every part of its replies."""
    told = request.headers.get("authorization", "").removeprefix("Bearer ")
    assert told == KEY, "the key goes where it belongs"
    if request.turn == 0:
        step = calls(("write_file", {"path": "note.py", "content": f"KEY = '{told}'\n"}))
        return step.where(content=f"You sent {told}.", reasoning=f"The key is {told}!", chunk=3)
    if request.turn == 1:
        return calls(("read_file", f'{{"path": "{told}", "start_line": ')).where(reasoning=told)
    if request.turn == 2:
        return call(told, path=told)
    if request.turn == 3:
        return say(told, timings={"prompt_ms": 1.0})
    return finish(f"done with {told}")


def test_a_key_that_the_server_repeats_is_stored_and_shown_nowhere(
    home: Home, proctor: Callable[..., tuple[int, str]]
) -> None:
    with ScriptedServer(talkative) as server:
        configured(home, server.url)
        proctor("plan", "repos", "--model", "keyed", "--task", TASK)
        proctor(
            "run", "repos", "--batch", "--model", "keyed", "--task", TASK,
            "--tool-protocol", "native",
        )  # fmt: skip
        assert len(server.requests) >= 5
        echoed = [m for r in server.requests for m in r.messages if KEY in str(m)]
        assert echoed == [], "what is sent back holds it no more"
        assert all(OPENAI_KEY not in str(r.headers) for r in server.requests)
    run = next(p.name for p in home.runs.iterdir())
    sample = ("--sample", f"{TASK}@1")
    for arguments in (
        ("runs",),
        ("runs", "--json"),
        ("show", run),
        ("show", run, "--json"),
        ("show", run, *sample),
        ("show", run, *sample, "--json"),
        ("show", run, *sample, "--turn", "2", "--curl"),
        ("replay", run, *sample, "--batch"),
        ("compare", run, run),
    ):
        proctor(*arguments, expect={0, 1, 2})
    stored = (home.runs / run / "transcripts" / f"{TASK}@1" / "attempt-1.jsonl").read_text()
    assert stored.count("[redacted]") >= 5, "it was said, and masked"


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_the_interface_shows_no_key(
    home: Home, proctor: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    env = home.env | {"PLANTED_KEY": KEY, "OPENAI_API_KEY": OPENAI_KEY, "TERM": "screen-256color"}
    shown: list[str] = []
    with ScriptedServer(talkative) as server:
        configured(home, server.url)
        terminal = Terminal(env, (180, 50))

        def see(marker: str) -> None:
            shown.append(terminal.wait(lambda text: marker in text))

        try:
            terminal.line(f"cd {home.root}")
            terminal.line(
                f"{sys.executable} -P -m harness.cli.main run repos --model keyed --task {TASK} "
                "--tool-protocol native"
            )
            see("Graded:")
            terminal.keys("Tab", "o", "Home")  # every block open
            see("System prompt")
            while "ended: finished" not in shown[-1]:
                terminal.keys("PageDown")
                time.sleep(0.2)
                shown.append(terminal.text())
                assert len(shown) < 50
            assert any("You sent [redacted]" in text for text in shown)
            for tab, marker in (
                ("2", "note.py"),
                ("3", "acceptance"),
                ("4", "note.py"),
                ("5", "model_turn"),
            ):
                terminal.keys(tab)
                if tab == "5":  # which opens where the transcript was left
                    terminal.keys("Home")
                see(marker)
            terminal.keys("Home")
            see("attempt_started")
            terminal.keys("o")
            see("run_id")
            terminal.keys("6")
            see("127.0.0.1")
            terminal.keys("1", "C", "y", "p")
            see("at the end")
            terminal.keys("q", "q")
            terminal.keys("n")  # the form of a new run, where the endpoint can be chosen
            see("keyed")
        finally:
            terminal.close()
    assert [holding(text.encode()) for text in shown] == [[]] * len(shown)


REFUSALS: dict[str, Callable[[ChatRequest], Step]] = {
    "text": lambda r: error(401, f"Incorrect API key provided: {KEY}."),
    "header": lambda r: error(
        401, "no", headers={"www-authenticate": f"Bearer {KEY}", "x-request-id": KEY}
    ),
    "page": lambda r: Step(status=400, answer=f"<html>{KEY}</html>"),
    "stream": lambda r: say(
        "so far", frames=(f'{{"error": {{"message": "{KEY}"}}}}',), end="frames"
    ),
    "no JSON": lambda r: Step(answer=f"{KEY} is no JSON"),
    "redirect": lambda r: Step(status=302, headers={"location": f"http://x/{KEY}?key={KEY}"}),
}  # fmt: skip


@pytest.mark.parametrize("where", list(REFUSALS))
def test_a_key_in_an_error_is_stored_and_shown_nowhere(
    home: Home, proctor: Callable[..., tuple[int, str]], where: str
) -> None:
    with ScriptedServer(REFUSALS[where]) as server:
        configured(home, server.url)
        proctor(
            "run", "repos", "--batch", "--model", "keyed", "--task", TASK, "--tool-protocol",
            "native", "--request-timeout", "5", "--retry-wait", "1", expect={0, 1, 2},
        )  # fmt: skip
        assert server.requests


@pytest.mark.parametrize(
    "url",
    [
        f"http://user:{KEY}@127.0.0.1:9/v1",
        f"http://{KEY}@127.0.0.1:9/v1",
        f"http://127.0.0.1:9/v1?key={KEY}",
        f"http://127.0.0.1:9/v1#{KEY}",
        f"http://user:{KEY}@[::1/v1",
        f"http://user:{KEY}@127.0.0.1:port/v1",
        f"user:{KEY}@127.0.0.1:9",
        f"ftp://user:{KEY}@127.0.0.1/v1",
    ],
)
def test_a_key_in_an_address_is_refused_without_repeating_it(
    home: Home, proctor: Callable[..., tuple[int, str]], url: str
) -> None:
    proctor("run", "repos", "--batch", "--base-url", url, "--task", TASK, expect={2})
    assert list(home.runs.iterdir()) == []


def test_a_key_in_the_configuration_is_not_repeated(
    home: Home, proctor: Callable[..., tuple[int, str]]
) -> None:
    path = home.root / "proctor.toml"
    for text in (
        f'[endpoints.a]\nurl = "http://user:{KEY}@127.0.0.1/v1"\n',
        f'[endpoints.a]\nurl = "http://127.0.0.1/v1?key={KEY}"\n',
        f'[endpoints.a]\nurl = "http://127.0.0.1/v1"\napi_key_env = "{KEY}!"\n',
        f'[endpoints.a]\nurl = "http://127.0.0.1/v1"\napi_key = "{KEY}"\n',
    ):
        path.write_text(text + '[models.keyed]\nendpoint = "a"\n')
        proctor("run", "repos", "--batch", "--model", "keyed", "--task", TASK, expect={2})
    path.unlink()


def test_a_key_among_the_parameters_is_refused(
    home: Home, proctor: Callable[..., tuple[int, str]]
) -> None:
    with ScriptedServer([finish()]) as server:
        proctor(
            "run", "repos", "--batch", "--base-url", server.url, "--task", TASK,
            "--extra-body", f'{{"api_key": "{KEY}"}}', expect={2},
        )  # fmt: skip
        assert server.requests == []
