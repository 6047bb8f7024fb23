"""Falsification of node tests, found by TypeScript in a real box, run by Node in another."""

from __future__ import annotations

import pytest

from harness.grading.assemble import assemble
from harness.grading.boxes import run_tests
from harness.grading.grade import read_result
from harness.grading.subject import Subject
from harness.grading.twin_cache import twins_of
from harness.grading.verdict import RunResult
from harness.sandbox.protocol import Provider
from harness.tasks.task import TestSettings, Tree, TreeFile
from tests.support.grading import place

SOURCE = """\
export class BadError extends Error { name = "BadError"; }
export class WorseError extends BadError {}
export function fail(error: Error): never { throw error; }
export async function reject(error: Error): Promise<never> { throw error; }
export const three: number = 3;
export const yes: unknown = true;
"""
FORMS = {
    "equal": "assert.equal(1 + 2, 3)",
    "strictEqual": "assert.strictEqual(1 + 2, 3)",
    "value first": "assert.equal(3, 1 + 2)",
    "negative": "assert.equal(-three, -3)",
    "float": "assert.equal(three + 0.5, 3.5)",
    "text": 'assert.equal("so" + "uth", "south")',
    "template": "assert.equal(`a${three}`, `a3`)",
    "boolean": "assert.equal(yes, true)",
    "undefined": "assert.equal(([] as number[])[0], undefined)",
    "deepEqual": "assert.deepEqual({ a: [1, three] }, { a: [1, 3] })",
    "deepStrictEqual": 'assert.deepStrictEqual([["x", three]], [["x", 3]])',
    "empty": "assert.deepEqual([].slice(), [])",
    "as": "assert.deepEqual([three] as unknown, [3] as unknown)",
    "notEqual": "assert.notEqual(three, 4)",
    "notDeepEqual": "assert.notDeepEqual([three], [4])",
    "ok": "assert.ok(three > 2)",
    "ok of a call": "assert.ok(Number.isInteger(three))",
    "assert": "assert(three > 2)",
    "match": 'assert.match("abc", /b/)',
    "doesNotMatch": 'assert.doesNotMatch("abc", /z/)',
    "throws": "assert.throws(() => fail(new BadError()))",
    "throws a class": "assert.throws(() => fail(new BadError()), BadError)",
    "throws a subclass": "assert.throws(() => fail(new WorseError()), BadError)",
    "throws any": "assert.throws(() => fail(new BadError()), Error)",
    "throws a text": 'assert.throws(() => fail(new BadError("no")), /no/)',
    "throws a shape": 'assert.throws(() => fail(new BadError("no")), { name: "BadError" })',
    "doesNotThrow": "assert.doesNotThrow(() => three)",
    "rejects": "await assert.rejects(reject(new BadError()), BadError)",
    "strict": "assert.strict.equal(three, 3)",
    "named": "deepEqual([three], [3])",
    "in a loop": "for (const x of [three]) { assert.equal(x, 3); }",
    "in a condition": "if (three === 3) { assert.equal(three, 3); }",
}


def subject() -> Subject:
    tests = "\n".join(
        f'  test("{name}", async () => {{ {code}; }});' for name, code in FORMS.items()
    )
    text = (
        'import assert, { deepEqual } from "node:assert/strict";\n'
        'import { describe, it, test } from "node:test";\n'
        'import { BadError, WorseError, fail, reject, three, yes } from "../src/it.ts";\n'
        'const others = [4, 12, 2.5, 9.25, "north", "a7", false, -8];\n'
        f'// a comment\ndescribe("forms – é 😀", () => {{\n{tests}\n}});\n'
        'it("arrow", () => assert.equal(three, 3));\n'
        'test("twice", () => { assert.equal(three, 3); });\n'
        'test("twice", () => { assert.equal(three + 1, 4); });\n'
        "for (const n of [1]) { test(`made ${n}`, () => { assert.equal(n, 1); }); }\n"
        'test("parent", async (t) => { await t.test("kid", () => { assert.ok(three); }); });\n'
        'test.skip("skipped", () => { assert.equal(three, 3); });\n'
        'test("nothing", () => { three; });\n'
    )
    gold = {
        "src/it.ts": TreeFile(SOURCE.encode()),
        "package.json": TreeFile(b'{"type": "module"}'),
    }
    return Subject(
        id="forms",
        language="typescript",
        tests=TestSettings(style="node", timeout_s=30),
        start=gold,
        hidden={"tests/it.test.ts": TreeFile(text.encode())},
        gold=gold,
    )


async def run(task: Subject, tests: Tree, provider: Provider) -> RunResult:
    tree = assemble(task, task.gold, tests).tree
    return read_result(await run_tests(place(provider), task, tree, task.child()))


async def test_falsified_forms_fail_where_the_true_ones_hold(bubblewrap: Provider) -> None:
    task = subject()
    made = await twins_of(task, place(bubblewrap))
    true = await run(task, made.all_true(), bubblewrap)
    assert true.problem is None, true.detail
    file = "tests/it.test.ts > "
    ids = [f"{file}forms – é 😀 > {name}" for name in FORMS]
    ids += [f"{file}arrow", f"{file}twice", f"{file}twice #2"]
    assert [true.tests[test].outcome for test in ids] == ["passed"] * len(ids)
    for seed in range(4):
        tree = made.all_falsified(seed)
        printed = made.all_true()["tests/it.test.ts"].content
        assert tree["tests/it.test.ts"].content.count(b"\n") == printed.count(b"\n")
        false = await run(task, tree, bubblewrap)
        assert {test for test in ids if false.tests[test].outcome == "passed"} == set()
    for test in ids:
        assert made.has_twin(test)
    for name in ("made 1", "parent", "parent > kid", "nothing"):
        assert true.tests[file + name].outcome == "passed"
        assert not made.has_twin(file + name)
    assert true.tests[f"{file}skipped"].outcome == "skipped"


async def test_comments_are_dropped(bubblewrap: Provider) -> None:
    made = await twins_of(subject(), place(bubblewrap))
    assert b"a comment" not in made.all_true()["tests/it.test.ts"].content


@pytest.mark.parametrize("seed", range(3))
async def test_halves_are_complementary(bubblewrap: Provider, seed: int) -> None:
    pair = (await twins_of(subject(), place(bubblewrap))).pair(seed)
    assert set(pair.sides.values()) == {1, 2}
    assert pair.first != pair.second
