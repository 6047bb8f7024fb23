"""The command line as a whole: help, versions, errors, broken pipes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cli.conftest import Home, Proctor

HEAVY = ("pydantic", "docker", "openai", "rich", "textual", "scipy", "datasets", "zstandard")


def test_help_lists_every_command_and_the_exit_codes(proctor: Proctor) -> None:
    done = proctor("--help")
    assert done.code == 0
    for name in ("run", "plan", "doctor", "setup", "clean", "suites", "runs", "show", "replay",
                 "cancel", "task", "completion"):  # fmt: skip
        assert f"\n  {name} " in done.out
    assert "_runner" not in done.out
    assert "130 Ctrl+C" in done.out


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["completion", "bash"]])
def test_help_imports_nothing_heavy(home: Home, arguments: list[str]) -> None:
    program = (
        "import sys\n"
        "from harness.cli.main import main\n"
        f"code = main({arguments!r})\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=home.env, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0
    assert done.stderr.strip() == "[]"


def test_version(proctor: Proctor) -> None:
    done = proctor("--version")
    assert done.code == 0 and done.out.startswith("proctor 0.")


def test_no_arguments_show_the_help_and_say_why_there_is_no_interface(proctor: Proctor) -> None:
    done = proctor()
    assert done.code == 2
    assert "Commands:" in done.out
    (line,) = done.err.splitlines()
    assert "standard input is no terminal" in line and "proctor run SUITE --batch" in line


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_cannot_move_its_cursor_is_named(home: Home, term: str) -> None:
    leader, follower = os.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "harness.cli.main"],
            cwd=home.project, env=home.env | {"TERM": term}, stdin=follower, stdout=follower,
            stderr=subprocess.PIPE, text=True, timeout=60, check=False,
        )  # fmt: skip
    finally:
        os.close(follower)
        os.close(leader)
    assert done.returncode == 2
    assert f"TERM is {term or 'not set'}" in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_group_without_a_command_prints_its_help(proctor: Proctor) -> None:
    done = proctor("task")
    assert done.code == 2 and "error:" not in done.err
    assert done.err.startswith("Usage: proctor task") and "\nCommands:\n" in done.err
    assert "..." not in done.err.split("Commands:")[1]  # every command is said in full


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["rums"], "did you mean 'runs'?"),
        (["compair"], "did you mean 'compare'?"),
        (["frobnicate"], "known: cancel, clean, compare, "),
        (["task", "lst"], "did you mean 'list'?"),
        (["task", "frobnicate"], "known: list, mutate, new, show, validate"),
        (["run", "repos", "--modle", "x"], "--model"),
        (["run", "reposs"], "did you mean repos?"),
    ],
)
def test_a_near_match_or_all_that_is_known_is_offered(
    proctor: Proctor, arguments: list[str], remedy: str
) -> None:
    done = proctor(*arguments)
    assert done.code == 2 and remedy in done.err and len(done.err.splitlines()) == 1
    assert ", _" not in done.err


def test_a_working_folder_that_is_gone(home: Home) -> None:
    lost = home.project / "lost"
    lost.mkdir()
    command = f"rmdir {lost}; {sys.executable} -m harness.cli.main"
    for arguments, code, said in (
        ("runs", 0, "there is no run yet"),
        ("run repos --model noop --data .", 2, "the working folder is gone"),
    ):
        lost.mkdir(exist_ok=True)
        done = subprocess.run(
            f"{command} {arguments}", shell=True, cwd=lost, env=home.env, capture_output=True,
            text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == code and said in done.stderr, done.stderr
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", 0),
        ("# nothing\n", 0),
        ("defaults = 3\n", 2),
        ("[[models]]\nname = 1\n", 2),
        ("[endpoints]\nlab = 'http://h'\n", 2),
        ("[models]\nquick = []\n", 2),
        ("[models.q]\nendpoint = { a = 1 }\n", 2),
        ("[models.q]\nsampling = 3\n", 2),
        ("[defaults]\nmodel = 1979-05-27\n", 2),
        ("[defaults]\nbase_url = [1]\n", 2),
        ("[" * 3000, 2),
    ],
)
def test_any_proctor_toml_is_read_or_refused_in_one_line(
    proctor: Proctor, home: Home, text: str, code: int
) -> None:
    (home.project / "proctor.toml").write_text(text)
    done = proctor("show", "last", "--json") if code else proctor("runs")
    assert done.code == code, done.err + done.out
    if code:
        assert str(home.project / "proctor.toml") in done.document["error"]["where"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rum"], "No such command 'rum'"),
        (["run", "repos", "--modle", "x"], "No such option"),
        (["run", "repos", "--epochs", "many"], "not a valid integer"),
        (["run", "repos", "--epochs", "0"], "--epochs: 0 is below 1"),
        (["run", "repos", "--fail-under", "80"], "--fail-under: 80 is above 1"),
        (["run", "repos", "--extra-body", "{"], "--extra-body: is not JSON"),
        (["run"], "no suite is named"),
        (["run", "repo"], "there is no suite 'repo'"),
        (["run", "repos", "--resume", "a", "--extend", "b"], "exclude each other"),
        (["run", "repos", "--model", "oracle", "--task", "nothing-*"], "nothing-*"),
        (["run", "repos", "--data", "/does/not/exist"], "does not exist"),
        (
            ["run", "repos", "--model", "oracle", "--task", "[", "--task", "a*"],
            "no task matches '['",
        ),
        (["run", "repos", "--model", "oracle", "--name", ""], "--name is empty"),
        (["run", "repos", "--model", "oracle", "--name", " \t"], "--name is empty"),
        (["run", "repos", "--model", "oracle", "--name", "a\nb"], "the name a\\nb holds a control"),
        (["run", "repos", "--model", "oracle", "--name", "\x1b[31mred"], "holds a control"),
        (["run", "repos", "--model", "oracle", "--name", "last"], "stands for the newest run"),
        (["runs", "--name", "demo", "last"], "stands for the newest run"),
        (["runs", "--name", "demo", ""], "--name is empty"),
        (["run", "repos", "--system-prompt", "/does/not/exist"], "No such file"),
        (["suites", "humanevil"], "there is no suite"),
        (["task", "show", "nothing"], "no task matches"),
        (["show", "nothing"], "no run is called 'nothing'"),
        (["show", "last"], "there is no run yet"),
        (["show", "last", "--turn", "1"], "--turn needs --sample"),
        (["show", "last", "--sample", "x", "--curl"], "--curl needs"),
        (["replay", "nothing"], "no run is called"),
        (["cancel", "nothing"], "no run is called"),
        (["setup", "chroot"], "is not one of"),
    ],
)
def test_a_wrong_argument_is_one_line_and_exit_code_2(
    proctor: Proctor, arguments: list[str], said: str
) -> None:
    done = proctor(*arguments)
    assert done.code == 2, done.err
    assert done.out == ""
    lines = done.err.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("error: "), done.err
    assert said in lines[0]


def test_a_wrong_argument_as_json(proctor: Proctor) -> None:
    done = proctor("suites", "repo", "--json")
    assert done.code == 2
    error = done.document["error"]
    assert error["kind"] == "UsageError" and "'repo'" in error["what"] and error["remedy"]
    assert proctor("run", "--no-such-option", "--json").document["error"]["kind"] == "UsageError"


def test_a_malformed_configuration_names_file_and_line(proctor: Proctor, home: Home) -> None:
    (home.project / "proctor.toml").write_text("[defaults]\nepochs = \n")
    done = proctor("run", "repos", "--model", "oracle")
    assert done.code == 2
    assert len(done.err.strip().splitlines()) == 1
    assert f"{home.project / 'proctor.toml'}:2" in done.err


def test_an_unexpected_exception_becomes_a_line_and_a_report(home: Home) -> None:
    program = (
        "import sys\n"
        "import harness.cli.completion as module\n"
        "def broken(*a, **k): raise KeyError('oh\\x1b[31m no')\n"
        "module.command.callback = broken\n"
        "from harness.cli.main import main\n"
        "sys.exit(main(['completion', 'bash']))\n"
    )
    cache = home.project.parent / "cache"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=home.env | {"XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("error: internal error: KeyError") and "\x1b" not in line
    (report,) = (cache / "proctor" / "crashes").iterdir()
    assert str(report) in line
    assert "Traceback" in report.read_text() and "KeyError" in report.read_text()
    assert report.stat().st_mode & 0o777 == 0o600


def test_a_library_that_cannot_be_opened_for_want_of_descriptors_says_so(home: Home) -> None:
    """A real one: the limit is met before an extension module is loaded."""
    program = (
        "import os, resource, sys\n"
        "from harness.cli import main\n"
        "def run(arguments):\n"
        "    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n"
        "    import importlib.util\n"
        "    spec = importlib.util.find_spec('_decimal')\n"
        "    while True:\n"
        "        try:\n"
        "            os.open('/dev/null', os.O_RDONLY)\n"
        "        except OSError:\n"
        "            break\n"
        "    importlib.util.module_from_spec(spec)\n"
        "main.root.invoke = run\n"
        "sys.exit(main.main(['version']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=home.env,
        cwd=home.project,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("error: Too many open files"), done.stderr
    assert "ulimit -n" in done.stderr and "internal" not in done.stderr


@pytest.mark.parametrize("left", range(6))
def test_no_descriptor_for_an_event_loop_is_one_line(home: Home, left: int) -> None:
    program = (
        "import asyncio, os, resource, sys\n"
        "from harness.cli import common, main\n"
        "def run(arguments):\n"
        "    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n"
        "    taken = []\n"
        "    while True:\n"
        "        try:\n"
        "            taken.append(os.open('/dev/null', os.O_RDONLY))\n"
        "        except OSError:\n"
        "            break\n"
        f"    for fd in taken[:{left}]:\n"
        "        os.close(fd)\n"
        "    async def command():\n"
        "        return 0\n"
        "    return common.asynchronous(command)()\n"
        "main.root.invoke = run\n"
        "sys.exit(main.main(['version']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=home.env,
        cwd=home.project,
        capture_output=True,
        text=True,
    )
    if done.returncode == 0:
        assert done.stderr == "" and left >= 4
        return
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: Too many open files"), done.stderr
    assert "ulimit -n" in line


def test_a_reader_that_leaves_is_no_error(home: Home) -> None:
    done = subprocess.run(
        f"set -o pipefail; {sys.executable} -m harness.cli.main run --help | true; echo $?",
        shell=True,
        executable="/bin/bash",
        cwd=home.project,
        env=home.env | {"PYTHONUNBUFFERED": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.strip() == "0"
    assert done.stderr == ""


def test_a_closed_stdout_is_no_error(home: Home) -> None:
    done = subprocess.run(
        f"{sys.executable} -m harness.cli.main suites >&-",
        shell=True,
        cwd=home.project,
        env=home.env,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_stdout_without_unicode_survives(proctor: Proctor, home: Home) -> None:
    (home.project / "proctor.toml").write_text("[defaults]\nmodél = 1\n", encoding="utf-8")
    done = proctor("run", "repos", PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    assert done.code == 2 and len(done.err.strip().splitlines()) == 1


def test_completion_completes(proctor: Proctor) -> None:
    script = proctor("completion", "bash")
    assert script.code == 0 and "_PROCTOR_COMPLETE=bash_complete" in script.out
    done = proctor(_PROCTOR_COMPLETE="bash_complete", COMP_WORDS="proctor ru", COMP_CWORD="1")
    assert done.out.split() == ["plain,run", "plain,runs"]
    done = proctor(_PROCTOR_COMPLETE="bash_complete", COMP_WORDS="proctor frob x", COMP_CWORD="2")
    assert done.err == ""
