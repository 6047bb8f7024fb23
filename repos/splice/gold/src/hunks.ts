import type { LineDiff } from './linediff.ts';
import { chomp, isBlank } from './lines.ts';
import type { Change } from './sequence.ts';

/** A line of a hunk. The text has its line end, if the file's line has one. */
export interface HunkLine {
  readonly kind: ' ' | '-' | '+';
  readonly text: string;
}

/**
 * Some changes and the lines around them. Starts are line numbers from 1; where there are no
 * lines (a count of 0), the number of the line before, as in the header of a unified diff.
 */
export interface Hunk {
  readonly aStart: number;
  readonly aCount: number;
  readonly bStart: number;
  readonly bCount: number;
  /** What follows the ranges in the header, such as the function it is in. */
  readonly heading: string;
  readonly lines: readonly HunkLine[];
}

export interface HunkOptions {
  /** Lines of context. Default: 3. */
  readonly context?: number;
  /** Leaves out hunks in which only blank lines come and go. */
  readonly ignoreBlankLines?: boolean;
  /** The last line before the hunk that matches becomes its heading. */
  readonly heading?: RegExp;
}

export function makeHunks(diff: LineDiff, options: HunkOptions = {}): Hunk[] {
  const { context = 3, ignoreBlankLines = false, heading } = options;
  return groups(diff.changes, context)
    .filter((group) => !(ignoreBlankLines && group.every((change) => isOnlyBlank(diff, change))))
    .map((group) => makeHunk(diff, group, context, heading));
}

/** Changes whose contexts touch or overlap stand in one hunk. */
function groups(changes: readonly Change[], context: number): Change[][] {
  const found: Change[][] = [];
  for (const change of changes) {
    const last = found.at(-1)?.at(-1);
    if (last !== undefined && change.aStart - last.aEnd <= 2 * context) {
      found.at(-1)?.push(change);
    } else {
      found.push([change]);
    }
  }
  return found;
}

function isOnlyBlank(diff: LineDiff, change: Change): boolean {
  return (
    diff.a.slice(change.aStart, change.aEnd).every(isBlank) &&
    diff.b.slice(change.bStart, change.bEnd).every(isBlank)
  );
}

function makeHunk(
  diff: LineDiff,
  group: readonly Change[],
  context: number,
  heading: RegExp | undefined,
): Hunk {
  const first = group[0] ?? { aStart: 0, aEnd: 0, bStart: 0, bEnd: 0 };
  const last = group.at(-1) ?? first;
  const before = Math.min(context, first.aStart);
  const after = Math.min(context, diff.a.length - last.aEnd);
  const lines: HunkLine[] = [];
  const put = (kind: HunkLine['kind'], texts: readonly string[]) =>
    texts.forEach((text) => lines.push({ kind, text }));
  let from = first.aStart - before;
  for (const change of group) {
    put(' ', diff.a.slice(from, change.aStart));
    put('-', diff.a.slice(change.aStart, change.aEnd));
    put('+', diff.b.slice(change.bStart, change.bEnd));
    from = change.aEnd;
  }
  put(' ', diff.a.slice(from, last.aEnd + after));
  return {
    ...ranges(first.aStart - before, first.bStart - before, lines),
    heading: findHeading(diff.a, first.aStart - before, heading),
    lines,
  };
}

/** The header's numbers for lines that begin at these indices. */
export function ranges(
  a: number,
  b: number,
  lines: readonly HunkLine[],
): Pick<Hunk, 'aStart' | 'aCount' | 'bStart' | 'bCount'> {
  const aCount = oldSide(lines).length;
  const bCount = newSide(lines).length;
  return { aStart: aCount === 0 ? a : a + 1, aCount, bStart: bCount === 0 ? b : b + 1, bCount };
}

/** Index of the first line of a range whose start and count stand in a header. */
export function startIndex(start: number, count: number): number {
  return count === 0 ? start : start - 1;
}

export function oldSide(lines: readonly HunkLine[]): string[] {
  return lines.filter((line) => line.kind !== '+').map((line) => line.text);
}

export function newSide(lines: readonly HunkLine[]): string[] {
  return lines.filter((line) => line.kind !== '-').map((line) => line.text);
}

function findHeading(lines: readonly string[], end: number, pattern: RegExp | undefined): string {
  if (pattern === undefined) {
    return '';
  }
  const found = lines.slice(0, end).findLast((line) => chomp(line).search(pattern) !== -1);
  return (found ?? '').trim();
}

/** The hunk that takes the change back. */
export function reverseHunk(hunk: Hunk): Hunk {
  const { aStart, aCount, bStart, bCount, heading } = hunk;
  const lines = reverseLines(hunk.lines);
  return { aStart: bStart, aCount: bCount, bStart: aStart, bCount: aCount, heading, lines };
}

/** Each run of changed lines again has the removed ones before the added ones. */
function reverseLines(lines: readonly HunkLine[]): HunkLine[] {
  const reversed: HunkLine[] = [];
  let held: HunkLine[] = [];
  for (const line of lines) {
    if (line.kind === '-') {
      held.push({ kind: '+', text: line.text });
    } else if (line.kind === '+') {
      reversed.push({ kind: '-', text: line.text });
    } else {
      reversed.push(...held, line);
      held = [];
    }
  }
  return [...reversed, ...held];
}
