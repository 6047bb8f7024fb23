import { chomp } from './lines.ts';
import { common, diffSequences } from './sequence.ts';
import type { Change } from './sequence.ts';

export interface Segment {
  readonly text: string;
  readonly changed: boolean;
}

/** What is different within a text: the old one and the new one in segments. */
export interface Refinement {
  readonly before: readonly Segment[];
  readonly after: readonly Segment[];
}

const TOKEN = /[\p{L}\p{N}\p{M}_]+|\s+|[^]/gu;

/** Words, runs of blanks, and every other character by itself. */
export function tokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

export function refine(before: string, after: string): Refinement {
  const a = tokens(before);
  const b = tokens(after);
  const changes = tokenChanges(a, b);
  return {
    before: segments(a, changes.map((change) => [change.aStart, change.aEnd])),
    after: segments(b, changes.map((change) => [change.bStart, change.bEnd])),
  };
}

/** `the [-quick-]{+slow+} fox` */
export function inlineWords(before: string, after: string): string {
  const a = tokens(before);
  const b = tokens(after);
  let text = '';
  let from = 0;
  for (const change of tokenChanges(a, b)) {
    text += a.slice(from, change.aStart).join('');
    const removed = a.slice(change.aStart, change.aEnd).join('');
    const added = b.slice(change.bStart, change.bEnd).join('');
    text += (removed === '' ? '' : `[-${removed}-]`) + (added === '' ? '' : `{+${added}+}`);
    from = change.aEnd;
  }
  return text + a.slice(from).join('');
}

/** How alike two lines are, from 0 to 1, by their words; blanks and line ends do not count. */
export function likeness(before: string, after: string): number {
  const a = tokens(chomp(before)).filter((token) => token.trim() !== '');
  const b = tokens(chomp(after)).filter((token) => token.trim() !== '');
  const size = length(a) + length(b);
  if (size === 0) {
    return 1;
  }
  const shared = common(tokenChanges(a, b), a.length).flatMap((match) =>
    a.slice(match.a, match.a + match.length),
  );
  return (2 * length(shared)) / size;
}

/** Pairs of an old line and a new line that became of it. */
export type LinePair = readonly [before: number, after: number];

/**
 * The old lines that live on in new ones: pairs in order, at least half alike, chosen so that
 * they are as alike as possible in sum.
 */
export function pairLines(before: readonly string[], after: readonly string[]): LinePair[] {
  const best = before.map(() => after.map(() => 0));
  const alike = before.map((one) => after.map((two) => likeness(one, two)));
  const sum = (i: number, j: number) => best[i]?.[j] ?? 0;
  const gain = (i: number, j: number) => {
    const value = alike[i]?.[j] ?? 0;
    return value >= 0.5 ? value + sum(i + 1, j + 1) : 0;
  };
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      (best[i] ?? [])[j] = Math.max(sum(i + 1, j), sum(i, j + 1), gain(i, j));
    }
  }
  const pairs: LinePair[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length && j < after.length) {
    if (sum(i, j) > 0 && sum(i, j) === gain(i, j)) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if (sum(i + 1, j) === sum(i, j)) {
      i += 1;
    } else {
      j += 1;
    }
  }
  return pairs;
}

function tokenChanges(a: readonly string[], b: readonly string[]): Change[] {
  return diffSequences(a, b, (token) => token);
}

function length(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function segments(all: readonly string[], ranges: readonly (readonly number[])[]): Segment[] {
  const found: Segment[] = [];
  let from = 0;
  for (const [start = 0, end = 0] of [...ranges, [all.length, all.length]]) {
    found.push({ text: all.slice(from, start).join(''), changed: false });
    found.push({ text: all.slice(start, end).join(''), changed: true });
    from = end;
  }
  return found.filter((segment) => segment.text !== '');
}
