import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { merge3, renderMerge, resolveMerge } from '../src/index.ts';

const text = (line: string) => (line === '' ? '' : line.replaceAll(' ', '\n') + '\n');
const merge = (base: string, ours: string, theirs: string, options = {}) =>
  merge3(text(base), text(ours), text(theirs), options);
const merged = (base: string, ours: string, theirs: string, options = {}) =>
  renderMerge(merge(base, ours, theirs), options).trimEnd().split('\n');

describe('merging', () => {
  test('takes changes of both sides', () => {
    assert.deepEqual(merged('a b c d e', 'A b c d e', 'a b c d E'), ['A', 'b', 'c', 'd', 'E']);
  });

  test('takes what both did alike once', () => {
    assert.deepEqual(merged('a b c', 'a x b c', 'a x b c'), ['a', 'x', 'b', 'c']);
  });

  test('takes deletions', () => {
    assert.deepEqual(merged('a b c d', 'b c d', 'a b c'), ['b', 'c']);
  });

  test('names who made what', () => {
    assert.deepEqual(
      merge('a b c d e', 'A b C d e', 'a b C d E').regions.map((region) => region.kind),
      ['ours', 'stable', 'both', 'stable', 'theirs'],
    );
  });

  test('different changes of a line are a conflict', () => {
    assert.deepEqual(merge('a b c', 'a x c', 'a y c').conflicts, [
      { kind: 'conflict', base: ['b\n'], ours: ['x\n'], theirs: ['y\n'] },
    ]);
  });

  test('changes that touch are a conflict', () => {
    assert.deepEqual(merge('a b c', 'A b c', 'a B c').conflicts, [
      { kind: 'conflict', base: ['a\n', 'b\n'], ours: ['A\n', 'b\n'], theirs: ['a\n', 'B\n'] },
    ]);
  });

  test('a line between changes is enough', () => {
    assert.equal(merge('a b c', 'A b c', 'a b C').conflicts.length, 0);
  });

  test('different insertions at one place are a conflict', () => {
    assert.equal(merge('a b', 'a x b', 'a y b').conflicts.length, 1);
  });

  test('a conflict spans all changes that hang together', () => {
    assert.deepEqual(merge('a b c d e f', 'a B C d E f', 'a b X Y e f').conflicts, [
      {
        kind: 'conflict',
        base: ['b\n', 'c\n', 'd\n', 'e\n'],
        ours: ['B\n', 'C\n', 'd\n', 'E\n'],
        theirs: ['b\n', 'X\n', 'Y\n', 'e\n'],
      },
    ]);
  });

  test('a conflict spans a change of ours around one of theirs', () => {
    assert.deepEqual(merge('a b c d e', 'a B C D e', 'a b X d e').conflicts, [
      {
        kind: 'conflict',
        base: ['b\n', 'c\n', 'd\n'],
        ours: ['B\n', 'C\n', 'D\n'],
        theirs: ['b\n', 'X\n', 'd\n'],
      },
    ]);
  });

  test('what follows such a conflict stands there once', () => {
    assert.deepEqual(merged('a b c d e', 'a B C D e', 'a b X d e').slice(-2), ['>>>>>>> theirs', 'e']);
  });

  test('deleted lines among which the other side changed one', () => {
    assert.deepEqual(merge('a b c d e f', 'a e f', 'a b X d e F').regions.at(-1), {
      kind: 'theirs',
      lines: ['F\n'],
    });
  });

  test('one side deleted what the other changed', () => {
    assert.deepEqual(merge('a b c', 'a c', 'a x c').conflicts, [
      { kind: 'conflict', base: ['b\n'], ours: [], theirs: ['x\n'] },
    ]);
  });

  test('lines that are the same under the options come from ours', () => {
    assert.equal(
      renderMerge(merge('a b c', 'A b c', 'a b x', { ignoreCase: true })),
      'A\nb\nx\n',
    );
  });

  test('alike under the options is no conflict', () => {
    assert.deepEqual(merge('a b c', 'a X c', 'a x c', { ignoreCase: true }).regions[1], {
      kind: 'both',
      lines: ['X\n'],
    });
  });
});

