import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  diffLines,
  formatContext,
  formatPatch,
  formatSideBySide,
  formatUnified,
  makePatch,
} from '../src/index.ts';

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');
const letters = (from: number, to: number) =>
  text(...Array.from({ length: to - from + 1 }, (_, i) => `l${from + i}`));
const unified = (a: string, b: string, options = {}) =>
  formatUnified(makePatch('f', a, b, options)).split('\n').slice(2);

describe('unified', () => {
  test('a hunk with three lines around a change', () => {
    assert.deepEqual(unified(letters(1, 9), letters(1, 4) + 'new\n' + letters(6, 9)), [
      '@@ -2,7 +2,7 @@',
      ' l2',
      ' l3',
      ' l4',
      '-l5',
      '+new',
      ' l6',
      ' l7',
      ' l8',
      '',
    ]);
  });

  test('names of the files', () => {
    assert.equal(
      formatUnified(makePatch('src/x.ts', 'a\n', 'b\n')),
      '--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1 +1 @@\n-a\n+b\n',
    );
  });

  test('an empty side starts at line 0', () => {
    assert.equal(unified('', 'a\nb\n')[0], '@@ -0,0 +1,2 @@');
  });

  test('an insertion without context names the line before', () => {
    assert.equal(unified('a\nb\n', 'a\nx\nb\n', { context: 0 })[0], '@@ -1,0 +2 @@');
  });

  test('a deletion without context names the line before', () => {
    assert.equal(unified('a\nb\nc\n', 'a\nc\n', { context: 0 })[0], '@@ -2 +1,0 @@');
  });

  test('changes with twice the context between them share a hunk', () => {
    assert.deepEqual(
      unified(letters(1, 8), 'x\n' + letters(2, 7) + 'y\n').filter((line) => line.startsWith('@')),
      ['@@ -1,8 +1,8 @@'],
    );
  });

  test('changes further apart do not', () => {
    assert.deepEqual(
      unified(letters(1, 9), 'x\n' + letters(2, 8) + 'y\n').filter((line) => line.startsWith('@')),
      ['@@ -1,4 +1,4 @@', '@@ -6,4 +6,4 @@'],
    );
  });

  test('later hunks know how far lines have moved', () => {
    assert.deepEqual(
      unified(letters(1, 20), 'x\ny\n' + letters(1, 19) + 'z\n').filter((line) => line.startsWith('@')),
      ['@@ -1,3 +1,5 @@', '@@ -17,4 +19,4 @@'],
    );
  });

  test('a missing newline is noted for each side', () => {
    assert.deepEqual(unified('a\nb', 'a\nb\n'), [
      '@@ -1,2 +1,2 @@',
      ' a',
      '-b',
      '\\ No newline at end of file',
      '+b',
      '',
    ]);
  });

  test('context without newline is noted once', () => {
    assert.deepEqual(unified('a\nb', 'x\nb'), [
      '@@ -1,2 +1,2 @@',
      '-a',
      '+x',
      ' b',
      '\\ No newline at end of file',
      '',
    ]);
  });

  test('context comes from the old text', () => {
    assert.deepEqual(unified('A\nb\n', 'a\nc\n', { ignoreCase: true }), [
      '@@ -1,2 +1,2 @@',
      ' A',
      '-b',
      '+c',
      '',
    ]);
  });

  test('the heading is the last matching line above', () => {
    assert.equal(
      unified(
        text('fn one() {', '  a', '}', 'fn two() { ', '  b', '  c', '  d', '  e', '}'),
        text('fn one() {', '  a', '}', 'fn two() { ', '  b', '  c', '  d', '  x', '}'),
        { heading: /^fn/ },
      )[0],
      '@@ -5,5 +5,5 @@ fn two() {',
    );
  });

  test('a line within the hunk is no heading', () => {
    assert.equal(unified('fn a\n1\n2\n', 'fn a\n1\n3\n', { heading: /^fn/ })[0], '@@ -1,3 +1,3 @@');
  });

  test('hunks of blank lines can be left out', () => {
    assert.deepEqual(
      unified('a\n\n' + letters(1, 9), 'a\n' + letters(1, 8) + 'x\n', { ignoreBlankLines: true })[0],
      '@@ -8,4 +7,4 @@',
    );
  });

  test('a hunk with another change stays whole', () => {
    assert.deepEqual(unified('a\n\nb\n', 'a\nc\n', { ignoreBlankLines: true }), [
      '@@ -1,3 +1,2 @@',
      ' a',
      '-',
      '-b',
      '+c',
      '',
    ]);
  });
});

