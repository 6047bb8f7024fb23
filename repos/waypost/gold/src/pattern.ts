import { wellFormed } from './bytes.ts'
import { SetupError } from './errors.ts'
import type { Params } from './types.ts'

export type Constraint =
  | { readonly kind: 'any' }
  | { readonly kind: 'int' }
  | { readonly kind: 'slug' }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'one-of'; readonly choices: readonly string[] }

export type Segment =
  | { readonly kind: 'static'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string; readonly constraint: Constraint }
  | { readonly kind: 'wildcard'; readonly name: string }

/** `slash` tells whether the pattern ends in one; the root has no segments and a slash. */
export type Pattern = { readonly segments: readonly Segment[]; readonly slash: boolean }

const NAME = '[A-Za-z_][A-Za-z0-9_]*'
const PARAM = new RegExp(`^\\{(${NAME})(?::(.+))?\\}$`)
const WILDCARD = new RegExp(`^\\{(${NAME})\\*\\}$`)

const parseConstraint = (text: string | undefined): Constraint => {
  if (text === undefined) return { kind: 'any' }
  if (text === 'int' || text === 'slug' || text === 'uuid') return { kind: text }
  const choices = text.split('|')
  if (choices.length < 2 || choices.includes('')) throw new SetupError(`unknown constraint: ${text}`)
  return { kind: 'one-of', choices }
}

const parseSegment = (text: string): Segment => {
  const wildcard = WILDCARD.exec(text)
  if (wildcard !== null) return { kind: 'wildcard', name: wildcard[1] }
  const param = PARAM.exec(text)
  if (param !== null) {
    return { kind: 'param', name: param[1], constraint: parseConstraint(param[2]) }
  }
  if (text === '' || /[{}]/.test(text)) throw new SetupError(`not a path segment: "${text}"`)
  return { kind: 'static', text }
}

/** Reads a pattern such as `/users/{id:int}/files/{path*}`. Throws SetupError. */
export const parsePattern = (text: string): Pattern => {
  if (!text.startsWith('/')) throw new SetupError(`a pattern starts with a slash: ${text}`)
  const slash = text.endsWith('/')
  const inner = text.slice(1, slash ? -1 : undefined)
  const segments = inner === '' ? [] : inner.split('/').map(parseSegment)
  const names = segments.flatMap((segment) => (segment.kind === 'static' ? [] : [segment.name]))
  if (new Set(names).size < names.length) throw new SetupError(`a name comes twice in ${text}`)
  const at = segments.findIndex(({ kind }) => kind === 'wildcard')
  if (at >= 0 && (at < segments.length - 1 || slash)) {
    throw new SetupError(`a wildcard stands at the end: ${text}`)
  }
  return { segments, slash }
}

/** The pattern of a route below the pattern of a mount. */
export const joinPatterns = (prefix: string, pattern: string): string =>
  pattern === '/' ? prefix : prefix.replace(/\/$/, '') + pattern

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a decoded segment may stand for a parameter; an empty one never does. */
export const satisfies = (constraint: Constraint, text: string): boolean => {
  switch (constraint.kind) {
    case 'any':
      return text !== ''
    case 'int':
      return /^-?\d+$/.test(text)
    case 'slug':
      return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text)
    case 'uuid':
      return UUID.test(text)
    case 'one-of':
      return constraint.choices.includes(text)
  }
}

/** The parameters when the decoded segments of a path fit, without regard to a last slash. */
export const matchSegments = (pattern: Pattern, path: readonly string[]): Params | undefined => {
  const params: Record<string, string> = {}
  for (const [at, segment] of pattern.segments.entries()) {
    if (segment.kind === 'wildcard') {
      const rest = path.slice(at).join('/')
      return rest === '' ? undefined : { ...params, [segment.name]: rest }
    }
    if (at >= path.length) return undefined
    if (segment.kind === 'static' && segment.text !== path[at]) return undefined
    if (segment.kind === 'param') {
      if (!satisfies(segment.constraint, path[at])) return undefined
      params[segment.name] = path[at]
    }
  }
  return pattern.segments.length === path.length ? params : undefined
}

const rankOf = (segment: Segment | undefined): number => {
  switch (segment?.kind) {
    case 'static':
      return 4
    case 'param':
      return segment.constraint.kind === 'any' ? 2 : 3
    case 'wildcard':
      return 1
    case undefined:
      return 0
  }
}

/** Sorts the more specific pattern first: decided by the first segment whose kinds differ. */
export const compareSpecificity = (a: Pattern, b: Pattern): number => {
  const length = Math.max(a.segments.length, b.segments.length)
  for (let at = 0; at < length; at += 1) {
    const order = rankOf(b.segments[at]) - rankOf(a.segments[at])
    if (order !== 0) return order
  }
  return 0
}

/** Two patterns with the same shape match the same paths, whatever their names. */
export const shapeOf = ({ segments, slash }: Pattern): string => {
  const parts = segments.map((segment) => {
    if (segment.kind === 'static') return `=${segment.text}`
    return segment.kind === 'wildcard' ? '*' : JSON.stringify(segment.constraint)
  })
  return parts.join('/') + (slash ? '/' : '')
}

/** Escapes what cannot stand in a path segment as it is. */
export const encodeSegment = (text: string): string =>
  encodeURIComponent(wellFormed(text)).replace(/%(?:40|3A|24|26|2B|2C|3B|3D)/g, decodeURIComponent)

const fillWildcard = (name: string, value: string): string => {
  const parts = value.split('/')
  if (parts[0] === '' || parts.some((part) => part === '.' || part === '..')) {
    throw new SetupError(`${name} cannot be ${JSON.stringify(value)}`)
  }
  return parts.map(encodeSegment).join('/')
}

/** Builds a path. Throws SetupError when a parameter is missing or would not match again. */
export const fillPattern = (pattern: Pattern, params: Readonly<Record<string, string | number>>) => {
  const parts = pattern.segments.map((segment) => {
    if (segment.kind === 'static') return encodeSegment(segment.text)
    if (!Object.hasOwn(params, segment.name)) throw new SetupError(`${segment.name} is missing`)
    const value = String(params[segment.name])
    if (segment.kind === 'wildcard') return fillWildcard(segment.name, value)
    if (!satisfies(segment.constraint, value) || value === '.' || value === '..') {
      throw new SetupError(`${segment.name} cannot be ${JSON.stringify(value)}`)
    }
    return encodeSegment(value)
  })
  return `/${parts.join('/')}${pattern.slash && parts.length > 0 ? '/' : ''}`
}
