import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encodeUtf8 } from '../src/bytes.ts'
import { cookieOf, formatRemoval, formatSetCookie, hasExpired, parseCookies, parseSetCookie } from '../src/cookies.ts'
import { HttpError, SetupError } from '../src/errors.ts'
import { formOf, formatQuery, integerOf, jsonOf, parseQuery, percentDecode, queryOf, splitTarget, valueOf, valuesOf } from '../src/query.ts'
import type { Request } from '../src/types.ts'

const now = Date.UTC(2024, 2, 4)
const posted = (type: string, body: string): Request => ({
  method: 'POST', target: '/', fields: [['Content-Type', type]], body: encodeUtf8(body),
})

const complaint = (action: () => unknown): string => {
  try {
    action()
    return 'none'
  } catch (error) {
    return error instanceof HttpError ? `${error.status} ${error.message}` : 'another'
  }
}

describe('queries', () => {
  test('are read in order', () => {
    assert.deepEqual(parseQuery('?b=2&a=1&b=3'), [['b', '2'], ['a', '1'], ['b', '3']])
  })
  test('plus is a space', () => {
    assert.deepEqual(parseQuery('q=a+b%2Bc'), [['q', 'a b+c']])
  })
  test('only the first equals sign separates', () => {
    assert.deepEqual(parseQuery('a=b=c&d'), [['a', 'b=c'], ['d', '']])
  })
  test('empty pairs are skipped', () => {
    assert.deepEqual(parseQuery('&a=1&&'), [['a', '1']])
  })
  test('an empty name is a name', () => {
    assert.deepEqual(parseQuery('=x'), [['', 'x']])
  })
  test('escapes are UTF-8', () => {
    assert.deepEqual(parseQuery('n%C3%A4me=%E2%82%AC'), [['näme', '€']])
  })
  test('broken escapes stand for themselves', () => {
    assert.equal(percentDecode('100% %zz %4'), '100% %zz %4')
  })
  test('are written', () => {
    assert.equal(formatQuery([['a b', 'c&d'], ['e', '€~*']]), 'a+b=c%26d&e=%E2%82%AC%7E*')
  })
  test('the last value counts', () => {
    assert.equal(valueOf([['a', '1'], ['a', '2'], ['b', '3']], 'a'), '2')
  })
  test('all values', () => {
    assert.deepEqual(valuesOf([['a', '1'], ['b', '3'], ['a', '2']], 'a'), ['1', '2'])
  })
  test('targets are split at the first question mark', () => {
    assert.deepEqual(splitTarget('/a?b=?c#d'), { path: '/a', query: 'b=?c' })
  })
  test('a target without a query', () => {
    assert.deepEqual(splitTarget('/a'), { path: '/a', query: '' })
  })
  test('of a request', () => {
    assert.deepEqual(queryOf({ ...posted('a/b', ''), target: '/x?y=z' }), [['y', 'z']])
  })
})

describe('whole numbers', () => {
  test('are read', () => {
    assert.equal(integerOf([['n', '-12']], 'n'), -12)
  })
  test('a blank one is missing', () => {
    assert.equal(integerOf([['n', ' ']], 'n', { fallback: 7 }), 7)
  })
  test('a fallback of zero', () => {
    assert.equal(integerOf([], 'n', { fallback: 0 }), 0)
  })
  test('a missing one', () => {
    assert.equal(complaint(() => integerOf([], 'n')), '400 n is missing')
  })
  test('the bounds are included', () => {
    assert.equal(integerOf([['n', '5']], 'n', { least: 5, most: 5 }), 5)
  })
  test('too small', () => {
    assert.equal(complaint(() => integerOf([['n', '4']], 'n', { least: 5 })), '400 n is less than 5')
  })
  test('too great', () => {
    assert.equal(complaint(() => integerOf([['n', '6']], 'n', { most: 5, fallback: 1 })), '400 n is greater than 5')
  })
  test('other notations', () => {
    assert.equal(complaint(() => integerOf([['n', '1e3']], 'n', { fallback: 1 })), '400 n is not a whole number')
  })
  test('beyond what is exact', () => {
    assert.equal(complaint(() => integerOf([['n', '9007199254740993']], 'n')), '400 n is not a whole number')
  })
})