describe("git's header", () => {
  test('of a file that stays', () => {
    assert.equal(
      formatPatch(makePatch('f', 'a\n', 'b\n')),
      'diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n',
    );
  });

  test('of a file that comes', () => {
    assert.equal(
      formatPatch({ oldPath: undefined, newPath: 'f', newMode: '100755', hunks: [] }),
      'diff --git a/f b/f\nnew file mode 100755\n',
    );
  });

  test('of a file that goes', () => {
    assert.equal(
      formatPatch({ ...makePatch('f', 'a\n', ''), newPath: undefined, oldMode: '100644' }),
      'diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
    );
  });

  test('of a file that is renamed and made to run', () => {
    assert.equal(
      formatPatch({
        oldPath: 'a.sh',
        newPath: 'bin/a.sh',
        oldMode: '100644',
        newMode: '100755',
        similarity: 100,
        hunks: [],
      }),
      'diff --git a/a.sh b/bin/a.sh\nold mode 100644\nnew mode 100755\nsimilarity index 100%\nrename from a.sh\nrename to bin/a.sh\n',
    );
  });

  test('names with quotes stand in quotes', () => {
    assert.equal(
      formatUnified({ ...makePatch('f', 'a\n', 'b\n'), newPath: 'say "hi"\t.txt' }).split('\n')[1],
      '+++ "b/say \\"hi\\"\\t.txt"',
    );
  });
});

describe('context format', () => {
  const context = (a: string, b: string) =>
    formatContext(makePatch('f', a, b, { context: 1 })).split('\n');

  test('changed lines are marked on both sides', () => {
    assert.deepEqual(context('a\nb\nc\nd\n', 'a\nx\nc\nd\n'), [
      '*** a/f',
      '--- b/f',
      '***************',
      '*** 1,3 ****',
      '  a',
      '! b',
      '  c',
      '--- 1,3 ----',
      '  a',
      '! x',
      '  c',
      '',
    ]);
  });

  test('a side without changes shows no lines', () => {
    assert.deepEqual(context('a\nb\n', 'a\nx\nb\n').slice(2), [
      '***************',
      '*** 1,2 ****',
      '--- 1,3 ----',
      '  a',
      '+ x',
      '  b',
      '',
    ]);
  });

  test('marks are per run of changes', () => {
    assert.deepEqual(context('a\nb\nc\n', 'x\nb\n').slice(3), [
      '*** 1,3 ****',
      '! a',
      '  b',
      '- c',
      '--- 1,2 ----',
      '! x',
      '  b',
      '',
    ]);
  });

  test('the range of a single line', () => {
    assert.equal(context('a\n', 'b\n')[3], '*** 1 ****');
  });
});

describe('side by side', () => {
  const rows = (a: string, b: string, options = {}) =>
    formatSideBySide(diffLines(a, b), { width: 13, ...options }).split('\n');

  test('marks what came, went and changed', () => {
    assert.deepEqual(rows('a\nb\nc\nd 1\n', 'a\nc\nd 2\ne\n'), [
      'a       a',
      'b     <',
      'c       c',
      'd 1   | d 2',
      '      > e',
      '',
    ]);
  });

  test('an insertion stands before what follows it', () => {
    assert.deepEqual(rows('b\n', 'a\nb\n'), ['      > a', 'b       b', '']);
  });

  test('cuts long lines', () => {
    assert.deepEqual(rows('abcdefgh\n', 'abcdefgh\n'), ['abcde   abcde', '']);
  });

  test('an even width leaves one character over', () => {
    assert.deepEqual(rows('abcdefgh\n', 'abcdefgh\n', { width: 14 }), ['abcde   abcde', '']);
  });

  test('tabs go to the next stop', () => {
    assert.deepEqual(rows('a\tb\n', 'a\tb\n', { tab: 4 }), ['a   b   a   b', '']);
  });

  test('tabs at the start and within', () => {
    assert.deepEqual(rows('\tab\tc\n', '', { width: 33, tab: 4 }), ['    ab  c       <', '']);
  });

  test('words of other alphabets that merely share letters make no pair', () => {
    assert.deepEqual(rows('кот\n', 'кто\n'), ['кот   <', '      > кто', '']);
  });

  test('columns are counted in whole characters', () => {
    assert.deepEqual(rows('🙂🙂\n', '', { width: 9 }), ['🙂🙂  <', '']);
  });

  test('insertions between common lines keep their place', () => {
    assert.deepEqual(rows('a\nb\nc\n', 'a\nx\nb\ny\nc\n'), [
      'a       a',
      '      > x',
      'b       b',
      '      > y',
      'c       c',
      '',
    ]);
  });

  test('only what changed', () => {
    assert.deepEqual(rows('a\nb\n', 'a\nb\nc\n', { changedOnly: true }), ['      > c', '']);
  });

  test('removed lines stand before added ones between pairs', () => {
    assert.deepEqual(rows('qq\nd 1\n', 'zz\nd 2\n'), ['qq    <', '      > zz', 'd 1   | d 2', '']);
  });
});
