import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatNumbers, formatStat, makePatch, makeTree, statOf, treePatches } from '../src/index.ts';

const grown = (path: string, count: number) => makePatch(path, '', 'x\n'.repeat(count));
const renamed = (from: string, to: string) => [
  { oldPath: from, newPath: to, similarity: 100, hunks: [] },
];

describe('statistics', () => {
  test('of one file', () => {
    assert.deepEqual(statOf(makePatch('f', 'a\nb\n', 'a\nc\nd\n')), {
      path: 'f',
      oldPath: 'f',
      added: 2,
      removed: 1,
    });
  });

  test('of a deleted file', () => {
    assert.deepEqual(treePatches(makeTree({ f: 'a\nb\n' }), makeTree({})).map(statOf), [
      { path: 'f', oldPath: 'f', added: 0, removed: 2 },
    ]);
  });

  test('as numbers', () => {
    assert.equal(
      formatNumbers([makePatch('f', 'a\nb\n', 'a\nc\nd\n'), grown('g', 3)]),
      '2\t1\tf\n3\t0\tg\n',
    );
  });

  test('with bars', () => {
    assert.deepEqual(formatStat([makePatch('long.txt', 'a\nb\n', 'c\n'), grown('g', 10)]).split('\n'), [
      ' long.txt |  3 +--',
      ' g        | 10 ++++++++++',
      ' 2 files changed, 11 insertions(+), 2 deletions(-)',
      '',
    ]);
  });

  test('bars are scaled to the width', () => {
    assert.deepEqual(formatStat([grown('f', 100), grown('g', 50)], 29).split('\n'), [
      ' f | 100 ++++++++++++++++++++',
      ' g |  50 ++++++++++',
      ' 2 files changed, 150 insertions(+)',
      '',
    ]);
  });

  test('something never shrinks to nothing', () => {
    assert.equal(formatStat([grown('f', 100), makePatch('g', 'a\n', '')], 29).split('\n')[1], ' g |   1 -');
  });

  test('scaled bars are rounded down', () => {
    assert.equal(
      formatStat([grown('f', 100), grown('g', 59)], 29).split('\n')[1],
      ' g |  59 +++++++++++',
    );
  });

  test('a bar has room for ten at least', () => {
    assert.equal(formatStat([grown('f', 50)], 5).split('\n')[0], ' f | 50 ++++++++++');
  });

  test('a bar that just fits is not scaled', () => {
    assert.equal(formatStat([grown('f', 12)], 20).split('\n')[0], ' f | 12 ++++++++++++');
  });

  test('one file with one deletion', () => {
    assert.equal(
      formatStat([makePatch('f', 'a\n', '')]).split('\n')[1],
      ' 1 file changed, 1 deletion(-)',
    );
  });

  test('without changed lines', () => {
    assert.equal(
      formatStat(renamed('a', 'b')),
      ' a => b | 0\n 1 file changed, 0 insertions(+), 0 deletions(-)\n',
    );
  });

  test('shared folders stand in front of braces', () => {
    assert.equal(formatNumbers(renamed('src/a/old.ts', 'src/b/new.ts')), '0\t0\tsrc/{a/old.ts => b/new.ts}\n');
  });

  test('a file that went into a folder', () => {
    assert.equal(formatNumbers(renamed('a.ts', 'lib/a.ts')), '0\t0\ta.ts => lib/a.ts\n');
  });
});
