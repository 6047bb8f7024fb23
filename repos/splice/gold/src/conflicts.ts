import { PatchSyntaxError } from './errors.ts';
import { chomp, closed, commonEnd, joinLines, splitLines } from './lines.ts';
import type { Conflict, Merge, Region } from './merge3.ts';
import { affixes } from './myers.ts';

export interface RenderOptions {
  /** `diff3` also shows the base. Default: `merge`. */
  readonly style?: 'merge' | 'diff3';
  /** Default: `ours`, `base`, `theirs`. */
  readonly labels?: { readonly ours?: string; readonly base?: string; readonly theirs?: string };
  /** Length of the markers. Default: 7. */
  readonly markerSize?: number;
}

/** Who wins: a side, the base, or both sides one after the other. */
export type Strategy = 'ours' | 'theirs' | 'base' | 'union';

/** The merged text, with markers around what is in conflict. */
export function renderMerge(merge: Merge, options: RenderOptions = {}): string {
  const end = commonEnd(merge.regions.flatMap(allLines));
  return assemble(merge.regions.map((region) => marked(region, options, end)), end);
}

/** The merged text, with each conflict resolved by a strategy, or by one for each conflict. */
export function resolveMerge(
  merge: Merge,
  strategy: Strategy | ((conflict: Conflict, index: number) => Strategy | readonly string[]),
): string {
  const end = commonEnd(merge.regions.flatMap(allLines));
  let index = 0;
  const parts = merge.regions.map((region) => {
    if (region.kind !== 'conflict') {
      return region.lines;
    }
    const choice = typeof strategy === 'string' ? strategy : strategy(region, index);
    index += 1;
    return typeof choice === 'string' ? chosen(region, choice) : choice;
  });
  return assemble(parts, end);
}

function chosen(conflict: Conflict, strategy: Strategy): readonly string[] {
  if (strategy !== 'union') {
    return conflict[strategy];
  }
  const { ours, theirs } = conflict;
  const { head, tail } = affixes(ours, theirs);
  return [...ours.slice(0, ours.length - tail), ...theirs.slice(head)];
}

function marked(region: Region, options: RenderOptions, end: '\n' | '\r\n'): readonly string[] {
  if (region.kind !== 'conflict') {
    return region.lines;
  }
  const { style = 'merge', labels = {}, markerSize = 7 } = options;
  const { base, ours, theirs } = region;
  // What both sides begin or end with is no matter of dispute; the base would not fit to less.
  const { head, tail } = style === 'merge' ? affixes(ours, theirs) : { head: 0, tail: 0 };
  const marker = (letter: string, label = '') =>
    letter.repeat(markerSize) + (label === '' ? '' : ` ${label}`) + end;
  const shownBase = style === 'diff3' ? [marker('|', labels.base ?? 'base'), ...base] : [];
  return [
    ...ours.slice(0, head),
    marker('<', labels.ours ?? 'ours'),
    ...ours.slice(head, ours.length - tail),
    ...shownBase,
    marker('='),
    ...theirs.slice(head, theirs.length - tail),
    marker('>', labels.theirs ?? 'theirs'),
    ...ours.slice(ours.length - tail),
  ];
}

/** Only the last line may lack an end. */
function assemble(parts: readonly (readonly string[])[], end: '\n' | '\r\n'): string {
  const lines = parts.flat();
  const last = lines.length - 1;
  return joinLines(lines.map((line, i) => (i < last ? closed(line, end) : line)));
}

function allLines(region: Region): readonly string[] {
  return region.kind === 'conflict' ? [...region.ours, ...region.theirs] : region.lines;
}

/**
 * Reads a text with conflict markers, in either style. What is outside of them is `stable`.
 * Throws PatchSyntaxError where markers are missing or out of order.
 */
export function readConflicts(text: string, markerSize = 7): Merge {
  return new ConflictReader(markerSize).read(splitLines(text));
}

type Part = 'ours' | 'base' | 'theirs';

class ConflictReader {
  readonly #markerSize: number;
  readonly #regions: Region[] = [];
  #plain: string[] = [];
  #part: Part | undefined;
  #open = { ours: [] as string[], base: [] as string[], theirs: [] as string[] };
  #openedAt = 0;

  constructor(markerSize: number) {
    this.#markerSize = markerSize;
  }

  read(lines: readonly string[]): Merge {
    lines.forEach((line, index) => this.#line(line, index + 1));
    if (this.#part !== undefined) {
      throw new PatchSyntaxError(this.#openedAt, 'this conflict has no end');
    }
    this.#flush();
    const conflicts = this.#regions.filter((region) => region.kind === 'conflict');
    return { regions: this.#regions, conflicts };
  }

  #line(line: string, number: number): void {
    const marker = this.#marker(line);
    if (marker === '<' && this.#part === undefined) {
      this.#flush();
      this.#part = 'ours';
      this.#openedAt = number;
    } else if (marker === '|' && this.#part === 'ours') {
      this.#part = 'base';
    } else if (marker === '=' && (this.#part === 'ours' || this.#part === 'base')) {
      this.#part = 'theirs';
    } else if (marker === '>' && this.#part === 'theirs') {
      this.#regions.push({ kind: 'conflict', ...this.#open });
      this.#open = { ours: [], base: [], theirs: [] };
      this.#part = undefined;
    } else if (marker === '<' || marker === '>') {
      throw new PatchSyntaxError(number, `a marker out of order: ${chomp(line)}`);
    } else if (this.#part === undefined) {
      this.#plain.push(line);
    } else {
      this.#open[this.#part].push(line);
    }
  }

  /** The letter of a marker line: as many of it as markers have, and nothing or a label. */
  #marker(line: string): string | undefined {
    const body = chomp(line);
    const letter = body[0] ?? '';
    const isMarker =
      ['<', '|', '=', '>'].includes(letter) &&
      body.startsWith(letter.repeat(this.#markerSize)) &&
      (body.length === this.#markerSize || body[this.#markerSize] === ' ');
    return isMarker ? letter : undefined;
  }

  #flush(): void {
    if (this.#plain.length > 0) {
      this.#regions.push({ kind: 'stable', lines: this.#plain });
      this.#plain = [];
    }
  }
}
