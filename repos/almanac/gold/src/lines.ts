import { FormatError } from "./errors.ts";

/** One line of a calendar after comments are gone and continuations are joined. */
export interface LogicalLine {
  readonly number: number;
  readonly indented: boolean;
  readonly keyword: string;
  readonly rest: string;
}

/**
 * Splits a calendar text into logical lines. A line whose first mark is `#` is a
 * comment; a line that ends in a backslash goes on in the next one. The number of
 * a joined line is that of its first part.
 */
export function logicalLines(text: string): LogicalLine[] {
  const result: LogicalLine[] = [];
  let pending: { number: number; text: string } | undefined;
  const physical = text.split(/\r?\n/);
  physical.forEach((raw, index) => {
    if (pending === undefined && (raw.trim() === "" || raw.trim().startsWith("#"))) {
      return;
    }
    const whole = pending === undefined ? raw : `${pending.text} ${raw.trim()}`;
    const number = pending?.number ?? index + 1;
    pending = undefined;
    if (whole.endsWith("\\")) {
      pending = { number, text: whole.slice(0, -1).trimEnd() };
      return;
    }
    result.push(splitKeyword(number, whole));
  });
  if (pending !== undefined) {
    throw new FormatError(physical.length, "the text ends inside a continued line");
  }
  return result;
}

function splitKeyword(number: number, text: string): LogicalLine {
  const body = text.trim();
  const gap = body.search(/\s/);
  return {
    number,
    indented: /^\s/.test(text),
    keyword: gap < 0 ? body : body.slice(0, gap),
    rest: gap < 0 ? "" : body.slice(gap).trim(),
  };
}

/** Splits `a, b,c` at commas and drops empty parts. */
export function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
