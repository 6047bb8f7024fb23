import { decodeUtf8, encodeUtf8 } from './bytes.ts'
import { HttpError } from './errors.ts'
import { fieldValue } from './fields.ts'
import { charsetOf, parseMediaType } from './media.ts'
import type { Request } from './types.ts'

/** Names and values in the order in which they came; a name may come several times. */
export type Pairs = readonly (readonly [name: string, value: string])[]

const UNRESERVED = /[A-Za-z0-9\-._*]/

/** Percent-decodes UTF-8. A percent sign that starts no escape stands for itself. */
export const percentDecode = (text: string): string => {
  const bytes: number[] = []
  const raw = encodeUtf8(text)
  for (let at = 0; at < raw.length; at += 1) {
    const hex = String.fromCharCode(...raw.subarray(at + 1, at + 3))
    if (raw[at] === 0x25 && /^[0-9A-Fa-f]{2}$/.test(hex)) {
      bytes.push(parseInt(hex, 16))
      at += 2
    } else {
      bytes.push(raw[at])
    }
  }
  return decodeUtf8(Uint8Array.from(bytes))
}

const decodeComponent = (text: string): string => percentDecode(text.replaceAll('+', ' '))

const encodeComponent = (text: string): string =>
  Array.from(encodeUtf8(text), (byte) => {
    const char = String.fromCharCode(byte)
    if (byte < 0x80 && UNRESERVED.test(char)) return char
    if (char === ' ') return '+'
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')

/** Reads a query string or form. Only the first `=` of a pair separates; empty pairs are skipped. */
export const parseQuery = (text: string): Pairs =>
  text
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=')
      const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
      return [decodeComponent(name), decodeComponent(value)] as const
    })

export const formatQuery = (pairs: Pairs): string =>
  pairs.map(([name, value]) => `${encodeComponent(name)}=${encodeComponent(value)}`).join('&')

export const splitTarget = (target: string): { path: string; query: string } => {
  const [whole] = target.split('#')
  const mark = whole.indexOf('?')
  return mark < 0
    ? { path: whole, query: '' }
    : { path: whole.slice(0, mark), query: whole.slice(mark + 1) }
}

export const queryOf = (request: Request): Pairs => parseQuery(splitTarget(request.target).query)

export const valuesOf = (pairs: Pairs, name: string): string[] =>
  pairs.filter(([one]) => one === name).map(([, value]) => value)

/** The last value of a name. */
export const valueOf = (pairs: Pairs, name: string): string | undefined =>
  valuesOf(pairs, name).at(-1)

export type IntegerRules = {
  readonly fallback?: number
  readonly least?: number
  readonly most?: number
}

/**
 * A whole number of a query or form. Throws HttpError 400 naming the parameter when it is
 * no whole number, out of bounds, or missing without a fallback. A blank value is missing.
 */
export const integerOf = (pairs: Pairs, name: string, rules: IntegerRules = {}): number => {
  const { fallback, least = -Infinity, most = Infinity } = rules
  const text = (valueOf(pairs, name) ?? '').trim()
  if (text === '') {
    if (fallback !== undefined) return fallback
    throw new HttpError(400, `${name} is missing`)
  }
  const value = Number(text)
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new HttpError(400, `${name} is not a whole number`)
  }
  if (value < least) throw new HttpError(400, `${name} is less than ${least}`)
  if (value > most) throw new HttpError(400, `${name} is greater than ${most}`)
  return value
}

/** The pairs of a form in the body. Throws HttpError 415 for other media types and charsets. */
export const formOf = (request: Request): Pairs => {
  const media = parseMediaType(fieldValue(request.fields, 'Content-Type') ?? '')
  const isForm = media?.type === 'application' && media.subtype === 'x-www-form-urlencoded'
  if (media === undefined || !isForm) throw new HttpError(415, 'the body is not a form')
  if (!['utf-8', 'us-ascii'].includes(charsetOf(media))) {
    throw new HttpError(415, `forms in ${charsetOf(media)} are not understood`)
  }
  return parseQuery(decodeUtf8(request.body))
}

/** The JSON value in the body. Throws HttpError 415 for other media types, 400 for bad JSON. */
export const jsonOf = (request: Request): unknown => {
  const media = parseMediaType(fieldValue(request.fields, 'Content-Type') ?? '')
  const isJson = media?.subtype === 'json' || media?.subtype.endsWith('+json')
  if (isJson !== true) throw new HttpError(415, 'the body is not JSON')
  try {
    return JSON.parse(decodeUtf8(request.body)) as unknown
  } catch {
    throw new HttpError(400, 'the body is not valid JSON')
  }
}
