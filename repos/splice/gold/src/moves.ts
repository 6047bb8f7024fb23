import { lineKey } from './compare.ts';
import type { CompareOptions } from './compare.ts';
import type { LineDiff } from './linediff.ts';
import { isBlank } from './lines.ts';

/** The lines `a[aStart..aEnd)` stand, as many, at `b[bStart..)`. */
export interface Move {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

export interface MoveOptions extends CompareOptions {
  /** How many lines that are not blank a move has at least. Default: 2. */
  readonly minLines?: number;
}

/**
 * Blocks of removed lines that come back as added ones. The longest come first, then the
 * first ones; no line belongs to two moves. The result is in the order of the old text.
 */
export function findMoves(diff: LineDiff, options: MoveOptions = {}): Move[] {
  return new MoveFinder(diff, options).find();
}

class MoveFinder {
  readonly #aKeys: readonly string[];
  readonly #bKeys: readonly string[];
  readonly #minLines: number;
  readonly #diff: LineDiff;
  /** Lines that are removed or added and not yet part of a move. */
  readonly #removed = new Set<number>();
  readonly #added = new Set<number>();

  constructor(diff: LineDiff, options: MoveOptions) {
    const key = lineKey(options);
    this.#diff = diff;
    this.#aKeys = diff.a.map(key);
    this.#bKeys = diff.b.map(key);
    this.#minLines = options.minLines ?? 2;
    for (const change of diff.changes) {
      addRange(this.#removed, change.aStart, change.aEnd);
      addRange(this.#added, change.bStart, change.bEnd);
    }
  }

  find(): Move[] {
    const moves: Move[] = [];
    for (let move = this.#longest(); move !== undefined; move = this.#longest()) {
      moves.push(move);
      removeRange(this.#removed, move.aStart, move.aEnd);
      removeRange(this.#added, move.bStart, move.bEnd);
    }
    return moves.sort((one, two) => one.aStart - two.aStart);
  }

  #longest(): Move | undefined {
    let best: Move | undefined;
    let bestWeight = this.#minLines - 1;
    for (const a of this.#removed) {
      for (const b of this.#added) {
        const length = this.#run(a, b);
        const weight = this.#weight(a, length);
        if (weight > bestWeight) {
          best = { aStart: a, aEnd: a + length, bStart: b, bEnd: b + length };
          bestWeight = weight;
        }
      }
    }
    return best;
  }

  #run(a: number, b: number): number {
    let length = 0;
    while (
      this.#removed.has(a + length) &&
      this.#added.has(b + length) &&
      this.#aKeys[a + length] === this.#bKeys[b + length]
    ) {
      length += 1;
    }
    return length;
  }

  #weight(a: number, length: number): number {
    return this.#diff.a.slice(a, a + length).filter((line) => !isBlank(line)).length;
  }
}

function addRange(set: Set<number>, start: number, end: number): void {
  for (let index = start; index < end; index += 1) {
    set.add(index);
  }
}

function removeRange(set: Set<number>, start: number, end: number): void {
  for (let index = start; index < end; index += 1) {
    set.delete(index);
  }
}
