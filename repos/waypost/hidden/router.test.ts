import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SetupError } from '../src/errors.ts'
import { text } from '../src/responses.ts'
import { createRouter, mount, route } from '../src/router.ts'
import type { Route, RouterOptions } from '../src/router.ts'

const plain = () => text('x')
const get = (pattern: string): Route => route('GET', pattern, plain, { name: pattern })

/** What a path leads to, in a line: the pattern and the parameters, or what else there is. */
const lead = (routes: readonly Route[], method: string, path: string, options: RouterOptions = {}): string => {
  const found = createRouter(routes, options).find(method, path)
  switch (found.kind) {
    case 'found':
      return `${found.route.method} ${found.route.pattern} ${JSON.stringify(found.params)}`
    case 'redirect':
      return `redirect ${found.path}`
    case 'options':
    case 'not-allowed':
      return `${found.kind} ${found.allow.join(' ')}`
    default:
      return found.kind
  }
}

describe('patterns', () => {
  test('plain text', () => {
    assert.equal(lead([get('/a/b')], 'GET', '/a/b'), 'GET /a/b {}')
  })
  test('the root', () => {
    assert.equal(lead([get('/')], 'GET', '/'), 'GET / {}')
  })
  test('a parameter', () => {
    assert.equal(lead([get('/u/{id}/x')], 'GET', '/u/7/x'), 'GET /u/{id}/x {"id":"7"}')
  })
  test('a parameter takes one segment', () => {
    assert.equal(lead([get('/u/{id}')], 'GET', '/u/7/8'), 'not-found')
  })
  test('a parameter is not empty', () => {
    assert.equal(lead([get('/u/{id}/x')], 'GET', '/u//x'), 'not-found')
  })
  test('an unfinished path', () => {
    assert.equal(lead([get('/a/b')], 'GET', '/a'), 'not-found')
  })
  test('a wildcard takes the rest', () => {
    assert.equal(lead([get('/f/{path*}')], 'GET', '/f/a/b.txt'), 'GET /f/{path*} {"path":"a/b.txt"}')
  })
  test('a wildcard takes something', () => {
    assert.equal(lead([get('/f/{path*}')], 'GET', '/f/'), 'not-found')
  })
  test('a wildcard keeps the last slash', () => {
    assert.equal(lead([get('/f/{path*}')], 'GET', '/f/a/'), 'GET /f/{path*} {"path":"a/"}')
  })
  test('whole numbers', () => {
    assert.equal(lead([get('/{n:int}')], 'GET', '/-12'), 'GET /{n:int} {"n":"-12"}')
  })
  test('no whole number', () => {
    assert.equal(lead([get('/{n:int}')], 'GET', '/12a'), 'not-found')
  })
  test('slugs', () => {
    assert.equal(lead([get('/{s:slug}')], 'GET', '/a-b2'), 'GET /{s:slug} {"s":"a-b2"}')
  })
  test('two hyphens make no slug', () => {
    assert.equal(lead([get('/{s:slug}')], 'GET', '/a--b'), 'not-found')
  })
  test('a uuid', () => {
    assert.equal(
      lead([get('/{u:uuid}')], 'GET', '/0E984725-c51c-4bf4-9960-e1c80e27aba0'),
      'GET /{u:uuid} {"u":"0E984725-c51c-4bf4-9960-e1c80e27aba0"}',
    )
  })
  test('choices', () => {
    assert.equal(lead([get('/{l:en|de}')], 'GET', '/de'), 'GET /{l:en|de} {"l":"de"}')
  })
  test('another choice', () => {
    assert.equal(lead([get('/{l:en|de}')], 'GET', '/fr'), 'not-found')
  })
  test('no slash at the beginning', () => {
    assert.throws(() => createRouter([get('a')]), SetupError)
  })
  test('an unknown constraint', () => {
    assert.throws(() => createRouter([get('/{a:float}')]), SetupError)
  })
  test('a wildcard in the middle', () => {
    assert.throws(() => createRouter([get('/{a*}/b')]), SetupError)
  })
  test('the same name twice', () => {
    assert.throws(() => createRouter([get('/{a}/{a}')]), SetupError)
  })
  test('half a parameter', () => {
    assert.throws(() => createRouter([get('/x{a}')]), SetupError)
  })
})

