export type LineEnd = '\n' | '\r\n' | '';

/**
 * The lines of a text, each with its end. Only the last one may lack an end; an empty
 * text has no lines. A lone carriage return is an ordinary character.
 */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end + 1;
    lines.push(text.slice(start, next));
    start = next;
  }
  return lines;
}

export function joinLines(lines: readonly string[]): string {
  return lines.join('');
}

export function endOf(line: string): LineEnd {
  if (line.endsWith('\r\n')) {
    return '\r\n';
  }
  return line.endsWith('\n') ? '\n' : '';
}

/** A line without its end. */
export function chomp(line: string): string {
  return line.slice(0, line.length - endOf(line).length);
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** The line end that most of the lines have; a plain newline if there is no majority. */
export function commonEnd(lines: readonly string[]): '\n' | '\r\n' {
  let balance = 0;
  for (const line of lines) {
    const end = endOf(line);
    balance += end === '\r\n' ? 1 : end === '\n' ? -1 : 0;
  }
  return balance > 0 ? '\r\n' : '\n';
}

/** The same line, with an end even if it had none. */
export function closed(line: string, end: '\n' | '\r\n'): string {
  return endOf(line) === '' ? line + end : line;
}
