import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  currentAge, formatCacheControl, freshnessLifetime, judgeReuse, matchesVary, mayStore, parseCacheControl,
} from '../src/caching.ts'
import type { Stored } from '../src/caching.ts'
import { formatDate } from '../src/dates.ts'
import type { Fields, Request, Response } from '../src/types.ts'

const start = Date.UTC(2024, 2, 4, 12)
const ask = (...fields: Fields): Request => ({ method: 'GET', target: '/', fields, body: new Uint8Array() })
const answer = (...fields: Fields): Response => ({ status: 200, fields, body: new Uint8Array() })
const kept = (...fields: Fields): Stored => ({ request: ask(), response: answer(...fields), requestedAt: start, receivedAt: start })
const control = (text: string): readonly [string, string] => ['Cache-Control', text]
const at = (seconds: number): number => start + seconds * 1000

describe('Cache-Control', () => {
  test('is read', () => {
    assert.deepEqual(parseCacheControl('Max-Age=60, no-cache, foo=1, s-maxage="30"'), { maxAge: 60, noCache: true, sharedMaxAge: 30 })
  })
  test('field names in quotes', () => {
    assert.deepEqual(parseCacheControl('private="Set-Cookie, X-A", no-store'), { isPrivate: ['set-cookie', 'x-a'], noStore: true })
  })
  test('the first of a repeated directive counts', () => {
    assert.deepEqual(parseCacheControl('max-age=1, max-age=2'), { maxAge: 1 })
  })
  test('seconds that cannot be read are none', () => {
    assert.deepEqual(parseCacheControl('max-age=soon, min-fresh=-5'), { maxAge: 0, minFresh: 0 })
  })
  test('huge seconds are cut', () => {
    assert.deepEqual(parseCacheControl('max-age=99999999999'), { maxAge: 2147483648 })
  })
  test('max-stale with and without a number', () => {
    assert.deepEqual([parseCacheControl('max-stale').maxStale, parseCacheControl('max-stale=5').maxStale], [true, 5])
  })
  test('is written', () => {
    assert.equal(formatCacheControl({ maxAge: 60, isPublic: true, noCache: ['set-cookie', 'x'] }), 'public, no-cache="set-cookie, x", max-age=60')
  })
  test('nothing is written for nothing', () => {
    assert.equal(formatCacheControl({}), '')
  })
})

describe('lifetime', () => {
  test('of shared caches', () => {
    assert.deepEqual(freshnessLifetime(kept(control('max-age=60, s-maxage=90')), true), { seconds: 90, source: 's-maxage' })
  })
  test('private caches have no use for s-maxage', () => {
    assert.deepEqual(freshnessLifetime(kept(control('max-age=60, s-maxage=90')), false), { seconds: 60, source: 'max-age' })
  })
  test('from Date to Expires', () => {
    assert.deepEqual(freshnessLifetime(kept(['Date', formatDate(at(-10))], ['Expires', formatDate(at(50))]), true), { seconds: 60, source: 'expires' })
  })
  test('max-age goes before Expires', () => {
    assert.deepEqual(freshnessLifetime(kept(['Expires', formatDate(at(50))], control('max-age=5')), true), { seconds: 5, source: 'max-age' })
  })
  test('a broken Expires is past', () => {
    assert.deepEqual(freshnessLifetime(kept(['Expires', '0'], ['Last-Modified', formatDate(at(-1000))]), true), { seconds: 0, source: 'expires' })
  })
  test('an Expires before Date', () => {
    assert.deepEqual(freshnessLifetime(kept(['Expires', formatDate(at(-50))]), true), { seconds: 0, source: 'expires' })
  })
  test('a tenth of the time unchanged', () => {
    assert.deepEqual(freshnessLifetime(kept(['Last-Modified', formatDate(at(-1005))]), true), { seconds: 100, source: 'heuristic' })
  })
  test('at most a day', () => {
    assert.deepEqual(freshnessLifetime(kept(['Last-Modified', formatDate(at(-99999999))]), true), { seconds: 86400, source: 'heuristic' })
  })
  test('no guess for other statuses', () => {
    const stored = kept(['Last-Modified', formatDate(at(-1000))])
    assert.deepEqual(freshnessLifetime({ ...stored, response: { ...stored.response, status: 302 } }, true), { seconds: 0, source: 'none' })
  })
})

describe('age', () => {
  test('the time since it came', () => {
    assert.equal(currentAge(kept(), at(12)), 12)
  })
  test('the age it came with counts', () => {
    assert.equal(currentAge(kept(['Age', '30']), at(12)), 42)
  })
  test('the way to us counts', () => {
    assert.equal(currentAge({ ...kept(['Age', '30']), requestedAt: at(-5) }, at(0)), 35)
  })
  test('an older Date counts instead', () => {
    assert.equal(currentAge(kept(['Age', '30'], ['Date', formatDate(at(-100))]), at(1)), 101)
  })
  test('a Date in the future does not', () => {
    assert.equal(currentAge(kept(['Date', formatDate(at(100))]), at(7)), 7)
  })
  test('whole seconds', () => {
    assert.equal(currentAge(kept(), start + 3999), 3)
  })
})

