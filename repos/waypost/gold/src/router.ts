import { SetupError } from './errors.ts'
import {
  compareSpecificity, encodeSegment, fillPattern, joinPatterns, matchSegments, parsePattern,
  shapeOf,
} from './pattern.ts'
import type { Pattern } from './pattern.ts'
import { formatQuery } from './query.ts'
import type { Pairs } from './query.ts'
import type { Handler, Middleware, Params } from './types.ts'

export type Route = {
  readonly method: string
  readonly pattern: string
  readonly handler: Handler
  readonly name?: string
  readonly use?: readonly Middleware[]
}

export type RouterOptions = {
  /** What happens to a path that differs from a pattern in its last slash only. */
  readonly slashes?: 'strict' | 'redirect' | 'ignore'
}

export type Found =
  | { readonly kind: 'found'; readonly route: Route; readonly params: Params }
  | { readonly kind: 'redirect'; readonly path: string }
  | { readonly kind: 'options'; readonly allow: readonly string[] }
  | { readonly kind: 'not-allowed'; readonly allow: readonly string[] }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'bad-path' }

export type Router = {
  readonly find: (method: string, path: string) => Found
  readonly url: (
    name: string,
    params?: Readonly<Record<string, string | number>>,
    query?: Pairs,
  ) => string
}

type RouteExtras = { readonly name?: string; readonly use?: readonly Middleware[] }

export const route = (
  method: string,
  pattern: string,
  handler: Handler,
  extras: RouteExtras = {},
): Route => ({ method: method.toUpperCase(), pattern, handler, ...extras })

/**
 * Routes below a prefix. Their names, if any, follow the name of the mount and a dot; the
 * middleware of the mount runs before that of the routes.
 */
export const mount = (prefix: string, routes: readonly Route[], extras: RouteExtras = {}): Route[] =>
  routes.map((one) => {
    const name = extras.name === undefined || one.name === undefined
      ? one.name
      : `${extras.name}.${one.name}`
    const use = [...(extras.use ?? []), ...(one.use ?? [])]
    const { method, handler } = one
    const pattern = joinPatterns(prefix, one.pattern)
    return { method, pattern, handler, use, ...(name === undefined ? {} : { name }) }
  })

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The value of Allow: HEAD comes with GET, and OPTIONS is always there, as the last. */
const allowOf = (methods: Iterable<string>): string[] => {
  const all = new Set(methods)
  if (all.has('GET')) all.add('HEAD')
  all.delete('OPTIONS')
  const rest = [...all].filter((method) => !METHODS.includes(method)).sort()
  return [...METHODS.filter((method) => all.has(method)), ...rest, 'OPTIONS']
}

/** Drops `.` segments, and `..` with the segment before it. */
const removeDots = (segments: readonly string[]): string[] => {
  const kept: string[] = []
  for (const [at, segment] of segments.entries()) {
    const dots = segment === '.' || segment === '..'
    if (segment === '..') kept.pop()
    if (!dots) kept.push(segment)
    else if (at === segments.length - 1) kept.push('')
  }
  return kept
}

type Path = { readonly segments: readonly string[]; readonly slash: boolean }

/** The decoded segments of a path; undefined when an escape is broken. */
const splitPath = (path: string): Path | undefined => {
  try {
    const segments = removeDots(path.slice(1).split('/').map(decodeURIComponent))
    const slash = segments.at(-1) === ''
    return { segments: slash ? segments.slice(0, -1) : segments, slash }
  } catch {
    return undefined
  }
}

type Compiled = Route & { readonly parsed: Pattern }

const compile = (routes: readonly Route[]): Compiled[] => {
  const seen = new Set<string>()
  return routes
    .map((one) => {
      const parsed = parsePattern(one.pattern)
      const key = `${one.method} ${shapeOf(parsed)}`
      if (seen.has(key)) throw new SetupError(`two routes for ${one.method} ${one.pattern}`)
      seen.add(key)
      return { ...one, parsed }
    })
    .sort((a, b) => compareSpecificity(a.parsed, b.parsed))
}

const namesOf = (routes: readonly Compiled[]): ReadonlyMap<string, Pattern> => {
  const names = new Map<string, Pattern>()
  for (const { name, parsed } of routes) {
    if (name === undefined) continue
    const other = names.get(name)
    if (other !== undefined && shapeOf(other) !== shapeOf(parsed)) {
      throw new SetupError(`two patterns are named ${name}`)
    }
    names.set(name, parsed)
  }
  return names
}

/** Compiles routes. Throws SetupError on routes or names that are in each other's way. */
export const createRouter = (routes: readonly Route[], options: RouterOptions = {}): Router => {
  const { slashes = 'redirect' } = options
  const compiled = compile(routes)
  const names = namesOf(compiled)

  const isWild = ({ segments }: Pattern) => segments.at(-1)?.kind === 'wildcard'

  const matching = (path: Path, exact: boolean) =>
    compiled.flatMap((one) => {
      const wild = isWild(one.parsed)
      if (exact && !wild && one.parsed.slash !== path.slash) return []
      const segments = wild && path.slash ? [...path.segments, ''] : path.segments
      const params = matchSegments(one.parsed, segments)
      return params === undefined ? [] : [{ route: one, params }]
    })

  const pick = (method: string, matches: ReturnType<typeof matching>): Found => {
    const wanted = method === 'HEAD' ? ['HEAD', 'GET'] : [method]
    const first = matches.find((one) => wanted.includes(one.route.method))
    if (first !== undefined) {
      const shape = shapeOf(first.route.parsed)
      const own = matches.find(
        ({ route: { parsed, method: other } }) => other === method && shapeOf(parsed) === shape,
      )
      const { route: { parsed: _, ...plain }, params } = own ?? first
      return { kind: 'found', route: plain, params }
    }
    const allow = allowOf(matches.map((one) => one.route.method))
    return { kind: method === 'OPTIONS' ? 'options' : 'not-allowed', allow }
  }

  const find = (method: string, text: string): Found => {
    if (text === '*' && method === 'OPTIONS') {
      return { kind: 'options', allow: allowOf(compiled.map((one) => one.method)) }
    }
    const path = text.startsWith('/') ? splitPath(text) : undefined
    if (path === undefined) return { kind: 'bad-path' }
    const exact = matching(path, slashes !== 'ignore')
    if (exact.length > 0) return pick(method, exact)
    if (slashes === 'redirect' && matching(path, false).length > 0) {
      const bare = `/${path.segments.map(encodeSegment).join('/')}`
      return { kind: 'redirect', path: path.slash ? bare : `${bare}/` }
    }
    return { kind: 'not-found' }
  }

  const url: Router['url'] = (name, params = {}, query = []) => {
    const pattern = names.get(name)
    if (pattern === undefined) throw new SetupError(`no route is named ${name}`)
    const path = fillPattern(pattern, params)
    return query.length === 0 ? path : `${path}?${formatQuery(query)}`
  }

  return { find, url }
}
