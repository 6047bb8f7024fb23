"""Honest but odd TypeScript solutions: what they do beside being right, and how files are laid out."""
# ruff: noqa: E501 - tables of code read best one entry a line

from __future__ import annotations

from tests.honest.node_code import ERRORS, RATE, Files, after, before, beside
from tests.honest.node_repo import CORE, INDEX, module, solution

BEHAVIOUR: dict[str, Files] = {
    "flood on stdout": beside('console.log("x".repeat(10_000));\n'),
    "flood on stderr": beside('process.stderr.write("y".repeat(10_000));\n'),
    "prints what looks like TAP": beside('console.log("not ok 1 - rate\\n# fail 1\\n1..0");\n'),
    "interval at import": before("setInterval(() => {}, 1000);\n"),
    "timer that ends": before("setTimeout(() => {}, 5);\n"),
    "timer without a reference": before("setTimeout(() => {}, 60_000).unref();\n"),
    "immediate and microtask": before("setImmediate(() => {});\nqueueMicrotask(() => {});\n"),
    "worker that ends": before(
        'import { Worker } from "node:worker_threads";\n'
        'await new Promise((done) => new Worker("1", { eval: true }).on("exit", done));\n'
    ),
    "child process": before(
        'import { execFileSync } from "node:child_process";\n'
        'execFileSync("/bin/true", { timeout: 10_000 });\n'
    ),
    "top-level await": before("await new Promise((done) => setTimeout(done, 10));\n"),
    "rejection that is handled": before(
        "const later = Promise.reject(new Error('known'));\nlater.catch(() => {});\n"
    ),
    "event listeners on the process": before(
        'process.on("warning", () => {});\nprocess.on("beforeExit", () => {});\n'
    ),
    "exit handler": before('process.on("exit", () => console.log("bye"));\n'),
    "signal handler removed": before(
        'const ignore = () => {};\nprocess.on("SIGUSR2", ignore);\n'
        'process.removeListener("SIGUSR2", ignore);\n'
    ),
    "emits warnings": beside('process.emitWarning("old", "DeprecationWarning");\n'),
    "environment changed and restored": beside(
        "const old = process.env.LC_ALL;\nprocess.env.LC_ALL = 'C';\n"
        "if (old === undefined) delete process.env.LC_ALL; else process.env.LC_ALL = old;\n"
    ),
    "working directory changed and restored": beside(
        "const here = process.cwd();\nprocess.chdir('/');\nprocess.chdir(here);\n"
    ),
    "large temporary file": before(
        'import { mkdtempSync, rmSync, writeFileSync } from "node:fs";\n'
        'const folder = mkdtempSync("/tmp/parcels-");\n'
        'writeFileSync(`${folder}/x`, "x".repeat(4_000_000));\n'
        "rmSync(folder, { recursive: true });\n"
    ),
    "server that closes": before(
        'import { createServer } from "node:net";\nconst server = createServer();\n'
        'await new Promise<void>((done) => server.once("error", () => done()).listen(0, "127.0.0.1", '
        "() => server.close(() => done())));\n"
    ),
    "asserts of its own": before(
        'import assert from "node:assert";\nassert.ok(true);\n'
    ),
    "own assert helper": after(
        "export function assertMoney(value: unknown): asserts value is Money {\n"
        '  if (!(value instanceof Money)) throw new TypeError("no money");\n}\n'
    ),
    "extends a builtin with a symbol": before(
        "const half = Symbol('half');\nObject.defineProperty(Number.prototype, half, {\n"
        "  configurable: true, value(this: number) { return Math.floor(this / 2); } });\n"
    ),
    "polyfill that is there already": before(
        "if (!Array.prototype.at) {\n  Array.prototype.at = function (n: number) {\n"
        "    return this[n < 0 ? this.length + n : n];\n  };\n}\n"
    ),
    "global of its own": before(
        "declare global {\n  var parcelsLoaded: boolean;\n}\nglobalThis.parcelsLoaded = true;\n"
    ),
    "async iteration": solution(
        QUOTE="async function* rates(weights: number[]) {\n"
        "  for (const grams of weights) yield rate(grams);\n}\n\n"
        "export async function quote(weights: number[]): Promise<Money[]> {\n"
        "  const found: Money[] = [];\n  for await (const money of rates(weights)) found.push(money);\n"
        "  return found;\n}\n"
    ),
    "all at once": solution(
        QUOTE="export async function quote(weights: number[]): Promise<Money[]> {\n"
        "  return Promise.all(weights.map(async (grams) => {\n"
        "    await new Promise((done) => setTimeout(done, 5));\n    return rate(grams);\n  }));\n}\n"
    ),
    "abort signal": solution(
        QUOTE="export async function quote(weights: number[], signal = AbortSignal.timeout(60_000))"
        ": Promise<Money[]> {\n  signal.throwIfAborted();\n  return weights.map((g) => rate(g));\n}\n"
    ),
}  # fmt: skip

