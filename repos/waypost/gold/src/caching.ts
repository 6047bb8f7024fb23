import { parseDate } from './dates.ts'
import { fieldLines, fieldValue, hasField, withField, withoutField } from './fields.ts'
import { parseItems, splitQuoted, unquote } from './syntax.ts'
import type { Fields, Request, Response } from './types.ts'

/** Cache-Control, of requests and responses alike. Times are in seconds. */
export type Directives = {
  readonly noStore?: true
  readonly noCache?: true | readonly string[]
  readonly isPublic?: true
  readonly isPrivate?: true | readonly string[]
  readonly maxAge?: number
  readonly sharedMaxAge?: number
  readonly mustRevalidate?: true
  readonly proxyRevalidate?: true
  readonly immutable?: true
  readonly noTransform?: true
  readonly staleWhileRevalidate?: number
  readonly staleIfError?: number
  readonly minFresh?: number
  readonly maxStale?: true | number
  readonly onlyIfCached?: true
}

type Shape = 'flag' | 'seconds' | 'flag-or-seconds' | 'flag-or-names'

/** In the order in which they are written. */
const KNOWN: readonly (readonly [name: string, key: keyof Directives, shape: Shape])[] = [
  ['public', 'isPublic', 'flag'],
  ['private', 'isPrivate', 'flag-or-names'],
  ['no-store', 'noStore', 'flag'],
  ['no-cache', 'noCache', 'flag-or-names'],
  ['max-age', 'maxAge', 'seconds'],
  ['s-maxage', 'sharedMaxAge', 'seconds'],
  ['must-revalidate', 'mustRevalidate', 'flag'],
  ['proxy-revalidate', 'proxyRevalidate', 'flag'],
  ['stale-while-revalidate', 'staleWhileRevalidate', 'seconds'],
  ['stale-if-error', 'staleIfError', 'seconds'],
  ['min-fresh', 'minFresh', 'seconds'],
  ['max-stale', 'maxStale', 'flag-or-seconds'],
  ['only-if-cached', 'onlyIfCached', 'flag'],
  ['no-transform', 'noTransform', 'flag'],
  ['immutable', 'immutable', 'flag'],
]

/** Greater numbers of seconds are cut to this one. */
const LONGEST = 2147483648

/** Seconds that cannot be read are none at all. */
const parseSeconds = (text: string | undefined): number =>
  /^\d+$/.test(text ?? '') ? Math.min(Number(text), LONGEST) : 0

const parseDirective = (shape: Shape, argument: string | undefined) => {
  switch (shape) {
    case 'flag':
      return true
    case 'seconds':
      return parseSeconds(argument)
    case 'flag-or-seconds':
      return argument === undefined ? true : parseSeconds(argument)
    case 'flag-or-names':
      return argument === undefined
        ? true
        : splitQuoted(argument, ',').map((name) => name.toLowerCase())
  }
}

/** Reads Cache-Control. Unknown directives are ignored; of a repeated one the first counts. */
export const parseCacheControl = (text: string): Directives => {
  const found: Record<string, unknown> = {}
  for (const part of splitQuoted(text, ',')) {
    const [, name, argument] = /^([^=\s]+)\s*(?:=\s*(.*))?$/s.exec(part) ?? []
    const known = KNOWN.find(([one]) => one === name?.toLowerCase())
    if (known === undefined || known[1] in found) continue
    found[known[1]] = parseDirective(known[2], unquote(argument ?? ''))
  }
  return found
}

export const formatCacheControl = (directives: Directives): string =>
  KNOWN.flatMap(([name, key]) => {
    const value = directives[key]
    if (value === undefined) return []
    if (value === true) return [name]
    return [`${name}=${typeof value === 'number' ? value : `"${value.join(', ')}"`}`]
  }).join(', ')

/** A response in a cache, with the moments when it was asked for and when it came. */
export type Stored = {
  readonly request: Request
  readonly response: Response
  readonly requestedAt: number
  readonly receivedAt: number
}

const directivesOf = (fields: Fields): Directives =>
  parseCacheControl(fieldValue(fields, 'Cache-Control') ?? '')

const dateField = (fields: Fields, name: string, now: number): number | undefined =>
  parseDate(fieldLines(fields, name)[0] ?? '', now)

export type Lifetime = {
  readonly seconds: number
  readonly source: 's-maxage' | 'max-age' | 'expires' | 'heuristic' | 'none'
}

const HEURISTIC = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]
const DAY = 86400

/**
 * How long a stored response is fresh, counted from its Date: s-maxage (shared caches),
 * max-age, Expires, else a tenth of the time since Last-Modified, at most a day.
 */
