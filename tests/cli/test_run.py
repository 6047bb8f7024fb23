"""``proctor run`` from end to end, as a user starts it, in real boxes."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.cli.checks import check_runtimes
from harness.store.lock import is_running
from tests.cli.conftest import ROOT, Home, Proctor
from tests.cli.tiny_repo import TASK, write_tiny_repo
from tests.support import boxes
from tests.support.scripted_server import ScriptedServer, call, error, finish, say

pytestmark = pytest.mark.slow  # a dozen whole runs, most in bubblewrap, where boxes open fastest
FIX = call("edit_replace", path="tally/core.py", old_text="sum(values) - 1", new_text="sum(values)")


@pytest.fixture(scope="module")
def sandbox() -> str:
    """The quickest runtime that is ready."""
    _, ready = asyncio.run(check_runtimes())
    names = {report.provider for report in ready}
    for name in ("bubblewrap", "docker", "podman"):
        if name in names:
            return name
    boxes.unavailable("any", "no sandbox is ready, proctor doctor tells why")
    raise AssertionError("unreachable")


@pytest.fixture(scope="module")
def validated(tmp_path_factory: pytest.TempPathFactory, sandbox: str) -> Path:
    """The tiny repository with fresh evidence, made by the command that a refused run names."""
    root = tmp_path_factory.mktemp("repos") / "my repos"
    write_tiny_repo(root)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "harness.cli.main", *arguments],
            env=os.environ | {"PYTHONPATH": str(ROOT), "PROCTOR_SANDBOX": sandbox},
            cwd="/", capture_output=True, text=True, timeout=150, check=False,
        )  # fmt: skip

    refused = run("run", "repos", "--data", str(root), "--model", "noop", "--batch")
    assert refused.returncode == 2 and "no evidence" in refused.stderr
    command = shlex.split(refused.stderr.split(" -> run: proctor ")[1])
    done = run(*command)
    assert done.returncode == 0, done.stderr + done.stdout
    assert f"{TASK}  valid" in done.stdout
    return root


@pytest.fixture
def repo(validated: Path, sandbox: str, home: Home) -> Path:
    """The tiny repository, in a home that uses the quickest runtime."""
    home.env["PROCTOR_SANDBOX"] = sandbox
    return validated


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A server whose model mends the repository."""
    with ScriptedServer([FIX, finish()]) as running:
        yield running


