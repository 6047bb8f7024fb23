/** One header line. Names keep the case they were written in and compare without it. */
export type Field = readonly [name: string, value: string]
export type Fields = readonly Field[]

/** `target` is the origin form: an absolute path with an optional query (or `*` for OPTIONS). */
export type Request = {
  readonly method: string
  readonly target: string
  readonly fields: Fields
  readonly body: Uint8Array
}

export type Response = {
  readonly status: number
  readonly fields: Fields
  readonly body: Uint8Array
}

export type Params = Readonly<Record<string, string>>

/** What a handler sees. `now` is in milliseconds since 1970; `state` is for middleware to pass on. */
export type Context = {
  readonly request: Request
  readonly params: Params
  readonly now: number
  readonly state: Readonly<Record<string, unknown>>
}

export type Handler = (context: Context) => Response | Promise<Response>
export type Next = (context?: Context) => Promise<Response>
export type Middleware = (context: Context, next: Next) => Response | Promise<Response>