describe('bodies', () => {
  test('a form', () => {
    assert.deepEqual(formOf(posted('Application/x-www-form-urlencoded; charset=UTF-8', 'a=1+2')), [['a', '1 2']])
  })
  test('no form', () => {
    assert.equal(complaint(() => formOf(posted('text/plain', 'a=1'))), '415 the body is not a form')
  })
  test('a form in another charset', () => {
    assert.equal(complaint(() => formOf(posted('application/x-www-form-urlencoded; charset=KOI8-R', 'a=1'))), '415 forms in koi8-r are not understood')
  })
  test('JSON', () => {
    assert.deepEqual(jsonOf(posted('application/json', '{"a":[1,"é"]}')), { a: [1, 'é'] })
  })
  test('a type made of JSON', () => {
    assert.deepEqual(jsonOf(posted('application/vnd.x+json', '[2]')), [2])
  })
  test('no JSON', () => {
    assert.equal(complaint(() => jsonOf(posted('text/html', '[2]'))), '415 the body is not JSON')
  })
  test('broken JSON', () => {
    assert.equal(complaint(() => jsonOf(posted('application/json', '{'))), '400 the body is not valid JSON')
  })
})

describe('cookies of a request', () => {
  test('are read from all lines', () => {
    assert.deepEqual(parseCookies([['Cookie', 'a=1; b=2'], ['cookie', 'c=3']]), [['a', '1'], ['b', '2'], ['c', '3']])
  })
  test('the first of a name counts', () => {
    assert.deepEqual(parseCookies([['Cookie', 'a=1;a=2']]), [['a', '1']])
  })
  test('quotes and escapes are undone', () => {
    assert.deepEqual(parseCookies([['Cookie', 'a="x%20y"; b=%zz']]), [['a', 'x y'], ['b', '%zz']])
  })
  test('equals signs belong to the value', () => {
    assert.equal(cookieOf([['Cookie', 't=abc==']], 't'), 'abc==')
  })
  test('what is no cookie is skipped', () => {
    assert.deepEqual(parseCookies([['Cookie', 'flag; =x; a b=1; c=']]), [['c', '']])
  })
  test('names have a case', () => {
    assert.equal(cookieOf([['Cookie', 'A=1; a=2']], 'a'), '2')
  })
})