export const freshnessLifetime = (stored: Stored, shared: boolean): Lifetime => {
  const { fields, status } = stored.response
  const directives = directivesOf(fields)
  if (shared && directives.sharedMaxAge !== undefined) {
    return { seconds: directives.sharedMaxAge, source: 's-maxage' }
  }
  if (directives.maxAge !== undefined) return { seconds: directives.maxAge, source: 'max-age' }
  const date = dateField(fields, 'Date', stored.receivedAt) ?? stored.receivedAt
  if (hasField(fields, 'Expires')) {
    const expires = dateField(fields, 'Expires', stored.receivedAt) ?? date
    return { seconds: Math.max(0, (expires - date) / 1000), source: 'expires' }
  }
  const modified = dateField(fields, 'Last-Modified', stored.receivedAt)
  if (modified === undefined || !HEURISTIC.includes(status)) return { seconds: 0, source: 'none' }
  const tenth = Math.floor((date - modified) / 10000)
  return { seconds: Math.min(Math.max(0, tenth), DAY), source: 'heuristic' }
}

/** The age of a stored response in whole seconds, by RFC 9111, 4.2.3. */
export const currentAge = (stored: Stored, now: number): number => {
  const { fields } = stored.response
  const date = dateField(fields, 'Date', stored.receivedAt) ?? stored.receivedAt
  const apparent = Math.max(0, stored.receivedAt - date)
  const delay = stored.receivedAt - stored.requestedAt
  const corrected = parseSeconds(fieldLines(fields, 'Age')[0]) * 1000 + delay
  return Math.floor((Math.max(apparent, corrected) + now - stored.receivedAt) / 1000)
}

export type Reuse =
  | { readonly kind: 'fresh'; readonly age: number }
  | { readonly kind: 'stale'; readonly age: number }
  | { readonly kind: 'revalidate'; readonly age: number }

/** Whether a stored response may answer a request as it is. */
export const judgeReuse = (request: Request, stored: Stored, now: number, shared: boolean): Reuse => {
  const asked = directivesOf(request.fields)
  const given = directivesOf(stored.response.fields)
  const age = currentAge(stored, now)
  const { seconds } = freshnessLifetime(stored, shared)
  const pragma = !hasField(request.fields, 'Cache-Control') &&
    parseItems(fieldValue(request.fields, 'Pragma') ?? '').some(({ value }) => value === 'no-cache')
  if (asked.noCache !== undefined || pragma || given.noCache === true) {
    return { kind: 'revalidate', age }
  }
  if (asked.maxAge !== undefined && age > asked.maxAge) return { kind: 'revalidate', age }
  const left = seconds - age
  if (left > 0 && left >= (asked.minFresh ?? 0)) return { kind: 'fresh', age }
  const strict = given.mustRevalidate === true ||
    (shared && (given.proxyRevalidate === true || given.sharedMaxAge !== undefined))
  if (strict || asked.minFresh !== undefined) return { kind: 'revalidate', age }
  const { maxStale } = asked
  if (maxStale === true || (maxStale !== undefined && -left <= maxStale)) {
    return { kind: 'stale', age }
  }
  return { kind: 'revalidate', age }
}

/** Whether a cache may keep the answer to a request. */
export const mayStore = (request: Request, response: Response, shared: boolean): boolean => {
  const given = directivesOf(response.fields)
  if (request.method !== 'GET' || response.status < 200 || response.status === 206) return false
  if (directivesOf(request.fields).noStore || given.noStore) return false
  if (shared && given.isPrivate === true) return false
  if (fieldValue(response.fields, 'Vary')?.includes('*')) return false
  const opened = given.isPublic || given.mustRevalidate || given.sharedMaxAge !== undefined
  if (shared && hasField(request.fields, 'Authorization') && !opened) return false
  const explicit = given.isPublic || given.isPrivate || given.maxAge !== undefined ||
    (shared && given.sharedMaxAge !== undefined) || hasField(response.fields, 'Expires')
  return explicit === true || HEURISTIC.includes(response.status)
}

const normalise = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : splitQuoted(value, ',').join(',')

/** Whether a stored response was selected by the same fields that this request has. */
export const matchesVary = (request: Request, stored: Stored): boolean =>
  splitQuoted(fieldValue(stored.response.fields, 'Vary') ?? '', ',').every(
    (name) =>
      normalise(fieldValue(request.fields, name)) ===
      normalise(fieldValue(stored.request.fields, name)),
  )

/** The request that asks whether a stored response still holds. */
export const revalidation = (request: Request, stored: Stored): Request => {
  const etag = fieldValue(stored.response.fields, 'ETag')
  const modified = fieldValue(stored.response.fields, 'Last-Modified')
  let fields = withoutField(request.fields, 'If-None-Match', 'If-Modified-Since')
  if (etag !== undefined) fields = withField(fields, 'If-None-Match', etag)
  if (modified !== undefined) fields = withField(fields, 'If-Modified-Since', modified)
  return { ...request, fields }
}

/** A stored response brought up to date by the 304 that confirmed it. */
export const refreshed = (stored: Stored, confirmation: Response): Response => {
  const names = confirmation.fields.map(([name]) => name)
  const kept = withoutField(stored.response.fields, 'Age', ...names)
  return { ...stored.response, fields: [...kept, ...confirmation.fields] }
}
