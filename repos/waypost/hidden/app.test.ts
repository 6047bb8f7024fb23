import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createApp } from '../src/app.ts'
import type { AppOptions } from '../src/app.ts'
import { decodeUtf8, encodeUtf8 } from '../src/bytes.ts'
import { HttpError, SetupError } from '../src/errors.ts'
import { fieldValue } from '../src/fields.ts'
import { compose, when, withState } from '../src/pipeline.ts'
import { mapClass } from '../src/problems.ts'
import { empty, html, json, text, withValidators } from '../src/responses.ts'
import { mount, route } from '../src/router.ts'
import type { Context, Fields, Handler, Middleware } from '../src/types.ts'

const now = Date.UTC(2024, 2, 4)

const send = async (options: AppOptions, method: string, target: string, ...fields: Fields) => {
  const response = await createApp(options).handle({ method, target, fields, body: new Uint8Array() }, now)
  return { ...response, text: decodeUtf8(response.body), get: (name: string) => fieldValue(response.fields, name) ?? 'none' }
}

const one = (handler: Handler): AppOptions => ({ routes: [route('GET', '/', handler)] })
const failing = (error: unknown): AppOptions => one(() => { throw error })

const tag = (name: string): Middleware => async (context, next) => {
  const response = await next(withState(context, 'trail', `${String(context.state.trail ?? '')}${name}`))
  return { ...response, body: encodeUtf8(`${decodeUtf8(response.body)}${name}`) }
}
const trail: Handler = ({ state }) => text(`${String(state.trail ?? '')}|`)

const context: Context = {
  request: { method: 'GET', target: '/', fields: [], body: new Uint8Array() }, params: {}, now, state: {},
}

describe('an app', () => {
  test('answers', async () => {
    const { status, fields, text: body } = await send(one(() => text('hé')), 'GET', '/?x=1')
    assert.deepEqual([status, fields, body], [200, [
      ['Content-Type', 'text/plain; charset=utf-8'], ['Date', 'Mon, 04 Mar 2024 00:00:00 GMT'], ['Content-Length', '3'],
    ], 'hé'])
  })
  test('waits for handlers', async () => {
    assert.equal((await send(one(async () => html('<p>', 201)), 'GET', '/')).status, 201)
  })
  test('hands over parameters', async () => {
    const routes = [route('GET', '/{a}/{b}', ({ params }) => json(params))]
    assert.equal((await send({ routes }, 'GET', '/1/2')).text, '{"a":"1","b":"2"}')
  })
  test('keeps a Date that is there', async () => {
    assert.equal((await send(one(() => text('x', 200, [['date', 'then']])), 'GET', '/')).get('Date'), 'then')
  })
  test('HEAD has no body', async () => {
    assert.equal((await send(one(() => text('abc')), 'HEAD', '/')).text, '')
  })
  test('HEAD has the length of the body', async () => {
    assert.equal((await send(one(() => text('abc')), 'HEAD', '/')).get('Content-Length'), '3')
  })
  test('204 has no length', async () => {
    assert.equal((await send(one(() => empty(204, [['Content-Length', '0']])), 'GET', '/')).get('Content-Length'), 'none')
  })
  test('nothing there', async () => {
    assert.equal((await send(one(trail), 'GET', '/x')).text, '{"type":"about:blank","title":"Not Found","status":404}')
  })
  test('another method', async () => {
    const { status, get } = await send(one(trail), 'POST', '/')
    assert.deepEqual([status, get('Allow')], [405, 'GET, HEAD, OPTIONS'])
  })
  test('a method that nobody knows', async () => {
    assert.equal((await send(one(trail), 'BREW', '/')).status, 501)
  })
  test('a method that some route has', async () => {
    assert.equal((await send({ routes: [route('BREW', '/tea', trail), route('GET', '/', trail)] }, 'BREW', '/')).status, 405)
  })
  test('OPTIONS', async () => {
    const { status, get } = await send(one(trail), 'OPTIONS', '/')
    assert.deepEqual([status, get('Allow')], [204, 'GET, HEAD, OPTIONS'])
  })
  test('a path that cannot be read', async () => {
    assert.equal((await send(one(trail), 'GET', '/%')).status, 400)
  })
  test('a redirect to the right slash keeps the query', async () => {
    const { status, get } = await send({ routes: [route('GET', '/a', trail)] }, 'GET', '/a/?x=1&y=2')
    assert.deepEqual([status, get('Location')], [308, '/a?x=1&y=2'])
  })
  test('builds URLs', () => {
    assert.equal(createApp({ routes: [route('GET', '/a/{x}', trail, { name: 'a' })] }).url('a', { x: 'y' }), '/a/y')
  })
  test('slashes may be ignored', async () => {
    assert.equal((await send({ routes: [route('GET', '/a', trail)], slashes: 'ignore' }, 'GET', '/a/')).status, 200)
  })
})

