import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeUtf8, encodeUtf8 } from '../src/bytes.ts'
import { fieldValue } from '../src/fields.ts'
import { applyRange, parseRange } from '../src/ranges.ts'
import type { Fields, Request, Response } from '../src/types.ts'

const now = Date.UTC(2024, 2, 4)
const ask = (...fields: Fields): Request => ({ method: 'GET', target: '/', fields, body: new Uint8Array() })
const whole: Response = {
  status: 200,
  fields: [['Content-Type', 'text/plain'], ['ETag', '"v1"'], ['Last-Modified', 'Fri, 01 Mar 2024 08:00:00 GMT']],
  body: encodeUtf8('0123456789'),
}
const cut = (...fields: Fields): string => {
  const { status, body } = applyRange(ask(...fields), whole, now)
  return `${status} ${decodeUtf8(body)}`
}

describe('reading ranges', () => {
  test('a closed one', () => {
    assert.deepEqual(parseRange('bytes=0-4', 10), { kind: 'ranges', ranges: [{ first: 0, last: 4 }] })
  })
  test('an open one', () => {
    assert.deepEqual(parseRange('bytes=6-', 10), { kind: 'ranges', ranges: [{ first: 6, last: 9 }] })
  })
  test('a suffix', () => {
    assert.deepEqual(parseRange('bytes=-3', 10), { kind: 'ranges', ranges: [{ first: 7, last: 9 }] })
  })
  test('a suffix longer than the whole', () => {
    assert.deepEqual(parseRange('bytes=-30', 10), { kind: 'ranges', ranges: [{ first: 0, last: 9 }] })
  })
  test('an end behind the last byte', () => {
    assert.deepEqual(parseRange('bytes=8-99', 10), { kind: 'ranges', ranges: [{ first: 8, last: 9 }] })
  })
  test('a begin behind the last byte', () => {
    assert.deepEqual(parseRange('bytes=10-', 10), { kind: 'unsatisfiable' })
  })
  test('a suffix of nothing', () => {
    assert.deepEqual(parseRange('bytes=-0', 10), { kind: 'unsatisfiable' })
  })
  test('those outside are left out', () => {
    assert.deepEqual(parseRange('bytes=20-30, 1-2', 10), { kind: 'ranges', ranges: [{ first: 1, last: 2 }] })
  })
  test('another unit', () => {
    assert.deepEqual(parseRange('lines=1-2', 10), { kind: 'ignored' })
  })
  test('backwards', () => {
    assert.deepEqual(parseRange('bytes=5-2', 10), { kind: 'ignored' })
  })
  test('nonsense among good ones', () => {
    assert.deepEqual(parseRange('bytes=1-2, x', 10), { kind: 'ignored' })
  })
  test('overlapping ones are joined', () => {
    assert.deepEqual(parseRange('bytes=2-5, 4-7', 10), { kind: 'ranges', ranges: [{ first: 2, last: 7 }] })
  })
  test('touching ones are joined', () => {
    assert.deepEqual(parseRange('bytes=4-5, 0-3', 10), { kind: 'ranges', ranges: [{ first: 0, last: 5 }] })
  })
  test('one that bridges two takes the place of the earliest', () => {
    assert.deepEqual(parseRange('bytes=6-7, 0-1, 9-9, 2-5', 10), { kind: 'ranges', ranges: [{ first: 0, last: 7 }, { first: 9, last: 9 }] })
  })
  test('a gap of one byte keeps them apart', () => {
    assert.deepEqual(parseRange('bytes=4-5, 0-2', 10), { kind: 'ranges', ranges: [{ first: 4, last: 5 }, { first: 0, last: 2 }] })
  })
  test('too many', () => {
    assert.deepEqual(parseRange(`bytes=${Array(17).fill('0-1').join(',')}`, 10), { kind: 'ignored' })
  })
  test('as many as there may be', () => {
    assert.deepEqual(parseRange(`bytes=${Array(16).fill('0-1').join(',')}`, 10), { kind: 'ranges', ranges: [{ first: 0, last: 1 }] })
  })
})

