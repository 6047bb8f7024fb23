import type { Key } from './compare.ts';
import { myers } from './myers.ts';
import { patience } from './patience.ts';

export type Algorithm = 'myers' | 'patience';

/** Replaces `a[aStart..aEnd)` by `b[bStart..bEnd)`; one of the two may be empty. */
export interface Change {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/** A common part: as many items of `b` from `b` as of `a` from `a`. */
export interface Match {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/**
 * The changes that make `b` of `a`, in order, never two side by side. A pure insertion or
 * deletion that could stand in several places stands in the lowest.
 */
export function diffSequences<T>(
  a: readonly T[],
  b: readonly T[],
  key: Key<T>,
  algorithm: Algorithm = 'myers',
): Change[] {
  const numbers = new Map<string, number>();
  const aIds = a.map((item) => number(numbers, key(item)));
  const bIds = b.map((item) => number(numbers, key(item)));
  const matches = algorithm === 'patience' ? patience(aIds, bIds) : myers(aIds, bIds);
  return slideDown(between(matches, a.length, b.length), aIds, bIds);
}

function number(numbers: Map<string, number>, key: string): number {
  const known = numbers.get(key);
  if (known !== undefined) {
    return known;
  }
  numbers.set(key, numbers.size);
  return numbers.size - 1;
}

/** What lies between the matches. */
function between(matches: readonly Match[], aLength: number, bLength: number): Change[] {
  const changes: Change[] = [];
  let a = 0;
  let b = 0;
  for (const match of [...matches, { a: aLength, b: bLength, length: 0 }]) {
    if (match.a > a || match.b > b) {
      changes.push({ aStart: a, aEnd: match.a, bStart: b, bEnd: match.b });
    }
    a = match.a + match.length;
    b = match.b + match.length;
  }
  return changes;
}

function slideDown(changes: Change[], a: readonly number[], b: readonly number[]): Change[] {
  const done: Change[] = [];
  for (const change of changes.toReversed()) {
    let now = change;
    for (;;) {
      const next = done.at(-1);
      if (next !== undefined && now.aEnd === next.aStart && now.bEnd === next.bStart) {
        done.pop();
        now = { ...now, aEnd: next.aEnd, bEnd: next.bEnd };
      } else if (canSlide(now, a, b)) {
        const { aStart, aEnd, bStart, bEnd } = now;
        now = { aStart: aStart + 1, aEnd: aEnd + 1, bStart: bStart + 1, bEnd: bEnd + 1 };
      } else {
        break;
      }
    }
    done.push(now);
  }
  return done.reverse();
}

function canSlide(change: Change, a: readonly number[], b: readonly number[]): boolean {
  const { aStart, aEnd, bStart, bEnd } = change;
  if (aEnd >= a.length || bEnd >= b.length) {
    return false;
  }
  if (aStart === aEnd) {
    return b[bStart] === b[bEnd];
  }
  return bStart === bEnd && a[aStart] === a[aEnd];
}

/** The common parts that the changes leave. */
export function common(changes: readonly Change[], aLength: number): Match[] {
  const matches: Match[] = [];
  let a = 0;
  let b = 0;
  for (const change of changes) {
    if (change.aStart > a) {
      matches.push({ a, b, length: change.aStart - a });
    }
    a = change.aEnd;
    b = change.bEnd;
  }
  if (aLength > a) {
    matches.push({ a, b, length: aLength - a });
  }
  return matches;
}
