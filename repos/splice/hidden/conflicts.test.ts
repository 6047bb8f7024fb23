import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { merge3, PatchSyntaxError, readConflicts, renderMerge, resolveMerge } from '../src/index.ts';

describe('reading markers', () => {
  test('gives the regions', () => {
    assert.deepEqual(readConflicts('a\n<<<<<<< o\nx\n=======\ny\n>>>>>>> t\nb\n').regions, [
      { kind: 'stable', lines: ['a\n'] },
      { kind: 'conflict', base: [], ours: ['x\n'], theirs: ['y\n'] },
      { kind: 'stable', lines: ['b\n'] },
    ]);
  });

  test('in diff3 style', () => {
    assert.deepEqual(
      readConflicts('<<<<<<<\nx\n||||||| base\nb\n=======\ny\n>>>>>>>\n').conflicts[0].base,
      ['b\n'],
    );
  });

  test('several conflicts do not mix', () => {
    assert.deepEqual(
      readConflicts('<<<<<<<\na\n=======\nb\n>>>>>>>\n<<<<<<<\nc\n=======\nd\n>>>>>>>\n').conflicts.map(
        (conflict) => [...conflict.ours, ...conflict.theirs].join(''),
      ),
      ['a\nb\n', 'c\nd\n'],
    );
  });

  test('can be resolved', () => {
    assert.equal(
      resolveMerge(readConflicts('a\n<<<<<<<\nx\n=======\ny\n>>>>>>>\nb\n'), 'theirs'),
      'a\ny\nb\n',
    );
  });

  test('what was rendered is read back', () => {
    const merge = merge3('a\nb\nc\n', 'x\nb\nz\n', 'y\nb\nc\n');
    assert.deepEqual(readConflicts(renderMerge(merge, { style: 'diff3' })).conflicts, [
      { kind: 'conflict', base: ['a\n'], ours: ['x\n'], theirs: ['y\n'] },
    ]);
  });

  test('an empty side', () => {
    assert.deepEqual(readConflicts('<<<<<<< o\n=======\ny\n>>>>>>> t\n').conflicts, [
      { kind: 'conflict', base: [], ours: [], theirs: ['y\n'] },
    ]);
  });

  test('a rule under a heading is no marker', () => {
    assert.equal(readConflicts('Title\n=======\ntext\n').conflicts.length, 0);
  });

  test('longer lines are no markers', () => {
    assert.deepEqual(readConflicts('<<<<<<<\nx\n========\n=======\ny\n>>>>>>>\n').conflicts[0].ours, [
      'x\n',
      '========\n',
    ]);
  });

  test('a marker needs a blank before its label', () => {
    assert.equal(readConflicts('<<<<<<<x\n').conflicts.length, 0);
  });

  test('of another size', () => {
    assert.equal(readConflicts('<<<\nx\n===\ny\n>>>\n', 3).conflicts.length, 1);
  });

  test('with windows line ends', () => {
    assert.equal(readConflicts('<<<<<<< o\r\nx\r\n=======\r\ny\r\n>>>>>>> t\r\n').conflicts.length, 1);
  });

  test('a conflict without end', () => {
    assert.throws(() => readConflicts('a\n<<<<<<<\nx\n=======\ny\n'), {
      name: 'PatchSyntaxError',
      line: 2,
    });
  });

  test('an end without beginning', () => {
    assert.throws(() => readConflicts('a\n>>>>>>> t\n'), { name: 'PatchSyntaxError', line: 2 });
  });

  test('a conflict in a conflict', () => {
    assert.throws(() => readConflicts('<<<<<<<\nx\n<<<<<<<\n'), PatchSyntaxError);
  });

  test('is told by its own line', () => {
    assert.throws(() => readConflicts('<<<<<<<\nx\n<<<<<<<\n'), {
      name: 'PatchSyntaxError',
      line: 3,
    });
  });

  test('an end before the other side', () => {
    assert.throws(() => readConflicts('<<<<<<<\nx\n|||||||\nb\n>>>>>>>\n'), {
      name: 'PatchSyntaxError',
      line: 5,
    });
  });

  test('lines outside are one region', () => {
    assert.deepEqual(readConflicts('a\nb\n').regions, [{ kind: 'stable', lines: ['a\n', 'b\n'] }]);
  });
});