describe('answers', () => {
  test('one range', () => {
    assert.equal(cut(['Range', 'bytes=2-4']), '206 234')
  })
  test('more than there is from the end', () => {
    assert.equal(fieldValue(applyRange(ask(['Range', 'bytes=-99']), whole, now).fields, 'Content-Range'), 'bytes 0-9/10')
  })
  test('parts that touch are one', () => {
    assert.equal(cut(['Range', 'bytes=3-4, 5-6']), '206 3456')
  })
  test('its place is told', () => {
    assert.equal(fieldValue(applyRange(ask(['Range', 'bytes=2-4']), whole, now).fields, 'Content-Range'), 'bytes 2-4/10')
  })
  test('several ranges', () => {
    assert.equal(
      cut(['Range', 'bytes=0-1, 8-']),
      '206 --waypost-part-0\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-1/10\r\n\r\n01\r\n--waypost-part-0\r\nContent-Type: text/plain\r\nContent-Range: bytes 8-9/10\r\n\r\n89\r\n--waypost-part-0--\r\n',
    )
  })
  test('the boundary is told', () => {
    assert.equal(fieldValue(applyRange(ask(['Range', 'bytes=0-1, 8-']), whole, now).fields, 'Content-Type'), 'multipart/byteranges; boundary=waypost-part-0')
  })
  test('a boundary that occurs in the body is not used', () => {
    const tricky = { ...whole, body: encodeUtf8('--waypost-part-0 and more') }
    const response = applyRange(ask(['Range', 'bytes=0-1, 8-9']), tricky, now)
    assert.equal(fieldValue(response.fields, 'Content-Type'), 'multipart/byteranges; boundary=waypost-part-1')
  })
  test('none that can be had', () => {
    assert.equal(cut(['Range', 'bytes=10-12']), '416 ')
  })
  test('the size is told then', () => {
    assert.deepEqual(applyRange(ask(['Range', 'bytes=10-12']), whole, now).fields, [['Content-Range', 'bytes */10']])
  })
  test('bytes are counted, not characters', () => {
    const response = applyRange(ask(['Range', 'bytes=3-5']), { ...whole, body: encodeUtf8('é1€2') }, now)
    assert.equal(decodeUtf8(response.body), '€')
  })
  test('HEAD is not cut', () => {
    assert.equal(applyRange({ ...ask(['Range', 'bytes=2-4']), method: 'HEAD' }, whole, now).status, 200)
  })
  test('other answers are not cut', () => {
    assert.equal(applyRange(ask(['Range', 'bytes=2-4']), { ...whole, status: 404 }, now).status, 404)
  })
})

describe('If-Range', () => {
  test('the same tag', () => {
    assert.equal(cut(['Range', 'bytes=0-0'], ['If-Range', '"v1"']), '206 0')
  })
  test('another tag', () => {
    assert.equal(cut(['Range', 'bytes=0-0'], ['If-Range', '"v2"']), '200 0123456789')
  })
  test('a weak tag never holds', () => {
    assert.equal(cut(['Range', 'bytes=0-0'], ['If-Range', 'W/"v1"']), '200 0123456789')
  })
  test('the same date', () => {
    assert.equal(cut(['Range', 'bytes=1-1'], ['If-Range', 'Fri, 01 Mar 2024 08:00:00 GMT']), '206 1')
  })
  test('a later date does not hold', () => {
    assert.equal(cut(['Range', 'bytes=1-1'], ['If-Range', 'Fri, 01 Mar 2024 08:00:01 GMT']), '200 0123456789')
  })
  test('a later date in another form does not hold', () => {
    assert.equal(cut(['Range', 'bytes=1-1'], ['If-Range', 'Sat Mar  2 08:00:00 2024']), '200 0123456789')
  })
  test('an earlier date does not hold', () => {
    assert.equal(cut(['Range', 'bytes=1-1'], ['If-Range', 'Fri, 01 Mar 2024 07:59:59 GMT']), '200 0123456789')
  })
  test('nonsense does not hold', () => {
    assert.equal(cut(['Range', 'bytes=1-1'], ['If-Range', 'v1']), '200 0123456789')
  })
})
