import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  applyPatch,
  formatPatch,
  formatRejects,
  makePatch,
  parsePatches,
  reversePatch,
  reversePatches,
} from '../src/index.ts';

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');
const old = text('a', 'b', 'c', 'd', 'e', 'f', 'g');
const patch = makePatch('f', old, text('a', 'b', 'c', 'X', 'e', 'f', 'g'), { context: 2 });
const firstOutcome = (before: string, options = {}) => applyPatch(before, patch, options).outcomes[0];

describe('applying', () => {
  test('to the text it was made of', () => {
    assert.equal(applyPatch(old, patch).text, 'a\nb\nc\nX\ne\nf\ng\n');
  });

  test('says where', () => {
    assert.deepEqual(firstOutcome(old), { status: 'applied', line: 2, offset: 0, fuzz: 0 });
  });

  test('further down', () => {
    assert.deepEqual(firstOutcome(text('1', '2', '3') + old), {
      status: 'applied',
      line: 5,
      offset: 3,
      fuzz: 0,
    });
  });

  test('further up', () => {
    assert.deepEqual(firstOutcome(text('b', 'c', 'd', 'e', 'f', 'g')), {
      status: 'applied',
      line: 1,
      offset: -1,
      fuzz: 0,
    });
  });

  test('at the nearest place', () => {
    assert.equal(
      applyPatch('b\nc\nd\ne\nf\n1\n2\n' + 'b\nc\nd\ne\nf\n', patch).text,
      'b\nc\nX\ne\nf\n1\n2\nb\nc\nd\ne\nf\n',
    );
  });

  test('of two equally near places at the later one', () => {
    const insertion = parsePatches(text('--- f', '+++ f', '@@ -2 +2,2 @@', ' x', '+new'))[0];
    assert.equal(applyPatch('x\ny\nx\n', insertion).text, 'x\ny\nx\nnew\n');
  });

  test('not further away than allowed', () => {
    assert.deepEqual(firstOutcome(text('1', '2', '3') + old, { maxOffset: 2 }), {
      status: 'rejected',
    });
  });

  test('as far away as allowed', () => {
    assert.deepEqual(firstOutcome(text('1', '2') + old, { maxOffset: 2 }), {
      status: 'applied',
      line: 4,
      offset: 2,
      fuzz: 0,
    });
  });

  test('later hunks are expected as far away as the last one', () => {
    const far = makePatch('f', 'a\n' + '-\n'.repeat(9) + 'z\n', 'b\n' + '-\n'.repeat(9) + 'y\n', {
      context: 0,
    });
    assert.deepEqual(applyPatch('1\n2\na\n' + '-\n'.repeat(9) + 'z\n', far).outcomes, [
      { status: 'applied', line: 3, offset: 2, fuzz: 0 },
      { status: 'applied', line: 13, offset: 0, fuzz: 0 },
    ]);
  });

  test('the way of each hunk adds to that of those before', () => {
    const lines = (a: string, b: string, c: string) =>
      `${a}\n` + '-\n'.repeat(5) + `${b}\n` + '-\n'.repeat(5) + `${c}\n`;
    const three = makePatch('f', lines('a', 'b', 'c'), lines('A', 'B', 'C'), { context: 0 });
    assert.deepEqual(
      applyPatch('1\n2\na\n' + '-\n'.repeat(8) + 'b\n' + '-\n'.repeat(5) + 'c\n', three, { maxOffset: 3 })
        .outcomes,
      [
        { status: 'applied', line: 3, offset: 2, fuzz: 0 },
        { status: 'applied', line: 12, offset: 3, fuzz: 0 },
        { status: 'applied', line: 18, offset: 0, fuzz: 0 },
      ],
    );
  });

  test('a hunk never stands before the one before it', () => {
    const two = parsePatches(
      text('--- f', '+++ f', '@@ -3 +3 @@', '-c', '+C', '@@ -5 +5 @@', '-a', '+A'),
    )[0];
    assert.deepEqual(
      applyPatch(text('a', 'b', 'c', 'd', 'e'), two).outcomes.map((outcome) => outcome.status),
      ['applied', 'rejected'],
    );
  });

  test('an insertion into an empty text', () => {
    assert.equal(applyPatch('', makePatch('f', '', 'a\nb\n')).text, 'a\nb\n');
  });

  test('an insertion without context stands behind the line it names', () => {
    assert.equal(
      applyPatch('a\nb\nc\n', makePatch('f', 'a\nb\nc\n', 'a\nb\nx\nc\n', { context: 0 })).text,
      'a\nb\nx\nc\n',
    );
  });
});