_CORE = module()
_ERRORS = 'import { FormatError, WeightError } from "./errors.ts";\n'
LAYOUT: dict[str, Files] = {
    "line ends of Windows": {**solution(), CORE: _CORE.replace("\n", "\r\n")},
    "byte order mark": {**solution(), CORE: "\ufeff" + _CORE},
    "tabs and no newline at the end": {
        **solution(), CORE: _CORE.replace("  ", "\t").rstrip("\n"),
    },
    "hash-bang": {**solution(), CORE: "#!/usr/bin/env node\n" + _CORE},
    "all in the index": {**solution(), "src/index.ts": _CORE, CORE: "export {};\n"},
    "split in modules": {
        **solution(), "src/errors.ts": ERRORS,
        CORE: _ERRORS + 'export * from "./errors.ts";\n' + module(ERRORS=""),
    },
    "renamed with a re-export": {
        **solution(), "src/tariff.ts": _CORE, CORE: 'export * from "./tariff.ts";\n',
    },
    "default export": {
        **solution(), CORE: _CORE + "\nexport default rate;\n",
        "src/index.ts": INDEX + 'export { default } from "./core.ts";\n',
    },
    "namespace re-export": {**solution(), "src/index.ts": INDEX + 'export * as all from "./core.ts";\n'},
    "circular imports": {
        **solution(), "src/errors.ts": 'import { Money } from "./core.ts";\n'
        + ERRORS + "\nexport const nothing = () => new Money(0);\n",
        CORE: _ERRORS + 'export * from "./errors.ts";\n' + module(ERRORS=""),
    },
    "dynamic import": {
        **solution(), "src/half.ts": "export const half = (n: number) => Math.floor(n / 2);\n",
        CORE: 'const { half } = await import("./half.ts");\n'
        + module(RATE=RATE.replace("Math.floor(cents / 2)", "half(cents)")),
    },
    "JSON import": {
        **solution(), "src/prices.json": '{"small": 199, "medium": 449, "large": 899}\n',
        CORE: 'import prices from "./prices.json" with { type: "json" };\n'
        + module(RATE=RATE.replace("{ small: 199, medium: 449, large: 899 }", "prices")),
    },
    "JSON read at import": {
        **solution(), "src/prices.json": '{"small": 199, "medium": 449, "large": 899}\n',
        CORE: 'import { readFileSync } from "node:fs";\n'
        + module(RATE=RATE.replace(
            "{ small: 199, medium: 449, large: 899 }",
            'JSON.parse(readFileSync(new URL("./prices.json", import.meta.url), "utf8"))')),
    },
    "CommonJS helper": {
        **solution(), "src/half.cjs": "module.exports = (n) => Math.floor(n / 2);\n",
        CORE: 'import half from "./half.cjs";\n'
        + module(RATE=RATE.replace("Math.floor(cents / 2)", "half(cents)")),
    },
    "JavaScript helper": {
        **solution(), "src/half.mjs": "export const half = (n) => Math.floor(n / 2);\n",
        CORE: 'import { half } from "./half.mjs";\n'
        + module(RATE=RATE.replace("Math.floor(cents / 2)", "half(cents)")),
    },
    "require by createRequire": {
        **solution(), "src/half.cjs": "module.exports = (n) => Math.floor(n / 2);\n",
        CORE: 'import { createRequire } from "node:module";\n'
        'const half = createRequire(import.meta.url)("./half.cjs");\n'
        + module(RATE=RATE.replace("Math.floor(cents / 2)", "half(cents)")),
    },
    "types of its own": {
        **solution(), "src/types.ts": "export type Grams = number;\n",
        CORE: 'import type { Grams } from "./types.ts";\n'
        + module(RATE=RATE.replace("grams: number", "grams: Grams")),
    },
    "declaration file": {
        **solution(), "src/globals.d.ts": "declare const VERSION: string;\n",
    },
    "guarded main": after(
        "if (process.argv[1] === import.meta.filename) console.log(String(rate(100)));\n"
    ),
    "tests of its own": {
        **solution(), "src/core.spec.ts": 'import { test } from "node:test";\n'
        'test("nothing", () => {});\n',
    },
    "own test in the tests' folder": {
        **solution(), "tests/more.test.ts": 'import { test } from "node:test";\n'
        'test("fails", () => { throw new Error("not yet"); });\n',
    },
    "mocks in its own tests": {
        **solution(), "checks/own.test.ts": 'import { mock, test } from "node:test";\n'
        'test("mock", () => { mock.method(Math, "floor"); mock.reset(); });\n',
    },
    "project files": {
        **solution(), "tsconfig.json": '{"compilerOptions": {"strict": true}}\n',
        "package.json": '{"type": "module", "name": "parcels", "scripts": {"test": "node --test"}}\n',
        "README.md": "# parcels\n",
    },
    "broken script beside": {**solution(), "scratch/old.ts": "export const broken: = 3;\n"},
}  # fmt: skip
