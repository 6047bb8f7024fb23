import { fieldValue } from './fields.ts'
import { parseMediaType } from './media.ts'
import type { MediaType } from './media.ts'
import { parseItems } from './syntax.ts'
import type { Item } from './syntax.ts'
import type { Fields } from './types.ts'

/** A member of an Accept field. Weights are in thousandths, so that they compare exactly. */
export type Preference = {
  readonly value: string
  readonly params: Item['params']
  readonly weight: number
}

/** How one preference covers an offer: the greater, the more specific. Undefined: not at all. */
type Cover = (preference: Preference, offer: string) => number | undefined

const parseWeight = (text: string): number | undefined =>
  /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Math.round(Number(text) * 1000) : undefined

/**
 * Reads a field of the Accept family. A member without `q` weighs 1000, one with a broken
 * `q` is left out. Parameters after `q` are no part of the member.
 */
export const parsePreferences = (text: string): Preference[] =>
  parseItems(text).flatMap(({ value, params }) => {
    const at = params.findIndex(([name]) => name === 'q')
    const weight = at < 0 ? 1000 : parseWeight(params[at][1])
    const own = at < 0 ? params : params.slice(0, at)
    return weight === undefined ? [] : [{ value: value.toLowerCase(), params: own, weight }]
  })

/** The weight that the most specific preference gives an offer; undefined when none covers it. */
const weigh = (preferences: readonly Preference[], offer: string, cover: Cover) => {
  let best = -1
  let weight: number | undefined
  for (const preference of preferences) {
    const rank = cover(preference, offer)
    if (rank !== undefined && rank > best) {
      best = rank
      weight = preference.weight
    }
  }
  return weight
}

/** The first of the offers with the greatest weight above zero. */
const heaviest = (offers: readonly string[], weightOf: (offer: string) => number) => {
  let best: string | undefined
  let most = 0
  for (const offer of offers) {
    const weight = weightOf(offer)
    if (weight > most) {
      best = offer
      most = weight
    }
  }
  return best
}

const holdsParams = (media: MediaType, wanted: Item['params']): boolean =>
  wanted.every(([name, value]) =>
    media.params.some(([one, has]) => one === name && has.toLowerCase() === value.toLowerCase()),
  )

const coverMedia: Cover = ({ value, params }, offer) => {
  const media = parseMediaType(offer)
  if (media === undefined) return undefined
  if (value === '*/*') return 0
  const [type, subtype] = value.split('/')
  if (type !== media.type) return undefined
  if (subtype === '*') return 1
  return subtype === media.subtype && holdsParams(media, params) ? 2 + params.length : undefined
}

const coverLanguage: Cover = ({ value }, offer) => {
  if (value === '*') return 0
  const tag = offer.toLowerCase()
  return tag === value || tag.startsWith(`${value}-`) ? value.length : undefined
}

/** A request for `de-AT` is served with `de` when nothing is nearer. */
const coverShorter: Cover = ({ value }, offer) =>
  value.startsWith(`${offer.toLowerCase()}-`) ? value.length : undefined

const coverName: Cover = ({ value }, offer) => {
  if (value === '*') return 0
  return value === offer.toLowerCase() ? 1 : undefined
}

const coverCoding: Cover = (preference, offer) =>
  coverName({ ...preference, value: preference.value.replace(/^x-(?=gzip$|compress$)/, '') }, offer)

const isBlank = (header: string | undefined): header is undefined =>
  header === undefined || header.trim() === ''

type Weigher = (offer: string) => number

const mediaWeigher = (header: string | undefined): Weigher => {
  if (isBlank(header)) return () => 1000
  const preferences = parsePreferences(header)
  return (offer) => weigh(preferences, offer, coverMedia) ?? 0
}

const charsetWeigher = (header: string | undefined): Weigher => {
  if (isBlank(header)) return () => 1000
  const preferences = parsePreferences(header)
  return (offer) => weigh(preferences, offer, coverName) ?? 0
}

/** Identity is acceptable unless excluded, but anything that was asked for goes before it. */
const codingWeigher = (header: string | undefined): Weigher => {
  const preferences = parsePreferences(header ?? '')
  return (offer) => {
    const weight = weigh(preferences, offer, coverCoding)
    if (offer !== 'identity') return weight ?? 0
    const named = preferences.some(({ value }) => value === 'identity')
    if (named || weight === 0) return weight ?? 0
    return 0.5
  }
}

const languageWeigher = (header: string | undefined, offers: readonly string[]): Weigher => {
  if (isBlank(header)) return () => 1000
  const preferences = parsePreferences(header)
  const direct: Weigher = (offer) => weigh(preferences, offer, coverLanguage) ?? 0
  if (offers.some((offer) => direct(offer) > 0)) return direct
  const wanted = preferences.filter(({ weight }) => weight > 0)
  const excluded = (offer: string) => weigh(preferences, offer, coverLanguage) === 0
  return (offer) => (excluded(offer) ? 0 : (weigh(wanted, offer, coverShorter) ?? 0))
}

/** The media type to answer with, or undefined when none is acceptable. */
export const chooseMediaType = (header: string | undefined, offers: readonly string[]) =>
  heaviest(offers, mediaWeigher(header))

export const chooseCharset = (header: string | undefined, offers: readonly string[]) =>
  heaviest(offers, charsetWeigher(header))

export const chooseLanguage = (header: string | undefined, offers: readonly string[]) =>
  heaviest(offers, languageWeigher(header, offers))

/** The content coding to answer with; `identity` is always among the offers. */
export const chooseEncoding = (header: string | undefined, offers: readonly string[]) =>
  heaviest([...offers.filter((offer) => offer !== 'identity'), 'identity'], codingWeigher(header))

/** One form in which a resource can be had. */
export type Variant = {
  readonly media?: string
  readonly language?: string
  readonly charset?: string
  readonly encoding?: string
}

export type Negotiated<V extends Variant> =
  | { readonly kind: 'chosen'; readonly variant: V; readonly vary: readonly string[] }
  | { readonly kind: 'none'; readonly vary: readonly string[] }

const DIMENSIONS = [
  ['media', 'Accept', mediaWeigher],
  ['language', 'Accept-Language', languageWeigher],
  ['charset', 'Accept-Charset', charsetWeigher],
  ['encoding', 'Accept-Encoding', codingWeigher],
] as const

/**
 * Chooses among variants by the product of the weights of their properties; the earlier
 * variant wins a tie. `vary` names the fields that a choice depends on: those of properties
 * in which the variants differ.
 */
export const negotiate = <V extends Variant>(
  fields: Fields,
  variants: readonly V[],
): Negotiated<V> => {
  const scores = variants.map(() => 1)
  const vary: string[] = []
  for (const [property, name, weigher] of DIMENSIONS) {
    const values = variants.map((variant) => variant[property])
    if (new Set(values).size > 1) vary.push(name)
    const offers = values.filter((value) => value !== undefined)
    const weightOf = weigher(fieldValue(fields, name), offers)
    values.forEach((value, at) => {
      if (value !== undefined) scores[at] *= weightOf(value) / 1000
    })
  }
  const top = Math.max(0, ...scores)
  if (top === 0) return { kind: 'none', vary }
  return { kind: 'chosen', variant: variants[scores.indexOf(top)], vary }
}
