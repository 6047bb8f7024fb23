import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkConditions, formatEntityTag, parseEntityTag, parseEntityTags } from '../src/conditions.ts'
import { formatDate, parseDate } from '../src/dates.ts'
import { HttpError } from '../src/errors.ts'
import { requireConditions } from '../src/responses.ts'
import type { Fields, Request } from '../src/types.ts'

const ask = (method: string, ...fields: Fields): Request => ({ method, target: '/', fields, body: new Uint8Array() })
const now = Date.UTC(2024, 2, 4, 12)
const there = { kind: 'present', etag: { weak: false, tag: 'v1' }, modified: Date.UTC(2024, 2, 1, 8, 30, 15, 700) } as const
const loose = { kind: 'present', etag: { weak: true, tag: 'v1' } } as const
const missing = { kind: 'missing' } as const
const before = 'Fri, 01 Mar 2024 08:30:14 GMT'
const exactly = 'Fri, 01 Mar 2024 08:30:15 GMT'

const statusOf = (action: () => void): number => {
  try {
    action()
    return 200
  } catch (error) {
    return error instanceof HttpError ? error.status : 0
  }
}

describe('dates', () => {
  test('are written without fractions', () => {
    assert.equal(formatDate(784111777999), 'Sun, 06 Nov 1994 08:49:37 GMT')
  })
  test('the preferred form', () => {
    assert.equal(parseDate('Sun, 06 Nov 1994 08:49:37 GMT', now), 784111777000)
  })
  test('the old form', () => {
    assert.equal(parseDate('Sunday, 06-Nov-94 08:49:37 GMT', now), 784111777000)
  })
  test('the form of asctime', () => {
    assert.equal(parseDate('Sun Nov  6 08:49:37 1994', now), 784111777000)
  })
  test('fifty years ahead are the future', () => {
    assert.equal(parseDate('Sunday, 01-Jan-74 00:00:00 GMT', now), 3281990400000)
  })
  test('fifty years ahead, seen from another year', () => {
    assert.equal(parseDate('Monday, 01-Jan-80 00:00:00 GMT', Date.UTC(2030, 5, 1)), 3471292800000)
  })
  test('fifty-one years ahead are the past', () => {
    assert.equal(parseDate('Sunday, 01-Jan-75 00:00:00 GMT', now), 157766400000)
  })
  test('a day that does not exist', () => {
    assert.equal(parseDate('Fri, 30 Feb 2024 00:00:00 GMT', now) ?? 'none', 'none')
  })
  test('a leap day', () => {
    assert.equal(parseDate('Mon, 29 Feb 2024 00:00:00 GMT', now), 1709164800000)
  })
  test('an hour that does not exist', () => {
    assert.equal(parseDate('Fri, 01 Mar 2024 24:00:00 GMT', now) ?? 'none', 'none')
  })
  test('another zone', () => {
    assert.equal(parseDate('Fri, 01 Mar 2024 00:00:00 CET', now) ?? 'none', 'none')
  })
})

describe('tags', () => {
  test('a strong one', () => {
    assert.deepEqual(parseEntityTag('"a"'), { weak: false, tag: 'a' })
  })
  test('a weak one', () => {
    assert.deepEqual(parseEntityTag(' W/"b" '), { weak: true, tag: 'b' })
  })
  test('no quotes', () => {
    assert.deepEqual(parseEntityTag('abc') ?? { tag: 'none' }, { tag: 'none' })
  })
  test('are written', () => {
    assert.equal(formatEntityTag({ weak: true, tag: 'x' }) + formatEntityTag({ weak: false, tag: 'y' }), 'W/"x""y"')
  })
  test('commas and backslashes belong to a tag', () => {
    assert.deepEqual(parseEntityTags('"a,b", W/"c\\", "d"'), [
      { weak: false, tag: 'a,b' }, { weak: true, tag: 'c\\' }, { weak: false, tag: 'd' },
    ])
  })
  test('what is no tag is skipped', () => {
    assert.deepEqual(parseEntityTags('"a b", "c"'), [{ weak: false, tag: 'c' }])
  })
  test('a star', () => {
    assert.equal(parseEntityTags(' * '), '*')
  })
})

