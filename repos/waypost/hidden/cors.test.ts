import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createApp } from '../src/app.ts'
import { cors } from '../src/cors.ts'
import type { CorsOptions } from '../src/cors.ts'
import { HttpError, SetupError } from '../src/errors.ts'
import { fieldValue } from '../src/fields.ts'
import { encodeLocation, redirect, resolveReference, safeReturn } from '../src/redirects.ts'
import type { RedirectKind } from '../src/redirects.ts'
import { text } from '../src/responses.ts'
import { route } from '../src/router.ts'
import type { Fields, Request } from '../src/types.ts'

/** The names that scripts are granted, as name: value, and Vary; status first. */
const send = async (options: CorsOptions, method: string, ...fields: Fields): Promise<string[]> => {
  const app = createApp({
    routes: [
      route('GET', '/', ({ request }) => {
        if (fieldValue(request.fields, 'X-Fail') !== undefined) throw new HttpError(409)
        return text('x', 200, [['Vary', 'Accept']])
      }),
    ],
    use: [cors(options)],
  })
  const response = await app.handle({ method, target: '/', fields, body: new Uint8Array() }, Date.UTC(2024, 2, 4))
  const told = response.fields.filter(([name]) => /^(access-control|vary)/i.test(name))
  return [String(response.status), ...told.map(([name, value]) => `${name.replace('Access-Control-', '')}: ${value}`)]
}

const origin = (name: string): readonly [string, string] => ['Origin', name]
const wants = (method: string): readonly [string, string] => ['Access-Control-Request-Method', method]
const with_ = (names: string): readonly [string, string] => ['Access-Control-Request-Headers', names]
const listed: CorsOptions = { origins: ['https://a.example', 'https://*.b.example'] }
const VARY = 'Vary: Origin, Access-Control-Request-Method, Access-Control-Request-Headers'

describe('simple requests', () => {
  test('from anywhere', async () => {
    assert.deepEqual(await send({ origins: '*' }, 'GET', origin('https://x.example')), ['200', 'Vary: Accept', 'Allow-Origin: *'])
  })
  test('from a listed origin', async () => {
    assert.deepEqual(await send(listed, 'GET', origin('https://a.example')), ['200', 'Vary: Accept, Origin', 'Allow-Origin: https://a.example'])
  })
  test('from another origin', async () => {
    assert.deepEqual(await send(listed, 'GET', origin('https://x.example')), ['200', 'Vary: Accept, Origin'])
  })
  test('from another scheme', async () => {
    assert.deepEqual(await send(listed, 'GET', origin('http://a.example')), ['200', 'Vary: Accept, Origin'])
  })
  test('without an origin', async () => {
    assert.deepEqual(await send(listed, 'GET'), ['200', 'Vary: Accept, Origin'])
  })
  test('from anywhere with credentials', async () => {
    assert.deepEqual(await send({ origins: '*', credentials: true }, 'GET', origin('https://x.example')), [
      '200', 'Vary: Accept, Origin', 'Allow-Origin: https://x.example', 'Allow-Credentials: true',
    ])
  })
  test('the null origin is on no list', async () => {
    assert.deepEqual(await send({ origins: ['null'] }, 'GET', origin('null')), ['200', 'Vary: Accept, Origin'])
  })
  test('a star is a label', async () => {
    assert.deepEqual(await send(listed, 'GET', origin('https://www.b.example')), ['200', 'Vary: Accept, Origin', 'Allow-Origin: https://www.b.example'])
  })
  test('a star is several labels', async () => {
    assert.deepEqual(await send(listed, 'GET', origin('https://x.y.b.example')), ['200', 'Vary: Accept, Origin', 'Allow-Origin: https://x.y.b.example'])
  })
  test('a star is not nothing', async () => {
    assert.deepEqual(await send(listed, 'GET', origin('https://b.example')), ['200', 'Vary: Accept, Origin'])
  })
  test('a star is no part of a label', async () => {
    assert.deepEqual(await send(listed, 'GET', origin('https://evilb.example')), ['200', 'Vary: Accept, Origin'])
  })
  test('a star is no other site', async () => {
    assert.deepEqual(await send(listed, 'GET', origin('https://x.example/.b.example')), ['200', 'Vary: Accept, Origin'])
  })
  test('exposed fields', async () => {
    assert.deepEqual(await send({ origins: '*', exposed: ['X-A', 'X-B'] }, 'GET', origin('https://x.example')), [
      '200', 'Vary: Accept', 'Allow-Origin: *', 'Expose-Headers: X-A, X-B',
    ])
  })
  test('errors are granted too', async () => {
    assert.deepEqual(await send(listed, 'GET', origin('https://a.example'), ['X-Fail', '1']), ['409', 'Vary: Accept, Origin', 'Allow-Origin: https://a.example'])
  })
  test('OPTIONS without a question is no preflight', async () => {
    assert.deepEqual(await send(listed, 'OPTIONS', origin('https://a.example')), ['204', 'Vary: Origin', 'Allow-Origin: https://a.example'])
  })
})

