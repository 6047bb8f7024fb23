import { concatBytes, encodeUtf8 } from './bytes.ts'
import { parseEntityTag, strongMatch } from './conditions.ts'
import { parseDate } from './dates.ts'
import { fieldValue, withField, withoutField } from './fields.ts'
import type { Request, Response } from './types.ts'

/** Offsets of bytes, both ends included. */
export type ByteRange = { readonly first: number; readonly last: number }

export type RangeSet =
  | { readonly kind: 'ignored' }
  | { readonly kind: 'unsatisfiable' }
  | { readonly kind: 'ranges'; readonly ranges: readonly ByteRange[] }

/** A request for more ranges than this is answered with the whole. */
const MOST_RANGES = 16

const parseSpec = (spec: string, size: number): ByteRange | 'outside' | undefined => {
  const match = /^(\d*)-(\d*)$/.exec(spec)
  if (match === null || spec === '-') return undefined
  const [, from, to] = match
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'outside' : { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Number(to)
  if (to !== '' && last < first) return undefined
  return first >= size ? 'outside' : { first, last: Math.min(last, size - 1) }
}

/** Joins ranges that overlap or touch; the joined range stands where the earliest asked stood. */
const joinRanges = (ranges: readonly ByteRange[]): ByteRange[] => {
  const joined: ByteRange[] = []
  for (const range of ranges) {
    let { first, last } = range
    let place = joined.length
    for (let at = joined.length - 1; at >= 0; at -= 1) {
      const other = joined[at]
      if (other.first <= last + 1 && first <= other.last + 1) {
        first = Math.min(first, other.first)
        last = Math.max(last, other.last)
        joined.splice(at, 1)
        place = at
      }
    }
    joined.splice(place, 0, { first, last })
  }
  return joined
}

/** Reads a Range field for a representation of that many bytes. */
export const parseRange = (header: string, size: number): RangeSet => {
  const match = /^bytes\s*=(.*)$/i.exec(header.trim())
  if (match === null) return { kind: 'ignored' }
  const specs = match[1].split(',').map((spec) => spec.trim()).filter((spec) => spec !== '')
  if (specs.length === 0 || specs.length > MOST_RANGES) return { kind: 'ignored' }
  const ranges: ByteRange[] = []
  for (const spec of specs) {
    const range = parseSpec(spec, size)
    if (range === undefined) return { kind: 'ignored' }
    if (range !== 'outside') ranges.push(range)
  }
  return ranges.length === 0
    ? { kind: 'unsatisfiable' }
    : { kind: 'ranges', ranges: joinRanges(ranges) }
}

/** Whether the representation is still the one that If-Range names (true without If-Range). */
const isSameVersion = (request: Request, response: Response, now: number): boolean => {
  const condition = fieldValue(request.fields, 'If-Range')
  if (condition === undefined) return true
  const wanted = parseEntityTag(condition)
  if (wanted !== undefined) {
    const etag = parseEntityTag(fieldValue(response.fields, 'ETag') ?? '')
    return etag !== undefined && strongMatch(wanted, etag)
  }
  const date = parseDate(condition, now)
  const modified = parseDate(fieldValue(response.fields, 'Last-Modified') ?? '', now)
  return date !== undefined && date === modified
}

const contentRange = ({ first, last }: ByteRange, size: number): string =>
  `bytes ${first}-${last}/${size}`

const partsBody = (ranges: readonly ByteRange[], type: string, boundary: string, body: Uint8Array) => {
  const parts = ranges.flatMap((range, at) => {
    const opening = `${at === 0 ? '' : '\r\n'}--${boundary}\r\n`
    const head = `Content-Type: ${type}\r\nContent-Range: ${contentRange(range, body.length)}\r\n\r\n`
    return [encodeUtf8(opening + head), body.subarray(range.first, range.last + 1)]
  })
  return concatBytes([...parts, encodeUtf8(`\r\n--${boundary}--\r\n`)])
}

const occursIn = (needle: Uint8Array, bytes: Uint8Array): boolean => {
  for (let at = 0; at + needle.length <= bytes.length; at += 1) {
    if (needle.every((byte, offset) => bytes[at + offset] === byte)) return true
  }
  return false
}

/** `waypost-part-0`, or the next number whose boundary does not occur in the body. */
const freeBoundary = (body: Uint8Array): string => {
  let number = 0
  while (occursIn(encodeUtf8(`--waypost-part-${number}`), body)) number += 1
  return `waypost-part-${number}`
}

/**
 * Turns a complete answer into the part that was asked for: 206 with one range or several
 * as multipart/byteranges, 416 when all lie outside. Only answers of status 200 to GET are
 * cut.
 */
export const applyRange = (request: Request, response: Response, now: number): Response => {
  const header = fieldValue(request.fields, 'Range')
  if (request.method !== 'GET' || response.status !== 200 || header === undefined) return response
  if (!isSameVersion(request, response, now)) return response
  const { fields, body } = response
  const set = parseRange(header, body.length)
  switch (set.kind) {
    case 'ignored':
      return response
    case 'unsatisfiable': {
      const kept = withoutField(fields, 'Content-Type', 'Content-Encoding', 'ETag', 'Last-Modified')
      return {
        status: 416,
        fields: withField(kept, 'Content-Range', `bytes */${body.length}`),
        body: new Uint8Array(),
      }
    }
    case 'ranges': {
      const { ranges } = set
      if (ranges.length === 1) {
        return {
          status: 206,
          fields: withField(fields, 'Content-Range', contentRange(ranges[0], body.length)),
          body: body.slice(ranges[0].first, ranges[0].last + 1),
        }
      }
      const type = fieldValue(fields, 'Content-Type') ?? 'application/octet-stream'
      const boundary = freeBoundary(body)
      return {
        status: 206,
        fields: withField(fields, 'Content-Type', `multipart/byteranges; boundary=${boundary}`),
        body: partsBody(ranges, type, boundary, body),
      }
    }
  }
}
