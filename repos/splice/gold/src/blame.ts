import { HistoryError } from './errors.ts';
import type { Commit } from './graph.ts';
import type { History } from './history.ts';
import { diffLines } from './linediff.ts';
import type { DiffOptions } from './linediff.ts';
import { splitLines } from './lines.ts';
import type { RenameOptions } from './renames.ts';
import { common } from './sequence.ts';
import { originOf } from './treediff.ts';

/** Where a line comes from: the commit that made it, and its place there. */
export interface BlamedLine {
  readonly commit: string;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

export interface BlameOptions extends DiffOptions, RenameOptions {}

/**
 * The origin of each line of a file. A line that a commit shares with a parent is older than
 * the commit; if several parents have it, the first of them is asked. Goes through renames.
 */
export function blame(
  history: History,
  revision: string,
  path: string,
  options: BlameOptions = {},
): BlamedLine[] {
  const commit = history.get(revision);
  if (!commit.tree.has(path)) {
    throw new HistoryError(`no file ${path} in ${revision}`);
  }
  return new Blamer(history, options).lines(commit, path);
}

class Blamer {
  readonly #history: History;
  readonly #options: BlameOptions;
  readonly #known = new Map<string, BlamedLine[]>();

  constructor(history: History, options: BlameOptions) {
    this.#history = history;
    this.#options = options;
  }

  lines(commit: Commit, path: string): BlamedLine[] {
    const key = `${commit.id} ${path}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      return known;
    }
    const found = this.#trace(commit, path);
    this.#known.set(key, found);
    return found;
  }

  #trace(commit: Commit, path: string): BlamedLine[] {
    const text = commit.tree.get(path)?.text ?? '';
    const lines = splitLines(text);
    const older: (BlamedLine | undefined)[] = lines.map(() => undefined);
    for (const parent of this.#history.parentsOf(commit.id)) {
      const origin = originOf(parent.tree, commit.tree, path, this.#options);
      if (origin === undefined) {
        continue;
      }
      const before = parent.tree.get(origin)?.text ?? '';
      const blamed = this.lines(parent, origin);
      const { a, changes } = diffLines(before, text, this.#options);
      for (const match of common(changes, a.length)) {
        for (let index = 0; index < match.length; index += 1) {
          older[match.b + index] ??= blamed[match.a + index];
        }
      }
    }
    return lines.map((line, index) => ({
      ...(older[index] ?? { commit: commit.id, path, line: index + 1 }),
      text: line,
    }));
  }
}
