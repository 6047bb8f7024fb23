import { parseDate } from './dates.ts'
import { fieldValue, hasField } from './fields.ts'
import type { Request } from './types.ts'

export type EntityTag = { readonly weak: boolean; readonly tag: string }

/** What a resource is at the moment: validators are given as far as they are known. */
export type ResourceState =
  | { readonly kind: 'missing' }
  | { readonly kind: 'present'; readonly etag?: EntityTag; readonly modified?: number }

export type Verdict = 'proceed' | 'not-modified' | 'failed'

const ETAG = /^(W\/)?"([\x21\x23-\x7e\x80-\uffff]*)"$/

export const parseEntityTag = (text: string): EntityTag | undefined => {
  const match = ETAG.exec(text.trim())
  return match === null ? undefined : { weak: match[1] !== undefined, tag: match[2] }
}

export const formatEntityTag = ({ weak, tag }: EntityTag): string => `${weak ? 'W/' : ''}"${tag}"`

/** `*`, or the tags of a list. A backslash is a plain character in a tag, and so is a comma. */
export const parseEntityTags = (text: string): '*' | EntityTag[] => {
  if (text.trim() === '*') return '*'
  const found = text.match(/(?:W\/)?"[^"]*"/g) ?? []
  return found.flatMap((one) => parseEntityTag(one) ?? [])
}

/** For ranges and writing: both tags strong and the same. */
export const strongMatch = (a: EntityTag, b: EntityTag): boolean =>
  !a.weak && !b.weak && a.tag === b.tag

/** For reading: the same tag, weak or not. */
export const weakMatch = (a: EntityTag, b: EntityTag): boolean => a.tag === b.tag

const matchesAny = (
  header: string,
  state: ResourceState,
  match: (a: EntityTag, b: EntityTag) => boolean,
): boolean => {
  if (state.kind === 'missing') return false
  const tags = parseEntityTags(header)
  if (tags === '*') return true
  const { etag } = state
  return etag !== undefined && tags.some((tag) => match(tag, etag))
}

/** Whether the resource was modified after the date; undefined when that cannot be said. */
const modifiedAfter = (header: string, state: ResourceState, now: number): boolean | undefined => {
  const date = parseDate(header, now)
  if (date === undefined || state.kind === 'missing' || state.modified === undefined) {
    return undefined
  }
  return Math.floor(state.modified / 1000) * 1000 > date
}

/**
 * Weighs the conditions of a request in the order of RFC 9110, 13.2.2: If-Match, else
 * If-Unmodified-Since; then If-None-Match, else (GET and HEAD) If-Modified-Since.
 */
export const checkConditions = (request: Request, state: ResourceState, now: number): Verdict => {
  const header = (name: string) => fieldValue(request.fields, name)
  const reads = request.method === 'GET' || request.method === 'HEAD'

  const match = header('If-Match')
  const unmodified = header('If-Unmodified-Since')
  if (match !== undefined) {
    if (!matchesAny(match, state, strongMatch)) return 'failed'
  } else if (unmodified !== undefined && modifiedAfter(unmodified, state, now) === true) {
    return 'failed'
  }

  const noneMatch = header('If-None-Match')
  const since = header('If-Modified-Since')
  if (noneMatch !== undefined) {
    if (matchesAny(noneMatch, state, weakMatch)) return reads ? 'not-modified' : 'failed'
  } else if (reads && since !== undefined && modifiedAfter(since, state, now) === false) {
    return 'not-modified'
  }
  return 'proceed'
}

/** Whether a request asks for the change of a known version only. */
export const isGuarded = ({ fields }: Request): boolean =>
  hasField(fields, 'If-Match') || hasField(fields, 'If-Unmodified-Since')
