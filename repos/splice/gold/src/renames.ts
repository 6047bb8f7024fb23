import { splitLines } from './lines.ts';
import { comparePaths } from './tree.ts';
import type { FileEntry, Tree } from './tree.ts';

export interface RenameOptions {
  /** How similar, in percent, a file and what became of it are at least. Default: 50. */
  readonly renameThreshold?: number;
  /** `false` looks for no renames. */
  readonly renames?: boolean;
}

export interface Rename {
  readonly oldPath: string;
  readonly newPath: string;
  readonly similarity: number;
}

/**
 * Pairs files that went with files that came: first those with the same text, then the most
 * similar ones. Of equally similar ones those with the same file name come first, then the
 * first paths. Empty files and files of another type are never paired.
 */
export function findRenames(before: Tree, after: Tree, options: RenameOptions = {}): Rename[] {
  const { renames = true, renameThreshold = 50 } = options;
  if (!renames) {
    return [];
  }
  const gone = [...before].filter(([path, entry]) => !after.has(path) && entry.text !== '');
  const come = [...after].filter(([path, entry]) => !before.has(path) && entry.text !== '');
  const candidates: Rename[] = [];
  for (const [oldPath, one] of gone) {
    for (const [newPath, two] of come) {
      const similarity = isLink(one) === isLink(two) ? similarityOf(one.text, two.text) : 0;
      if (similarity >= renameThreshold && similarity > 0) {
        candidates.push({ oldPath, newPath, similarity });
      }
    }
  }
  return choose(candidates.sort(compareRenames));
}

/**
 * How much of the larger text is in both, in whole percent rounded down, by lines wherever they
 * stand. Only texts that are the same are 100 % similar.
 */
export function similarityOf(one: string, two: string): number {
  if (one === two) {
    return 100;
  }
  const counts = new Map<string, number>();
  for (const line of splitLines(one)) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  let shared = 0;
  for (const line of splitLines(two)) {
    const left = counts.get(line) ?? 0;
    if (left > 0) {
      counts.set(line, left - 1);
      shared += line.length;
    }
  }
  return Math.min(99, Math.floor((100 * shared) / Math.max(one.length, two.length)));
}

function isLink(entry: FileEntry): boolean {
  return entry.mode === '120000';
}

function compareRenames(one: Rename, two: Rename): number {
  return (
    two.similarity - one.similarity ||
    Number(keepsName(two)) - Number(keepsName(one)) ||
    comparePaths(one.oldPath, two.oldPath) ||
    comparePaths(one.newPath, two.newPath)
  );
}

function keepsName(rename: Rename): boolean {
  return rename.oldPath.split('/').at(-1) === rename.newPath.split('/').at(-1);
}

function choose(candidates: readonly Rename[]): Rename[] {
  const taken = new Set<string>();
  const filled = new Set<string>();
  const chosen: Rename[] = [];
  for (const rename of candidates) {
    if (!taken.has(rename.oldPath) && !filled.has(rename.newPath)) {
      taken.add(rename.oldPath);
      filled.add(rename.newPath);
      chosen.push(rename);
    }
  }
  return chosen;
}