describe('reuse', () => {
  const stored = kept(control('max-age=60'))
  test('fresh', () => {
    assert.deepEqual(judgeReuse(ask(), stored, at(59), true), { kind: 'fresh', age: 59 })
  })
  test('no longer fresh at the end of its life', () => {
    assert.deepEqual(judgeReuse(ask(), stored, at(60), true), { kind: 'revalidate', age: 60 })
  })
  test('the client does not want it', () => {
    assert.deepEqual(judgeReuse(ask(control('no-cache')), stored, at(1), true), { kind: 'revalidate', age: 1 })
  })
  test('the server does not want it', () => {
    assert.deepEqual(judgeReuse(ask(), kept(control('max-age=60, no-cache')), at(1), true), { kind: 'revalidate', age: 1 })
  })
  test('Pragma', () => {
    assert.equal(judgeReuse(ask(['Pragma', 'no-cache']), stored, at(1), true).kind, 'revalidate')
  })
  test('Pragma next to Cache-Control', () => {
    assert.equal(judgeReuse(ask(['Pragma', 'no-cache'], control('max-age=9')), stored, at(1), true).kind, 'fresh')
  })
  test('an age that the client takes', () => {
    assert.equal(judgeReuse(ask(control('max-age=10')), stored, at(10), true).kind, 'fresh')
  })
  test('an age that the client does not take', () => {
    assert.equal(judgeReuse(ask(control('max-age=10')), stored, at(11), true).kind, 'revalidate')
  })
  test('fresh for long enough', () => {
    assert.equal(judgeReuse(ask(control('min-fresh=20')), stored, at(40), true).kind, 'fresh')
  })
  test('not fresh for long enough', () => {
    assert.equal(judgeReuse(ask(control('min-fresh=20')), stored, at(41), true).kind, 'revalidate')
  })
  test('stale within what is permitted', () => {
    assert.deepEqual(judgeReuse(ask(control('max-stale=10')), stored, at(70), true), { kind: 'stale', age: 70 })
  })
  test('too stale', () => {
    assert.equal(judgeReuse(ask(control('max-stale=10')), stored, at(71), true).kind, 'revalidate')
  })
  test('any staleness', () => {
    assert.equal(judgeReuse(ask(control('max-stale')), stored, at(7000), true).kind, 'stale')
  })
  test('must-revalidate', () => {
    assert.equal(judgeReuse(ask(control('max-stale')), kept(control('max-age=60, must-revalidate')), at(70), false).kind, 'revalidate')
  })
  test('proxy-revalidate in a private cache', () => {
    assert.equal(judgeReuse(ask(control('max-stale')), kept(control('max-age=60, proxy-revalidate')), at(70), false).kind, 'stale')
  })
  test('proxy-revalidate in a shared cache', () => {
    assert.equal(judgeReuse(ask(control('max-stale')), kept(control('max-age=60, proxy-revalidate')), at(70), true).kind, 'revalidate')
  })
  test('s-maxage forbids stale answers in a shared cache', () => {
    assert.equal(judgeReuse(ask(control('max-stale')), kept(control('s-maxage=60')), at(70), true).kind, 'revalidate')
  })
})

describe('what may be kept', () => {
  test('a plain answer', () => {
    assert.equal(mayStore(ask(), answer(), true), true)
  })
  test('no answers to other methods', () => {
    assert.equal(mayStore({ ...ask(), method: 'POST' }, answer(control('max-age=9')), true), false)
  })
  test('no-store of the client', () => {
    assert.equal(mayStore(ask(control('no-store')), answer(), true), false)
  })
  test('no-store of the server', () => {
    assert.equal(mayStore(ask(), answer(control('no-store')), false), false)
  })
  test('private answers in a shared cache', () => {
    assert.equal(mayStore(ask(), answer(control('private, max-age=5')), true), false)
  })
  test('private answers in a private cache', () => {
    assert.equal(mayStore(ask(), answer(control('private, max-age=5')), false), true)
  })
  test('answers that vary by anything', () => {
    assert.equal(mayStore(ask(), answer(['Vary', 'Accept, *']), true), false)
  })
  test('parts', () => {
    assert.equal(mayStore(ask(), { ...answer(control('max-age=9')), status: 206 }, true), false)
  })
  test('answers to those who are logged in', () => {
    assert.equal(mayStore(ask(['Authorization', 'x']), answer(control('max-age=9')), true), false)
  })
  test('public answers to those who are logged in', () => {
    assert.equal(mayStore(ask(['Authorization', 'x']), answer(control('public')), true), true)
  })
  test('statuses without a lifetime of their own', () => {
    assert.equal(mayStore(ask(), { ...answer(), status: 302 }, true), false)
  })
  test('a lifetime makes any status good', () => {
    assert.equal(mayStore(ask(), { ...answer(control('max-age=5')), status: 302 }, true), true)
  })
})

describe('stored answers', () => {
  const varied: Stored = { ...kept(['Vary', 'Accept-Language, Accept']), request: ask(['accept-language', 'de, en']) }
  test('are selected by the fields of Vary', () => {
    assert.equal(matchesVary(ask(['Accept-Language', 'de,  en']), varied), true)
  })
  test('another value', () => {
    assert.equal(matchesVary(ask(['Accept-Language', 'en']), varied), false)
  })
  test('a field that was not there', () => {
    assert.equal(matchesVary(ask(['Accept-Language', 'de, en'], ['Accept', 'a/b']), varied), false)
  })
})