@pytest.mark.parametrize("name", ["docker", "bubblewrap"])
async def test_oracle_resolves_in_every_runtime(
    proctor: Proctor, repo: Path, home: Home, name: str
) -> None:
    await (await boxes.require(name)).close()
    done = await asyncio.to_thread(
        proctor, "run", "repos", "--data", str(repo), "--model", "oracle", "--batch",
        "--sandbox", name,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert " resolved " in done.out and TASK in done.out
    assert "100.0 %" in done.out and "1 of 1" in done.out
    (folder,) = home.runs.iterdir()
    assert str(folder) in done.out
    assert folder.stat().st_mode & 0o777 == 0o700


def test_noop_resolves_nothing_and_can_be_too_little(proctor: Proctor, repo: Path) -> None:
    done = proctor(
        "run", "repos", "--data", str(repo), "--model", "noop", "--json", "--fail-under", "0.5"
    )
    assert done.code == 5 and done.document["exit_code"] == 5, done.err
    summary = done.document["summary"]
    assert (summary["scored"], summary["resolved"]) == (1, 0)
    assert " unresolved " in done.err


def test_a_task_without_fresh_evidence_does_not_run(proctor: Proctor, tmp_path: Path) -> None:
    write_tiny_repo(tmp_path / "raw")
    done = proctor("run", "repos", "--data", str(tmp_path / "raw"), "--model", "oracle")
    assert done.code == 2 and len(done.err.strip().splitlines()) == 1
    assert f"proctor task validate {TASK}" in done.err


def test_a_model_behind_a_server(proctor: Proctor, repo: Path, server: ScriptedServer) -> None:
    done = proctor(
        "run", "repos", "--data", str(repo), "--base-url", server.url, "--api-key-env", "BOX_KEY",
        "--tool-protocol", "native", "--temperature", "0.25", "--json", BOX_KEY="sk-very-secret-1",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert done.document["summary"]["resolved"] == 1
    assert server.requests[-1].body["temperature"] == 0.25

    shown = proctor("show", "last", "--sample", TASK, "--turn", "2", "--curl", "--json").document
    assert shown["exact"] and shown["body"] == server.requests[-1].body
    text = proctor("show", "last", "--sample", TASK, "--turn", "2", "--curl").out
    assert 'Authorization: Bearer $BOX_KEY"' in text and "sk-very-secret-1" not in text
    sent = len(server.requests)
    subprocess.run(
        ["bash", "-c", text], env=os.environ | {"BOX_KEY": "k"}, capture_output=True,
        timeout=60, check=True,
    )  # fmt: skip
    assert server.requests[sent].body == shown["body"]

    replayed = proctor("replay", "last", "--batch").out
    assert "[call " in replayed and "edit_replace" in replayed
    assert "[verdict] resolved" in replayed and "+    return sum(values)" in replayed
    folder = Path(done.document["folder"])
    stored = b"".join(p.read_bytes() for p in folder.rglob("*") if p.is_file())
    assert b"sk-very-secret-1" not in stored


def test_a_stored_run_is_played_again(proctor: Proctor, repo: Path, server: ScriptedServer) -> None:
    arguments = ("run", "repos", "--data", str(repo), "--tool-protocol", "native")
    assert proctor(*arguments, "--base-url", server.url).code == 0
    sent = len(server.requests)
    done = proctor(*arguments, "--model", "replay:last", "--json")
    assert done.code == 0, done.err
    assert done.document["summary"]["resolved"] == 1
    assert len(server.requests) == sent


def test_a_fault_of_the_server_has_no_score_and_is_resumed(
    proctor: Proctor, repo: Path, home: Home
) -> None:
    with ScriptedServer([error(401, "bad key")]) as broken:
        done = proctor(
            "run", "repos", "--data", str(repo), "--base-url", broken.url,
            "--tool-protocol", "native", "--json",
        )  # fmt: skip
    assert done.code == 1, done.err
    suite = done.document["summary"]["suites"][0]
    assert (suite["scored"], suite["without_score"]) == (0, 1) and suite["errors"]
    assert "proctor run --resume" in done.err
    with ScriptedServer([FIX, finish()]) as mended:
        done = proctor("run", "--resume", "last", "--base-url", mended.url, "--json")
    assert done.code == 0, done.err
    assert done.document["summary"]["resolved"] == 1
    assert len(list(home.runs.iterdir())) == 1


def test_bad_endpoints_are_one_line(proctor: Proctor, repo: Path, server: ScriptedServer) -> None:
    base = ("run", "repos", "--data", str(repo))
    cases = [
        (("--base-url", "http://127.0.0.1:9/v1"), 1, "127.0.0.1:9"),
        (("--base-url", server.url, "--model", "no-such-model"), 2, "no-such-model"),
        (("--base-url", server.url, "--api-key-env", "UNSET_KEY"), 2, "UNSET_KEY"),
        (("--model", "who"), 2, "who"),
        (("--base-url", server.url, "--run-cost-limit", "1"), 2, "price"),
        (("--model", "replay:nothing"), 2, "nothing"),
    ]
    for arguments, code, said in cases:
        done = proctor(*base, *arguments)
        assert done.code == code, (arguments, done)
        assert len(done.err.strip().splitlines()) == 1 and said in done.err, (arguments, done)
        assert done.out == ""
    assert proctor("runs", "--json").document == []


def test_an_output_folder_that_cannot_be_written(
    proctor: Proctor, repo: Path, server: ScriptedServer
) -> None:
    done = proctor(
        "run", "repos", "--data", str(repo), "--base-url", server.url, "--out", "/proc/runs",
        "--tool-protocol", "native",
    )  # fmt: skip
    assert done.code == 1
    assert len(done.err.strip().splitlines()) == 1 and "/proc/runs" in done.err
    assert "--out" in done.err
    assert server.requests == []


def test_without_containment_nothing_is_asked_of_the_server(
    proctor: Proctor, repo: Path, server: ScriptedServer, tmp_path: Path
) -> None:
    started = time.monotonic()
    done = proctor(
        "run", "repos", "--data", str(repo), "--base-url", server.url, "--json",
        PATH=str(tmp_path), DOCKER_HOST=f"unix://{tmp_path}/none.sock",
        CONTAINER_HOST=f"unix://{tmp_path}/none.sock", XDG_RUNTIME_DIR=str(tmp_path),
        PROCTOR_SANDBOX="docker",
    )  # fmt: skip
    assert done.code == 4, (done, time.monotonic() - started)
    problem = done.document["error"]
    assert problem["kind"] == "ContainmentError"
    assert "docker" in problem["what"] + str(problem["remedy"])
    assert server.seen_headers == []


def test_epochs_limit_and_extend(proctor: Proctor, repo: Path) -> None:
    done = proctor(
        "run", "repos", "--data", str(repo), "--model", "oracle", "--epochs", "2", "--json",
        "--name", "twice",
    )  # fmt: skip
    assert done.code == 0, done.err
    suite = done.document["summary"]["suites"][0]
    assert (suite["scored"], suite["tasks"]) == (2, 1)
    assert [p["k"] for p in suite["pass_at_k"]] == [1, 2]
    assert "twice" in proctor("runs").out
    done = proctor("run", "--extend", "last", "--epochs", "3", "--json")
    assert done.code == 0, done.err
    assert done.document["summary"]["scored"] == 3
    done = proctor("run", "--resume", "last", "--json")
    assert done.code == 0 and done.document["summary"]["scored"] == 3


def test_detached_runs_go_on_and_can_be_cancelled(proctor: Proctor, repo: Path, home: Home) -> None:
    with ScriptedServer([say("thinking").where(delay_s=60.0)]) as slow:
        done = proctor(
            "run", "repos", "--data", str(repo), "--base-url", slow.url, "--detach",
            "--tool-protocol", "native", "--on-finish", f"cat > {home.project}/summary",
        )  # fmt: skip
        assert done.code == 0, done.err
        run = done.out.strip()
        assert f"proctor cancel {run}" in done.err
        folder = home.runs / run
        assert is_running(folder)
        assert proctor("cancel", run).code == 0
        deadline = time.monotonic() + 60
        while not (home.project / "summary").exists() or is_running(folder):
            assert time.monotonic() < deadline
            time.sleep(0.1)
    assert proctor("show", run, "--json").document["state"] == "cancelled"
    assert json.loads((home.project / "summary").read_text())["scored"] == 0


def test_ctrl_c_leaves_a_run_that_can_be_resumed(proctor: Proctor, repo: Path, home: Home) -> None:
    with ScriptedServer([say("thinking").where(delay_s=60.0)]) as slow:
        process = subprocess.Popen(
            [sys.executable, "-m", "harness.cli.main", "run", "repos", "--data", str(repo),
             "--base-url", slow.url, "--tool-protocol", "native"],
            env=home.env, cwd=home.project, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        try:
            deadline = time.monotonic() + 60
            while not slow.requests:
                assert process.poll() is None and time.monotonic() < deadline
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "stay pending" in out and "proctor run --resume" in out
    with ScriptedServer([FIX, finish()]) as server:
        done = proctor("run", "--resume", "last", "--base-url", server.url, "--json")
    assert done.code == 0, done.err


def test_plan_shows_where_values_come_from(
    proctor: Proctor, repo: Path, home: Home, server: ScriptedServer
) -> None:
    (home.project / "proctor.toml").write_text(
        f'[endpoints.box]\nurl = "{server.url}"\napi_key_env = "BOX_KEY"\n'
        '[models.quick]\nendpoint = "box"\ntool_protocol = "native"\n'
        "[models.quick.sampling]\ntemperature = 0.5\n"
        f'[defaults]\nmodel = "quick"\ndata = "{repo}"\n'
    )
    done = proctor("plan", "repos", "--max-turns", "7", BOX_KEY="sk-very-secret-2")
    assert done.code == 0, done.err
    assert "max_turns = 7  (flag --max-turns)" in done.out
    assert (
        f"temperature = 0.5  (model quick in project {home.project / 'proctor.toml'}:4)" in done.out
    )
    assert "key in $BOX_KEY" in done.out and "sk-very-secret-2" not in done.out
    assert f"  {TASK}  " in done.out and "context per slot" in done.out
    again = proctor("plan", "repos", "--max-turns", "7", "--json", BOX_KEY="k").document
    assert f"plan digest: {again['digest']}" in done.out
    other = proctor("plan", "repos", "--max-turns", "8", "--json", BOX_KEY="k").document
    assert other["digest"] != again["digest"]
    assert proctor("runs", "--json").document == []
    shown = proctor("plan", "repos", "--model", "no-such", BOX_KEY="k")
    assert shown.code == 2 and "no-such" in shown.err


def test_doctor_tells_what_runs_here(proctor: Proctor, repo: Path, server: ScriptedServer) -> None:
    done = proctor("doctor", "--base-url", server.url, "--json")
    assert done.code == 0, done.err
    report = done.document
    assert [row["name"] for row in report["runtimes"]] == ["docker", "podman", "bubblewrap"]
    assert all(row["state"] == "ready" or row["remedy"] for row in report["runtimes"])
    (endpoint,) = [row for row in report["endpoints"] if row["name"] == server.url]
    assert endpoint["state"] == "answers"
    text = proctor("doctor").out
    assert "runtimes:" in text and "suites:" in text and "repos" in text
