import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  applyOperations,
  applyTree,
  blame,
  diffTrees,
  diffValues,
  History,
  makeTree,
  merge3,
  mergeTrees,
  renderMerge,
  resolveMerge,
  treePatches,
} from '../src/index.ts';

describe('merging texts', () => {
  test('without conflict', () => {
    assert.equal(renderMerge(merge3('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n')), 'A\nb\nC\n');
  });

  test('with a conflict', () => {
    const merge = merge3('a\n', 'x\n', 'y\n');
    assert.equal(renderMerge(merge), '<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n');
    assert.equal(resolveMerge(merge, 'theirs'), 'y\n');
  });
});

describe('trees', () => {
  const before = makeTree({ 'a.txt': 'one\ntwo\n', 'b.txt': 'three\n' });
  const after = makeTree({ 'b.txt': 'THREE\n', 'c.txt': 'one\ntwo\n' });

  test('say what changed', () => {
    assert.deepEqual(
      diffTrees(before, after).map((change) => `${change.kind} ${change.newPath}`),
      ['modified b.txt', 'renamed c.txt'],
    );
  });

  test('are patched', () => {
    assert.deepEqual(applyTree(before, treePatches(before, after)).tree, after);
  });

  test('are merged', () => {
    const theirs = makeTree({ 'a.txt': 'one\ntwo\n', 'b.txt': 'three\n', 'd.txt': 'new\n' });
    const { tree, conflicts } = mergeTrees(before, after, theirs);
    assert.deepEqual([...tree.keys()], ['b.txt', 'c.txt', 'd.txt']);
    assert.deepEqual(conflicts, []);
  });
});

describe('history', () => {
  const history = new History();
  const info = (time: number) => ({ message: `at ${time}`, author: 'ann', time });
  history.commit(makeTree({ f: 'a\n' }), info(1));
  history.branch('topic');
  history.commit(makeTree({ f: 'a\nb\n' }), info(2));
  history.switchTo('topic');
  history.commit(makeTree({ f: 'a\n', g: 'x\n' }), info(3));
  history.switchTo('main');
  const outcome = history.merge('topic', info(4));

  test('merges branches', () => {
    assert.deepEqual(outcome, { kind: 'merged', head: 'c4' });
  });

  test('has a log', () => {
    assert.deepEqual(
      history.log().map((commit) => commit.message),
      ['at 4', 'at 3', 'at 2', 'at 1'],
    );
  });

  test('knows who wrote a line', () => {
    assert.deepEqual(
      blame(history, 'HEAD', 'f').map((line) => line.commit),
      ['c1', 'c2'],
    );
  });
});

describe('values', () => {
  test('are compared and changed', () => {
    const steps = diffValues({ a: [1, 2] }, { a: [1, 3], b: true });
    assert.deepEqual(applyOperations({ a: [1, 2] }, steps), { a: [1, 3], b: true });
  });
});
