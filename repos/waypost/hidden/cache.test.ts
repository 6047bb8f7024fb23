import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createApp } from '../src/app.ts'
import { decodeUtf8 } from '../src/bytes.ts'
import { cache } from '../src/cache.ts'
import type { CacheOptions } from '../src/cache.ts'
import { fieldValue } from '../src/fields.ts'
import { empty, text } from '../src/responses.ts'
import { route } from '../src/router.ts'
import type { Fields, Handler } from '../src/types.ts'

/** An app whose answers count how often the handler ran. */
const serve = (fields: Fields, options: CacheOptions = {}, handler?: Handler) => {
  let count = 0
  const own: Handler = () => text(`answer ${(count += 1)}`, 200, fields)
  const app = createApp({
    routes: [
      route('GET', '/{x}', handler ?? own),
      route('POST', '/{x}', ({ request }) => empty(fieldValue(request.fields, 'X-Fail') ? 409 : 204)),
    ],
    use: [cache(options)],
  })
  const send = async (method: string, target: string, seconds: number, ...extra: Fields) => {
    const { status, fields: got, body } = await app.handle(
      { method, target, fields: extra, body: new Uint8Array() }, Date.UTC(2024, 2, 4) + seconds * 1000,
    )
    return { status, body: decodeUtf8(body), note: fieldValue(got, 'X-Cache'), age: fieldValue(got, 'Age'), fields: got }
  }
  const told = async (target: string, seconds: number, ...extra: Fields) => {
    const { status, body, note } = await send('GET', target, seconds, ...extra)
    return `${status} ${body} ${note ?? '-'}`
  }
  return { send, told }
}

const minute: Fields = [['Cache-Control', 'max-age=60']]

describe('a cache', () => {
  test('misses first', async () => {
    assert.equal(await serve(minute).told('/a', 0), '200 answer 1 miss')
  })
  test('gives the same again', async () => {
    const { told } = serve(minute)
    await told('/a', 0)
    assert.equal(await told('/a', 59), '200 answer 1 hit')
  })
  test('tells the age', async () => {
    const { send } = serve(minute)
    await send('GET', '/a', 0)
    assert.equal((await send('GET', '/a', 42)).age, '42')
  })
  test('keeps the date of the first answer', async () => {
    const { send } = serve(minute)
    await send('GET', '/a', 0)
    assert.equal(fieldValue((await send('GET', '/a', 42)).fields, 'Date'), 'Mon, 04 Mar 2024 00:00:00 GMT')
  })
  test('asks again in the end', async () => {
    const { told } = serve(minute)
    await told('/a', 0)
    assert.equal(await told('/a', 60), '200 answer 2 miss')
  })
  test('counts from the newest answer', async () => {
    const { told } = serve(minute)
    await told('/a', 0)
    await told('/a', 70)
    assert.equal(await told('/a', 120), '200 answer 2 hit')
  })
  test('tells queries apart', async () => {
    const { told } = serve(minute)
    await told('/a?x=1', 0)
    assert.equal(await told('/a?x=2', 1), '200 answer 2 miss')
  })
  test('does not keep what must not be kept', async () => {
    const { told } = serve([['Cache-Control', 'no-store']])
    await told('/a', 0)
    assert.equal(await told('/a', 1), '200 answer 2 miss')
  })
  test('is shared unless told otherwise', async () => {
    const { told } = serve([['Cache-Control', 'private, max-age=60']])
    await told('/a', 0)
    assert.equal(await told('/a', 1), '200 answer 2 miss')
  })
  test('may be private', async () => {
    const { told } = serve([['Cache-Control', 'private, max-age=60']], { shared: false })
    await told('/a', 0)
    assert.equal(await told('/a', 1), '200 answer 1 hit')
  })
  test('gives stale answers to those who take them', async () => {
    const { told } = serve(minute)
    await told('/a', 0)
    assert.equal(await told('/a', 65, ['Cache-Control', 'max-stale=5']), '200 answer 1 stale')
  })
  test('is all there is for only-if-cached', async () => {
    const { send } = serve(minute)
    assert.equal((await send('GET', '/a', 0, ['Cache-Control', 'only-if-cached'])).status, 504)
  })
  test('only-if-cached with something there', async () => {
    const { told } = serve(minute)
    await told('/a', 0)
    assert.equal(await told('/a', 5, ['Cache-Control', 'only-if-cached']), '200 answer 1 hit')
  })
})