describe('validators', () => {
  const modified = Date.UTC(2024, 2, 1, 8)
  const options = one(() => withValidators(text('abc', 200, [['X-A', '1'], ['Content-Language', 'en']]), modified))
  test('a tag made from the bytes', async () => {
    assert.equal((await send(options, 'GET', '/')).get('ETag'), '"1a47e90b"')
  })
  test('the moment of change', async () => {
    assert.equal((await send(options, 'GET', '/')).get('Last-Modified'), 'Fri, 01 Mar 2024 08:00:00 GMT')
  })
  test('nothing new', async () => {
    const { status, fields } = await send(options, 'GET', '/', ['If-None-Match', 'W/"1a47e90b"'])
    assert.deepEqual([status, fields], [304, [
      ['X-A', '1'], ['ETag', '"1a47e90b"'], ['Last-Modified', 'Fri, 01 Mar 2024 08:00:00 GMT'], ['Date', 'Mon, 04 Mar 2024 00:00:00 GMT'],
    ]])
  })
  test('nothing new since then', async () => {
    assert.equal((await send(options, 'HEAD', '/', ['If-Modified-Since', 'Sat, 02 Mar 2024 00:00:00 GMT'])).status, 304)
  })
  test('another version than expected', async () => {
    assert.equal((await send(options, 'GET', '/', ['If-Match', '"x"'])).status, 412)
  })
  test('conditions are for good answers', async () => {
    assert.equal((await send(one(() => text('x', 404, [['ETag', '"x"']])), 'GET', '/', ['If-None-Match', '"x"'])).status, 404)
  })
  test('a part', async () => {
    const { status, text: body, get } = await send(options, 'GET', '/', ['Range', 'bytes=-1'])
    assert.deepEqual([status, body, get('Content-Length')], [206, 'c', '1'])
  })
  test('conditions go before ranges', async () => {
    assert.equal((await send(options, 'GET', '/', ['Range', 'bytes=-1'], ['If-None-Match', '*'])).status, 304)
  })
  test('the length of no part', async () => {
    assert.equal((await send(options, 'GET', '/', ['Range', 'bytes=7-'])).get('Content-Length'), '0')
  })
})

describe('problems', () => {
  test('have their members in order', async () => {
    const error = new HttpError(422, 'too much', {
      type: '/errors/limit', title: 'Limit', instance: '/x/1', extensions: { limit: 5, status: 1, title: 'no' },
    })
    assert.equal(
      (await send(failing(error), 'GET', '/')).text,
      '{"type":"/errors/limit","title":"Limit","status":422,"detail":"too much","instance":"/x/1","limit":5}',
    )
  })
  test('are problem JSON', async () => {
    assert.equal((await send(failing(new HttpError(403)), 'GET', '/')).get('Content-Type'), 'application/problem+json')
  })
  test('are plain JSON for those who prefer it', async () => {
    assert.equal((await send(failing(new HttpError(403)), 'GET', '/', ['Accept', 'application/json'])).get('Content-Type'), 'application/json')
  })
  test('are text for those who prefer it', async () => {
    const { text: body } = await send(failing(new HttpError(403, 'keep out')), 'GET', '/', ['Accept', 'text/*, */*;q=0.5'])
    assert.equal(body, '403 Forbidden\nkeep out')
  })
  test('text without a detail', async () => {
    assert.equal((await send(failing(new HttpError(410)), 'GET', '/', ['Accept', 'text/plain'])).text, '410 Gone')
  })
  test('are problem JSON for those who take none', async () => {
    assert.equal((await send(failing(new HttpError(403)), 'GET', '/', ['Accept', 'image/png'])).get('Content-Type'), 'application/problem+json')
  })
  test('vary by Accept and carry their fields', async () => {
    const { get } = await send(failing(new HttpError(503, 'busy', { fields: [['Retry-After', '5'], ['Vary', 'Origin']] })), 'GET', '/')
    assert.deepEqual([get('Retry-After'), get('Vary')], ['5', 'Origin, Accept'])
  })
  test('vary by what else they say', async () => {
    const { get } = await send(failing(new HttpError(406, 'no', { fields: [['Vary', 'accept, Accept-Language']] })), 'GET', '/')
    assert.equal(get('Vary'), 'accept, Accept-Language')
  })
  test('unknown statuses have the title of their class', async () => {
    assert.equal((await send(failing(new HttpError(499)), 'GET', '/')).text, '{"type":"about:blank","title":"Bad Request","status":499}')
  })
  test('unknown errors keep their message', async () => {
    assert.equal((await send(failing(new Error('secret')), 'GET', '/')).text, '{"type":"about:blank","title":"Internal Server Error","status":500}')
  })
  test('unless they are to be read', async () => {
    const options = { ...failing(new Error('open')), errors: { verbose: true } }
    assert.equal((await send(options, 'GET', '/', ['Accept', 'text/plain'])).text, '500 Internal Server Error\nopen')
  })
  test('what is thrown need not be an error', async () => {
    assert.equal((await send(failing('oops'), 'GET', '/')).status, 500)
  })
  test('rejected promises count', async () => {
    assert.equal((await send(one(async () => { throw new HttpError(409) }), 'GET', '/')).status, 409)
  })
})