describe('preflights', () => {
  test('are granted', async () => {
    assert.deepEqual(await send({ ...listed, methods: ['GET', 'PUT'], maxAge: 600, credentials: true }, 'OPTIONS', origin('https://a.example'), wants('PUT')), [
      '204', VARY, 'Allow-Origin: https://a.example', 'Allow-Credentials: true', 'Allow-Methods: GET, PUT', 'Max-Age: 600',
    ])
  })
  test('simple methods need no list', async () => {
    assert.deepEqual(await send({ ...listed, methods: ['PUT'] }, 'OPTIONS', origin('https://a.example'), wants('POST')), [
      '204', VARY, 'Allow-Origin: https://a.example', 'Allow-Methods: PUT',
    ])
  })
  test('from another origin', async () => {
    assert.deepEqual(await send(listed, 'OPTIONS', origin('https://x.example'), wants('GET')), ['204', VARY])
  })
  test('for a method that is not listed', async () => {
    assert.deepEqual(await send(listed, 'OPTIONS', origin('https://a.example'), wants('DELETE')), ['204', VARY])
  })
  test('for headers that are listed, in any case', async () => {
    assert.deepEqual(await send({ ...listed, headers: ['X-Token'] }, 'OPTIONS', origin('https://a.example'), wants('GET'), with_('x-token,content-type')), [
      '204', VARY, 'Allow-Origin: https://a.example', 'Allow-Methods: GET, HEAD, POST', 'Allow-Headers: x-token, content-type',
    ])
  })
  test('for a header that is not listed', async () => {
    assert.deepEqual(await send({ ...listed, headers: ['X-Token'] }, 'OPTIONS', origin('https://a.example'), wants('GET'), with_('x-token, x-other')), ['204', VARY])
  })
  test('for any header', async () => {
    assert.deepEqual(await send({ origins: '*', headers: '*' }, 'OPTIONS', origin('https://a.example'), wants('GET'), with_('x-any')), [
      '204', VARY, 'Allow-Origin: *', 'Allow-Methods: GET, HEAD, POST', 'Allow-Headers: x-any',
    ])
  })
  test('for what is no header', async () => {
    assert.deepEqual(await send({ origins: '*', headers: '*' }, 'OPTIONS', origin('https://a.example'), wants('GET'), with_('x y')), ['204', VARY])
  })
  test('an age of zero is told', async () => {
    assert.deepEqual(await send({ origins: '*', maxAge: 0 }, 'OPTIONS', origin('https://a.example'), wants('GET')), [
      '204', VARY, 'Allow-Origin: *', 'Allow-Methods: GET, HEAD, POST', 'Max-Age: 0',
    ])
  })
})

describe('redirects', () => {
  const status = (kind: RedirectKind): number => redirect('/x', kind).status
  test('of each kind', () => {
    assert.deepEqual([status('moved'), status('found'), status('see-other'), status('temporary'), status('permanent')], [301, 302, 303, 307, 308])
  })
  test('name the location', () => {
    assert.deepEqual(redirect('/a b?c=é%20', 'found', [['X', '1']]).fields, [['X', '1'], ['Location', '/a%20b?c=%C3%A9%20']])
  })
  test('a line break is refused', () => {
    assert.throws(() => redirect('/a\r\nSet-Cookie: x', 'found'), SetupError)
  })
  test('what a URL may hold stays', () => {
    assert.equal(encodeLocation("https://x.example/~a;b=1?c[]=d&e='f'#g"), "https://x.example/~a;b=1?c[]=d&e='f'#g")
  })
  test('what it may not hold is escaped', () => {
    assert.equal(encodeLocation('/"<>\\^`{|}'), '/%22%3C%3E%5C%5E%60%7B%7C%7D')
  })
})

describe('references', () => {
  const at = (target: string): Request => ({ method: 'GET', target, fields: [], body: new Uint8Array() })
  const base = at('/a/b/c?q=1')
  test('a sibling', () => {
    assert.equal(resolveReference(base, 'd?x=2'), '/a/b/d?x=2')
  })
  test('the parent', () => {
    assert.equal(resolveReference(base, '../d'), '/a/d')
  })
  test('above the root', () => {
    assert.equal(resolveReference(base, '../../../d/./e'), '/d/e')
  })
  test('dots at the end', () => {
    assert.equal(resolveReference(base, '..'), '/a/')
  })
  test('the folder itself', () => {
    assert.equal(resolveReference(base, '.'), '/a/b/')
  })
  test('a query alone keeps the path', () => {
    assert.equal(resolveReference(base, '?page=2'), '/a/b/c?page=2')
  })
  test('an empty query drops the query', () => {
    assert.equal(resolveReference(base, '?'), '/a/b/c?')
  })
  test('nothing keeps it all', () => {
    assert.equal(resolveReference(base, ''), '/a/b/c?q=1')
  })
  test('a fragment keeps the query', () => {
    assert.equal(resolveReference(base, '#top'), '/a/b/c?q=1#top')
  })
  test('a fragment may hold anything', () => {
    assert.equal(resolveReference(base, 'd#x?y#z'), '/a/b/d#x?y#z')
  })
  test('an absolute path', () => {
    assert.equal(resolveReference(base, '/x/../y'), '/y')
  })
  test('another site stays', () => {
    assert.equal(resolveReference(base, 'https://x.example/../a'), 'https://x.example/../a')
  })
  test('another authority stays', () => {
    assert.equal(resolveReference(base, '//x.example/a'), '//x.example/a')
  })
})

describe('safe returns', () => {
  test('a path of this site', () => {
    assert.equal(safeReturn('/a?next=//x', '/home'), '/a?next=//x')
  })
  test('the root', () => {
    assert.equal(safeReturn('/', '/home'), '/')
  })
  test('nothing', () => {
    assert.equal(safeReturn(undefined, '/home'), '/home')
  })
  test('another site', () => {
    assert.equal(safeReturn('https://x.example/', '/start'), '/start')
  })
  test('another authority', () => {
    assert.equal(safeReturn('//x.example', '/home'), '/home')
  })
  test('a backslash', () => {
    assert.equal(safeReturn('/\\x.example', '/home'), '/home')
  })
  test('a tab that browsers drop', () => {
    assert.equal(safeReturn('/\t/x.example', '/home'), '/home')
  })
  test('a relative path', () => {
    assert.equal(safeReturn('a', '/start'), '/start')
  })
})
