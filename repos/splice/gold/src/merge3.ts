import { lineKey } from './compare.ts';
import { diffLineLists } from './linediff.ts';
import type { DiffOptions } from './linediff.ts';
import { splitLines } from './lines.ts';
import type { Change } from './sequence.ts';

/** Three versions of the same lines that cannot be brought together. */
export interface Conflict {
  readonly kind: 'conflict';
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** Lines that are settled, and who made them: nobody, one side, or both alike. */
export interface Settled {
  readonly kind: 'stable' | 'ours' | 'theirs' | 'both';
  readonly lines: readonly string[];
}

export type Region = Settled | Conflict;

export interface Merge {
  readonly regions: readonly Region[];
  readonly conflicts: readonly Conflict[];
}

/**
 * Merges two texts that came from the same base. What only one side changed is taken from
 * there, what both changed alike is taken once. Changes of both sides that overlap or touch
 * are a conflict.
 */
export function merge3(
  base: string,
  ours: string,
  theirs: string,
  options: DiffOptions = {},
): Merge {
  return new Merger(splitLines(base), splitLines(ours), splitLines(theirs), options).run();
}

/** A side's version of some lines of the base. */
class Side {
  readonly lines: readonly string[];
  readonly #changes: readonly Change[];
  #next = 0;

  constructor(base: readonly string[], lines: readonly string[], options: DiffOptions) {
    this.lines = lines;
    this.#changes = diffLineLists(base, lines, options).changes;
  }

  /** The first change that was not taken yet. */
  get next(): Change | undefined {
    return this.#changes[this.#next];
  }

  take(): void {
    this.#next += 1;
  }
}

class Merger {
  readonly #base: readonly string[];
  readonly #ours: Side;
  readonly #theirs: Side;
  readonly #key: (line: string) => string;
  readonly #regions: Region[] = [];
  /** Lines of the base, ours and theirs that are in regions. */
  #base0 = 0;
  #ours0 = 0;
  #theirs0 = 0;

  constructor(
    base: readonly string[],
    ours: readonly string[],
    theirs: readonly string[],
    options: DiffOptions,
  ) {
    this.#base = base;
    this.#key = lineKey(options);
    this.#ours = new Side(base, ours, options);
    this.#theirs = new Side(base, theirs, options);
  }

  run(): Merge {
    while (this.#ours.next !== undefined || this.#theirs.next !== undefined) {
      this.#step();
    }
    this.#stable(this.#base.length);
    const conflicts = this.#regions.filter((region) => region.kind === 'conflict');
    return { regions: this.#regions, conflicts };
  }

  /** The next group of changes that overlap or touch, and what is stable before it. */
  #step(): void {
    const starts = [this.#ours.next, this.#theirs.next].map((change) => change?.aStart ?? Infinity);
    const start = Math.min(...starts);
    this.#stable(start);
    let end = start;
    let oursGrowth = 0;
    let theirsGrowth = 0;
    let byOurs = false;
    let byTheirs = false;
    for (;;) {
      const ours = this.#ours.next;
      const theirs = this.#theirs.next;
      if (ours !== undefined && ours.aStart <= end) {
        end = Math.max(end, ours.aEnd);
        oursGrowth += growth(ours);
        byOurs = true;
        this.#ours.take();
      } else if (theirs !== undefined && theirs.aStart <= end) {
        end = Math.max(end, theirs.aEnd);
        theirsGrowth += growth(theirs);
        byTheirs = true;
        this.#theirs.take();
      } else {
        break;
      }
    }
    const length = end - start;
    const base = this.#base.slice(start, end);
    const ours = this.#ours.lines.slice(this.#ours0, this.#ours0 + length + oursGrowth);
    const theirs = this.#theirs.lines.slice(this.#theirs0, this.#theirs0 + length + theirsGrowth);
    this.#base0 = end;
    this.#ours0 += ours.length;
    this.#theirs0 += theirs.length;
    if (byOurs && byTheirs) {
      const alike =
        ours.length === theirs.length &&
        ours.every((line, i) => this.#key(line) === this.#key(theirs[i] ?? ''));
      this.#regions.push(
        alike ? { kind: 'both', lines: ours } : { kind: 'conflict', base, ours, theirs },
      );
    } else {
      this.#regions.push(
        byOurs ? { kind: 'ours', lines: ours } : { kind: 'theirs', lines: theirs },
      );
    }
  }

  #stable(end: number): void {
    const length = end - this.#base0;
    if (length > 0) {
      const lines = this.#ours.lines.slice(this.#ours0, this.#ours0 + length);
      this.#regions.push({ kind: 'stable', lines });
      this.#base0 += length;
      this.#ours0 += length;
      this.#theirs0 += length;
    }
  }
}

function growth(change: Change): number {
  return change.bEnd - change.bStart - (change.aEnd - change.aStart);
}
