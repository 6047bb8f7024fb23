import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  applyPatch,
  formatPatch,
  formatPatches,
  formatRejects,
  makePatch,
  parsePatches,
  PatchSyntaxError,
  reversePatch,
} from '../src/index.ts';

const before = 'one\ntwo\nthree\nfour\nfive\n';
const after = 'one\ntwo\n3\nfour\nfive\n';
const patch = makePatch('numbers', before, after);

describe('patches', () => {
  test('are applied', () => {
    assert.equal(applyPatch(before, patch).text, after);
  });

  test('are read as they are written', () => {
    assert.equal(formatPatches(parsePatches(formatPatch(patch))), formatPatch(patch));
  });

  test('are taken back', () => {
    assert.equal(applyPatch(after, reversePatch(patch)).text, before);
  });

  test('find their place', () => {
    const applied = applyPatch(`zero\n${before}`, patch);
    assert.deepEqual(applied.outcomes, [{ status: 'applied', line: 2, offset: 1, fuzz: 0 }]);
  });

  test('are rejected', () => {
    const applied = applyPatch('something else\n', patch);
    assert.equal(applied.text, 'something else\n');
    assert.match(formatRejects(patch, applied), /^--- a\/numbers\n/);
  });

  test('broken ones name the line', () => {
    assert.throws(
      () => parsePatches('--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n'),
      (error: unknown) => error instanceof PatchSyntaxError && error.line === 5,
    );
  });
});