describe('variants', () => {
  const varied: Fields = [...minute, ['Vary', 'Accept-Language']]
  test('are kept side by side', async () => {
    const { told } = serve(varied)
    await told('/a', 0, ['Accept-Language', 'de'])
    await told('/a', 1, ['Accept-Language', 'en'])
    assert.equal(await told('/a', 2, ['Accept-Language', 'de']), '200 answer 1 hit')
  })
  test('are told apart by more than spaces', async () => {
    const { told } = serve(varied)
    await told('/a', 0, ['Accept-Language', 'de,en;q=0.5'])
    assert.equal(await told('/a', 2, ['Accept-Language', 'de, en;q=0.5']), '200 answer 1 hit')
  })
  test('are not mixed up', async () => {
    const { told } = serve(varied)
    await told('/a', 0, ['Accept-Language', 'de'])
    assert.equal(await told('/a', 1), '200 answer 2 miss')
  })
  test('are replaced one by one', async () => {
    const { told } = serve(varied)
    await told('/a', 0, ['Accept-Language', 'de'])
    await told('/a', 50, ['Accept-Language', 'en'])
    await told('/a', 70, ['Accept-Language', 'de'])
    assert.equal(await told('/a', 80, ['Accept-Language', 'en']), '200 answer 2 hit')
  })
})

describe('changes', () => {
  test('drop what is kept', async () => {
    const { send, told } = serve(minute)
    await told('/a', 0)
    await send('POST', '/a', 1)
    assert.equal(await told('/a', 2), '200 answer 2 miss')
  })
  test('that fail drop nothing', async () => {
    const { send, told } = serve(minute)
    await told('/a', 0)
    await send('POST', '/a', 1, ['X-Fail', '1'])
    assert.equal(await told('/a', 2), '200 answer 1 hit')
  })
  test('of other targets drop nothing', async () => {
    const { send, told } = serve(minute)
    await told('/a', 0)
    await send('POST', '/b', 1)
    assert.equal(await told('/a', 2), '200 answer 1 hit')
  })
  test('HEAD is not kept and drops nothing', async () => {
    const { send, told } = serve(minute)
    await told('/a', 0)
    await send('HEAD', '/a', 1)
    assert.equal(await told('/a', 2), '200 answer 1 hit')
  })
})

describe('room', () => {
  test('the one unused for longest goes', async () => {
    const { told } = serve(minute, { capacity: 2 })
    await told('/a', 0)
    await told('/b', 1)
    await told('/a', 2)
    await told('/c', 3)
    assert.equal(await told('/b', 4), '200 answer 4 miss')
  })
  test('the one used lately stays', async () => {
    const { told } = serve(minute, { capacity: 2 })
    await told('/a', 0)
    await told('/b', 1)
    await told('/a', 2)
    await told('/c', 3)
    assert.equal(await told('/a', 4), '200 answer 1 hit')
  })
})

