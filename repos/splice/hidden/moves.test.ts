import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { diffLines, findMoves } from '../src/index.ts';

const moves = (a: string, b: string, options = {}) =>
  findMoves(diffLines(a.replaceAll(' ', '\n'), b.replaceAll(' ', '\n')), options);

describe('moves', () => {
  test('a block that went down', () => {
    assert.deepEqual(moves('m n a b c d ', 'a b c d m n '), [
      { aStart: 0, aEnd: 2, bStart: 4, bEnd: 6 },
    ]);
  });

  test('a single line is not enough', () => {
    assert.equal(moves('m a b c ', 'a b c m ').length, 0);
  });

  test('unless that is asked for', () => {
    assert.deepEqual(moves('m a b c ', 'a b c m ', { minLines: 1 }), [
      { aStart: 0, aEnd: 1, bStart: 3, bEnd: 4 },
    ]);
  });

  test('blank lines do not count', () => {
    assert.equal(moves('m  a b c ', 'a b c m  ').length, 0);
  });

  test('blank lines move along', () => {
    assert.deepEqual(moves('m  n a b c d ', 'a b c d m  n '), [
      { aStart: 0, aEnd: 3, bStart: 4, bEnd: 7 },
    ]);
  });

  test('no added line belongs to two moves', () => {
    assert.equal(moves('m n a b c m n d e f ', 'a b c d e f m n ').length, 1);
  });

  test('the longest block goes first', () => {
    assert.deepEqual(moves('p q m n p q r a b c d e f g h ', 'a b c d e f g h p q r '), [
      { aStart: 4, aEnd: 7, bStart: 8, bEnd: 11 },
    ]);
  });

  test('come in the order of the old text', () => {
    assert.deepEqual(
      moves('m n a b c d e f r s t ', 'r s t a b c d e f m n ').map((move) => move.aStart),
      [0, 8],
    );
  });

  test('with other capitals', () => {
    assert.equal(moves('M n a b c ', 'a b c m N ', { ignoreCase: true }).length, 1);
  });
});
