/** An ordinary file, one that can be run, or a symbolic link (the text is where it points). */
export type Mode = '100644' | '100755' | '120000';

export interface FileEntry {
  readonly text: string;
  readonly mode: Mode;
}

/** Files by their path, in the order of the paths. */
export type Tree = ReadonlyMap<string, FileEntry>;

/** A tree from texts, which are ordinary files, and entries. */
export function makeTree(files: Readonly<Record<string, string | FileEntry>>): Tree {
  return inOrder(
    Object.entries(files).map(([path, file]) => [
      path,
      typeof file === 'string' ? { text: file, mode: '100644' } : file,
    ]),
  );
}

export function inOrder(files: Iterable<readonly [string, FileEntry]>): Tree {
  return new Map([...files].sort(([one], [two]) => comparePaths(one, two)));
}

/** By code units, so that the order is the same everywhere. */
export function comparePaths(one: string, two: string): number {
  return one < two ? -1 : one > two ? 1 : 0;
}

export function sameEntry(one: FileEntry | undefined, two: FileEntry | undefined): boolean {
  return one?.text === two?.text && one?.mode === two?.mode;
}

export function sameTree(one: Tree, two: Tree): boolean {
  const paths = [...one.keys(), ...two.keys()];
  return paths.every((path) => sameEntry(one.get(path), two.get(path)));
}
