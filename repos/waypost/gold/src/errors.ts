import type { Fields } from './types.ts'

/** What else a problem says: RFC 9457 members, further members and fields of the response. */
export type ProblemExtras = {
  readonly type?: string
  readonly title?: string
  readonly instance?: string
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly fields?: Fields
}

/** Thrown by handlers and middleware to answer with a problem of that status. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly detail: string | undefined
  readonly extras: ProblemExtras

  constructor(status: number, detail?: string, extras: ProblemExtras = {}) {
    super(detail ?? `status ${status}`)
    this.status = status
    this.detail = detail
    this.extras = extras
  }
}

/** A mistake of the program, not of the client: bad patterns, unknown names, broken cookies. */
export class SetupError extends Error {
  override readonly name = 'SetupError'
}
