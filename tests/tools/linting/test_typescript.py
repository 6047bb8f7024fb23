"""The TypeScript compiler on trees, honest and hostile."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tools.dispatch import LintConfig, ToolHost

pytestmark = pytest.mark.node

FAULTY = 'export function f(x): string {\n  return 1;\n}\nimport { g } from "./b.ts";\ng(f(2));\n'
FOUND = [
    "src/a.ts:1:19: error TS7006: Parameter 'x' implicitly has an 'any' type.",
    "src/a.ts:2:3: error TS2322: Type 'number' is not assignable to type 'string'.",
    "src/a.ts:5:3: error TS2345: Argument of type 'string' is not assignable to parameter of "
    "type 'number'.",
]


@pytest.fixture
def faulty(tree: Path) -> Path:
    """Two modules with wrong types."""
    (tree / "src").mkdir()
    (tree / "src" / "a.ts").write_text(FAULTY)
    (tree / "src" / "b.ts").write_text("export function g(n: number): void { console.log(n); }\n")
    return tree


def test_findings_and_edits(typescript_host: ToolHost, faulty: Path) -> None:
    outcome = typescript_host.call("lint", {})
    assert outcome.text.splitlines() == FOUND and outcome.lint_findings == 3
    typescript_host.call(
        "edit_replace", {"path": "src/a.ts", "old_text": "f(x)", "new_text": "f(x: number)"}
    )
    assert typescript_host.call("lint", {}).text.splitlines() == FOUND[1:]
    assert typescript_host.call("lint", {"path": "src/b.ts"}).text == "No problems found."
    typescript_host.call("write_file", {"path": "src/b.ts", "content": "export {};\n"})
    assert "has no exported member 'g'" in typescript_host.call("lint", {}).text


def test_configuration_in_the_tree_has_no_say(typescript_host: ToolHost, faulty: Path) -> None:
    loose = '{"compilerOptions": {"strict": false, "noCheck": true}, "files": []}'
    (faulty / "tsconfig.json").write_text(loose)
    (faulty / "src" / "tsconfig.json").write_text(loose)
    (faulty / "package.json").write_text('{"type": "commonjs", "main": "evil.js"}')
    marker = faulty.parent / "ran"
    evil = f'require("node:fs").writeFileSync({str(marker)!r}, "");'
    (faulty / "evil.js").write_text(evil)
    (faulty / "typescript.js").write_text(evil)
    types = faulty / "node_modules" / "@types" / "node"
    types.mkdir(parents=True)
    (types / "index.d.ts").write_text("declare const x: number; syntax error here")
    folder = Path.cwd()
    os.chdir(faulty)
    try:
        assert typescript_host.call("lint", {}).text.splitlines() == FOUND
    finally:
        os.chdir(folder)
    assert not marker.exists()


def test_missing_packages_are_let_pass_and_missing_files_are_not(
    typescript_host: ToolHost, tree: Path
) -> None:
    (tree / "a.ts").write_text(
        'import test from "node:test";\nimport x from "left-pad";\nimport y from "./none.ts";\n'
        "test(x, y, process.env.HOME, Buffer.from('a'));\n"
        "const timer: NodeJS.Timeout = setTimeout(() => {}, 1);\nclearTimeout(timer);\n"
    )
    lines = typescript_host.call("lint", {}).text.splitlines()
    assert len(lines) == 1 and lines[0].startswith("a.ts:3:15: error TS2307")


def test_what_node_cannot_strip_or_find_is_told(typescript_host: ToolHost, tree: Path) -> None:
    (tree / "a.ts").write_text(
        'import { T } from "./b.ts";\nenum E { A }\nexport const t: T = E.A;\n'
    )
    (tree / "b.ts").write_text("export type T = number;\n")
    (tree / "c.ts").write_text("export const length2 = status;\n")
    text = typescript_host.call("lint", {}).text
    assert "TS1294" in text and "TS1484" in text and "Cannot find name 'status'" in text


def test_sacb_keeps_the_compilers_default_libraries(
    tree: Path, lint_cache: Path, typescript: tuple[str, str]
) -> None:
    (tree / "a.ts").write_text("enum E { A }\nexport const t: E = E.A;\nconsole.log(status);\n")
    config = LintConfig(cache_dir=str(lint_cache), node=typescript[0], typescript_lib=typescript[1])
    host = ToolHost(str(tree), "sacb", lint_command=config)
    assert host.call("lint", {}).text == "No problems found."
    host.close()


def test_files_outside_the_tree_are_not_read(typescript_host: ToolHost, tree: Path) -> None:
    (tree.parent / "out.ts").write_text("export const secret: number = 'x';\n")
    (tree / "a.ts").write_text(
        f'/// <reference path="../out.ts" />\nimport {{ secret }} from "{tree.parent}/out.ts";\n'
        'import { secret as s } from "../out.ts";\nconsole.log(secret, s);\n'
    )
    (tree / "link.ts").symlink_to("../out.ts")
    text = typescript_host.call("lint", {}).text
    assert "not assignable" not in text and "Cannot find module '../out.ts'" in text


def test_bad_files_do_not_stop_the_others(typescript_host: ToolHost, faulty: Path) -> None:
    (faulty / "syntax.ts").write_text("export const = {\n")
    (faulty / "binary.ts").write_bytes(b"\0\1")
    (faulty / "huge.ts").write_text("x;\n" * 400_000)
    (faulty / "odd name-ü.ts").write_text("export const n: number = '';\n")
    (faulty / "__proto__.ts").write_text("export const n: number = '';\n")
    (faulty / "deep.ts").write_text("export const d = " + "[" * 5_000 + "]" * 5_000 + ";\n")
    outcome = typescript_host.call("lint", {})
    assert not outcome.is_error
    if "failed on this tree" in outcome.text:  # the compiler's stack does not reach that deep
        (faulty / "deep.ts").unlink()
        outcome = typescript_host.call("lint", {})
    assert set(FOUND) <= set(outcome.text.splitlines()), outcome.text
    for name in ("syntax.ts", "binary.ts", "huge.ts", "odd name-ü.ts", "__proto__.ts"):
        assert any(line.startswith(name) for line in outcome.text.splitlines()), outcome.text


def test_a_compiler_that_is_killed_is_started_again(
    typescript_host: ToolHost, faulty: Path
) -> None:
    assert typescript_host.call("lint", {}).text.splitlines() == FOUND
    checker = typescript_host._checker
    assert checker and checker._typescript
    process = checker._typescript._server._process
    assert process
    os.kill(process.pid, signal.SIGKILL)
    assert typescript_host.call("lint", {}).text.splitlines() == FOUND
