/** A value with parameters, such as `text/html;level=1`. Parameter names are in lower case. */
export type Item = {
  readonly value: string
  readonly params: readonly (readonly [name: string, value: string])[]
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

export const isToken = (text: string): boolean => TOKEN.test(text)

/**
 * Splits at a separator outside quoted strings. Parts are trimmed, empty ones left out.
 * A quoted string that is never closed reaches to the end.
 */
export const splitQuoted = (text: string, separator: ',' | ';'): string[] => {
  const parts: string[] = []
  let part = ''
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (quoted && char === '\\' && at + 1 < text.length) {
      part += char + text[at + 1]
      at += 1
    } else if (char === separator && !quoted) {
      parts.push(part)
      part = ''
    } else {
      if (char === '"') quoted = !quoted
      part += char
    }
  }
  parts.push(part)
  return parts.map((one) => one.trim()).filter((one) => one !== '')
}

/** A token as it is, anything else as a quoted string. */
export const quote = (text: string): string =>
  isToken(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`

/** The text of a token or quoted string; undefined when it is neither. */
export const unquote = (text: string): string | undefined => {
  if (isToken(text)) return text
  if (!/^"(?:[^"\\]|\\.)*"$/s.test(text)) return undefined
  return text.slice(1, -1).replace(/\\(.)/gs, '$1')
}

const parseParam = (text: string): readonly [string, string] | undefined => {
  const equals = text.indexOf('=')
  if (equals < 0) return undefined
  const name = text.slice(0, equals).trim()
  const value = unquote(text.slice(equals + 1).trim())
  return isToken(name) && value !== undefined ? [name.toLowerCase(), value] : undefined
}

/**
 * Reads `value;name=token;name="quoted"`. Parameters that are malformed are left out, and
 * of a repeated parameter the first counts. Undefined when there is no value before them.
 */
export const parseItem = (text: string): Item | undefined => {
  const semicolon = text.indexOf(';')
  const value = (semicolon < 0 ? text : text.slice(0, semicolon)).trim()
  if (value === '') return undefined
  const params: (readonly [string, string])[] = []
  for (const part of splitQuoted(semicolon < 0 ? '' : text.slice(semicolon), ';')) {
    const param = parseParam(part)
    if (param !== undefined && !params.some(([name]) => name === param[0])) params.push(param)
  }
  return { value, params }
}

/** Reads a comma-separated list of items. */
export const parseItems = (text: string): Item[] =>
  splitQuoted(text, ',').flatMap((part) => parseItem(part) ?? [])

export const formatItem = ({ value, params }: Item): string =>
  [value, ...params.map(([name, text]) => `${name}=${quote(text)}`)].join('; ')

export const paramOf = (item: Item, name: string): string | undefined =>
  item.params.find(([one]) => one === name.toLowerCase())?.[1]
