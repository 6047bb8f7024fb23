import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  chooseEncoding, chooseLanguage, chooseMediaType, contentDisposition, fieldValue, formatQuery,
  formatSetCookie, parseCacheControl, parseCookies, parseDate, parseItem, parseQuery, withField,
} from '../src/index.ts'

describe('fields', () => {
  test('are found without case', () => {
    assert.equal(fieldValue([['X-Name', 'a'], ['x-name', 'b']], 'X-NAME'), 'a, b')
  })

  test('are replaced', () => {
    assert.deepEqual(withField([['A', '1']], 'a', '2'), [['a', '2']])
  })

  test('have parameters', () => {
    assert.deepEqual(parseItem('a; b="c"'), { value: 'a', params: [['b', 'c']] })
  })

  test('name files', () => {
    assert.equal(contentDisposition('attachment', 'a.txt'), 'attachment; filename=a.txt')
  })

  test('hold dates', () => {
    assert.equal(parseDate('Thu, 01 Jan 1970 00:01:00 GMT', 0), 60000)
  })

  test('hold directives', () => {
    assert.deepEqual(parseCacheControl('public, max-age=60'), { isPublic: true, maxAge: 60 })
  })
})

describe('negotiation', () => {
  test('of media types', () => {
    assert.equal(chooseMediaType('text/html;q=0.5, */*', ['text/html', 'a/b']), 'a/b')
  })

  test('of languages', () => {
    assert.equal(chooseLanguage('de, en;q=0.5', ['en', 'de-CH']), 'de-CH')
  })

  test('of codings', () => {
    assert.equal(chooseEncoding('gzip, br', ['br', 'gzip']), 'br')
  })
})

describe('queries and cookies', () => {
  test('are read', () => {
    assert.deepEqual(parseQuery('a=1+2&b=%26'), [['a', '1 2'], ['b', '&']])
  })

  test('are written', () => {
    assert.equal(formatQuery([['a', '1 2'], ['b', '&']]), 'a=1+2&b=%26')
  })

  test('cookies of a request', () => {
    assert.deepEqual(parseCookies([['Cookie', 'a=1; b=2']]), [['a', '1'], ['b', '2']])
  })

  test('cookies of an answer', () => {
    assert.equal(formatSetCookie({ name: 'a', value: 'b', path: '/', httpOnly: true }), 'a=b; Path=/; HttpOnly')
  })
})
