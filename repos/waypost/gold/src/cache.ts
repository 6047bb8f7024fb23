import {
  currentAge, judgeReuse, matchesVary, mayStore, parseCacheControl, refreshed, revalidation,
} from './caching.ts'
import type { Stored } from './caching.ts'
import { formatDate } from './dates.ts'
import { HttpError } from './errors.ts'
import { fieldValue, withDefault, withField, withoutField } from './fields.ts'
import type { Context, Middleware, Next, Request, Response } from './types.ts'

export type CacheOptions = {
  readonly shared?: boolean
  /** How many targets are kept; the one unused for longest goes first. */
  readonly capacity?: number
}

const withAge = (response: Response, age: number, status: string): Response => ({
  ...response,
  fields: withField(withField(response.fields, 'Age', String(age)), 'X-Cache', status),
})

const isSafe = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method)

/** Conditions and ranges of the client are for the answer as a whole, not for the store. */
const plain = (request: Request): Request => ({
  ...request,
  fields: withoutField(
    request.fields,
    'If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since', 'If-Range', 'Range',
  ),
})

/**
 * A middleware that keeps answers to GET and gives them again as RFC 9111 permits. Answers
 * say `X-Cache: hit`, `stale`, `revalidated` or `miss`. A change (any unsafe method that
 * succeeds) drops what is kept for its target.
 */
export const cache = (options: CacheOptions = {}): Middleware => {
  const { shared = true, capacity = 100 } = options
  const store = new Map<string, Stored[]>()

  const keep = (target: string, variants: Stored[]): void => {
    store.delete(target)
    store.set(target, variants)
    const [oldest] = store.keys()
    if (store.size > capacity && oldest !== undefined) store.delete(oldest)
  }

  const save = (stored: Stored): void => {
    const { target } = stored.request
    const others = (store.get(target) ?? []).filter((one) => !matchesVary(stored.request, one))
    keep(target, [...others, stored])
  }

  const fetchWith = async (context: Context, request: Request, next: Next) => {
    const { status, fields, body } = await next({ ...context, request })
    const response = { status, fields: withDefault(fields, 'Date', formatDate(context.now)), body }
    return { request, response, requestedAt: context.now, receivedAt: context.now }
  }

  const find = (request: Request): Stored | undefined => {
    const variants = store.get(request.target)
    const found = variants?.filter((one) => matchesVary(request, one)).at(-1)
    if (variants !== undefined && found !== undefined) keep(request.target, variants)
    return found
  }

  const confirm = async (context: Context, request: Request, stored: Stored, next: Next) => {
    const asked = await fetchWith(context, revalidation(request, stored), next)
    const fetched = { ...asked, request }
    if (fetched.response.status === 304) {
      const response = refreshed(stored, fetched.response)
      save({ ...fetched, response })
      return withAge(response, 0, 'revalidated')
    }
    const { staleIfError } = parseCacheControl(
      fieldValue(stored.response.fields, 'Cache-Control') ?? '',
    )
    const age = currentAge(stored, context.now)
    if (fetched.response.status >= 500 && staleIfError !== undefined) {
      const lifetime = judgeReuse(
        { ...request, fields: [['Cache-Control', `max-stale=${staleIfError}`]] },
        stored, context.now, shared,
      )
      if (lifetime.kind !== 'revalidate') return withAge(stored.response, age, 'stale')
    }
    return remember(fetched)
  }

  const remember = (fetched: Stored): Response => {
    if (mayStore(fetched.request, fetched.response, shared)) save(fetched)
    return { ...fetched.response, fields: withField(fetched.response.fields, 'X-Cache', 'miss') }
  }

  return async (context, next) => {
    const { method, target, fields } = context.request
    if (!isSafe(method)) {
      const response = await next()
      if (response.status >= 200 && response.status < 400) store.delete(target)
      return response
    }
    if (method !== 'GET') return next()
    const request = plain(context.request)
    const stored = find(request)
    if (stored !== undefined) {
      const reuse = judgeReuse(request, stored, context.now, shared)
      if (reuse.kind === 'fresh') return withAge(stored.response, reuse.age, 'hit')
      if (reuse.kind === 'stale') return withAge(stored.response, reuse.age, 'stale')
    }
    if (parseCacheControl(fieldValue(fields, 'Cache-Control') ?? '').onlyIfCached) {
      throw new HttpError(504, 'nothing usable in the cache')
    }
    if (stored !== undefined) return confirm(context, request, stored, next)
    return remember(await fetchWith(context, request, next))
  }
}