describe('paths', () => {
  test('are decoded', () => {
    assert.equal(lead([get('/ä/{x}')], 'GET', '/%C3%A4/a%20b'), 'GET /ä/{x} {"x":"a b"}')
  })
  test('an escaped slash is no separator', () => {
    assert.equal(lead([get('/{x}')], 'GET', '/a%2Fb'), 'GET /{x} {"x":"a/b"}')
  })
  test('plus stays plus', () => {
    assert.equal(lead([get('/{x}')], 'GET', '/a+b'), 'GET /{x} {"x":"a+b"}')
  })
  test('a broken escape', () => {
    assert.equal(lead([get('/{x}')], 'GET', '/a%2'), 'bad-path')
  })
  test('escapes that are no UTF-8', () => {
    assert.equal(lead([get('/{x}')], 'GET', '/%FF'), 'bad-path')
  })
  test('dots are resolved', () => {
    assert.equal(lead([get('/a/{x}')], 'GET', '/a/./b/../c'), 'GET /a/{x} {"x":"c"}')
  })
  test('escaped dots are resolved too', () => {
    assert.equal(lead([get('/f/{path*}'), get('/secret')], 'GET', '/f/%2E%2e/secret'), 'GET /secret {}')
  })
  test('one escaped dot is nothing', () => {
    assert.equal(lead([get('/f/{path*}')], 'GET', '/f/a/%2e/b'), 'GET /f/{path*} {"path":"a/b"}')
  })
  test('dots that are escaped twice are none', () => {
    assert.equal(lead([get('/f/{path*}')], 'GET', '/f/%252e%252e/b'), 'GET /f/{path*} {"path":"%2e%2e/b"}')
  })
  test('half-escaped dots', () => {
    assert.equal(lead([get('/f/{x}')], 'GET', '/f/a/.%2E/b'), 'GET /f/{x} {"x":"b"}')
  })
  test('above the root is nothing', () => {
    assert.equal(lead([get('/a')], 'GET', '/../../a'), 'GET /a {}')
  })
  test('dots at the end leave a slash', () => {
    assert.equal(lead([get('/a/')], 'GET', '/a/b/..'), 'GET /a/ {}')
  })
  test('names of objects are no parameters', () => {
    assert.equal(lead([get('/{x}')], 'GET', '/constructor'), 'GET /{x} {"x":"constructor"}')
  })
})

describe('specificity', () => {
  const all = [get('/{path*}'), get('/{x}'), get('/{n:int}'), get('/7')]
  test('text goes first', () => {
    assert.equal(lead(all, 'GET', '/7'), 'GET /7 {}')
  })
  test('then constraints', () => {
    assert.equal(lead(all, 'GET', '/8'), 'GET /{n:int} {"n":"8"}')
  })
  test('then parameters', () => {
    assert.equal(lead(all, 'GET', '/x'), 'GET /{x} {"x":"x"}')
  })
  test('then wildcards', () => {
    assert.equal(lead(all, 'GET', '/x/y'), 'GET /{path*} {"path":"x/y"}')
  })
  test('is decided from the left', () => {
    assert.equal(lead([get('/{a}/b'), get('/a/{b}')], 'GET', '/a/b'), 'GET /a/{b} {"b":"b"}')
  })
  test('what fails on the way does not count', () => {
    assert.equal(lead([get('/a/{b:int}'), get('/{a}/b')], 'GET', '/a/b'), 'GET /{a}/b {"a":"a"}')
  })
  test('a wildcard below text goes before a parameter above', () => {
    assert.equal(lead([get('/{x}/b'), get('/a/{p*}')], 'GET', '/a/b'), 'GET /a/{p*} {"p":"b"}')
  })
  test('the earlier of equals', () => {
    assert.equal(lead([get('/{s:slug}'), get('/{n:int}')], 'GET', '/12'), 'GET /{s:slug} {"s":"12"}')
  })
  test('a less specific pattern that has the method', () => {
    assert.equal(lead([get('/users/me'), route('PUT', '/users/{id}', plain)], 'PUT', '/users/me'), 'PUT /users/{id} {"id":"me"}')
  })
})

