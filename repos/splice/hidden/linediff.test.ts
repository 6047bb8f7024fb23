import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { diffLines, diffSequences, sameText, splitLines } from '../src/index.ts';

const changes = (a: string, b: string, options = {}) =>
  diffLines(a.replaceAll(' ', '\n'), b.replaceAll(' ', '\n'), options).changes.map((change) =>
    [change.aStart, change.aEnd, change.bStart, change.bEnd].join(','),
  );

describe('lines', () => {
  test('keep their ends', () => {
    assert.deepEqual(splitLines('one\ntwo\r\nthree'), ['one\n', 'two\r\n', 'three']);
  });

  test('an empty text has none', () => {
    assert.equal(splitLines('').length, 0);
  });

  test('a final newline begins no further line', () => {
    assert.equal(splitLines('one\n\n').length, 2);
  });

  test('a lone carriage return is part of a line', () => {
    assert.deepEqual(splitLines('one\rtwo\n'), ['one\rtwo\n']);
  });
});

describe('changes', () => {
  test('a replaced line', () => {
    assert.deepEqual(changes('a b c ', 'a x c '), ['1,2,1,2']);
  });

  test('an insertion at the end', () => {
    assert.deepEqual(changes('a b ', 'a b c '), ['2,2,2,3']);
  });

  test('everything removed', () => {
    assert.deepEqual(changes('a b ', ''), ['0,2,0,0']);
  });

  test('as few lines as possible', () => {
    assert.deepEqual(changes('a b c a b b a ', 'c b a b a c '), ['0,2,0,0', '3,3,1,2', '5,6,4,4', '7,7,5,6']);
  });

  test('a missing newline at the end is a difference', () => {
    assert.deepEqual(changes('a b ', 'a b'), ['1,2,1,2']);
  });

  test('an insertion stands in the lowest place', () => {
    assert.deepEqual(changes('a b c ', 'a b a b c '), ['2,2,2,4']);
  });

  test('a deletion stands in the lowest place', () => {
    assert.deepEqual(changes('x } y } z ', 'x } z '), ['2,4,2,2']);
  });

  test('a line twice and then once', () => {
    assert.deepEqual(changes('a a b ', 'a c '), ['1,3,1,2']);
  });

  test('lists of other things by their key', () => {
    assert.deepEqual(
      diffSequences([{ id: 1 }, { id: 2 }], [{ id: 2 }, { id: 3 }], (item) => String(item.id)),
      [
        { aStart: 0, aEnd: 1, bStart: 0, bEnd: 0 },
        { aStart: 2, aEnd: 2, bStart: 1, bEnd: 2 },
      ],
    );
  });
});

describe('patience', () => {
  const patience = { algorithm: 'patience' };

  test('keeps lines together that occur once', () => {
    assert.deepEqual(changes('} } head a ', 'head a } } ', patience), ['0,2,0,0', '4,4,2,4']);
  });

  test('where Myers would rather keep many others', () => {
    assert.deepEqual(changes('x x x once ', 'once x x x ', patience), ['0,3,0,0', '4,4,1,4']);
  });

  test('takes the longest rising choice of unique lines', () => {
    assert.deepEqual(changes('p a b c ', 'a b c p ', patience), ['0,1,0,0', '4,4,3,4']);
  });

  test('looks for unique lines between those found', () => {
    assert.deepEqual(
      changes('q x q m x q q ', 'x q q m q q x ', patience),
      ['0,1,0,0', '3,3,2,3', '4,4,4,6', '5,7,7,7'],
    );
  });

  test('an insertion after a unique line stands in the lowest place too', () => {
    assert.deepEqual(changes('a b ', 'c a b b ', patience), ['0,0,0,1', '2,2,3,4']);
  });

  test('a deletion before the common end stands in the lowest place too', () => {
    assert.deepEqual(changes('c a b b ', 'a b ', patience), ['0,1,0,0', '3,4,2,2']);
  });

  test('leaves it to Myers without unique lines', () => {
    assert.deepEqual(changes('a a b b ', 'b b a a ', patience), ['0,2,0,0', '4,4,2,4']);
  });
});

describe('what counts as the same', () => {
  test('blanks at the end of a line', () => {
    assert.equal(sameText('a b  \nc\t\n', 'a b\nc\n', { whitespace: 'trailing' }), true);
  });

  test('trailing blanks only, not others', () => {
    assert.equal(sameText('a  b\n', 'a b\n', { whitespace: 'trailing' }), false);
  });

  test('the amount of blanks', () => {
    assert.equal(sameText('  a \t b \n', ' a b\n', { whitespace: 'amount' }), true);
  });

  test('some blanks are not the same as none', () => {
    assert.equal(sameText(' a\n', 'a\n', { whitespace: 'amount' }), false);
  });

  test('all blanks', () => {
    assert.equal(sameText('if (a) {\n', '  if(a){\n', { whitespace: 'all' }), true);
  });

  test('capitals', () => {
    assert.equal(sameText('Straße ÉTÉ\n', 'straße été\n', { ignoreCase: true }), true);
  });

  test('capitals count by default', () => {
    assert.equal(sameText('A\n', 'a\n'), false);
  });

  test('line ends', () => {
    assert.equal(sameText('a\r\nb\r\n', 'a\nb', { ignoreEnds: true }), true);
  });

  test('line ends count although blanks do not', () => {
    assert.equal(sameText('a\r\n', 'a\n', { whitespace: 'all' }), false);
  });

  test('options go together', () => {
    assert.equal(
      sameText('A  B\r\n', 'a b \n', { whitespace: 'amount', ignoreCase: true, ignoreEnds: true }),
      true,
    );
  });
});
