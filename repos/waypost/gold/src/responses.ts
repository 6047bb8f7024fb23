import { encodeUtf8, fingerprint } from './bytes.ts'
import { checkConditions, formatEntityTag, isGuarded, parseEntityTag } from './conditions.ts'
import type { ResourceState } from './conditions.ts'
import { formatDate, parseDate } from './dates.ts'
import { HttpError } from './errors.ts'
import { fieldValue, hasField, withField, withoutField } from './fields.ts'
import type { Fields, Request, Response } from './types.ts'

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  422: 'Unprocessable Content',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** The usual phrase of an error status, or that of its class. */
export const reasonOf = (status: number): string =>
  REASONS[status] ?? REASONS[Math.floor(status / 100) * 100] ?? 'Unknown'

const withBody = (status: number, type: string, body: string, fields: Fields): Response => ({
  status,
  fields: withField(fields, 'Content-Type', type),
  body: encodeUtf8(body),
})

export const text = (body: string, status = 200, fields: Fields = []): Response =>
  withBody(status, 'text/plain; charset=utf-8', body, fields)

export const html = (body: string, status = 200, fields: Fields = []): Response =>
  withBody(status, 'text/html; charset=utf-8', body, fields)

export const json = (value: unknown, status = 200, fields: Fields = []): Response =>
  withBody(status, 'application/json', JSON.stringify(value), fields)

export const empty = (status = 204, fields: Fields = []): Response => ({
  status,
  fields,
  body: new Uint8Array(),
})

/** Adds validators: the given moment of change, and a strong tag made from the bytes. */
export const withValidators = (response: Response, modified?: number): Response => {
  const tag = formatEntityTag({ weak: false, tag: fingerprint(response.body) })
  const fields = withField(response.fields, 'ETag', tag)
  if (modified === undefined) return { ...response, fields }
  return { ...response, fields: withField(fields, 'Last-Modified', formatDate(modified)) }
}

const stateOf = (response: Response, now: number): ResourceState => {
  const etag = parseEntityTag(fieldValue(response.fields, 'ETag') ?? '')
  const modified = parseDate(fieldValue(response.fields, 'Last-Modified') ?? '', now)
  return {
    kind: 'present',
    ...(etag === undefined ? {} : { etag }),
    ...(modified === undefined ? {} : { modified }),
  }
}

/** Answers 304 or 412 instead when the validators of a good answer to GET or HEAD say so. */
export const applyConditions = (request: Request, response: Response, now: number): Response => {
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (!reads || response.status !== 200) return response
  switch (checkConditions(request, stateOf(response, now), now)) {
    case 'proceed':
      return response
    case 'failed':
      throw new HttpError(412, 'the representation is another one')
    case 'not-modified': {
      const fields = withoutField(
        response.fields, 'Content-Type', 'Content-Length', 'Content-Encoding', 'Content-Language',
      )
      return empty(304, fields)
    }
  }
}

/**
 * For handlers that change something: throws HttpError 412 when a condition of the request
 * does not hold, and 428 when there is none although one is required.
 */
export const requireConditions = (
  request: Request,
  state: ResourceState,
  now: number,
  required = false,
): void => {
  if (required && state.kind === 'present' && !isGuarded(request)) {
    throw new HttpError(428, 'say with If-Match which version is to be changed')
  }
  if (checkConditions(request, state, now) === 'failed') {
    throw new HttpError(412, 'the resource is not in the state that was expected')
  }
}

/** Adds Date and Content-Length, and takes away the body where there must be none. */
export const finish = (request: Request, response: Response, now: number): Response => {
  const { status } = response
  let { fields } = response
  if (!hasField(fields, 'Date')) fields = [...fields, ['Date', formatDate(now)]]
  if (status < 200 || status === 204) {
    return { status, fields: withoutField(fields, 'Content-Length'), body: new Uint8Array() }
  }
  if (status === 304) return { status, fields, body: new Uint8Array() }
  fields = withField(fields, 'Content-Length', String(response.body.length))
  return { status, fields, body: request.method === 'HEAD' ? new Uint8Array() : response.body }
}