describe('hunks without context', () => {
  test('at the end of the text', () => {
    assert.equal(
      applyPatch('a\nb\n', makePatch('f', 'a\nb\n', 'a\nb\nc\n', { context: 0 })).text,
      'a\nb\nc\n',
    );
  });

  test('a deletion taken back', () => {
    const deletion = makePatch('f', 'a\nb\nc\nd\n', 'a\nb\nd\n', { context: 0 });
    assert.equal(applyPatch('a\nb\nd\n', reversePatch(deletion)).text, 'a\nb\nc\nd\n');
  });
});

describe('fuzz', () => {
  const ending = makePatch('f', 'a\nb\nc\nd\n', 'a\nb\nX\nd\n', { context: 2 });

  test('near the end, with less context below than above', () => {
    assert.equal(applyPatch('A\nB\nc\nd\n', ending, { fuzz: 2 }).text, 'A\nB\nX\nd\n');
  });

  test('at the very end', () => {
    const last = makePatch('f', 'a\nb\nc\n', 'a\nb\nX\n', { context: 2 });
    assert.equal(applyPatch('A\nb\nc\n', last, { fuzz: 2 }).text, 'A\nb\nX\n');
  });

  test('near the end says how much was needed', () => {
    assert.deepEqual(applyPatch('A\nB\nc\nd\n', ending, { fuzz: 3 }).outcomes, [
      { status: 'applied', line: 1, offset: 0, fuzz: 2 },
    ]);
  });

  const changed = text('a', 'B', 'c', 'd', 'e', 'f', 'g');

  test('is not allowed by default', () => {
    assert.deepEqual(firstOutcome(changed), { status: 'rejected' });
  });

  test('as much as needed', () => {
    assert.deepEqual(firstOutcome(changed, { fuzz: 2 }), {
      status: 'applied',
      line: 2,
      offset: 0,
      fuzz: 1,
    });
  });

  test('context stays as the text has it', () => {
    assert.equal(applyPatch(changed, patch, { fuzz: 1 }).text, 'a\nB\nc\nX\ne\nf\ng\n');
  });

  test('wrong context at both ends', () => {
    assert.equal(
      applyPatch(text('a', 'b', '1', 'd', '2', 'f', 'g'), patch, { fuzz: 2 }).text,
      'a\nb\n1\nX\n2\nf\ng\n',
    );
  });

  test('two lines are more than one', () => {
    assert.equal(applyPatch(text('a', 'b', '1', 'd', 'e', 'f'), patch, { fuzz: 1 }).rejects.length, 1);
  });

  test('never goes as far as the changed lines', () => {
    assert.equal(applyPatch(text('a', 'b', 'c', '1', 'e', 'f'), patch, { fuzz: 9 }).rejects.length, 1);
  });
});

