import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cache, createApp, decodeUtf8, fieldValue, HttpError, json, route, text, withValidators } from '../src/index.ts'
import type { Fields } from '../src/index.ts'

const noon = Date.UTC(2024, 2, 4, 12)

const app = createApp({
  routes: [
    route('GET', '/hello/{name}', ({ params }) => withValidators(text(`hello ${params.name}`))),
    route('GET', '/cached', () => json({ ok: true }, 200, [['Cache-Control', 'max-age=60']])),
    route('POST', '/orders', async () => {
      throw new HttpError(409, 'sold out')
    }),
  ],
  use: [cache()],
})

const send = (method: string, target: string, ...fields: Fields) =>
  app.handle({ method, target, fields, body: new Uint8Array() }, noon)

describe('an app', () => {
  test('answers', async () => {
    assert.equal(decodeUtf8((await send('GET', '/hello/anna')).body), 'hello anna')
  })

  test('answers HEAD without a body', async () => {
    const response = await send('HEAD', '/hello/anna')
    assert.deepEqual([response.body.length, fieldValue(response.fields, 'Content-Length')], [0, '10'])
  })

  test('knows when nothing changed', async () => {
    const tag = fieldValue((await send('GET', '/hello/anna')).fields, 'ETag') ?? ''
    assert.equal((await send('GET', '/hello/anna', ['If-None-Match', tag])).status, 304)
  })

  test('sends parts', async () => {
    const response = await send('GET', '/hello/anna', ['Range', 'bytes=6-'])
    assert.deepEqual([response.status, decodeUtf8(response.body)], [206, 'anna'])
  })

  test('turns errors into problems', async () => {
    const response = await send('POST', '/orders')
    assert.equal(
      decodeUtf8(response.body),
      '{"type":"about:blank","title":"Conflict","status":409,"detail":"sold out"}',
    )
  })

  test('keeps answers', async () => {
    await send('GET', '/cached')
    assert.equal(fieldValue((await send('GET', '/cached')).fields, 'X-Cache'), 'hit')
  })
})
