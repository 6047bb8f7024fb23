import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeUtf8, encodeUtf8 } from '../src/bytes.ts'
import { charsetOf, contentDisposition, formatMediaType, parseDisposition, parseMediaType } from '../src/media.ts'
import { formatItem, paramOf, parseItem, parseItems, quote, splitQuoted, unquote } from '../src/syntax.ts'

describe('lists', () => {
  test('are split at commas outside quotes', () => {
    assert.deepEqual(splitQuoted('a, "b, c" ,d', ','), ['a', '"b, c"', 'd'])
  })
  test('empty parts are dropped', () => {
    assert.deepEqual(splitQuoted(', a,, b,', ','), ['a', 'b'])
  })
  test('an escaped quote does not end a string', () => {
    assert.deepEqual(splitQuoted('"a\\", b", c', ','), ['"a\\", b"', 'c'])
  })
  test('semicolons', () => {
    assert.deepEqual(splitQuoted('a; b="x;y"', ';'), ['a', 'b="x;y"'])
  })
})

describe('quoting', () => {
  test('a token stays', () => {
    assert.equal(quote("it's-1.0"), "it's-1.0")
  })
  test('quotes and backslashes are escaped', () => {
    assert.equal(quote('a "b" \\'), '"a \\"b\\" \\\\"')
  })
  test('an empty text is quoted', () => {
    assert.equal(quote(''), '""')
  })
  test('escapes are undone', () => {
    assert.equal(unquote('"a \\"b\\" \\\\"'), 'a "b" \\')
  })
  test('half a string is none', () => {
    assert.equal(unquote('"abc') ?? 'none', 'none')
  })
})

describe('items', () => {
  test('a value with parameters', () => {
    assert.deepEqual(parseItem('text/html; Level=1 ;title="a; b"'), { value: 'text/html', params: [['level', '1'], ['title', 'a; b']] })
  })
  test('the first of a repeated parameter counts', () => {
    assert.deepEqual(parseItem('a;x=1;X=2'), { value: 'a', params: [['x', '1']] })
  })
  test('malformed parameters are dropped', () => {
    assert.deepEqual(parseItem('a;flag;b=c d;e=f'), { value: 'a', params: [['e', 'f']] })
  })
  test('a list of items with commas in quotes', () => {
    assert.deepEqual(parseItems('a;x="1,2", b').map(({ value }) => value), ['a', 'b'])
  })
  test('nothing before the parameters', () => {
    assert.equal(parseItems(';q=1, b').length, 1)
  })
  test('are written with quotes where needed', () => {
    assert.equal(formatItem({ value: 'a', params: [['x', '1'], ['y', 'b c']] }), 'a; x=1; y="b c"')
  })
  test('a parameter is found by any case', () => {
    assert.equal(paramOf({ value: 'a', params: [['charset', 'utf-8']] }, 'Charset'), 'utf-8')
  })
})

describe('media types', () => {
  test('are read in lower case', () => {
    assert.deepEqual(parseMediaType('Text/HTML; Charset="UTF-8"'), { type: 'text', subtype: 'html', params: [['charset', 'UTF-8']] })
  })
  test('two slashes make none', () => {
    assert.deepEqual(parseMediaType('a/b/c') ?? { type: 'none' }, { type: 'none' })
  })
  test('a type alone is none', () => {
    assert.deepEqual(parseMediaType('text') ?? { type: 'none' }, { type: 'none' })
  })
  test('are written', () => {
    assert.equal(formatMediaType({ type: 'a', subtype: 'b', params: [['c', 'd e']] }), 'a/b; c="d e"')
  })
  test('charset in lower case', () => {
    assert.equal(charsetOf({ type: 'a', subtype: 'b', params: [['charset', 'ISO-8859-1']] }), 'iso-8859-1')
  })
  test('charset by default', () => {
    assert.equal(charsetOf({ type: 'a', subtype: 'b', params: [] }), 'utf-8')
  })
})

describe('dispositions', () => {
  test('a plain name', () => {
    assert.equal(contentDisposition('attachment', 'report.pdf'), 'attachment; filename=report.pdf')
  })
  test('no name', () => {
    assert.equal(contentDisposition('inline'), 'inline')
  })
  test('a name with blanks and quotes', () => {
    assert.equal(contentDisposition('attachment', 'my "x".txt'), 'attachment; filename="my \\"x\\".txt"')
  })
  test('only the last component of a path', () => {
    assert.equal(contentDisposition('attachment', 'C:\\a/b\\c.txt'), 'attachment; filename=c.txt')
  })
  test('a name beyond ASCII comes twice', () => {
    assert.equal(contentDisposition('attachment', 'é 1.txt'), "attachment; filename=\"_ 1.txt\"; filename*=UTF-8''%C3%A9%201.txt")
  })
  test('one mark for each character, even those of two code units', () => {
    assert.equal(contentDisposition('inline', '😀.txt'), "inline; filename=_.txt; filename*=UTF-8''%F0%9F%98%80.txt")
  })
  test('quotes and stars are escaped in the extended form', () => {
    assert.equal(contentDisposition('inline', "é'*.txt"), "inline; filename=_'*.txt; filename*=UTF-8''%C3%A9%27%2A.txt")
  })
  test('the extended name goes first', () => {
    assert.deepEqual(parseDisposition("Attachment; filename=a; filename*=utf-8'en'%e2%82%ac"), { kind: 'attachment', filename: '€' })
  })
  test('an extended name in Latin-1', () => {
    assert.deepEqual(parseDisposition("inline; filename*=ISO-8859-1''%E9"), { kind: 'inline', filename: 'é' })
  })
  test('an extended name that cannot be read', () => {
    assert.deepEqual(parseDisposition("inline; filename=b; filename*=UTF-8''%E"), { kind: 'inline', filename: 'b' })
  })
  test('an unknown charset', () => {
    assert.deepEqual(parseDisposition("inline; filename=c; filename*=koi8-r''%C1"), { kind: 'inline', filename: 'c' })
  })
  test('a name in quotes', () => {
    assert.deepEqual(parseDisposition('attachment; filename="a b.txt"'), { kind: 'attachment', filename: 'a b.txt' })
  })
  test('without any name', () => {
    assert.deepEqual(parseDisposition('inline'), { kind: 'inline' })
  })
})

describe('UTF-8', () => {
  test('characters of one to four bytes', () => {
    assert.deepEqual([...encodeUtf8('a¢€😀')], [97, 194, 162, 226, 130, 172, 240, 159, 152, 128])
  })
  test('back again', () => {
    assert.equal(decodeUtf8(encodeUtf8('a¢€😀')), 'a¢€😀')
  })
  test('bytes that belong to nothing', () => {
    assert.equal(decodeUtf8(Uint8Array.of(97, 255, 226, 130, 98)), 'a\ufffd\ufffd\ufffdb')
  })
  test('a lone surrogate', () => {
    assert.deepEqual([...encodeUtf8('\ud800')], [239, 191, 189])
  })
})