describe('methods', () => {
  const routes = [get('/a'), route('delete', '/a', plain), route('LINK', '/a', plain), route('PATCH', '/{x}', plain)]
  test('HEAD is served by GET', () => {
    assert.equal(lead(routes, 'HEAD', '/a'), 'GET /a {}')
  })
  test('a HEAD route of its own', () => {
    assert.equal(lead([get('/a'), route('HEAD', '/a', plain)], 'HEAD', '/a'), 'HEAD /a {}')
  })
  test('a GET that is more specific than a HEAD', () => {
    assert.equal(lead([route('HEAD', '/{x}', plain), get('/a')], 'HEAD', '/a'), 'GET /a {}')
  })
  test('methods of all matching patterns are allowed', () => {
    assert.equal(lead(routes, 'POST', '/a'), 'not-allowed GET HEAD PATCH DELETE LINK OPTIONS')
  })
  test('without GET there is no HEAD', () => {
    assert.equal(lead(routes, 'GET', '/b'), 'not-allowed PATCH OPTIONS')
  })
  test('OPTIONS without a route', () => {
    assert.equal(lead(routes, 'OPTIONS', '/b'), 'options PATCH OPTIONS')
  })
  test('OPTIONS with a route', () => {
    assert.equal(lead([route('OPTIONS', '/a', plain)], 'OPTIONS', '/a'), 'OPTIONS /a {}')
  })
  test('OPTIONS of several patterns', () => {
    assert.equal(lead([get('/users/me'), route('PUT', '/users/{id}', plain)], 'OPTIONS', '/users/me'), 'options GET HEAD PUT OPTIONS')
  })
  test('OPTIONS of nothing', () => {
    assert.equal(lead(routes, 'OPTIONS', '/b/c'), 'not-found')
  })
  test('OPTIONS of the server', () => {
    assert.equal(lead(routes, 'OPTIONS', '*'), 'options GET HEAD PATCH DELETE LINK OPTIONS')
  })
  test('two routes for the same', () => {
    assert.throws(() => createRouter([get('/{a}'), route('GET', '/{b}', plain)]), SetupError)
  })
  test('other constraints are not the same', () => {
    assert.equal(lead([get('/{a:int}'), get('/{b:en|de}')], 'GET', '/de'), 'GET /{b:en|de} {"b":"de"}')
  })
})

describe('last slashes', () => {
  test('redirect to the form without', () => {
    assert.equal(lead([get('/a/{x}')], 'GET', '/a/b/'), 'redirect /a/b')
  })
  test('redirect to the form with', () => {
    assert.equal(lead([get('/a/')], 'GET', '/a'), 'redirect /a/')
  })
  test('the path of a redirect is escaped', () => {
    assert.equal(lead([get('/{x}')], 'GET', '/a%2Fb%20c/'), 'redirect /a%2Fb%20c')
  })
  test('ignored', () => {
    assert.equal(lead([get('/a/{x}')], 'GET', '/a/b/', { slashes: 'ignore' }), 'GET /a/{x} {"x":"b"}')
  })
  test('strict', () => {
    assert.equal(lead([get('/a')], 'GET', '/a/', { slashes: 'strict' }), 'not-found')
  })
  test('both forms side by side', () => {
    assert.equal(lead([get('/a'), get('/a/')], 'GET', '/a/'), 'GET /a/ {}')
  })
  test('a wildcard that matches goes before a redirect', () => {
    assert.equal(lead([get('/a/b'), get('/{p*}')], 'GET', '/a/b/'), 'GET /{p*} {"p":"a/b/"}')
  })
})