describe('setting cookies', () => {
  test('all attributes', () => {
    assert.equal(
      formatSetCookie({ name: 'a', value: 'b', domain: '.x.example', path: '/p', expires: 784111777000, maxAge: 60, secure: true, httpOnly: true, sameSite: 'lax', partitioned: true }),
      'a=b; Domain=x.example; Path=/p; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Max-Age=60; Secure; HttpOnly; SameSite=Lax; Partitioned',
    )
  })
  test('an age of zero is written', () => {
    assert.equal(formatSetCookie({ name: 'a', value: '', maxAge: 0 }), 'a=; Max-Age=0')
  })
  test('values are escaped', () => {
    assert.equal(formatSetCookie({ name: 'a', value: '50% "é";,\\' }), 'a=50%25%20%22%C3%A9%22%3B%2C%5C')
  })
  test('what looks like an escape is escaped itself', () => {
    assert.equal(formatSetCookie({ name: 'code', value: '50%20OFF' }), 'code=50%2520OFF')
  })
  test('what a value may hold stays', () => {
    assert.equal(formatSetCookie({ name: 'a', value: 'x=y&z/:@!' }), 'a=x=y&z/:@!')
  })
  test('a name that is no token', () => {
    assert.throws(() => formatSetCookie({ name: 'a b', value: '' }), SetupError)
  })
  test('a path that holds another attribute', () => {
    assert.throws(() => formatSetCookie({ name: 'a', value: '', path: '/;Secure' }), SetupError)
  })
  test('fractions of a second', () => {
    assert.throws(() => formatSetCookie({ name: 'a', value: '', maxAge: 1.5 }), SetupError)
  })
  test('a path without a slash', () => {
    assert.throws(() => formatSetCookie({ name: 'a', value: '', path: 'x' }), SetupError)
  })
  test('__Secure- without Secure', () => {
    assert.throws(() => formatSetCookie({ name: '__Secure-a', value: '' }), SetupError)
  })
  test('__Secure- with a domain', () => {
    assert.equal(formatSetCookie({ name: '__Secure-a', value: '1', domain: 'x', secure: true }), '__Secure-a=1; Domain=x; Secure')
  })
  test('__Host- without a path', () => {
    assert.throws(() => formatSetCookie({ name: '__Host-a', value: '', secure: true }), SetupError)
  })
  test('__Host- with a domain', () => {
    assert.throws(() => formatSetCookie({ name: '__Host-a', value: '', secure: true, path: '/', domain: 'x' }), SetupError)
  })
  test('__host- in another case', () => {
    assert.throws(() => formatSetCookie({ name: '__HOST-a', value: '', path: '/' }), SetupError)
  })
  test('__Host- as it should be', () => {
    assert.equal(formatSetCookie({ name: '__Host-a', value: '1', secure: true, path: '/' }), '__Host-a=1; Path=/; Secure')
  })
  test('SameSite=None without Secure', () => {
    assert.throws(() => formatSetCookie({ name: 'a', value: '', sameSite: 'none' }), SetupError)
  })
  test('Partitioned without Secure', () => {
    assert.throws(() => formatSetCookie({ name: 'a', value: '', partitioned: true }), SetupError)
  })
  test('removal', () => {
    assert.equal(formatRemoval('a', { path: '/p', domain: 'x' }), 'a=; Domain=x; Path=/p; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0')
  })
})

describe('reading Set-Cookie', () => {
  test('all attributes', () => {
    assert.deepEqual(parseSetCookie('a="b%20c"; domain=.X.example; PATH=/p; Max-Age=-1; secure; HttpOnly; SameSite=NONE; Partitioned; other=1', now), {
      name: 'a', value: 'b c', domain: 'x.example', path: '/p', maxAge: -1, secure: true, httpOnly: true, sameSite: 'none', partitioned: true,
    })
  })
  test('the last of a repeated attribute counts', () => {
    assert.deepEqual(parseSetCookie('a=b; Path=/x; Path=/y', now), { name: 'a', value: 'b', path: '/y' })
  })
  test('broken attributes are ignored', () => {
    assert.deepEqual(parseSetCookie('a=b; Path=x; Max-Age=1.5; SameSite=maybe; Expires=soon; Domain=', now), { name: 'a', value: 'b' })
  })
  test('Expires', () => {
    assert.deepEqual(parseSetCookie('a=b; Expires=Sunday, 06-Nov-94 08:49:37 GMT', now), { name: 'a', value: 'b', expires: 784111777000 })
  })
  test('no name', () => {
    assert.equal(parseSetCookie('=b; Secure', now)?.value ?? 'none', 'none')
  })
  test('Max-Age goes before Expires', () => {
    assert.equal(hasExpired({ maxAge: 60, expires: 0 }, now, now + 59999), false)
  })
  test('Max-Age ends to the second', () => {
    assert.equal(hasExpired({ maxAge: 60 }, now, now + 60000), true)
  })
  test('Expires ends at its moment', () => {
    assert.equal(hasExpired({ expires: now }, 0, now), true)
  })
  test('a cookie of the session', () => {
    assert.equal(hasExpired({}, 0, now), false)
  })
})
