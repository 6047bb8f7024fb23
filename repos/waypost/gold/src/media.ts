import { decodeUtf8, encodeUtf8 } from './bytes.ts'
import { formatItem, isToken, paramOf, parseItem, quote } from './syntax.ts'
import type { Item } from './syntax.ts'

/** Type, subtype and parameter names in lower case. */
export type MediaType = {
  readonly type: string
  readonly subtype: string
  readonly params: Item['params']
}

export const parseMediaType = (text: string): MediaType | undefined => {
  const item = parseItem(text)
  const [type, subtype, more] = item?.value.toLowerCase().split('/') ?? []
  if (item === undefined || more !== undefined) return undefined
  if (!isToken(type ?? '') || !isToken(subtype ?? '')) return undefined
  return { type, subtype, params: item.params }
}

export const formatMediaType = ({ type, subtype, params }: MediaType): string =>
  formatItem({ value: `${type}/${subtype}`, params })

/** The charset of a media type in lower case; `utf-8` unless it says otherwise. */
export const charsetOf = (media: MediaType): string =>
  (paramOf({ value: '', params: media.params }, 'charset') ?? 'utf-8').toLowerCase()

const escapeAttribute = (text: string): string =>
  Array.from(encodeUtf8(text), (byte) => {
    const char = String.fromCharCode(byte)
    const plain = byte < 0x80 && /[A-Za-z0-9!#$&+\-.^_`|~]/.test(char)
    return plain ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')

const readExtended = (text: string): string | undefined => {
  const [charset, , escaped] = text.split("'")
  if (escaped === undefined || /%(?![0-9A-Fa-f]{2})/.test(escaped)) return undefined
  const bytes = escaped.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  if (charset.toLowerCase() === 'iso-8859-1') return bytes
  if (charset.toLowerCase() !== 'utf-8') return undefined
  return decodeUtf8(Uint8Array.from(bytes, (char) => char.charCodeAt(0)))
}

/**
 * A Content-Disposition value. A name beyond printable ASCII is given twice: as `filename`
 * with `_` for each character outside of it, and whole as `filename*`.
 */
export const contentDisposition = (kind: 'attachment' | 'inline', filename?: string): string => {
  if (filename === undefined) return kind
  const base = filename.split(/[/\\]/).at(-1) ?? ''
  const ascii = Array.from(base, (char) => (/^[\x20-\x7e]$/.test(char) ? char : '_')).join('')
  const plain = `${kind}; filename=${quote(ascii)}`
  return ascii === base ? plain : `${plain}; filename*=UTF-8''${escapeAttribute(base)}`
}

/** The kind and file name of a Content-Disposition; `filename*` goes before `filename`. */
export const parseDisposition = (text: string): { kind: string; filename?: string } | undefined => {
  const item = parseItem(text)
  if (item === undefined) return undefined
  const kind = item.value.toLowerCase()
  const extended = readExtended(paramOf(item, 'filename*') ?? '')
  const filename = extended ?? paramOf(item, 'filename')
  return filename === undefined ? { kind } : { kind, filename }
}
