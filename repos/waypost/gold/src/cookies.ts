import { formatDate, parseDate } from './dates.ts'
import { encodeUtf8 } from './bytes.ts'
import { SetupError } from './errors.ts'
import { fieldValue } from './fields.ts'
import { percentDecode } from './query.ts'
import { isToken } from './syntax.ts'
import type { Pairs } from './query.ts'
import type { Fields } from './types.ts'

export type CookieAttributes = {
  readonly domain?: string
  readonly path?: string
  /** A moment in milliseconds since 1970. */
  readonly expires?: number
  /** In seconds. */
  readonly maxAge?: number
  readonly secure?: boolean
  readonly httpOnly?: boolean
  readonly sameSite?: 'strict' | 'lax' | 'none'
  readonly partitioned?: boolean
}

export type Cookie = CookieAttributes & { readonly name: string; readonly value: string }

const stripQuotes = (text: string): string => /^"(.*)"$/s.exec(text)?.[1] ?? text

/** The cookies of a request, decoded. Of a repeated name the first counts. */
export const parseCookies = (fields: Fields): Pairs => {
  const cookies: (readonly [string, string])[] = []
  for (const part of (fieldValue(fields, 'Cookie') ?? '').split(';')) {
    const equals = part.indexOf('=')
    const name = part.slice(0, Math.max(equals, 0)).trim()
    if (!isToken(name) || cookies.some(([one]) => one === name)) continue
    cookies.push([name, percentDecode(stripQuotes(part.slice(equals + 1).trim()))])
  }
  return cookies
}

export const cookieOf = (fields: Fields, name: string): string | undefined =>
  parseCookies(fields).find(([one]) => one === name)?.[1]

/** Cookie octets are left as they are, but for the percent sign. */
const escapeValue = (value: string): string =>
  Array.from(encodeUtf8(value), (byte) => {
    const char = String.fromCharCode(byte)
    const plain = byte < 0x80 && /[\x21\x23\x24\x26-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]/.test(char)
    return plain ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')

const problemOf = (cookie: Cookie): string | undefined => {
  const { name, secure, path, domain, sameSite, partitioned, maxAge } = cookie
  const lower = name.toLowerCase()
  if (!isToken(name)) return 'is not a token'
  if (/[;\x00-\x1f\x7f]/.test(`${path ?? ''}${domain ?? ''}`)) return 'has a broken attribute'
  if (path !== undefined && !path.startsWith('/')) return 'has a path without a leading slash'
  if (maxAge !== undefined && !Number.isInteger(maxAge)) return 'lives for no whole seconds'
  if (lower.startsWith('__host-') && (!secure || path !== '/' || domain !== undefined)) {
    return 'must be secure, with the path / and without a domain'
  }
  if (secure) return undefined
  if (lower.startsWith('__secure-')) return 'must be secure'
  if (sameSite === 'none') return 'must be secure to go to other sites'
  return partitioned ? 'must be secure to be partitioned' : undefined
}

const SITES = { strict: 'Strict', lax: 'Lax', none: 'None' } as const

/** A Set-Cookie value. Throws SetupError for a cookie that browsers would refuse. */
export const formatSetCookie = (cookie: Cookie): string => {
  const problem = problemOf(cookie)
  if (problem !== undefined) throw new SetupError(`cookie ${cookie.name} ${problem}`)
  const parts = [`${cookie.name}=${escapeValue(cookie.value)}`]
  if (cookie.domain !== undefined) parts.push(`Domain=${cookie.domain.replace(/^\./, '')}`)
  if (cookie.path !== undefined) parts.push(`Path=${cookie.path}`)
  if (cookie.expires !== undefined) parts.push(`Expires=${formatDate(cookie.expires)}`)
  if (cookie.maxAge !== undefined) parts.push(`Max-Age=${cookie.maxAge}`)
  if (cookie.secure) parts.push('Secure')
  if (cookie.httpOnly) parts.push('HttpOnly')
  if (cookie.sameSite !== undefined) parts.push(`SameSite=${SITES[cookie.sameSite]}`)
  if (cookie.partitioned) parts.push('Partitioned')
  return parts.join('; ')
}

/** The Set-Cookie value that removes a cookie: the same domain and path, long expired. */
export const formatRemoval = (name: string, attributes: CookieAttributes = {}): string =>
  formatSetCookie({ ...attributes, name, value: '', expires: 0, maxAge: 0 })

const readAttribute = (text: string, now: number): CookieAttributes => {
  const equals = text.indexOf('=')
  const name = (equals < 0 ? text : text.slice(0, equals)).trim().toLowerCase()
  const value = equals < 0 ? '' : text.slice(equals + 1).trim()
  switch (name) {
    case 'domain':
      return value === '' ? {} : { domain: value.replace(/^\./, '').toLowerCase() }
    case 'path':
      return value.startsWith('/') ? { path: value } : {}
    case 'expires': {
      const expires = parseDate(value, now)
      return expires === undefined ? {} : { expires }
    }
    case 'max-age':
      return /^-?\d+$/.test(value) ? { maxAge: Number(value) } : {}
    case 'secure':
      return { secure: true }
    case 'httponly':
      return { httpOnly: true }
    case 'samesite': {
      const site = value.toLowerCase()
      return site === 'strict' || site === 'lax' || site === 'none' ? { sameSite: site } : {}
    }
    case 'partitioned':
      return { partitioned: true }
    default:
      return {}
  }
}

/**
 * Reads a Set-Cookie value as a browser does: unknown and broken attributes are ignored, of
 * a repeated one the last counts. Undefined without a name.
 */
export const parseSetCookie = (text: string, now: number): Cookie | undefined => {
  const [pair, ...attributes] = text.split(';')
  const equals = pair.indexOf('=')
  const name = pair.slice(0, Math.max(equals, 0)).trim()
  if (name === '') return undefined
  const value = percentDecode(stripQuotes(pair.slice(equals + 1).trim()))
  return Object.assign({ name, value }, ...attributes.map((one) => readAttribute(one, now)))
}

/** Whether a cookie set at one moment is gone at another. Max-Age goes before Expires. */
export const hasExpired = (cookie: CookieAttributes, setAt: number, now: number): boolean => {
  if (cookie.maxAge !== undefined) return now >= setAt + cookie.maxAge * 1000
  return cookie.expires !== undefined && now >= cookie.expires
}
