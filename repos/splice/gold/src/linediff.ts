import { lineKey } from './compare.ts';
import type { CompareOptions } from './compare.ts';
import { splitLines } from './lines.ts';
import { diffSequences } from './sequence.ts';
import type { Algorithm, Change } from './sequence.ts';

export interface DiffOptions extends CompareOptions {
  /** Default: `myers`. */
  readonly algorithm?: Algorithm;
}

/** Two texts as lines and what is different between them. */
export interface LineDiff {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly changes: readonly Change[];
}

export function diffLines(a: string, b: string, options: DiffOptions = {}): LineDiff {
  return diffLineLists(splitLines(a), splitLines(b), options);
}

export function diffLineLists(
  a: readonly string[],
  b: readonly string[],
  options: DiffOptions = {},
): LineDiff {
  return { a, b, changes: diffSequences(a, b, lineKey(options), options.algorithm) };
}

/** Whether the texts are the same under the options. */
export function sameText(a: string, b: string, options: DiffOptions = {}): boolean {
  return diffLines(a, b, options).changes.length === 0;
}