describe('conditions', () => {
  test('none', () => {
    assert.equal(checkConditions(ask('GET'), there, now), 'proceed')
  })
  test('If-Match that matches', () => {
    assert.equal(checkConditions(ask('PUT', ['If-Match', '"v0", "v1"']), there, now), 'proceed')
  })
  test('If-Match with nonsense in the list', () => {
    assert.equal(checkConditions(ask('PUT', ['If-Match', '"v 1", "v1"']), there, now), 'proceed')
  })
  test('If-Match that does not', () => {
    assert.equal(checkConditions(ask('PUT', ['If-Match', '"v0"']), there, now), 'failed')
  })
  test('If-Match compares strongly', () => {
    assert.equal(checkConditions(ask('PUT', ['If-Match', 'W/"v1"']), loose, now), 'failed')
  })
  test('If-Match with a star needs something there', () => {
    assert.equal(checkConditions(ask('PUT', ['If-Match', '*']), missing, now), 'failed')
  })
  test('If-Match with a star and something there', () => {
    assert.equal(checkConditions(ask('PUT', ['If-Match', '*']), loose, now), 'proceed')
  })
  test('If-Unmodified-Since before the change', () => {
    assert.equal(checkConditions(ask('PUT', ['If-Unmodified-Since', before]), there, now), 'failed')
  })
  test('If-Unmodified-Since a second before the change, which has no fraction', () => {
    const whole = { kind: 'present', modified: Date.UTC(2024, 2, 1, 8, 30, 15) } as const
    assert.equal(checkConditions(ask('PUT', ['If-Unmodified-Since', before]), whole, now), 'failed')
  })
  test('If-Unmodified-Since in the second of the change', () => {
    assert.equal(checkConditions(ask('PUT', ['If-Unmodified-Since', exactly]), there, now), 'proceed')
  })
  test('If-Match silences If-Unmodified-Since', () => {
    assert.equal(checkConditions(ask('PUT', ['If-Unmodified-Since', before], ['If-Match', '"v1"']), there, now), 'proceed')
  })
  test('If-Match with a star silences If-Unmodified-Since too', () => {
    assert.equal(checkConditions(ask('DELETE', ['If-Match', '*'], ['If-Unmodified-Since', before]), there, now), 'proceed')
  })
  test('If-None-Match compares weakly', () => {
    assert.equal(checkConditions(ask('GET', ['If-None-Match', '"v1"']), loose, now), 'not-modified')
  })
  test('If-None-Match fails for what writes', () => {
    assert.equal(checkConditions(ask('PUT', ['If-None-Match', '*']), there, now), 'failed')
  })
  test('If-None-Match with a star lets the first one create', () => {
    assert.equal(checkConditions(ask('PUT', ['If-None-Match', '*']), missing, now), 'proceed')
  })
  test('If-None-Match silences If-Modified-Since', () => {
    assert.equal(checkConditions(ask('GET', ['If-None-Match', '"v0"'], ['If-Modified-Since', exactly]), there, now), 'proceed')
  })
  test('If-Modified-Since in the second of the change', () => {
    assert.equal(checkConditions(ask('HEAD', ['If-Modified-Since', exactly]), there, now), 'not-modified')
  })
  test('If-Modified-Since before the change', () => {
    assert.equal(checkConditions(ask('GET', ['If-Modified-Since', before]), there, now), 'proceed')
  })
  test('If-Modified-Since does not count for what writes', () => {
    assert.equal(checkConditions(ask('POST', ['If-Modified-Since', exactly]), there, now), 'proceed')
  })
  test('a date that cannot be read', () => {
    assert.equal(checkConditions(ask('GET', ['If-Modified-Since', 'yesterday']), there, now), 'proceed')
  })
  test('a resource without a date', () => {
    assert.equal(checkConditions(ask('PUT', ['If-Unmodified-Since', before]), loose, now), 'proceed')
  })
  test('a date of two digits that lies ahead', () => {
    assert.equal(checkConditions(ask('GET', ['If-Modified-Since', 'Monday, 01-Jan-74 00:00:00 GMT']), there, now), 'not-modified')
  })
  test('both pairs are weighed', () => {
    assert.equal(checkConditions(ask('GET', ['If-Match', '"v1"'], ['If-None-Match', '"v1"']), there, now), 'not-modified')
  })
})

describe('conditions that handlers require', () => {
  test('none where one is required', () => {
    assert.equal(statusOf(() => requireConditions(ask('PUT'), there, now, true)), 428)
  })
  test('none is required of what is new', () => {
    assert.equal(statusOf(() => requireConditions(ask('PUT'), missing, now, true)), 200)
  })
  test('one that fails', () => {
    assert.equal(statusOf(() => requireConditions(ask('PUT', ['If-Match', '"v0"']), there, now)), 412)
  })
  test('If-None-Match is no guard', () => {
    assert.equal(statusOf(() => requireConditions(ask('PUT', ['If-None-Match', '"v0"']), there, now, true)), 428)
  })
  test('If-None-Match is no guard of a deletion', () => {
    assert.equal(statusOf(() => requireConditions(ask('DELETE', ['If-None-Match', '"v0"']), loose, now, true)), 428)
  })
  test('one that holds', () => {
    assert.equal(statusOf(() => requireConditions(ask('PUT', ['If-Unmodified-Since', exactly]), there, now, true)), 200)
  })
})
