import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRouter, route, text } from '../src/index.ts'

const router = createRouter([
  route('GET', '/', () => text('home')),
  route('GET', '/users/{id:int}', () => text('user'), { name: 'user' }),
  route('DELETE', '/users/{id:int}', () => text('gone')),
  route('GET', '/files/{path*}', () => text('file'), { name: 'file' }),
])

describe('routing', () => {
  test('finds a route and its parameters', () => {
    const found = router.find('GET', '/users/7')
    assert.deepEqual(found.kind === 'found' ? found.params : {}, { id: '7' })
  })

  test('respects constraints', () => {
    assert.equal(router.find('GET', '/users/anna').kind, 'not-found')
  })

  test('serves HEAD by GET', () => {
    assert.equal(router.find('HEAD', '/').kind, 'found')
  })

  test('tells what is allowed', () => {
    assert.deepEqual(router.find('PUT', '/users/7'), {
      kind: 'not-allowed',
      allow: ['GET', 'HEAD', 'DELETE', 'OPTIONS'],
    })
  })

  test('redirects to the right slash', () => {
    assert.deepEqual(router.find('GET', '/users/7/'), { kind: 'redirect', path: '/users/7' })
  })

  test('builds URLs', () => {
    assert.equal(router.url('file', { path: 'a b/c' }, [['v', '1']]), '/files/a%20b/c?v=1')
  })
})
