import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HttpError, SetupError } from '../src/errors.ts'
import {
  fieldLines, fieldValue, formatFields, hasField, parseFields, withDefault, withField, withLine, withMembers, withoutField,
} from '../src/fields.ts'
import type { Fields } from '../src/types.ts'

const some: Fields = [['Accept', 'text/html'], ['X-A', '1'], ['ACCEPT', 'text/plain'], ['Set-Cookie', 'a=1'], ['set-cookie', 'b=2']]

describe('fields', () => {
  test('lines are joined by a comma', () => {
    assert.equal(fieldValue(some, 'accept'), 'text/html, text/plain')
  })
  test('lines of Cookie are joined by a semicolon', () => {
    assert.equal(fieldValue([['cookie', 'a=1'], ['Cookie', 'b=2']], 'Cookie'), 'a=1; b=2')
  })
  test('of Set-Cookie only the first line is given', () => {
    assert.equal(fieldValue(some, 'Set-Cookie'), 'a=1')
  })
  test('lines one by one', () => {
    assert.deepEqual(fieldLines(some, 'SET-COOKIE'), ['a=1', 'b=2'])
  })
  test('a missing field', () => {
    assert.equal(fieldValue(some, 'Host') ?? 'nothing', 'nothing')
  })
  test('presence without case', () => {
    assert.deepEqual([hasField(some, 'x-a'), hasField(some, 'x-b')], [true, false])
  })
  test('replacing takes the place of the first line and drops the others', () => {
    assert.deepEqual(withField(some, 'accept', '*/*').slice(0, 3), [['accept', '*/*'], ['X-A', '1'], ['Set-Cookie', 'a=1']])
  })
  test('replacing what is not there appends', () => {
    assert.deepEqual(withField([['A', '1']], 'B', '2'), [['A', '1'], ['B', '2']])
  })
  test('a default keeps what is there', () => {
    assert.deepEqual(withDefault([['date', 'x']], 'Date', 'y'), [['date', 'x']])
  })
  test('a default sets what is missing', () => {
    assert.deepEqual(withDefault([], 'Date', 'y'), [['Date', 'y']])
  })
  test('adding a line keeps the others', () => {
    assert.deepEqual(withLine([['A', '1']], 'a', '2'), [['A', '1'], ['a', '2']])
  })
  test('removing several names', () => {
    assert.deepEqual(withoutField(some, 'accept', 'SET-cookie'), [['X-A', '1']])
  })
  test('the given list is not changed', () => {
    const given: Fields = [['A', '1']]
    withField(given, 'a', '2')
    assert.deepEqual(given, [['A', '1']])
  })
})

describe('members', () => {
  test('are added once whatever their case', () => {
    assert.deepEqual(withMembers([['Vary', 'accept']], 'Vary', ['Accept', 'Origin']), [['Vary', 'accept, Origin']])
  })
  test('several lines become one', () => {
    assert.deepEqual(withMembers([['Vary', 'A'], ['vary', 'B']], 'Vary', ['C']), [['Vary', 'A, B, C']])
  })
  test('a star that is there swallows what is added', () => {
    assert.deepEqual(withMembers([['Vary', '*']], 'Vary', ['Origin']), [['Vary', '*']])
  })
  test('a star that is added swallows what is there', () => {
    assert.deepEqual(withMembers([['Vary', 'Origin']], 'Vary', ['*']), [['Vary', '*']])
  })
  test('no members make no field', () => {
    assert.equal(withMembers([], 'Vary', []).length, 0)
  })
})

describe('header text', () => {
  test('is read up to the empty line', () => {
    assert.deepEqual(parseFields('Host: a.example\r\nX-A:  b \r\n\r\nbody: x'), [['Host', 'a.example'], ['X-A', 'b']])
  })
  test('a folded line goes on', () => {
    assert.deepEqual(parseFields('X-A: one \r\n\t two\r\nB: 3'), [['X-A', 'one two'], ['B', '3']])
  })
  test('bare newlines will do', () => {
    assert.deepEqual(parseFields('A: 1\nB: 2:3'), [['A', '1'], ['B', '2:3']])
  })
  test('a blank before the colon is refused', () => {
    assert.throws(() => parseFields('Host : a'), HttpError)
  })
  test('a line without a colon is refused', () => {
    assert.throws(() => parseFields('Host'), HttpError)
  })
  test('a fold at the beginning is refused', () => {
    assert.throws(() => parseFields(' a: b'), HttpError)
  })
  test('is written line by line', () => {
    assert.equal(formatFields([['A', '1'], ['B', 'x y']]), 'A: 1\r\nB: x y\r\n')
  })
  test('a line break in a value is refused', () => {
    assert.throws(() => formatFields([['A', '1\r\nB: 2']]), SetupError)
  })
  test('a name that is no token is refused', () => {
    assert.throws(() => formatFields([['A B', '1']]), SetupError)
  })
})