describe('mounts', () => {
  test('put routes below a prefix', () => {
    assert.equal(lead(mount('/api', [get('/x')]), 'GET', '/api/x'), 'GET /api/x {}')
  })
  test('the root of a mount', () => {
    assert.equal(lead(mount('/api', [get('/')]), 'GET', '/api'), 'GET /api {}')
  })
  test('a prefix that ends in a slash', () => {
    assert.equal(lead(mount('/api/', [get('/x')]), 'GET', '/api/x'), 'GET /api/x {}')
  })
  test('nest, with parameters', () => {
    assert.equal(
      lead(mount('/t/{t}', mount('/u', [get('/{u}')])), 'GET', '/t/1/u/2'),
      'GET /t/{t}/u/{u} {"t":"1","u":"2"}',
    )
  })
  test('names are joined', () => {
    const routes = mount('/api', mount('/users', [route('GET', '/{id}', plain, { name: 'show' })], { name: 'users' }), { name: 'api' })
    assert.equal(createRouter(routes).url('api.users.show', { id: 7 }), '/api/users/7')
  })
  test('a mount without a name around one with a name', () => {
    const inner = mount('/b', [route('GET', '/{x}', plain, { name: 'x' })], { name: 'b' })
    assert.equal(createRouter(mount('/a', inner)).url('b.x', { x: 1 }), '/a/b/1')
  })
  test('the name of a mount is needed', () => {
    const routes = mount('/b', [route('GET', '/', plain, { name: 'x' })], { name: 'b' })
    assert.throws(() => createRouter(routes).url('x'), SetupError)
  })
  test('a mount without a name leaves names alone', () => {
    assert.equal(createRouter(mount('/api', [route('GET', '/x', plain, { name: 'x' })])).url('x'), '/api/x')
  })
  test('routes without a name stay so', () => {
    const [only] = mount('/api', [route('GET', '/x', plain)], { name: 'api' })
    assert.equal(only.name ?? 'nameless', 'nameless')
  })
})

describe('URLs', () => {
  const { url } = createRouter([get('/'), get('/d/'), get('/u/{id:int}'), get('/s/{x}'), get('/f/{path*}'), get('/ä b')])
  test('the root', () => {
    assert.equal(url('/'), '/')
  })
  test('a last slash', () => {
    assert.equal(url('/d/'), '/d/')
  })
  test('a number', () => {
    assert.equal(url('/u/{id:int}', { id: -5 }), '/u/-5')
  })
  test('parameters are escaped', () => {
    assert.equal(url('/s/{x}', { x: 'a/b?c#d é%' }), '/s/a%2Fb%3Fc%23d%20%C3%A9%25')
  })
  test('what a segment may hold stays', () => {
    assert.equal(url('/s/{x}', { x: "-._~!$&'()*+,;=:@" }), "/s/-._~!$&'()*+,;=:@")
  })
  test('slashes of a wildcard stay', () => {
    assert.equal(url('/f/{path*}', { path: 'a b/c' }), '/f/a%20b/c')
  })
  test('text of the pattern is escaped', () => {
    assert.equal(url('/ä b'), '/%C3%A4%20b')
  })
  test('a query', () => {
    assert.equal(url('/d/', {}, [['q', 'a b'], ['r', '1']]), '/d/?q=a+b&r=1')
  })
  test('a missing parameter', () => {
    assert.throws(() => url('/s/{x}'), SetupError)
  })
  test('a parameter that only an object has', () => {
    assert.throws(() => createRouter([get('/{toString}')]).url('/{toString}'), SetupError)
  })
  test('a parameter against its constraint', () => {
    assert.throws(() => url('/u/{id:int}', { id: 'x' }), SetupError)
  })
  test('an empty parameter', () => {
    assert.throws(() => url('/s/{x}', { x: '' }), SetupError)
  })
  test('dots', () => {
    assert.throws(() => url('/s/{x}', { x: '..' }), SetupError)
  })
  test('dots in a wildcard', () => {
    assert.throws(() => url('/f/{path*}', { path: 'a/../b' }), SetupError)
  })
  test('a wildcard that begins with a slash', () => {
    assert.throws(() => url('/f/{path*}', { path: '/a' }), SetupError)
  })
  test('an unknown name', () => {
    assert.throws(() => url('nobody'), SetupError)
  })
  test('one name for two patterns', () => {
    assert.throws(() => createRouter([route('GET', '/a', plain, { name: 'n' }), route('GET', '/b', plain, { name: 'n' })]), SetupError)
  })
  test('one name for two methods', () => {
    assert.equal(createRouter([route('GET', '/a', plain, { name: 'n' }), route('PUT', '/a', plain, { name: 'n' })]).url('n'), '/a')
  })
})