describe('rules for errors', () => {
  const rules = [
    mapClass(RangeError, (error) => new HttpError(422, error.message)),
    mapClass(Error, () => new HttpError(418)),
  ]
  test('the first that answers wins', async () => {
    assert.equal((await send({ ...failing(new RangeError('far')), errors: { rules } }, 'GET', '/', ['Accept', 'text/plain'])).text, '422 Unprocessable Content\nfar')
  })
  test('the next one answers otherwise', async () => {
    assert.equal((await send({ ...failing(new TypeError('x')), errors: { rules } }, 'GET', '/')).status, 418)
  })
  test('what none knows', async () => {
    assert.equal((await send({ ...failing('x'), errors: { rules } }, 'GET', '/')).status, 500)
  })
  test('bad ones are reported as they were thrown', async () => {
    const told: unknown[] = []
    const report = (error: unknown) => { told.push(String(error)) }
    const toBad = mapClass(RangeError, () => new HttpError(502))
    await send({ ...failing(new RangeError('far')), errors: { rules: [toBad], report } }, 'GET', '/')
    assert.deepEqual(told, ['RangeError: far'])
  })
  test('the others are not', async () => {
    let told = 0
    await send({ ...failing(new HttpError(404)), errors: { report: () => { told += 1 } } }, 'GET', '/')
    assert.equal(told, 0)
  })
})

describe('middleware', () => {
  test('the first is the outermost', async () => {
    assert.equal((await send({ ...one(trail), use: [tag('a'), tag('b')] }, 'GET', '/')).text, 'ab|ba')
  })
  test('of mounts runs before that of routes', async () => {
    const routes = mount('/x', mount('/y', [route('GET', '/', trail, { use: [tag('c')] })], { use: [tag('b')] }), { use: [tag('a')] })
    assert.equal((await send({ routes }, 'GET', '/x/y')).text, 'abc|cba')
  })
  test('of a route', async () => {
    const routes = [route('GET', '/', trail, { use: [tag('x'), tag('y')] })]
    assert.equal((await send({ routes, use: [tag('a')] }, 'GET', '/')).text, 'axy|yxa')
  })
  test('of a mount may refuse', async () => {
    const refuse: Middleware = () => { throw new HttpError(401) }
    assert.equal((await send({ routes: mount('/x', [route('GET', '/y', trail)], { use: [refuse] }) }, 'GET', '/x/y')).status, 401)
  })
  test('of a mount serves HEAD as well', async () => {
    const routes = mount('/x', [route('GET', '/y', trail)], { use: [() => text('12345')] })
    assert.equal((await send({ routes }, 'HEAD', '/x/y')).get('Content-Length'), '5')
  })
  test('of a mount knows the parameters', async () => {
    const tell: Middleware = ({ params }) => json(params)
    const routes = mount('/t/{t}', [route('GET', '/{u}', trail)], { use: [tell] })
    assert.equal((await send({ routes }, 'GET', '/t/1/2')).text, '{"t":"1","u":"2"}')
  })
  test('of a mount leaves other routes alone', async () => {
    const routes = [...mount('/x', [route('GET', '/', trail)], { use: [tag('a')] }), route('GET', '/z', trail)]
    assert.equal((await send({ routes }, 'GET', '/z')).text, '|')
  })
  test('may answer itself', async () => {
    assert.equal((await send({ ...one(trail), use: [() => text('mine', 202)] }, 'GET', '/')).status, 202)
  })
  test('runs for paths that lead nowhere', async () => {
    assert.equal((await send({ ...one(trail), use: [async (_, next) => ({ ...(await next()), status: 299 })] }, 'GET', '/x')).status, 299)
  })
  test('sees errors as finished answers', async () => {
    const seen: number[] = []
    const watch: Middleware = async (_, next) => {
      const response = await next()
      seen.push(response.status)
      return response
    }
    await send({ ...failing(new HttpError(409)), use: [watch] }, 'GET', '/')
    assert.deepEqual(seen, [409])
  })
  test('its own errors are problems as well', async () => {
    assert.equal((await send({ ...one(trail), use: [() => { throw new HttpError(401) }] }, 'GET', '/')).status, 401)
  })
  test('next is called once', async () => {
    const twice: Middleware = async (_, next) => {
      await next()
      return next()
    }
    await assert.rejects(async () => compose([twice], trail)(context), SetupError)
  })
  test('where a predicate holds', async () => {
    const run = compose([when(({ request }) => request.target === '/', tag('a')), when(() => false, tag('b'))], trail)
    assert.equal(decodeUtf8((await run(context)).body), 'a|a')
  })
  test('the state of others is not changed', () => {
    withState(context, 'a', 1)
    assert.deepEqual(context.state, {})
  })
  test('state is added to', () => {
    assert.deepEqual(withState(withState(context, 'a', 1), 'b', 2).state, { a: 1, b: 2 })
  })
  test('a compose of nothing throws what the handler throws', async () => {
    await assert.rejects(async () => compose([], () => { throw new HttpError(400) })(context), HttpError)
  })
})
