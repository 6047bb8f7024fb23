import { HttpError } from './errors.ts'
import { compose } from './pipeline.ts'
import { catchErrors } from './problems.ts'
import type { ErrorOptions } from './problems.ts'
import { splitTarget } from './query.ts'
import { applyRange } from './ranges.ts'
import { redirect } from './redirects.ts'
import { applyConditions, empty, finish } from './responses.ts'
import { createRouter } from './router.ts'
import type { Route, Router, RouterOptions } from './router.ts'
import type { Context, Middleware, Request, Response } from './types.ts'

export type AppOptions = RouterOptions & {
  readonly routes: readonly Route[]
  /** Middleware around all routes, the outermost first. */
  readonly use?: readonly Middleware[]
  readonly errors?: ErrorOptions
}

export type App = {
  readonly handle: (request: Request, now: number) => Promise<Response>
  readonly url: Router['url']
}

const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const dispatcher = (router: Router, own: ReadonlySet<string>) => async (context: Context) => {
  const { method, target } = context.request
  const { path, query } = splitTarget(target)
  const found = router.find(method, path)
  switch (found.kind) {
    case 'found': {
      const handler = compose(found.route.use ?? [], found.route.handler)
      return handler({ ...context, params: found.params })
    }
    case 'redirect': {
      const location = query === '' ? found.path : `${found.path}?${query}`
      return redirect(location, 'permanent')
    }
    case 'options':
      return empty(204, [['Allow', found.allow.join(', ')]])
    case 'not-allowed': {
      const fields = [['Allow', found.allow.join(', ')]] as const
      const known = KNOWN_METHODS.includes(method) || own.has(method)
      throw new HttpError(known ? 405 : 501, undefined, { fields })
    }
    case 'not-found':
      throw new HttpError(404)
    case 'bad-path':
      throw new HttpError(400, 'the path cannot be read')
  }
}

/**
 * Puts it all together: errors become problems, conditions and ranges are looked after, and
 * answers get Date and Content-Length. Throws SetupError for routes that cannot be.
 */
export const createApp = (options: AppOptions): App => {
  const router = createRouter(options.routes, options)
  const dispatch = dispatcher(router, new Set(options.routes.map(({ method }) => method)))
  const guarded = catchErrors(options.errors)

  const conditions: Middleware = async (context, next) =>
    applyConditions(context.request, await next(), context.now)

  const ranges: Middleware = async (context, next) =>
    applyRange(context.request, await next(), context.now)

  // Errors are caught twice: within the middleware, so that it sees their answers, and around it.
  const layers = [guarded, ranges, conditions, ...(options.use ?? []), guarded, conditions]
  const run = compose(layers, dispatch)

  const handle: App['handle'] = async (request, now) => {
    const response = await run({ request, params: {}, now, state: {} })
    return finish(request, response, now)
  }
  return { handle, url: router.url }
}
