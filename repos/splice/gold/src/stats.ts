import type { FilePatch } from './patch.ts';
import { pathOf } from './patch.ts';

export interface FileStat {
  readonly path: string;
  readonly oldPath: string | undefined;
  readonly added: number;
  readonly removed: number;
}

export function statOf(patch: FilePatch): FileStat {
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    path: pathOf(patch),
    oldPath: patch.oldPath,
    added: lines.filter((line) => line.kind === '+').length,
    removed: lines.filter((line) => line.kind === '-').length,
  };
}

/** A line for each file, `added TAB removed TAB path`. */
export function formatNumbers(patches: readonly FilePatch[]): string {
  return patches
    .map(statOf)
    .map((stat) => `${stat.added}\t${stat.removed}\t${nameOf(stat)}\n`)
    .join('');
}

/** A line with a bar for each file and a line with the sums. */
export function formatStat(patches: readonly FilePatch[], width = 80): string {
  const stats = patches.map(statOf);
  const names = stats.map(nameOf);
  const widest = Math.max(0, ...names.map((name) => name.length));
  const most = Math.max(0, ...stats.map((stat) => stat.added + stat.removed));
  const digits = String(most).length;
  const room = Math.max(10, width - widest - digits - 5);
  const lines = stats.map((stat, index) => {
    const name = (names[index] ?? '').padEnd(widest);
    const count = String(stat.added + stat.removed).padStart(digits);
    return ` ${name} | ${count} ${bar(stat, most, room)}`.trimEnd() + '\n';
  });
  return lines.join('') + summary(stats);
}

/** `old => new`, with what both have in front and behind only once. */
function nameOf(stat: FileStat): string {
  const { path, oldPath } = stat;
  if (oldPath === undefined || oldPath === path) {
    return path;
  }
  const old = oldPath.split('/');
  const now = path.split('/');
  let head = 0;
  while (head < Math.min(old.length, now.length) - 1 && old[head] === now[head]) {
    head += 1;
  }
  if (head === 0) {
    return `${oldPath} => ${path}`;
  }
  const shared = old.slice(0, head).join('/');
  return `${shared}/{${old.slice(head).join('/')} => ${now.slice(head).join('/')}}`;
}

/** Scaled down where the longest does not fit; what is not zero shows at least once. */
function bar(stat: FileStat, most: number, room: number): string {
  const scale = (count: number) =>
    most <= room || count === 0 ? count : Math.max(1, Math.floor((count * room) / most));
  return '+'.repeat(scale(stat.added)) + '-'.repeat(scale(stat.removed));
}

function summary(stats: readonly FileStat[]): string {
  const added = stats.reduce((sum, stat) => sum + stat.added, 0);
  const removed = stats.reduce((sum, stat) => sum + stat.removed, 0);
  const parts = [`${counted(stats.length, 'file')} changed`];
  if (added > 0 || removed === 0) {
    parts.push(`${counted(added, 'insertion')}(+)`);
  }
  if (removed > 0 || added === 0) {
    parts.push(`${counted(removed, 'deletion')}(-)`);
  }
  return ` ${parts.join(', ')}\n`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
