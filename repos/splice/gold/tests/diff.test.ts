import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  diffLines,
  formatContext,
  formatNumbers,
  formatSideBySide,
  formatUnified,
  inlineWords,
  makePatch,
  sameText,
} from '../src/index.ts';

describe('diffs', () => {
  test('a replaced line', () => {
    assert.deepEqual(diffLines('a\nb\nc\n', 'a\nx\nc\n').changes, [
      { aStart: 1, aEnd: 2, bStart: 1, bEnd: 2 },
    ]);
  });

  test('both algorithms agree on simple texts', () => {
    const [a, b] = ['one\ntwo\nthree\n', 'one\nthree\nfour\n'];
    assert.deepEqual(
      diffLines(a, b, { algorithm: 'patience' }).changes,
      diffLines(a, b, { algorithm: 'myers' }).changes,
    );
  });

  test('blanks can be ignored', () => {
    assert.equal(sameText('if (x) {\n', 'if(x){\n', { whitespace: 'all' }), true);
    assert.equal(sameText('if (x) {\n', 'if(x){\n'), false);
  });

  test('words', () => {
    assert.equal(inlineWords('the quick fox', 'the slow fox'), 'the [-quick-]{+slow+} fox');
  });
});

describe('formats', () => {
  const patch = makePatch('greeting', 'hello\nworld\n', 'hello\nthere\nworld\n');

  test('unified', () => {
    assert.equal(
      formatUnified(patch),
      '--- a/greeting\n+++ b/greeting\n@@ -1,2 +1,3 @@\n hello\n+there\n world\n',
    );
  });

  test('context', () => {
    assert.equal(
      formatContext(patch),
      '*** a/greeting\n--- b/greeting\n***************\n' +
        '*** 1,2 ****\n--- 1,3 ----\n  hello\n+ there\n  world\n',
    );
  });

  test('side by side', () => {
    assert.equal(
      formatSideBySide(diffLines('a\nb\n', 'a\nc\n'), { width: 9 }),
      'a     a\nb   <\n    > c\n',
    );
  });

  test('statistics', () => {
    assert.equal(formatNumbers([patch]), '1\t0\tgreeting\n');
  });
});
