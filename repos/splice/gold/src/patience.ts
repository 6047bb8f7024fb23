import { affixes, collect, myers } from './myers.ts';
import type { Match } from './sequence.ts';

/**
 * Patience diff: first the items that occur exactly once on both sides, in the longest order
 * that both share, then the same between them. Where there are none, Myers decides.
 */
export function patience(a: readonly number[], b: readonly number[]): Match[] {
  return collect(between(a, b));
}

function between(a: readonly number[], b: readonly number[]): Match[] {
  const { head, tail } = affixes(a, b);
  const aInner = a.slice(head, a.length - tail);
  const bInner = b.slice(head, b.length - tail);
  return [
    { a: 0, b: 0, length: head },
    ...shifted(inner(aInner, bInner), head, head),
    { a: a.length - tail, b: b.length - tail, length: tail },
  ];
}

function inner(a: readonly number[], b: readonly number[]): Match[] {
  const anchors = longestRising(uniquePairs(a, b));
  if (anchors.length === 0) {
    return myers(a, b);
  }
  const matches: Match[] = [];
  let aFrom = 0;
  let bFrom = 0;
  for (const anchor of [...anchors, { a: a.length, b: b.length }]) {
    const gap = between(a.slice(aFrom, anchor.a), b.slice(bFrom, anchor.b));
    matches.push(...shifted(gap, aFrom, bFrom));
    if (anchor.a < a.length) {
      matches.push({ ...anchor, length: 1 });
    }
    aFrom = anchor.a + 1;
    bFrom = anchor.b + 1;
  }
  return matches;
}

function shifted(matches: readonly Match[], a: number, b: number): Match[] {
  return matches.map((match) => ({ a: match.a + a, b: match.b + b, length: match.length }));
}

interface Pair {
  readonly a: number;
  readonly b: number;
}

function uniquePairs(a: readonly number[], b: readonly number[]): Pair[] {
  const inB = places(b);
  const pairs: Pair[] = [];
  for (const [item, [place, ...others]] of places(a)) {
    const [partner, ...more] = inB.get(item) ?? [];
    if (place !== undefined && partner !== undefined && others.length + more.length === 0) {
      pairs.push({ a: place, b: partner });
    }
  }
  return pairs.sort((one, two) => one.a - two.a);
}

function places(items: readonly number[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  items.forEach((item, index) => {
    const known = found.get(item);
    if (known === undefined) {
      found.set(item, [index]);
    } else {
      known.push(index);
    }
  });
  return found;
}

/** The longest choice of pairs, given by rising `a`, whose `b` rise too: patience sorting. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  const tops: { pair: Pair; below: number }[][] = [];
  for (const pair of pairs) {
    let pile = 0;
    while (pile < tops.length && (tops[pile]?.at(-1)?.pair.b ?? 0) < pair.b) {
      pile += 1;
    }
    (tops[pile] ??= []).push({ pair, below: (tops[pile - 1]?.length ?? 0) - 1 });
  }
  const chosen: Pair[] = [];
  let card = tops.at(-1)?.at(-1);
  for (let pile = tops.length - 1; pile >= 0 && card !== undefined; pile -= 1) {
    chosen.push(card.pair);
    card = tops[pile - 1]?.[card.below];
  }
  return chosen.reverse();
}
