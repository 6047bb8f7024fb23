import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeTree, mergeTrees } from '../src/index.ts';
import type { FileEntry } from '../src/index.ts';

type Files = Record<string, string | FileEntry>;
const long = 'a\nb\nc\nd\ne\nf\ng\nh\n';
const ourLong = 'A\nb\nc\nd\ne\nf\ng\nh\n';
const theirLong = 'a\nb\nc\nd\ne\nf\ng\nH\n';
const script = (text: string): FileEntry => ({ text, mode: '100755' });
const link = (text: string): FileEntry => ({ text, mode: '120000' });
const merge = (base: Files, ours: Files, theirs: Files, options = {}) =>
  mergeTrees(makeTree(base), makeTree(ours), makeTree(theirs), options);
const files = (base: Files, ours: Files, theirs: Files, options = {}) =>
  [...merge(base, ours, theirs, options).tree].map(([path, entry]) => `${path}=${entry.text}`);
const conflicts = (base: Files, ours: Files, theirs: Files) =>
  merge(base, ours, theirs).conflicts.map((conflict) => `${conflict.kind} ${conflict.path}`);

describe('merging trees', () => {
  test('takes files of both sides', () => {
    assert.deepEqual(files({ a: '1\n' }, { a: '1\n', b: '2\n' }, { a: '1\n', c: '3\n' }), [
      'a=1\n',
      'b=2\n',
      'c=3\n',
    ]);
  });

  test('merges the lines of a file', () => {
    assert.deepEqual(files({ f: long }, { f: ourLong }, { f: theirLong }), [
      'f=A\nb\nc\nd\ne\nf\ng\nH\n',
    ]);
  });

  test('lines in conflict get markers', () => {
    assert.deepEqual(files({ f: 'a\n' }, { f: 'x\n' }, { f: 'y\n' }, { labels: { theirs: 'topic' } }), [
      'f=<<<<<<< ours\nx\n=======\ny\n>>>>>>> topic\n',
    ]);
  });

  test('and are a conflict', () => {
    assert.deepEqual(conflicts({ f: 'a\n' }, { f: 'x\n' }, { f: 'y\n' }), ['content f']);
  });

  test('a file that one side deleted goes', () => {
    assert.deepEqual(files({ a: '1\n', b: '2\n' }, { a: '1\n' }, { a: '1\n', b: '2\n' }), ['a=1\n']);
  });

  test('a file that both sides deleted goes without conflict', () => {
    assert.equal(conflicts({ a: '1\n' }, {}, {}).length, 0);
  });

  test('deleted by us and changed by them', () => {
    assert.deepEqual(conflicts({ a: '1\n' }, {}, { a: '2\n' }), ['deleted a']);
  });

  test('the changed file stays', () => {
    assert.deepEqual(files({ a: '1\n' }, { a: '2\n' }, {}), ['a=2\n']);
  });

  test('deleted by one and renamed by the other', () => {
    assert.deepEqual(conflicts({ a: long }, { b: long }, {}), ['deleted b']);
  });

  test('the same new file on both sides', () => {
    assert.deepEqual(files({}, { a: '1\n' }, { a: '1\n' }), ['a=1\n']);
  });

  test('different new files under one path', () => {
    assert.deepEqual(conflicts({}, { a: '1\n' }, { a: '2\n' }), ['added a']);
  });

  test('different new files show both', () => {
    assert.deepEqual(files({}, { a: '1\n' }, { a: '2\n' }), [
      'a=<<<<<<< ours\n1\n=======\n2\n>>>>>>> theirs\n',
    ]);
  });

  test('conflicts are in the order of the paths', () => {
    assert.deepEqual(
      conflicts({ b: '1\n', a: '1\n' }, { b: '2\n', a: '2\n', A: 'x\n' }, { b: '3\n', a: '3\n', A: 'y\n' }),
      ['added A', 'content a', 'content b'],
    );
  });
});

