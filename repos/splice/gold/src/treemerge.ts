import { renderMerge } from './conflicts.ts';
import type { RenderOptions } from './conflicts.ts';
import type { DiffOptions } from './linediff.ts';
import { merge3 } from './merge3.ts';
import { findRenames } from './renames.ts';
import type { RenameOptions } from './renames.ts';
import { comparePaths, inOrder, sameEntry } from './tree.ts';
import type { FileEntry, Mode, Tree } from './tree.ts';

/**
 * `content`: both changed the same lines. `added`: both added other files under one path.
 * `deleted`: one side deleted what the other changed. `renamed`: both gave a file other names.
 * `mode`: both gave it other modes. `occupied`: two files want the same path.
 */
export type TreeConflictKind = 'content' | 'added' | 'deleted' | 'renamed' | 'mode' | 'occupied';

export interface TreeConflict {
  readonly kind: TreeConflictKind;
  readonly path: string;
}

export interface TreeMerge {
  readonly tree: Tree;
  /** In the order of the paths. */
  readonly conflicts: readonly TreeConflict[];
}

export interface TreeMergeOptions extends DiffOptions, RenameOptions, RenderOptions {}

/** Merges two trees that came from the same base, file by file, through renames. */
export function mergeTrees(
  base: Tree,
  ours: Tree,
  theirs: Tree,
  options: TreeMergeOptions = {},
): TreeMerge {
  return new TreeMerger(base, ours, theirs, options).run();
}

class TreeMerger {
  readonly #base: Tree;
  readonly #ours: Tree;
  readonly #theirs: Tree;
  readonly #options: TreeMergeOptions;
  readonly #ourNames: ReadonlyMap<string, string>;
  readonly #theirNames: ReadonlyMap<string, string>;
  readonly #result = new Map<string, FileEntry>();
  readonly #conflicts: TreeConflict[] = [];

  constructor(base: Tree, ours: Tree, theirs: Tree, options: TreeMergeOptions) {
    this.#base = base;
    this.#ours = ours;
    this.#theirs = theirs;
    this.#options = options;
    this.#ourNames = namesNow(base, ours, options);
    this.#theirNames = namesNow(base, theirs, options);
  }

  run(): TreeMerge {
    for (const [path, entry] of this.#base) {
      this.#known(path, entry);
    }
    this.#additions();
    this.#conflicts.sort((one, two) => comparePaths(one.path, two.path));
    return { tree: inOrder(this.#result), conflicts: this.#conflicts };
  }

  /** A file of the base. */
  #known(path: string, entry: FileEntry): void {
    const ourPath = this.#ourNames.get(path);
    const theirPath = this.#theirNames.get(path);
    if (ourPath !== undefined && theirPath !== undefined) {
      this.#both(path, entry, ourPath, theirPath);
    } else if (ourPath !== undefined) {
      this.#onlyOne(path, entry, ourPath, this.#ours.get(ourPath), 'ours');
    } else if (theirPath !== undefined) {
      this.#onlyOne(path, entry, theirPath, this.#theirs.get(theirPath), 'theirs');
    }
  }

  #both(path: string, entry: FileEntry, ourPath: string, theirPath: string): void {
    const place = ourPath === path ? theirPath : ourPath;
    const ours = this.#ours.get(ourPath);
    const theirs = this.#theirs.get(theirPath);
    if (ours === undefined || theirs === undefined) {
      return;
    }
    if (ourPath !== theirPath && ourPath !== path && theirPath !== path) {
      this.#conflict('renamed', place);
    }
    const merged = this.#mergeEntry(place, entry, ours, theirs, 'content');
    this.#put(place, merged, ourPath === path ? 'theirs' : 'ours');
  }

  /** A file that the other side deleted: it stays only if this side touched it. */
  #onlyOne(
    path: string,
    entry: FileEntry,
    now: string,
    kept: FileEntry | undefined,
    side: 'ours' | 'theirs',
  ): void {
    if (kept !== undefined && (now !== path || !sameEntry(entry, kept))) {
      this.#conflict('deleted', now);
      this.#put(now, kept, side);
    }
  }

  #additions(): void {
    const ours = added(this.#ours, this.#ourNames);
    const theirs = added(this.#theirs, this.#theirNames);
    for (const [path, mine] of ours) {
      const other = theirs.get(path);
      const entry =
        other === undefined || sameEntry(mine, other)
          ? mine
          : this.#mergeEntry(path, undefined, mine, other, 'added');
      this.#put(path, entry, 'ours');
    }
    for (const [path, entry] of theirs) {
      if (!ours.has(path)) {
        this.#put(path, entry, 'theirs');
      }
    }
  }

  #mergeEntry(
    path: string,
    base: FileEntry | undefined,
    ours: FileEntry,
    theirs: FileEntry,
    kind: 'content' | 'added',
  ): FileEntry {
    if ([base, ours, theirs].some((entry) => entry !== undefined && isLink(entry.mode))) {
      return this.#mergeWhole(path, base, ours, theirs, kind);
    }
    const mode = choose(base?.mode, ours.mode, theirs.mode);
    if (mode === undefined) {
      this.#conflict('mode', path);
    }
    return { text: this.#mergeText(path, base, ours, theirs, kind), mode: mode ?? ours.mode };
  }

  #mergeWhole(
    path: string,
    base: FileEntry | undefined,
    ours: FileEntry,
    theirs: FileEntry,
    kind: 'content' | 'added',
  ): FileEntry {
    if (sameEntry(ours, base)) {
      return theirs;
    }
    if (!sameEntry(ours, theirs) && !sameEntry(theirs, base)) {
      this.#conflict(kind, path);
    }
    return ours;
  }

  #mergeText(
    path: string,
    base: FileEntry | undefined,
    ours: FileEntry,
    theirs: FileEntry,
    kind: 'content' | 'added',
  ): string {
    const whole = choose(base?.text, ours.text, theirs.text);
    if (whole !== undefined) {
      return whole;
    }
    const merge = merge3(base?.text ?? '', ours.text, theirs.text, this.#options);
    if (merge.conflicts.length > 0) {
      this.#conflict(kind, path);
    }
    return renderMerge(merge, this.#options);
  }

  #put(path: string, entry: FileEntry, side: 'ours' | 'theirs'): void {
    let free = path;
    while (this.#result.has(free)) {
      free += `~${side}`;
    }
    if (free !== path) {
      this.#conflict('occupied', path);
    }
    this.#result.set(free, entry);
  }

  #conflict(kind: TreeConflictKind, path: string): void {
    this.#conflicts.push({ kind, path });
  }
}

/** Where the files of the base are now. Deleted ones have no place. */
function namesNow(base: Tree, now: Tree, options: RenameOptions): Map<string, string> {
  const names = new Map<string, string>();
  for (const path of base.keys()) {
    if (now.has(path)) {
      names.set(path, path);
    }
  }
  for (const rename of findRenames(base, now, options)) {
    names.set(rename.oldPath, rename.newPath);
  }
  return names;
}

function added(tree: Tree, names: ReadonlyMap<string, string>): Tree {
  const known = new Set(names.values());
  return new Map([...tree].filter(([path]) => !known.has(path)));
}

/** The one of three versions that prevails without a look inside, if there is one. */
function choose<T extends string>(base: T | undefined, ours: T, theirs: T): T | undefined {
  if (ours === theirs || theirs === base) {
    return ours;
  }
  return ours === base ? theirs : undefined;
}

function isLink(mode: Mode): boolean {
  return mode === '120000';
}
