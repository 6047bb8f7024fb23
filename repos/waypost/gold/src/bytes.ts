/** Replaces lone surrogates by U+FFFD. */
export const wellFormed = (text: string): string => text.replace(/[\ud800-\udfff]/gu, '\ufffd')

/** Text as UTF-8. A lone surrogate becomes U+FFFD. */
export const encodeUtf8 = (text: string): Uint8Array => {
  const out: number[] = []
  for (const char of wellFormed(text)) {
    const code = char.codePointAt(0) ?? 0
    if (code < 0x80) out.push(code)
    else if (code < 0x800) out.push(0xc0 | (code >> 6), 0x80 | (code & 0x3f))
    else if (code < 0x10000) {
      out.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f))
    } else {
      out.push(
        0xf0 | (code >> 18),
        0x80 | ((code >> 12) & 0x3f),
        0x80 | ((code >> 6) & 0x3f),
        0x80 | (code & 0x3f),
      )
    }
  }
  return Uint8Array.from(out)
}

const sequenceLength = (lead: number): number => {
  if (lead < 0x80) return 1
  if (lead >= 0xc2 && lead < 0xe0) return 2
  if (lead >= 0xe0 && lead < 0xf0) return 3
  if (lead >= 0xf0 && lead < 0xf5) return 4
  return 0
}

const decodeSequence = (bytes: Uint8Array): string => {
  let escaped = ''
  for (const byte of bytes) escaped += `%${byte.toString(16).padStart(2, '0')}`
  try {
    return decodeURIComponent(escaped)
  } catch {
    return ''
  }
}

/** UTF-8 as text. Each byte that belongs to no character becomes U+FFFD. */
export const decodeUtf8 = (bytes: Uint8Array): string => {
  let out = ''
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at])
    const char = length === 0 ? '' : decodeSequence(bytes.subarray(at, at + length))
    out += char === '' ? '\ufffd' : char
    at += char === '' ? 1 : length
  }
  return out
}

export const concatBytes = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** FNV-1a over the bytes, as eight hexadecimal digits. */
export const fingerprint = (bytes: Uint8Array): string => {
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}
