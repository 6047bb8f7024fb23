import { HttpError } from './errors.ts'
import { fieldValue, withField, withMembers } from './fields.ts'
import { chooseMediaType } from './negotiate.ts'
import { json, reasonOf, text } from './responses.ts'
import type { Middleware, Request, Response } from './types.ts'

export type Problem = Readonly<Record<string, unknown>> & {
  readonly type: string
  readonly title: string
  readonly status: number
}

const RESERVED = ['type', 'title', 'status', 'detail', 'instance']

/** The members of RFC 9457 in their order, then the extensions, which cannot replace them. */
export const problemOf = ({ status, detail, extras }: HttpError): Problem => {
  const { type = 'about:blank', title = reasonOf(status), instance, extensions = {} } = extras
  const own = Object.entries(extensions).filter(([name]) => !RESERVED.includes(name))
  return {
    type,
    title,
    status,
    ...(detail === undefined ? {} : { detail }),
    ...(instance === undefined ? {} : { instance }),
    ...Object.fromEntries(own),
  }
}

/** The answer for an error: problem JSON, or plain text where that is preferred. */
export const problemResponse = (request: Request, error: HttpError): Response => {
  const offers = ['application/problem+json', 'application/json', 'text/plain']
  const media = chooseMediaType(fieldValue(request.fields, 'Accept'), offers)
  const fields = withMembers(error.extras.fields ?? [], 'Vary', ['Accept'])
  const problem = problemOf(error)
  if (media === 'text/plain') {
    const lines = [`${error.status} ${problem.title}`, error.detail ?? '']
    return text(lines.join('\n').trimEnd(), error.status, fields)
  }
  const response = json(problem, error.status, fields)
  const type = media ?? 'application/problem+json'
  return { ...response, fields: withField(response.fields, 'Content-Type', type) }
}

/** Turns an error of the program into one for the client; undefined when it is not its kind. */
export type ErrorRule = (error: unknown) => HttpError | undefined

export type ErrorOptions = {
  readonly rules?: readonly ErrorRule[]
  /** Told of what no rule knows and of every error with a status from 500. */
  readonly report?: (error: unknown) => void
  /** Whether clients may read the messages of unknown errors. */
  readonly verbose?: boolean
}

/** A rule for a class of errors. */
export const mapClass = <E extends Error>(
  kind: new (...args: never[]) => E,
  map: (error: E) => HttpError,
): ErrorRule => (error) => (error instanceof kind ? map(error) : undefined)

/** A middleware that answers with a problem when the rest of the pipeline throws. */
export const catchErrors = (options: ErrorOptions = {}): Middleware => {
  const { rules = [], report = () => {}, verbose = false } = options

  const classify = (error: unknown): HttpError => {
    for (const rule of rules) {
      const mapped = rule(error)
      if (mapped !== undefined) return mapped
    }
    if (error instanceof HttpError) return error
    const detail = verbose && error instanceof Error ? error.message : undefined
    return new HttpError(500, detail)
  }

  return async (context, next) => {
    try {
      return await next()
    } catch (error) {
      const known = classify(error)
      if (known.status >= 500) report(error)
      return problemResponse(context.request, known)
    }
  }
}
