import type { Tree } from './tree.ts';

export interface Commit {
  /** `c1`, `c2` and so on, in the order in which they were made. */
  readonly id: string;
  readonly number: number;
  readonly parents: readonly string[];
  readonly tree: Tree;
  readonly message: string;
  readonly author: string;
  /** Seconds since any moment. Clocks differ: a commit may be older than its parents. */
  readonly time: number;
}

/** The commits of a history and how they follow from one another. */
export class Graph {
  readonly #commits = new Map<string, Commit>();

  get size(): number {
    return this.#commits.size;
  }

  add(commit: Commit): void {
    this.#commits.set(commit.id, commit);
  }

  get(id: string): Commit | undefined {
    return this.#commits.get(id);
  }

  parents(commit: Commit): Commit[] {
    return commit.parents.flatMap((id) => this.#commits.get(id) ?? []);
  }

  /** A commit and all that it came from. */
  reachable(from: Commit): Set<Commit> {
    const found = new Set([from]);
    for (const commit of found) {
      this.parents(commit).forEach((parent) => found.add(parent));
    }
    return found;
  }

  /** The common ancestors that are not themselves ancestors of another one, the newest first. */
  mergeBases(one: Commit, two: Commit): Commit[] {
    const ofOne = this.reachable(one);
    const shared = [...this.reachable(two)].filter((commit) => ofOne.has(commit));
    const behind = new Set<Commit>();
    for (const commit of shared) {
      for (const older of this.reachable(commit)) {
        if (older !== commit) {
          behind.add(older);
        }
      }
    }
    return shared.filter((commit) => !behind.has(commit)).sort(newestFirst);
  }

  /** Commits after all of their children; the newest first where that leaves a choice. */
  ordered(commits: ReadonlySet<Commit>): Commit[] {
    const waiting = new Map<Commit, number>();
    for (const commit of commits) {
      for (const parent of this.parents(commit)) {
        waiting.set(parent, (waiting.get(parent) ?? 0) + 1);
      }
    }
    const ready = [...commits].filter((commit) => (waiting.get(commit) ?? 0) === 0);
    const done: Commit[] = [];
    while (ready.length > 0) {
      const next = ready.sort(newestFirst).shift();
      if (next === undefined) {
        break;
      }
      done.push(next);
      for (const parent of this.parents(next)) {
        const left = (waiting.get(parent) ?? 0) - 1;
        waiting.set(parent, left);
        if (left === 0 && commits.has(parent)) {
          ready.push(parent);
        }
      }
    }
    return done;
  }
}

function newestFirst(one: Commit, two: Commit): number {
  return two.time - one.time || two.number - one.number;
}
