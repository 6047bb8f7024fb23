import { applyPatch } from './apply.ts';
import type { ApplyOptions } from './apply.ts';
import { MismatchError } from './errors.ts';
import { makeHunks } from './hunks.ts';
import type { Hunk } from './hunks.ts';
import { diffLines } from './linediff.ts';
import type { FilePatch, PatchOptions } from './patch.ts';
import { findRenames } from './renames.ts';
import type { RenameOptions } from './renames.ts';
import { comparePaths, inOrder, sameEntry } from './tree.ts';
import type { FileEntry, Mode, Tree } from './tree.ts';

export interface TreeChange {
  readonly kind: 'added' | 'deleted' | 'modified' | 'renamed';
  readonly oldPath: string | undefined;
  readonly newPath: string | undefined;
  readonly before: FileEntry | undefined;
  readonly after: FileEntry | undefined;
  /** Percent; 100 for a file whose text is the same. Only for renamed ones. */
  readonly similarity: number | undefined;
}

/** What became of each file, in the order of the paths; deleted files stand at their old one. */
export function diffTrees(before: Tree, after: Tree, options: RenameOptions = {}): TreeChange[] {
  const changes: TreeChange[] = [];
  const renames = findRenames(before, after, options);
  const renamed = new Set(renames.map((rename) => rename.oldPath));
  const arrived = new Set(renames.map((rename) => rename.newPath));
  for (const { oldPath, newPath, similarity } of renames) {
    const both = { before: before.get(oldPath), after: after.get(newPath) };
    changes.push({ kind: 'renamed', oldPath, newPath, ...both, similarity });
  }
  for (const [path, entry] of before) {
    const now = after.get(path);
    const both = { before: entry, after: now, similarity: undefined };
    if (now === undefined && !renamed.has(path)) {
      changes.push({ kind: 'deleted', oldPath: path, newPath: undefined, ...both });
    } else if (now !== undefined && !sameEntry(entry, now)) {
      changes.push({ kind: 'modified', oldPath: path, newPath: path, ...both });
    }
  }
  for (const [path, entry] of after) {
    if (!before.has(path) && !arrived.has(path)) {
      const both = { before: undefined, after: entry, similarity: undefined };
      changes.push({ kind: 'added', oldPath: undefined, newPath: path, ...both });
    }
  }
  return changes.sort((one, two) => comparePaths(placeOf(one), placeOf(two)));
}

function placeOf(change: TreeChange): string {
  return change.newPath ?? change.oldPath ?? '';
}

/** The patches that make the tree `after` of the tree `before`. */
export function treePatches(
  before: Tree,
  after: Tree,
  options: PatchOptions & RenameOptions = {},
): FilePatch[] {
  return diffTrees(before, after, options).map((change) => toPatch(change, options));
}

function toPatch(change: TreeChange, options: PatchOptions): FilePatch {
  const { oldPath, newPath, before, after, similarity } = change;
  const hunks = makeHunks(diffLines(before?.text ?? '', after?.text ?? '', options), options);
  const modes =
    before?.mode === after?.mode
      ? {}
      : {
          ...(before === undefined ? {} : { oldMode: before.mode }),
          ...(after === undefined ? {} : { newMode: after.mode }),
        };
  return { oldPath, newPath, ...modes, ...(similarity === undefined ? {} : { similarity }), hunks };
}

export interface AppliedTree {
  readonly tree: Tree;
  /** Hunks that found no place, by the old path of their file. */
  readonly rejects: ReadonlyMap<string, readonly Hunk[]>;
}

/**
 * Applies patches to a tree, which stays as it is. All of them see the files as they were, so
 * that two files may change places. Throws MismatchError where a file is missing, is there
 * already, or would go although the patch does not know all of its text.
 */
export function applyTree(
  tree: Tree,
  patches: readonly FilePatch[],
  options: ApplyOptions = {},
): AppliedTree {
  const result = new Map(tree);
  const rejects = new Map<string, readonly Hunk[]>();
  const arrivals = new Map<string, FileEntry>();
  for (const patch of patches) {
    const before = entryBefore(tree, patch);
    const applied = applyPatch(before.text, patch, options);
    const { oldPath, newPath } = patch;
    if (applied.rejects.length > 0) {
      rejects.set(oldPath ?? newPath ?? '', applied.rejects);
    }
    if (newPath === undefined && applied.text !== '') {
      throw new MismatchError(`${oldPath}: to be deleted, but not all of it is known`);
    }
    if (oldPath !== undefined && oldPath !== newPath) {
      result.delete(oldPath);
    }
    if (newPath !== undefined && arrivals.has(newPath)) {
      throw new MismatchError(`${newPath}: two patches make it`);
    }
    if (newPath !== undefined) {
      arrivals.set(newPath, { text: applied.text, mode: toMode(patch.newMode) ?? before.mode });
    }
  }
  for (const [path, entry] of arrivals) {
    if (result.has(path) && !patches.some((patch) => patch.oldPath === path)) {
      throw new MismatchError(`${path}: is there already`);
    }
    result.set(path, entry);
  }
  return { tree: inOrder(result), rejects };
}

function entryBefore(tree: Tree, patch: FilePatch): FileEntry {
  if (patch.oldPath === undefined) {
    return { text: '', mode: '100644' };
  }
  const entry = tree.get(patch.oldPath);
  if (entry === undefined) {
    throw new MismatchError(`${patch.oldPath}: no such file`);
  }
  return entry;
}

function toMode(text: string | undefined): Mode | undefined {
  return (['100644', '100755', '120000'] as const).find((mode) => mode === text);
}

/** Where the file at a path came from: the same path, another that was renamed, or nowhere. */
export function originOf(
  before: Tree,
  after: Tree,
  path: string,
  options: RenameOptions = {},
): string | undefined {
  if (before.has(path)) {
    return path;
  }
  return findRenames(before, after, options).find((rename) => rename.newPath === path)?.oldPath;
}