describe('confirmation', () => {
  const tagged: Fields = [...minute, ['ETag', '"v1"']]
  test('saves the body', async () => {
    const { told } = serve(tagged)
    await told('/a', 0)
    assert.equal(await told('/a', 70), '200 answer 1 revalidated')
  })
  test('makes fresh again', async () => {
    const { told } = serve(tagged)
    await told('/a', 0)
    await told('/a', 70)
    assert.equal(await told('/a', 129), '200 answer 1 hit')
  })
  test('starts the age anew', async () => {
    const { send } = serve(tagged)
    await send('GET', '/a', 0)
    await send('GET', '/a', 70)
    assert.equal((await send('GET', '/a', 75)).age, '5')
  })
  test('by the moment of change', async () => {
    const { told } = serve([...minute, ['Last-Modified', 'Fri, 01 Mar 2024 08:00:00 GMT']])
    await told('/a', 0)
    assert.equal(await told('/a', 70), '200 answer 1 revalidated')
  })
  test('takes over new fields', async () => {
    let lifetime = 60
    const { told } = serve([], {}, () => text('x', 200, [['ETag', '"v1"'], ['Cache-Control', `max-age=${lifetime}`]]))
    await told('/a', 0)
    lifetime = 600
    await told('/a', 70)
    assert.equal(await told('/a', 500), '200 x hit')
  })
  test('says so to the client that asked with a condition', async () => {
    const { send } = serve(tagged)
    await send('GET', '/a', 0)
    assert.equal((await send('GET', '/a', 70, ['If-None-Match', '"v1"'])).status, 304)
  })
  test('asks with what is kept, not with what the client has', async () => {
    const { told } = serve(tagged)
    await told('/a', 0)
    assert.equal(await told('/a', 70, ['If-None-Match', '"v0"']), '200 answer 1 revalidated')
  })
  test('takes the new answer when there is one', async () => {
    let version = 1
    const { told } = serve([], {}, () => text(`v${version}`, 200, [['ETag', `"${version}"`], ['Cache-Control', 'max-age=60']]))
    await told('/a', 0)
    version = 2
    assert.equal(await told('/a', 70), '200 v2 miss')
  })
  test('forgets the age it came with', async () => {
    let age: Fields = [['Age', '20']]
    const { send } = serve([], {}, () => text('x', 200, [['ETag', '"v1"'], ['Cache-Control', 'max-age=60'], ...age]))
    await send('GET', '/a', 0)
    age = []
    await send('GET', '/a', 50)
    assert.equal((await send('GET', '/a', 57)).age, '7')
  })
  test('keeps variants apart', async () => {
    const { told } = serve([...tagged, ['Vary', 'Accept']])
    await told('/a', 0, ['Accept', 'a/b'])
    await told('/a', 70, ['Accept', 'a/b'])
    assert.equal(await told('/a', 75, ['Accept', 'a/b']), '200 answer 1 hit')
  })
})

describe('failures', () => {
  const failing = (control: string): Handler => {
    let count = 0
    return () => {
      count += 1
      if (count > 1) throw new Error('down')
      return text('good', 200, [['Cache-Control', control]])
    }
  }
  test('the old answer serves for a while', async () => {
    const { told } = serve([], {}, failing('max-age=60, stale-if-error=30'))
    await told('/a', 0)
    assert.equal(await told('/a', 89), '200 good stale')
  })
  test('but no longer', async () => {
    const { send } = serve([], {}, failing('max-age=60, stale-if-error=30'))
    await send('GET', '/a', 0)
    assert.equal((await send('GET', '/a', 91)).status, 500)
  })
  test('it does not serve unless told', async () => {
    const { send } = serve([], {}, failing('max-age=60'))
    await send('GET', '/a', 0)
    assert.equal((await send('GET', '/a', 61)).status, 500)
  })
  test('nor against must-revalidate', async () => {
    const { send } = serve([], {}, failing('max-age=60, stale-if-error=30, must-revalidate'))
    await send('GET', '/a', 0)
    assert.equal((await send('GET', '/a', 61)).status, 500)
  })
})

describe('conditions of the client', () => {
  test('are met by what is kept', async () => {
    const { send } = serve([...minute, ['ETag', '"v1"']])
    await send('GET', '/a', 0)
    assert.equal((await send('GET', '/a', 5, ['If-None-Match', '"v1"'])).status, 304)
  })
  test('do not reach the store', async () => {
    const { send, told } = serve([...minute, ['ETag', '"v1"']])
    await send('GET', '/a', 0, ['If-None-Match', '"v1"'])
    assert.equal(await told('/a', 5), '200 answer 1 hit')
  })
  test('ranges are cut from what is kept', async () => {
    const { told } = serve(minute)
    await told('/a', 0)
    assert.equal(await told('/a', 5, ['Range', 'bytes=0-2']), '206 ans hit')
  })
  test('the whole is kept although a part was asked for', async () => {
    const { told } = serve(minute)
    await told('/a', 0, ['Range', 'bytes=0-2'])
    assert.equal(await told('/a', 5), '200 answer 1 hit')
  })
})