describe('hunks that are there already', () => {
  test('are recognised', () => {
    assert.deepEqual(firstOutcome(applyPatch(old, patch).text), { status: 'already' });
  });

  test('leave the text alone', () => {
    assert.equal(applyPatch(text('a', 'b', 'c', 'X', 'e', 'f'), patch).text, 'a\nb\nc\nX\ne\nf\n');
  });

  test('count for where the next ones are expected', () => {
    const before = 'a\n' + '-\n'.repeat(9) + 'z\n';
    const growing = makePatch('f', before, 'a\n1\n2\n' + '-\n'.repeat(9) + 'y\n', { context: 1 });
    assert.deepEqual(applyPatch('a\n1\n2\n' + '-\n'.repeat(9) + 'z\n', growing).outcomes[1], {
      status: 'applied',
      line: 12,
      offset: 0,
      fuzz: 0,
    });
  });

  test('a pure deletion without context never is', () => {
    assert.deepEqual(
      applyPatch('a\n', makePatch('f', 'a\nb\n', 'a\n', { context: 0 })).outcomes[0],
      { status: 'rejected' },
    );
  });
});

describe('rejects', () => {
  const two = makePatch('f', 'a\n' + '-\n'.repeat(9) + 'z\n', 'b\n' + '-\n'.repeat(9) + 'y\n', {
    context: 0,
  });

  test('the others are applied', () => {
    assert.equal(applyPatch('q\n' + '-\n'.repeat(9) + 'z\n', two).text, 'q\n' + '-\n'.repeat(9) + 'y\n');
  });

  test('are written without a header', () => {
    assert.equal(
      formatRejects(two, applyPatch('q\n' + '-\n'.repeat(9) + 'z\n', two)),
      '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n',
    );
  });

  test('nothing is written if there are none', () => {
    assert.equal(formatRejects(patch, applyPatch(old, patch)), '');
  });
});

describe('line ends', () => {
  const windows = old.replaceAll('\n', '\r\n');

  test('count by default', () => {
    assert.equal(applyPatch(windows, patch).rejects.length, 1);
  });

  test('can be ignored', () => {
    assert.equal(
      applyPatch(windows, patch, { ignoreEnds: true }).text,
      'a\r\nb\r\nc\r\nX\r\ne\r\nf\r\ng\r\n',
    );
  });

  test('a missing one is given when lines follow', () => {
    const longer = makePatch('f', 'a\nb\n', 'a\nb\nc\n');
    assert.equal(applyPatch('a\nb', longer, { ignoreEnds: true }).text, 'a\nb\nc\n');
  });

  test('a patch can take the last one away', () => {
    assert.equal(applyPatch('a\nb\n', makePatch('f', 'a\nb\n', 'a\nb')).text, 'a\nb');
  });
});

describe('the other way round', () => {
  test('takes a patch back', () => {
    assert.equal(
      applyPatch(applyPatch(old, patch).text, reversePatch(patch)).text,
      'a\nb\nc\nd\ne\nf\ng\n',
    );
  });

  test('removed lines stand before added ones', () => {
    assert.equal(
      formatPatch(reversePatch(makePatch('f', 'a\nb\nc\n', 'a\nx\ny\nc\nd\n'))),
      'diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,5 +1,3 @@\n a\n-x\n-y\n+b\n c\n-d\n',
    );
  });

  test('paths and modes are exchanged', () => {
    assert.deepEqual(
      reversePatch({ oldPath: 'a', newPath: 'b', oldMode: '100644', newMode: '100755', similarity: 80, hunks: [] }),
      { oldPath: 'b', newPath: 'a', oldMode: '100755', newMode: '100644', similarity: 80, hunks: [] },
    );
  });

  test('a file that came goes', () => {
    assert.deepEqual(reversePatch({ oldPath: undefined, newPath: 'b', newMode: '100755', hunks: [] }), {
      oldPath: 'b',
      newPath: undefined,
      oldMode: '100755',
      hunks: [],
    });
  });

  test('several are taken back in reverse order', () => {
    assert.deepEqual(
      reversePatches([makePatch('one', 'a\n', 'b\n'), makePatch('two', 'c\n', 'd\n')]).map(
        (each) => each.newPath,
      ),
      ['two', 'one'],
    );
  });
});
