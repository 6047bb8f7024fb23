import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  applyTree,
  diffTrees,
  formatPatches,
  makePatch,
  makeTree,
  MismatchError,
  parsePatches,
  similarityOf,
  treePatches,
} from '../src/index.ts';
import type { FileEntry } from '../src/index.ts';

type Files = Record<string, string | FileEntry>;
const long = 'a\nb\nc\nd\ne\nf\ng\nh\n';
const script = (text: string): FileEntry => ({ text, mode: '100755' });
const link = (text: string): FileEntry => ({ text, mode: '120000' });
const said = (before: Files, after: Files, options = {}) =>
  diffTrees(makeTree(before), makeTree(after), options).map(
    (change) => `${change.kind} ${change.oldPath} ${change.newPath} ${change.similarity}`,
  );
const texts = (files: ReadonlyMap<string, FileEntry>) =>
  [...files].map(([path, entry]) => `${path}=${entry.text}`);

describe('trees', () => {
  test('are in order', () => {
    assert.deepEqual([...makeTree({ b: '', a: '', B: '' }).keys()], ['B', 'a', 'b']);
  });

  test('changes by path', () => {
    assert.deepEqual(said({ b: '1\n', c: '1\n', z: '1\n' }, { a: '2\n', b: '2\n', z: '1\n' }), [
      'added undefined a undefined',
      'modified b b undefined',
      'deleted c undefined undefined',
    ]);
  });

  test('another mode is a change', () => {
    assert.deepEqual(said({ a: 'x\n' }, { a: script('x\n') }), ['modified a a undefined']);
  });
});

describe('renames', () => {
  test('of the same text', () => {
    assert.deepEqual(said({ a: long }, { b: long }), ['renamed a b 100']);
  });

  test('with changes', () => {
    assert.deepEqual(said({ a: long }, { b: long.replace('a', 'x') }), ['renamed a b 87']);
  });

  test('not below half', () => {
    assert.deepEqual(said({ a: 'a\nb\nc\n' }, { b: 'a\ny\nz\n' }), [
      'deleted a undefined undefined',
      'added undefined b undefined',
    ]);
  });

  test('half is enough', () => {
    assert.deepEqual(said({ a: 'a\nb\n' }, { b: 'a\ny\n' }), ['renamed a b 50']);
  });

  test('with another threshold', () => {
    assert.deepEqual(said({ a: long }, { b: long.replace('a', 'x') }, { renameThreshold: 88 }), [
      'deleted a undefined undefined',
      'added undefined b undefined',
    ]);
  });

  test('can be left out', () => {
    assert.equal(said({ a: long }, { b: long }, { renames: false }).length, 2);
  });

  test('the most similar file is chosen', () => {
    assert.deepEqual(said({ a: long + 'i\n', b: long }, { c: long }), [
      'deleted a undefined undefined',
      'renamed b c 100',
    ]);
  });

  test('of equals the one that keeps its name', () => {
    assert.deepEqual(said({ 'a/x': long, 'b/y': long }, { 'c/y': long }), [
      'deleted a/x undefined undefined',
      'renamed b/y c/y 100',
    ]);
  });

  test('otherwise the first one', () => {
    assert.deepEqual(said({ a: long }, { c: long, b: long }), [
      'renamed a b 100',
      'added undefined c undefined',
    ]);
  });

  test('not of empty files', () => {
    assert.equal(said({ a: '' }, { b: '' }).length, 2);
  });

  test('not of a file to a link', () => {
    assert.equal(said({ a: 'target' }, { b: link('target') }).length, 2);
  });

  test('not of a link to a file that merely reads alike', () => {
    assert.deepEqual(said({ a: link('lib/x') }, { b: 'lib/x' }), [
      'deleted a undefined undefined',
      'added undefined b undefined',
    ]);
  });

  test('of a link', () => {
    assert.deepEqual(said({ a: link('lib/x') }, { b: link('lib/x') }), ['renamed a b 100']);
  });

  test('a file that stays is no source', () => {
    assert.deepEqual(said({ a: long }, { a: long, b: long }), ['added undefined b undefined']);
  });

  test('similarity is the share of the larger text', () => {
    assert.equal(similarityOf('aaa\nb\n', 'aaa\nb\nccc\n'), 60);
  });

  test('lines count as often as they occur', () => {
    assert.equal(similarityOf('a\na\na\n', 'a\nb\nc\n'), 33);
  });

  test('the place of lines does not matter', () => {
    assert.equal(similarityOf('a\nb\n', 'b\na\n'), 99);
  });
});

