import { HistoryError } from './errors.ts';
import { Graph } from './graph.ts';
import type { Commit } from './graph.ts';
import { makeTree, sameEntry, sameTree } from './tree.ts';
import type { Tree } from './tree.ts';
import { originOf } from './treediff.ts';
import { mergeTrees } from './treemerge.ts';
import type { TreeConflict, TreeMergeOptions } from './treemerge.ts';

export interface CommitInfo {
  readonly message: string;
  readonly author: string;
  readonly time: number;
}

export interface LogOptions {
  /** Only commits that changed this file. */
  readonly path?: string;
  /** With a path: goes on under the old name where the file was renamed. */
  readonly follow?: boolean;
  /** Leaves out this commit and all that it came from. */
  readonly since?: string;
  readonly limit?: number;
}

export type MergeOutcome =
  | { readonly kind: 'up-to-date' | 'fast-forward' | 'merged'; readonly head: string }
  | {
      readonly kind: 'conflicts';
      readonly tree: Tree;
      readonly conflicts: readonly TreeConflict[];
      /** What the commit that resolves them has as parents. */
      readonly parents: readonly string[];
    };

const NAME = /^[A-Za-z0-9_][\w./-]*$/;
const REVISION = /^([^~^]+)((?:[~^]\d*)*)$/;

/** Commits in memory, with branches. One of the branches is the current one. */
export class History {
  readonly #graph = new Graph();
  readonly #branches = new Map<string, string>();
  #current: string;

  constructor(branch = 'main') {
    this.#current = checkName(branch);
  }

  get current(): string {
    return this.#current;
  }

  /** Names of the branches that have a commit, in order. */
  branches(): string[] {
    return [...this.#branches.keys()].sort();
  }

  /** Puts a tree on the current branch. Gives the id of the commit. */
  commit(tree: Tree, info: CommitInfo, parents?: readonly string[]): string {
    const head = this.#branches.get(this.#current);
    const after = parents ?? (head === undefined ? [] : [head]);
    const before = after.map((id) => this.get(id));
    if (before.length === 1 && before[0] !== undefined && sameTree(before[0].tree, tree)) {
      throw new HistoryError('nothing has changed');
    }
    const number = this.#graph.size + 1;
    const id = `c${number}`;
    const { message, author, time } = info;
    this.#graph.add({
      id,
      number,
      parents: before.map((parent) => parent.id),
      tree: new Map(tree),
      message,
      author,
      time,
    });
    this.#branches.set(this.#current, id);
    return id;
  }

  /** Makes a branch at a revision. The current branch stays the current one. */
  branch(name: string, at = 'HEAD'): void {
    if (this.#branches.has(checkName(name))) {
      throw new HistoryError(`there is a branch ${name} already`);
    }
    this.#branches.set(name, this.get(at).id);
  }

  switchTo(name: string): void {
    if (!this.#branches.has(name)) {
      throw new HistoryError(`no branch ${name}`);
    }
    this.#current = name;
  }

  /** The commit that a revision names: `HEAD`, a branch or an id, then any of `~N` and `^N`. */
  get(revision: string): Commit {
    const [, name = '', steps = ''] = REVISION.exec(revision) ?? [];
    const start = name === 'HEAD' ? this.#branches.get(this.#current) : this.#branches.get(name);
    let commit = this.#graph.get(start ?? name);
    for (const [, letter, digits] of steps.matchAll(/([~^])(\d*)/g)) {
      const count = digits === '' ? 1 : Number(digits);
      commit = letter === '~' ? this.#back(commit, count) : this.#parent(commit, count);
    }
    if (commit === undefined) {
      throw new HistoryError(`no commit ${revision}`);
    }
    return commit;
  }

  #back(commit: Commit | undefined, count: number): Commit | undefined {
    let found = commit;
    for (let step = 0; step < count; step += 1) {
      found = this.#parent(found, 1);
    }
    return found;
  }

  #parent(commit: Commit | undefined, which: number): Commit | undefined {
    if (commit === undefined || which === 0) {
      return commit;
    }
    return this.#graph.parents(commit)[which - 1];
  }

  parentsOf(revision: string): Commit[] {
    return this.#graph.parents(this.get(revision));
  }

  /** Whether the one commit is the other, or the other came from it. */
  isAncestor(older: string, newer: string): boolean {
    return this.#graph.reachable(this.get(newer)).has(this.get(older));
  }

  mergeBases(one: string, two: string): string[] {
    return this.#graph.mergeBases(this.get(one), this.get(two)).map((commit) => commit.id);
  }

  /** Commits, each before those it came from. */
  log(revision = 'HEAD', options: LogOptions = {}): Commit[] {
    const { path, follow = false, since, limit = Infinity } = options;
    const wanted = this.#graph.reachable(this.get(revision));
    const known = since === undefined ? [] : this.#graph.reachable(this.get(since));
    known.forEach((commit: Commit) => wanted.delete(commit));
    const commits = this.#graph.ordered(wanted);
    const found = path === undefined ? commits : this.#touching(commits, path, follow);
    return found.slice(0, limit);
  }

  /** Those commits in which the file is not as it is in any of the parents. */
  #touching(commits: readonly Commit[], path: string, follow: boolean): Commit[] {
    const paths = new Map<string, string>();
    return commits.filter((commit) => {
      const now = paths.get(commit.id) ?? path;
      const parents = this.#graph.parents(commit);
      const same = parents.filter((parent) => {
        const origin = follow ? originOf(parent.tree, commit.tree, now) : now;
        if (!paths.has(parent.id)) {
          paths.set(parent.id, origin ?? now);
        }
        return sameEntry(parent.tree.get(now), commit.tree.get(now));
      });
      return parents.length === 0 ? commit.tree.has(now) : same.length === 0;
    });
  }

  /** Merges a revision into the current branch; conflicts leave the branch as it is. */
  merge(revision: string, info: CommitInfo, options: TreeMergeOptions = {}): MergeOutcome {
    const ours = this.get('HEAD');
    const theirs = this.get(revision);
    if (this.isAncestor(theirs.id, ours.id)) {
      return { kind: 'up-to-date', head: ours.id };
    }
    if (this.isAncestor(ours.id, theirs.id)) {
      this.#branches.set(this.#current, theirs.id);
      return { kind: 'fast-forward', head: theirs.id };
    }
    const base = this.#graph.mergeBases(ours, theirs)[0]?.tree ?? makeTree({});
    const labels = { ours: this.#current, theirs: revision, ...options.labels };
    const merged = mergeTrees(base, ours.tree, theirs.tree, { ...options, labels });
    const parents = [ours.id, theirs.id];
    if (merged.conflicts.length > 0) {
      return { kind: 'conflicts', ...merged, parents };
    }
    return { kind: 'merged', head: this.commit(merged.tree, info, parents) };
  }
}

/** Branch names cannot be mistaken for `HEAD` or the id of a commit. */
function checkName(name: string): string {
  if (!NAME.test(name) || name === 'HEAD' || /^c\d+$/.test(name)) {
    throw new HistoryError(`not a name for a branch: ${name}`);
  }
  return name;
}
