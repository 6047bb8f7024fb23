import { lineKey } from './compare.ts';
import { formatUnified } from './format.ts';
import { newSide, oldSide, startIndex } from './hunks.ts';
import type { Hunk, HunkLine } from './hunks.ts';
import { chomp, closed, commonEnd, endOf, joinLines, splitLines } from './lines.ts';
import type { FilePatch } from './patch.ts';

export interface ApplyOptions {
  /** How many lines of context may be wrong at either end of a hunk. Default: 0. */
  readonly fuzz?: number;
  /** How many lines away from its place a hunk may be found. Default: any number. */
  readonly maxOffset?: number;
  /** Takes line ends as the same; added lines get the ends that the file has. */
  readonly ignoreEnds?: boolean;
}

/** What became of a hunk. */
export type HunkOutcome =
  | {
      readonly status: 'applied';
      /** Line of the old text, from 1, where the hunk was found. */
      readonly line: number;
      /** Lines between there and where it was expected. */
      readonly offset: number;
      readonly fuzz: number;
    }
  | { readonly status: 'already' }
  | { readonly status: 'rejected' };

export interface Applied {
  readonly text: string;
  readonly outcomes: readonly HunkOutcome[];
  readonly rejects: readonly Hunk[];
}

/** Applies the hunks that find their place, each at most once, in order. */
export function applyPatch(text: string, patch: FilePatch, options: ApplyOptions = {}): Applied {
  return new Applier(text, options).run(patch.hunks);
}

/** The rejected hunks as a unified diff; an empty text if there are none. */
export function formatRejects(patch: FilePatch, applied: Applied): string {
  return applied.rejects.length === 0 ? '' : formatUnified({ ...patch, hunks: applied.rejects });
}

class Applier {
  readonly #lines: readonly string[];
  readonly #options: ApplyOptions;
  readonly #key: (line: string) => string;
  readonly #keys: readonly string[];
  readonly #end: '\n' | '\r\n';
  readonly #output: string[] = [];
  /** Lines of the old text that are in the output already. */
  #done = 0;
  /** How far the last hunk was from where its header says. */
  #drift = 0;

  constructor(text: string, options: ApplyOptions) {
    this.#lines = splitLines(text);
    this.#options = options;
    this.#key = lineKey({ ignoreEnds: options.ignoreEnds ?? false });
    this.#keys = this.#lines.map(this.#key);
    this.#end = commonEnd(this.#lines);
  }

  run(hunks: readonly Hunk[]): Applied {
    const outcomes = hunks.map((hunk) => this.#apply(hunk));
    this.#keepUpTo(this.#lines.length);
    const rejects = hunks.filter((_, index) => outcomes[index]?.status === 'rejected');
    return { text: joinLines(this.#output), outcomes, rejects };
  }

  #apply(hunk: Hunk): HunkOutcome {
    const expected = startIndex(hunk.aStart, hunk.aCount) + this.#drift;
    for (let fuzz = 0; fuzz <= (this.#options.fuzz ?? 0); fuzz += 1) {
      const { lines, skipped } = trimContext(hunk.lines, fuzz);
      const at = this.#find(oldSide(lines), expected + skipped);
      if (at !== undefined) {
        this.#replace(at, lines);
        const offset = at - skipped - expected;
        this.#drift += offset;
        return { status: 'applied', line: at - skipped + 1, offset, fuzz };
      }
    }
    return this.#skip(hunk, expected) ? { status: 'already' } : { status: 'rejected' };
  }

  /** The place nearest to the expected one, the later of two. */
  #find(wanted: readonly string[], expected: number): number | undefined {
    const last = this.#lines.length - wanted.length;
    const furthest = Math.max(Math.abs(expected - this.#done), Math.abs(last - expected));
    const most = Math.min(this.#options.maxOffset ?? furthest, furthest);
    const keys = wanted.map(this.#key);
    for (let distance = 0; distance <= most; distance += 1) {
      for (const at of [expected + distance, expected - distance]) {
        if (at >= this.#done && at <= last && keys.every((key, i) => key === this.#keys[at + i])) {
          return at;
        }
      }
    }
    return undefined;
  }

  #replace(at: number, lines: readonly HunkLine[]): void {
    this.#keepUpTo(at);
    for (const line of lines) {
      if (line.kind === '+') {
        this.#put(this.#adapted(line.text));
      } else {
        if (line.kind === ' ') {
          this.#put(this.#lines[this.#done] ?? '');
        }
        this.#done += 1;
      }
    }
  }

  /** Steps over a hunk whose change the text already has. Tells whether it has. */
  #skip(hunk: Hunk, expected: number): boolean {
    const there = newSide(hunk.lines);
    const at = there.length === 0 ? undefined : this.#find(there, expected);
    if (at === undefined) {
      return false;
    }
    this.#keepUpTo(at + there.length);
    this.#drift += at - expected + there.length - oldSide(hunk.lines).length;
    return true;
  }

  #keepUpTo(index: number): void {
    this.#lines.slice(this.#done, index).forEach((line) => this.#put(line));
    this.#done = index;
  }

  /** A line that lacked its end gets one as soon as another follows it. */
  #put(line: string): void {
    const before = this.#output.pop();
    if (before !== undefined) {
      this.#output.push(closed(before, this.#end));
    }
    this.#output.push(line);
  }

  #adapted(line: string): string {
    const adapt = this.#options.ignoreEnds === true && endOf(line) !== '';
    return adapt ? chomp(line) + this.#end : line;
  }
}

/** The hunk's lines without up to so many lines of context at either end. */
function trimContext(
  lines: readonly HunkLine[],
  most: number,
): { lines: readonly HunkLine[]; skipped: number } {
  const first = lines.findIndex((line) => line.kind !== ' ');
  if (first === -1) {
    return { lines, skipped: 0 };
  }
  const last = lines.findLastIndex((line) => line.kind !== ' ');
  const skipped = Math.min(most, first);
  const end = lines.length - Math.min(most, lines.length - 1 - last);
  return { lines: lines.slice(skipped, end), skipped };
}
