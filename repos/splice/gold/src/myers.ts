import type { Match } from './sequence.ts';

/**
 * A shortest edit script by the greedy algorithm of Myers (1986), as its common parts.
 * Time and memory grow with the number of differences.
 */
export function myers(a: readonly number[], b: readonly number[]): Match[] {
  const { head, tail } = affixes(a, b);
  const inner = search(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return collect([
    { a: 0, b: 0, length: head },
    ...inner.map((match) => ({ ...match, a: match.a + head, b: match.b + head })),
    { a: a.length - tail, b: b.length - tail, length: tail },
  ]);
}

/** Lengths of what two sequences share at their start and, of the rest, at their end. */
export function affixes<T>(a: readonly T[], b: readonly T[]): { head: number; tail: number } {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) {
    head += 1;
  }
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) {
    tail += 1;
  }
  return { head, tail };
}

/** The same matches, without empty ones and with neighbours joined. */
export function collect(matches: readonly Match[]): Match[] {
  const joined: Match[] = [];
  for (const match of matches) {
    const last = joined.at(-1) ?? { a: -1, b: -1, length: 0 };
    if (match.length === 0) {
      continue;
    }
    if (last.a + last.length === match.a && last.b + last.length === match.b) {
      joined[joined.length - 1] = { ...last, length: last.length + match.length };
    } else {
      joined.push(match);
    }
  }
  return joined;
}

function search(a: readonly number[], b: readonly number[]): Match[] {
  const furthest = new Map<number, number>([[1, 0]]);
  const rounds: Map<number, number>[] = [];
  for (let d = 0; d <= a.length + b.length; d += 1) {
    rounds.push(new Map(furthest));
    for (let k = -d; k <= d; k += 2) {
      let x = goesDown(furthest, k, d) ? at(furthest, k + 1) : at(furthest, k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) {
        x += 1;
      }
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) {
        return trace(rounds, a.length, b.length);
      }
    }
  }
  return [];
}

function trace(rounds: readonly Map<number, number>[], aLength: number, bLength: number): Match[] {
  const matches: Match[] = [];
  let x = aLength;
  let y = bLength;
  for (let d = rounds.length - 1; d >= 0; d -= 1) {
    const k = x - y;
    const before = rounds[d] ?? new Map<number, number>();
    const down = goesDown(before, k, d);
    const fromX = d === 0 ? 0 : at(before, down ? k + 1 : k - 1);
    const fromY = d === 0 ? 0 : fromX - (down ? k + 1 : k - 1);
    const start = d === 0 ? 0 : down ? fromX : fromX + 1;
    matches.push({ a: start, b: start - k, length: x - start });
    x = fromX;
    y = fromY;
  }
  return collect(matches.reverse());
}

function goesDown(furthest: ReadonlyMap<number, number>, k: number, d: number): boolean {
  return k === -d || (k !== d && at(furthest, k - 1) < at(furthest, k + 1));
}

function at(furthest: ReadonlyMap<number, number>, k: number): number {
  return furthest.get(k) ?? -1;
}
