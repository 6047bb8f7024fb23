import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inlineWords, likeness, pairLines, refine } from '../src/index.ts';

describe('words', () => {
  test('segments of both texts', () => {
    assert.deepEqual(refine('the quick fox', 'the slow fox'), {
      before: [
        { text: 'the ', changed: false },
        { text: 'quick', changed: true },
        { text: ' fox', changed: false },
      ],
      after: [
        { text: 'the ', changed: false },
        { text: 'slow', changed: true },
        { text: ' fox', changed: false },
      ],
    });
  });

  test('a change at the end', () => {
    assert.deepEqual(refine('one', 'one two').after, [
      { text: 'one', changed: false },
      { text: ' two', changed: true },
    ]);
  });

  test('written as one text', () => {
    assert.equal(inlineWords('the quick fox', 'the slow fox'), 'the [-quick-]{+slow+} fox');
  });

  test('only an addition', () => {
    assert.equal(inlineWords('a fox', 'a red fox'), 'a {+red +}fox');
  });

  test('signs stand by themselves', () => {
    assert.equal(inlineWords('f(a, b);', 'f(a, c);'), 'f(a, [-b-]{+c+});');
  });

  test('letters of all languages make words', () => {
    assert.equal(inlineWords('größe_1 x', 'größe_2 x'), '[-größe_1-]{+größe_2+} x');
  });

  test('a run of blanks is one piece', () => {
    assert.equal(inlineWords('a  b', 'a b'), 'a[-  -]{+ +}b');
  });
});

describe('likeness', () => {
  test('counts the characters of shared words', () => {
    assert.equal(likeness('let total = 10;', 'let total = 20;'), 0.8333333333333334);
  });

  test('does not count blanks', () => {
    assert.equal(likeness('  a b\n', 'a    b'), 1);
  });

  test('of lines with nothing in common', () => {
    assert.equal(likeness('abc', 'xyz'), 0);
  });

  test('of two blank lines', () => {
    assert.equal(likeness('  \n', '\n'), 1);
  });

  test('of words in other alphabets that share letters', () => {
    assert.equal(likeness('кот да', 'ток да'), 0.4);
  });

  test('of words with accents', () => {
    assert.equal(likeness('été', 'étà'), 0);
  });

  test('pairs lines that became others', () => {
    assert.deepEqual(
      pairLines(['const a = 1;', 'return a;'], ['// new', 'const a = 2;', 'return b;']),
      [
        [0, 1],
        [1, 2],
      ],
    );
  });

  test('half alike is enough', () => {
    assert.deepEqual(pairLines(['ab cd'], ['ab xy']), [[0, 0]]);
  });

  test('pairs keep the order', () => {
    assert.deepEqual(pairLines(['aa bb', 'cc cc dd'], ['cc cc ee', 'aa bb']), [[0, 1]]);
  });
});