describe('patches of trees', () => {
  const before = makeTree({ 'a.txt': long, gone: 'x\n', 'run.sh': 'go\n' });
  const after = makeTree({ 'b.txt': long + 'i\n', 'new': 'y\n', 'run.sh': script('go\n') });

  test('say all that happened', () => {
    assert.deepEqual(formatPatches(treePatches(before, after, { context: 1 })).split('\n'), [
      'diff --git a/a.txt b/b.txt',
      'similarity index 88%',
      'rename from a.txt',
      'rename to b.txt',
      '--- a/a.txt',
      '+++ b/b.txt',
      '@@ -8 +8,2 @@',
      ' h',
      '+i',
      'diff --git a/gone b/gone',
      'deleted file mode 100644',
      '--- a/gone',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-x',
      'diff --git a/new b/new',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/new',
      '@@ -0,0 +1 @@',
      '+y',
      'diff --git a/run.sh b/run.sh',
      'old mode 100644',
      'new mode 100755',
      '',
    ]);
  });

  test('make one tree of the other', () => {
    const patches = parsePatches(formatPatches(treePatches(before, after)));
    assert.deepEqual(texts(applyTree(before, patches).tree), [
      'b.txt=a\nb\nc\nd\ne\nf\ng\nh\ni\n',
      'new=y\n',
      'run.sh=go\n',
    ]);
  });

  test('set modes', () => {
    assert.equal(applyTree(before, treePatches(before, after)).tree.get('run.sh')?.mode, '100755');
  });

  test('modes stay otherwise', () => {
    const tree = makeTree({ f: script('a\n') });
    assert.equal(applyTree(tree, [makePatch('f', 'a\n', 'b\n')]).tree.get('f')?.mode, '100755');
  });

  test('leave the old tree alone', () => {
    applyTree(before, treePatches(before, after));
    assert.deepEqual([...before.keys()], ['a.txt', 'gone', 'run.sh']);
  });

  test('two files change places', () => {
    const swap = [
      { oldPath: 'a', newPath: 'b', hunks: [] },
      { oldPath: 'b', newPath: 'a', hunks: [] },
    ];
    assert.deepEqual(texts(applyTree(makeTree({ a: '1\n', b: '2\n' }), swap).tree), ['a=2\n', 'b=1\n']);
  });

  test('rejects are known by the old path', () => {
    const patch = { ...makePatch('a', 'x\n', 'y\n'), newPath: 'b' };
    assert.deepEqual([...applyTree(makeTree({ a: 'q\n' }), [patch]).rejects.keys()], ['a']);
  });

  test('a missing file', () => {
    assert.throws(() => applyTree(makeTree({}), [makePatch('f', 'a\n', 'b\n')]), {
      name: 'MismatchError',
      message: 'f: no such file',
    });
  });

  test('a new file that is there', () => {
    const patch = { ...makePatch('f', '', 'a\n'), oldPath: undefined };
    assert.throws(() => applyTree(makeTree({ f: 'x\n' }), [patch]), {
      name: 'MismatchError',
      message: 'f: is there already',
    });
  });

  test('a deletion that does not know all lines', () => {
    const patch = { ...makePatch('f', 'a\n', ''), newPath: undefined };
    assert.throws(() => applyTree(makeTree({ f: 'a\nb\n' }), [patch]), MismatchError);
  });

  test('two patches that make the same file', () => {
    const patch = { ...makePatch('f', '', 'a\n'), oldPath: undefined };
    assert.throws(() => applyTree(makeTree({}), [patch, patch]), MismatchError);
  });
});
