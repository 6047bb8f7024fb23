import { encodeUtf8 } from './bytes.ts'
import { SetupError } from './errors.ts'
import { withField } from './fields.ts'
import { splitTarget } from './query.ts'
import { empty } from './responses.ts'
import type { Fields, Request, Response } from './types.ts'

/** `moved` and `found` let clients turn POST into GET; `permanent` and `temporary` do not. */
export type RedirectKind = 'moved' | 'found' | 'see-other' | 'temporary' | 'permanent'

const STATUS: Readonly<Record<RedirectKind, number>> = {
  moved: 301,
  found: 302,
  'see-other': 303,
  temporary: 307,
  permanent: 308,
}

/** Escapes what cannot stand in a URL; escapes that are there already are left alone. */
export const encodeLocation = (location: string): string =>
  Array.from(encodeUtf8(location), (byte) => {
    const char = String.fromCharCode(byte)
    const plain = byte > 0x20 && byte < 0x7f && !/["<>\\^`{|}]/.test(char)
    return plain ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')

export const redirect = (location: string, kind: RedirectKind, fields: Fields = []): Response => {
  if (/[\r\n\0]/.test(location)) throw new SetupError('a line break in the location')
  return empty(STATUS[kind], withField(fields, 'Location', encodeLocation(location)))
}

const mergeDots = (path: string): string => {
  const kept: string[] = []
  const parts = path.split('/').slice(1)
  for (const [at, part] of parts.entries()) {
    if (part === '..') kept.pop()
    if (part !== '.' && part !== '..') kept.push(part)
    else if (at === parts.length - 1) kept.push('')
  }
  return `/${kept.join('/')}`
}

/**
 * The target that a reference means when it stands in the resource of a request, by RFC
 * 3986, 5.2: `../b`, `?page=2`, `/x`. References with a scheme or an authority stay as they are.
 */
export const resolveReference = (request: Request, reference: string): string => {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(reference) || reference.startsWith('//')) return reference
  const base = splitTarget(request.target)
  const [rest, fragment] = reference.split(/#(.*)/s)
  const { path, query } = splitTarget(rest)
  const anchor = fragment === undefined ? '' : `#${fragment}`
  const search = rest.includes('?') ? `?${query}` : ''
  if (path === '') {
    const kept = search === '' && base.query !== '' ? `?${base.query}` : search
    return `${base.path}${kept}${anchor}`
  }
  const folder = base.path.slice(0, base.path.lastIndexOf('/') + 1)
  return mergeDots(path.startsWith('/') ? path : folder + path) + search + anchor
}

/**
 * A target that a client named for its return, if it lies on this site: an absolute path.
 * Anything that a browser could take for another site gives the fallback.
 */
export const safeReturn = (target: string | undefined, fallback: string): string => {
  if (target === undefined || /[\x00-\x1f\x7f]/.test(target)) return fallback
  return /^\/(?![/\\])/.test(target) ? target : fallback
}