describe('markers', () => {
  test('show both sides', () => {
    assert.deepEqual(merged('a b c', 'a x c', 'a y c'), [
      'a',
      '<<<<<<< ours',
      'x',
      '=======',
      'y',
      '>>>>>>> theirs',
      'c',
    ]);
  });

  test('leave out what both sides begin and end with', () => {
    assert.deepEqual(merged('a b', 'a p x q b', 'a p y q b'), [
      'a',
      'p',
      '<<<<<<< ours',
      'x',
      '=======',
      'y',
      '>>>>>>> theirs',
      'q',
      'b',
    ]);
  });

  test('show the base in diff3 style, and all of both sides', () => {
    assert.deepEqual(merged('a b c', 'a p x c', 'a p y c', { style: 'diff3' }), [
      'a',
      '<<<<<<< ours',
      'p',
      'x',
      '||||||| base',
      'b',
      '=======',
      'p',
      'y',
      '>>>>>>> theirs',
      'c',
    ]);
  });

  test('have labels', () => {
    assert.deepEqual(
      merged('a', 'x', 'y', { style: 'diff3', labels: { ours: 'HEAD', base: '', theirs: 'topic' } }),
      ['<<<<<<< HEAD', 'x', '|||||||', 'a', '=======', 'y', '>>>>>>> topic'],
    );
  });

  test('have a size', () => {
    assert.deepEqual(merged('a', 'x', 'y', { markerSize: 3 }), ['<<< ours', 'x', '===', 'y', '>>> theirs']);
  });

  test('stand on lines of their own', () => {
    assert.equal(
      renderMerge(merge3('a', 'x', 'y')),
      '<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n',
    );
  });

  test('stand on lines of their own if only theirs lacks its end', () => {
    assert.equal(
      renderMerge(merge3('a\n', 'x\n', 'y')),
      '<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n',
    );
  });

  test('a text that ends without a line end goes on doing so', () => {
    assert.equal(renderMerge(merge3('a\nb', 'x\nb', 'a\nb')), 'x\nb');
  });

  test('have the line ends of the text', () => {
    assert.equal(
      renderMerge(merge3('a\r\nb\r\n', 'x\r\nb\r\n', 'y\r\nb\r\n')),
      '<<<<<<< ours\r\nx\r\n=======\r\ny\r\n>>>>>>> theirs\r\nb\r\n',
    );
  });
});

describe('resolving', () => {
  const conflict = () => merge('a b c', 'a p x c', 'a p y c');

  test('by ours', () => {
    assert.equal(resolveMerge(conflict(), 'ours'), 'a\np\nx\nc\n');
  });

  test('by theirs', () => {
    assert.equal(resolveMerge(conflict(), 'theirs'), 'a\np\ny\nc\n');
  });

  test('by the base', () => {
    assert.equal(resolveMerge(conflict(), 'base'), 'a\nb\nc\n');
  });

  test('by both', () => {
    assert.equal(resolveMerge(conflict(), 'union'), 'a\np\nx\ny\nc\n');
  });

  test('by both, with the same end', () => {
    assert.equal(resolveMerge(merge('a', 'x e', 'y e'), 'union'), 'x\ny\ne\n');
  });

  test('by both, with the same beginning and end', () => {
    assert.equal(resolveMerge(merge('a b', 'p x e b', 'p y z e b'), 'union'), 'p\nx\ny\nz\ne\nb\n');
  });

  test('by both, where a line end is missing', () => {
    assert.equal(resolveMerge(merge3('a', 'x', 'y'), 'union'), 'x\ny');
  });

  test('other changes are kept', () => {
    assert.equal(resolveMerge(merge('a b c d e', 'A b c d x', 'a b C d y'), 'theirs'), 'A\nb\nC\nd\ny\n');
  });

  test('each in its own way', () => {
    assert.equal(
      resolveMerge(merge('a b c', 'x b x', 'y b y'), (_, index) => (index === 0 ? 'theirs' : 'ours')),
      'y\nb\nx\n',
    );
  });

  test('by other lines', () => {
    assert.equal(
      resolveMerge(merge('a b c', 'a x c', 'a y c'), (each) => [`${each.ours.length}\n`, 'z\n']),
      'a\n1\nz\nc\n',
    );
  });
});
