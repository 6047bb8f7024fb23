import { fieldValue, hasField, withField, withMembers } from './fields.ts'
import { empty } from './responses.ts'
import { isToken, splitQuoted } from './syntax.ts'
import type { Fields, Middleware, Request, Response } from './types.ts'

export type CorsOptions = {
  /** `*`, or origins, in which one host label may be a star: `https://*.example.com`. */
  readonly origins: '*' | readonly string[]
  readonly methods?: readonly string[]
  /** Request fields that are allowed beyond the safe ones; `*` allows what is asked for. */
  readonly headers?: '*' | readonly string[]
  /** Response fields that scripts may read beyond the safe ones. */
  readonly exposed?: readonly string[]
  readonly credentials?: boolean
  /** How long browsers may keep the answer to a preflight, in seconds. */
  readonly maxAge?: number
}

const SIMPLE = ['GET', 'HEAD', 'POST']
const SAFE = ['accept', 'accept-language', 'content-language', 'content-type']

/** A star stands for one or more labels of the host. */
const coversOrigin = (allowed: string, origin: string): boolean => {
  const [before, after] = allowed.toLowerCase().split('*.')
  const lower = origin.toLowerCase()
  if (after === undefined) return lower === before
  const suffix = `.${after}`
  if (!lower.startsWith(before) || !lower.endsWith(suffix)) return false
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(lower.slice(before.length, -suffix.length))
}

type Grant =
  | { readonly kind: 'same-site' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'granted'; readonly origin: string }

const grantFor = (request: Request, { origins, credentials }: CorsOptions): Grant => {
  const origin = fieldValue(request.fields, 'Origin')
  if (origin === undefined) return { kind: 'same-site' }
  if (origins === '*') return { kind: 'granted', origin: credentials ? origin : '*' }
  const allowed = origin !== 'null' && origins.some((one) => coversOrigin(one, origin))
  return allowed ? { kind: 'granted', origin } : { kind: 'refused' }
}

const isPreflight = ({ method, fields }: Request): boolean =>
  method === 'OPTIONS' && hasField(fields, 'Origin') &&
  hasField(fields, 'Access-Control-Request-Method')

const withGrant = (fields: Fields, origin: string, credentials: boolean | undefined): Fields => {
  const granted = withField(fields, 'Access-Control-Allow-Origin', origin)
  return credentials ? withField(granted, 'Access-Control-Allow-Credentials', 'true') : granted
}

const preflight = (request: Request, grant: Grant, options: CorsOptions): Response => {
  const asked = ['Access-Control-Request-Method', 'Access-Control-Request-Headers']
  const vary = withMembers([], 'Vary', ['Origin', ...asked])
  if (grant.kind !== 'granted') return empty(204, vary)
  const method = fieldValue(request.fields, asked[0]) ?? ''
  const names = splitQuoted(fieldValue(request.fields, asked[1]) ?? '', ',')
  const { methods = SIMPLE, headers = [], credentials, maxAge } = options
  const lower = headers === '*' ? [] : headers.map((name) => name.toLowerCase())
  const permits = (name: string): boolean =>
    isToken(name) &&
    (headers === '*' || SAFE.includes(name.toLowerCase()) || lower.includes(name.toLowerCase()))
  const goodMethod = SIMPLE.includes(method) || methods.includes(method)
  if (!goodMethod || !names.every(permits)) return empty(204, vary)

  let fields = withGrant(vary, grant.origin, credentials)
  fields = withField(fields, 'Access-Control-Allow-Methods', methods.join(', '))
  if (names.length > 0) {
    fields = withField(fields, 'Access-Control-Allow-Headers', names.join(', '))
  }
  if (maxAge !== undefined) fields = withField(fields, 'Access-Control-Max-Age', String(maxAge))
  return empty(204, fields)
}

/**
 * Cross-origin resource sharing. Preflights are answered here and never reach a handler;
 * one that is refused gets no grant. Other answers get the grant of their origin and say
 * in Vary that they depend on it, unless they are the same for all.
 */
export const cors = (options: CorsOptions): Middleware => {
  const { origins, exposed = [], credentials } = options
  const constant = origins === '*' && !credentials
  return async (context, next) => {
    const { request } = context
    const grant = grantFor(request, options)
    if (isPreflight(request)) return preflight(request, grant, options)
    const response = await next()
    let fields = constant ? response.fields : withMembers(response.fields, 'Vary', ['Origin'])
    if (grant.kind === 'granted') {
      fields = withGrant(fields, grant.origin, credentials)
      if (exposed.length > 0) {
        fields = withMembers(fields, 'Access-Control-Expose-Headers', exposed)
      }
    }
    return { ...response, fields }
  }
}
