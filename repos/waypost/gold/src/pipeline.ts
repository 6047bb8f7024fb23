import { SetupError } from './errors.ts'
import type { Context, Handler, Middleware, Response } from './types.ts'

/**
 * One handler out of middleware and a handler; the first middleware is the outermost. A
 * middleware may pass on another context than it got. Calling `next` twice throws SetupError.
 */
export const compose = (middleware: readonly Middleware[], handler: Handler) => {
  const run = async (at: number, context: Context): Promise<Response> => {
    const layer = middleware[at]
    if (layer === undefined) return handler(context)
    let called = false
    return layer(context, async (changed = context) => {
      if (called) throw new SetupError('next was called twice')
      called = true
      return run(at + 1, changed)
    })
  }
  return (context: Context) => run(0, context)
}

/** A context with one more value in its state. */
export const withState = (context: Context, key: string, value: unknown): Context => ({
  ...context,
  state: { ...context.state, [key]: value },
})

/** A middleware that applies only where the predicate holds. */
export const when = (test: (context: Context) => boolean, layer: Middleware): Middleware =>
  (context, next) => (test(context) ? layer(context, next) : next())
