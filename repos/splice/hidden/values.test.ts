import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyOperations, diffValues, MismatchError, reverseOperations, SpliceError } from '../src/index.ts';

describe('differences of values', () => {
  test('none', () => {
    assert.equal(diffValues({ a: [1, null], b: 'x' }, { b: 'x', a: [1, null] }).length, 0);
  });

  test('names that come, go and change', () => {
    assert.deepEqual(diffValues({ b: 1, c: 2 }, { a: 0, c: 3 }), [
      { op: 'add', path: '/a', value: 0 },
      { op: 'remove', path: '/b', old: 1 },
      { op: 'replace', path: '/c', old: 2, value: 3 },
    ]);
  });

  test('deep down', () => {
    assert.deepEqual(diffValues({ a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }), [
      { op: 'replace', path: '/a/b/c', old: 1, value: 2 },
    ]);
  });

  test('of another type', () => {
    assert.deepEqual(diffValues({ a: [] }, { a: {} }), [
      { op: 'replace', path: '/a', old: [], value: {} },
    ]);
  });

  test('of the whole value', () => {
    assert.deepEqual(diffValues(1, '1'), [{ op: 'replace', path: '', old: 1, value: '1' }]);
  });

  test('names are escaped', () => {
    assert.equal(diffValues({}, { 'a/b~c': 1 })[0].path, '/a~1b~0c');
  });

  test('a name with null is not one that is missing', () => {
    assert.deepEqual(diffValues({ a: null }, {}), [{ op: 'remove', path: '/a', old: null }]);
  });

  test('an item that comes', () => {
    assert.deepEqual(diffValues(['a', 'c'], ['a', 'b', 'c']), [
      { op: 'add', path: '/1', value: 'b' },
    ]);
  });

  test('items that go, one after the other', () => {
    assert.deepEqual(diffValues(['a', 'b', 'c'], ['c']), [
      { op: 'remove', path: '/0', old: 'a' },
      { op: 'remove', path: '/0', old: 'b' },
    ]);
  });

  test('indices are those at the moment', () => {
    assert.deepEqual(diffValues([1, 2, 3, 4, 5], [2, 3, 9, 4, 5, 6]), [
      { op: 'remove', path: '/0', old: 1 },
      { op: 'add', path: '/2', value: 9 },
      { op: 'add', path: '/5', value: 6 },
    ]);
  });

  test('items in the place of others are compared', () => {
    assert.deepEqual(diffValues([{ id: 1, n: 'x' }, 7], [{ id: 1, n: 'y' }, 7]), [
      { op: 'replace', path: '/0/n', old: 'x', value: 'y' },
    ]);
  });

  test('more items in the place of fewer', () => {
    assert.deepEqual(diffValues([{ n: 1 }], [{ n: 2 }, { n: 3 }]), [
      { op: 'replace', path: '/0/n', old: 1, value: 2 },
      { op: 'add', path: '/1', value: { n: 3 } },
    ]);
  });

  test('items with names in another order are the same', () => {
    assert.equal(diffValues([{ a: 1, b: 2 }], [{ b: 2, a: 1 }]).length, 0);
  });
});

describe('carrying steps out', () => {
  test('gives the new value', () => {
    const before = { list: [1, 2, 3], gone: true, deep: { x: 'a' } };
    const after = { list: [2, 3, 4], deep: { x: 'b', y: null } };
    assert.deepEqual(applyOperations(before, diffValues(before, after)), {
      list: [2, 3, 4],
      deep: { x: 'b', y: null },
    });
  });

  test('leaves the old value alone', () => {
    const before = { list: [1, 2] };
    applyOperations(before, [{ op: 'remove', path: '/list/0', old: 1 }]);
    assert.deepEqual(before, { list: [1, 2] });
  });

  test('replaces the whole value', () => {
    assert.equal(applyOperations([1], [{ op: 'replace', path: '', old: [1], value: 5 }]), 5);
  });

  test('adds behind the last item', () => {
    assert.deepEqual(applyOperations({ a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }]), { a: [1, 2] });
  });

  test('understands escaped names', () => {
    assert.deepEqual(applyOperations({ '~1': 1, '/': 2 }, [{ op: 'replace', path: '/~01', old: 1, value: 3 }]), {
      '~1': 3,
      '/': 2,
    });
  });

  test('another old value', () => {
    assert.throws(() => applyOperations({ a: 1 }, [{ op: 'replace', path: '/a', old: 2, value: 3 }]), {
      name: 'MismatchError',
      message: 'replace /a: has another value',
    });
  });

  test('another item to remove', () => {
    assert.throws(() => applyOperations([1], [{ op: 'remove', path: '/0', old: 2 }]), MismatchError);
  });

  test('a name that is there already', () => {
    assert.throws(() => applyOperations({ a: 1 }, [{ op: 'add', path: '/a', value: 1 }]), {
      message: 'add /a: is there already',
    });
  });

  test('a step that leads nowhere', () => {
    assert.throws(() => applyOperations({ a: 1 }, [{ op: 'remove', path: '/b/c', old: 1 }]), MismatchError);
  });

  test('names that objects have by themselves lead nowhere', () => {
    assert.throws(
      () => applyOperations({}, [{ op: 'replace', path: '/constructor', old: 1, value: 2 }]),
      MismatchError,
    );
  });

  test('a step into a number', () => {
    assert.throws(() => applyOperations(5, [{ op: 'add', path: '/a', value: 1 }]), MismatchError);
  });

  test('an index beyond the end', () => {
    assert.throws(() => applyOperations([1], [{ op: 'add', path: '/2', value: 1 }]), MismatchError);
  });

  test('no item to remove at the end', () => {
    assert.throws(() => applyOperations([1], [{ op: 'remove', path: '/1', old: 1 }]), MismatchError);
  });

  test('a malformed pointer', () => {
    assert.throws(() => applyOperations({}, [{ op: 'add', path: 'a', value: 1 }]), SpliceError);
  });

  test('a tilde alone', () => {
    assert.throws(() => applyOperations({}, [{ op: 'add', path: '/a~', value: 1 }]), {
      name: 'SpliceError',
      message: 'not a pointer: /a~',
    });
  });
});

describe('steps back', () => {
  test('stand in reverse order', () => {
    assert.deepEqual(
      reverseOperations([
        { op: 'add', path: '/a', value: 1 },
        { op: 'remove', path: '/b', old: 2 },
        { op: 'replace', path: '/c', old: 3, value: 4 },
      ]),
      [
        { op: 'replace', path: '/c', old: 4, value: 3 },
        { op: 'add', path: '/b', value: 2 },
        { op: 'remove', path: '/a', old: 1 },
      ],
    );
  });

  test('lead back', () => {
    const steps = diffValues({ a: [1, 2, 3] }, { a: [3, 1], b: 'x' });
    assert.deepEqual(applyOperations({ a: [3, 1], b: 'x' }, reverseOperations(steps)), { a: [1, 2, 3] });
  });
});