describe('renames', () => {
  test('changes follow a rename of ours', () => {
    assert.deepEqual(files({ a: long }, { b: long }, { a: theirLong }), [
      'b=a\nb\nc\nd\ne\nf\ng\nH\n',
    ]);
  });

  test('changes follow a rename of theirs', () => {
    assert.deepEqual(files({ a: long }, { a: ourLong }, { b: theirLong }), [
      'b=A\nb\nc\nd\ne\nf\ng\nH\n',
    ]);
  });

  test('both renamed alike', () => {
    assert.equal(conflicts({ a: long }, { b: ourLong }, { b: theirLong }).length, 0);
  });

  test('both renamed in other ways', () => {
    assert.deepEqual(conflicts({ a: long }, { b: long }, { c: long }), ['renamed b']);
  });

  test('our name is kept', () => {
    assert.deepEqual(files({ a: long }, { b: ourLong }, { c: theirLong }), [
      'b=A\nb\nc\nd\ne\nf\ng\nH\n',
    ]);
  });

  test('a renamed file and a new one under the same path', () => {
    assert.deepEqual(conflicts({ a: long }, { x: long }, { a: long, x: '1\n' }), ['occupied x']);
  });

  test('the new one steps aside', () => {
    assert.deepEqual(files({ a: long }, { x: long }, { a: long, x: '1\n' }), [
      'x=a\nb\nc\nd\ne\nf\ng\nh\n',
      'x~theirs=1\n',
    ]);
  });

  test('two files renamed to the same path', () => {
    assert.deepEqual(
      files({ a: long, b: 'p\nq\n' }, { x: long, b: 'p\nq\n' }, { a: long, x: 'p\nq\n' }),
      ['x=a\nb\nc\nd\ne\nf\ng\nh\n', 'x~theirs=p\nq\n'],
    );
  });

  test('are not looked for if not wanted', () => {
    assert.deepEqual(files({ a: long }, { b: long }, { a: theirLong }, { renames: false }), [
      'a=a\nb\nc\nd\ne\nf\ng\nH\n',
      'b=a\nb\nc\nd\ne\nf\ng\nh\n',
    ]);
  });
});

describe('modes and links', () => {
  test('a mode and a text are merged independently', () => {
    assert.deepEqual(merge({ f: 'a\n' }, { f: script('a\n') }, { f: 'b\n' }).tree.get('f'), {
      text: 'b\n',
      mode: '100755',
    });
  });

  test('a mode of theirs', () => {
    assert.equal(
      merge({ f: 'a\n' }, { f: 'b\n' }, { f: script('a\n') }).tree.get('f')?.mode,
      '100755',
    );
  });

  test('modes of two new files', () => {
    assert.deepEqual(conflicts({}, { f: script('a\n') }, { f: 'a\n' }), ['mode f']);
  });

  test('our mode is kept', () => {
    assert.equal(merge({}, { f: script('a\n') }, { f: 'a\n' }).tree.get('f')?.mode, '100755');
  });

  test('links are merged as a whole', () => {
    assert.deepEqual(files({ l: link('a\nb\nc') }, { l: link('x\nb\nc') }, { l: link('a\nb\ny') }), [
      'l=x\nb\nc',
    ]);
  });

  test('links that point elsewhere are a conflict', () => {
    assert.deepEqual(conflicts({ l: link('a') }, { l: link('b') }, { l: link('c') }), ['content l']);
  });

  test('of links that point elsewhere ours stays', () => {
    assert.deepEqual(files({ l: link('a') }, { l: link('b') }, { l: link('c') }), ['l=b']);
  });

  test('of two new links ours stays', () => {
    assert.deepEqual(files({}, { l: link('b') }, { l: link('c') }), ['l=b']);
  });

  test('a link of theirs is taken if ours did not change', () => {
    assert.deepEqual(files({ l: link('a') }, { l: link('a') }, { l: link('c') }), ['l=c']);
  });

  test('a link of theirs against a file that ours edited is a conflict', () => {
    assert.deepEqual(conflicts({ c: 't\n' }, { c: 'edited\n' }, { c: link('lib/x') }), ['content c']);
  });

  test('and the file stays one', () => {
    assert.deepEqual(merge({ c: 't\n' }, { c: 'edited\n' }, { c: link('lib/x') }).tree.get('c'), {
      text: 'edited\n',
      mode: '100644',
    });
  });

  test('a file of theirs against a link that ours moved is a conflict', () => {
    assert.deepEqual(conflicts({ d: link('v1') }, { d: link('v2') }, { d: 'v1' }), ['content d']);
  });

  test('a file that theirs made a link is one', () => {
    assert.equal(merge({ e: 't\n' }, { e: 't\n' }, { e: link('x') }).tree.get('e')?.mode, '120000');
  });
});
