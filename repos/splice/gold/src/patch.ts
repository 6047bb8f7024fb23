import { makeHunks, reverseHunk } from './hunks.ts';
import type { Hunk, HunkOptions } from './hunks.ts';
import { diffLines } from './linediff.ts';
import type { DiffOptions } from './linediff.ts';

/** What happens to one file. */
export interface FilePatch {
  /** `undefined` for a file that is created. */
  readonly oldPath: string | undefined;
  /** `undefined` for a file that is deleted. */
  readonly newPath: string | undefined;
  /** Known only where the file comes, goes or changes its mode. */
  readonly oldMode?: string;
  readonly newMode?: string;
  /** Percent, for a file that is renamed. */
  readonly similarity?: number;
  readonly hunks: readonly Hunk[];
}

export interface PatchOptions extends DiffOptions, HunkOptions {}

/** The patch that makes the text `after` of the text `before`, of a file that stays. */
export function makePatch(
  path: string,
  before: string,
  after: string,
  options: PatchOptions = {},
): FilePatch {
  const hunks = makeHunks(diffLines(before, after, options), options);
  return { oldPath: path, newPath: path, hunks };
}

/** The path that a patch is known by: the new one, unless the file goes. */
export function pathOf(patch: FilePatch): string {
  return patch.newPath ?? patch.oldPath ?? '';
}

/** The patch that takes a patch back. */
export function reversePatch(patch: FilePatch): FilePatch {
  const { oldPath, newPath, oldMode, newMode, hunks, ...rest } = patch;
  return {
    ...rest,
    oldPath: newPath,
    newPath: oldPath,
    ...(newMode === undefined ? {} : { oldMode: newMode }),
    ...(oldMode === undefined ? {} : { newMode: oldMode }),
    hunks: hunks.map(reverseHunk),
  };
}

export function reversePatches(patches: readonly FilePatch[]): FilePatch[] {
  return patches.map(reversePatch).reverse();
}
