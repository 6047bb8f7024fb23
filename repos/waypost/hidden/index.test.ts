import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as waypost from '../src/index.ts'

describe('the package', () => {
  test('serves and builds URLs', async () => {
    const { createApp, decodeUtf8, encodeUtf8, mount, route, text, withValidators } = waypost
    const app = createApp({
      routes: [
        ...mount('/users', [
          route('GET', '/{id:int}', ({ params }) => withValidators(text(params.id)), { name: 'show' }),
        ]),
      ],
    })
    const target = app.url('show', { id: 7 })
    const response = await app.handle({ method: 'GET', target, fields: [], body: encodeUtf8('') }, 0)
    assert.equal(target + ' ' + decodeUtf8(response.body), '/users/7 7')
  })
  test('speaks of what its manual names', () => {
    const names = [
      'cache', 'catchErrors', 'checkConditions', 'chooseCharset', 'chooseEncoding', 'chooseLanguage',
      'chooseMediaType', 'compose', 'contentDisposition', 'cors', 'createApp', 'createRouter', 'currentAge',
      'empty', 'fieldLines', 'fieldValue', 'formOf', 'formatCacheControl', 'formatFields', 'formatQuery',
      'formatRemoval', 'formatSetCookie', 'freshnessLifetime', 'hasExpired', 'html', 'integerOf', 'json',
      'jsonOf', 'judgeReuse', 'mayStore', 'mount', 'negotiate', 'parseCacheControl', 'parseCookies',
      'parseDisposition', 'parseFields', 'parseItem', 'parseQuery', 'parseSetCookie', 'quote', 'redirect',
      'requireConditions', 'resolveReference', 'route', 'safeReturn', 'splitQuoted', 'text', 'valueOf',
      'withDefault', 'withField', 'withLine', 'withMembers', 'withState', 'withValidators', 'withoutField',
    ]
    const known: Readonly<Record<string, unknown>> = waypost
    assert.equal(names.filter((name) => typeof known[name] === 'function').length, 55)
  })
})
