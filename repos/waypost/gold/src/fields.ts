import { HttpError, SetupError } from './errors.ts'
import { isToken, splitQuoted } from './syntax.ts'
import type { Field, Fields } from './types.ts'

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The values of all lines of a field, in order. */
export const fieldLines = (fields: Fields, name: string): string[] =>
  fields.filter(([one]) => same(one, name)).map(([, value]) => value)

/**
 * The lines of a field as one value, or undefined when there is none. Lines are joined by
 * a comma, those of Cookie by a semicolon; of Set-Cookie only the first line is given.
 */
export const fieldValue = (fields: Fields, name: string): string | undefined => {
  const lines = fieldLines(fields, name)
  if (lines.length === 0) return undefined
  if (same(name, 'set-cookie')) return lines[0]
  return lines.join(same(name, 'cookie') ? '; ' : ', ')
}

export const hasField = (fields: Fields, name: string): boolean =>
  fields.some(([one]) => same(one, name))

/** Replaces all lines of a field by one, which takes the place of the first. */
export const withField = (fields: Fields, name: string, value: string): Fields => {
  const at = fields.findIndex(([one]) => same(one, name))
  if (at < 0) return [...fields, [name, value]]
  const rest = fields.slice(at + 1).filter(([one]) => !same(one, name))
  return [...fields.slice(0, at), [name, value], ...rest]
}

/** Sets a field unless it is there already. */
export const withDefault = (fields: Fields, name: string, value: string): Fields =>
  hasField(fields, name) ? fields : [...fields, [name, value]]

export const withLine = (fields: Fields, name: string, value: string): Fields => [
  ...fields,
  [name, value],
]

export const withoutField = (fields: Fields, ...names: string[]): Fields =>
  fields.filter(([one]) => !names.some((name) => same(one, name)))

/**
 * Adds members to a comma-separated field, each once whatever its case. A `*`, there or
 * added, stands for all members and is then the whole value.
 */
export const withMembers = (fields: Fields, name: string, members: readonly string[]): Fields => {
  const all = splitQuoted(fieldValue(fields, name) ?? '', ',')
  for (const member of members) {
    if (!all.some((one) => same(one, member))) all.push(member)
  }
  if (all.length === 0) return fields
  return withField(fields, name, all.includes('*') ? '*' : all.join(', '))
}

const parseLine = (line: string): Field => {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(colon, 0))
  if (!isToken(name)) throw new HttpError(400, `not a header line: ${line}`)
  return [name, line.slice(colon + 1).trim()]
}

/**
 * Reads header lines up to the first empty one. A line that starts with a blank goes on
 * with the value before it, with one space between. Throws HttpError 400.
 */
export const parseFields = (text: string): Fields => {
  const lines: string[] = []
  for (const line of text.split(/\r?\n/)) {
    if (line === '') break
    if (!/^[ \t]/.test(line)) lines.push(line)
    else if (lines.length === 0) throw new HttpError(400, 'the first header line is folded')
    else lines.push(`${(lines.pop() ?? '').trimEnd()} ${line.trim()}`)
  }
  return lines.map(parseLine)
}

/** Writes header lines. Throws SetupError on what would break out of its line. */
export const formatFields = (fields: Fields): string =>
  fields
    .map(([name, value]) => {
      if (!isToken(name)) throw new SetupError(`not a field name: ${name}`)
      if (/[\r\n\0]/.test(value)) throw new SetupError(`a line break in the value of ${name}`)
      return `${name}: ${value}\r\n`
    })
    .join('')
