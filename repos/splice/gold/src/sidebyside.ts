import type { LineDiff } from './linediff.ts';
import { chomp } from './lines.ts';
import { common } from './sequence.ts';
import type { Change } from './sequence.ts';
import { pairLines } from './words.ts';

export interface SideBySideOptions {
  /** Characters a line. Default: 80. */
  readonly width?: number;
  /** Distance of tab stops. Default: 8. */
  readonly tab?: number;
  /** Leaves out what is the same. */
  readonly changedOnly?: boolean;
}

interface Row {
  readonly left: string | undefined;
  readonly mark: ' ' | '<' | '>' | '|';
  readonly right: string | undefined;
}

/**
 * Two columns. Between them stands `<` for a removed line, `>` for an added one, `|` for a
 * line that became another. Lines that are too long are cut off.
 */
export function formatSideBySide(diff: LineDiff, options: SideBySideOptions = {}): string {
  const { width = 80, tab = 8, changedOnly = false } = options;
  const column = Math.max(1, Math.floor((width - 3) / 2));
  return rows(diff)
    .filter((row) => !(changedOnly && row.mark === ' '))
    .map((row) => {
      const left = cut(expandTabs(chomp(row.left ?? ''), tab), column);
      const right = cut(expandTabs(chomp(row.right ?? ''), tab), column);
      const fill = ' '.repeat(column - [...left].length);
      return `${left}${fill} ${row.mark} ${right}`.trimEnd() + '\n';
    })
    .join('');
}

function rows(diff: LineDiff): Row[] {
  const parts: { at: number; rows: Row[] }[] = [];
  for (const match of common(diff.changes, diff.a.length)) {
    const same = diff.a.slice(match.a, match.a + match.length);
    parts.push({
      at: match.a,
      rows: same.map((left, i) => ({ left, mark: ' ', right: diff.b[match.b + i] })),
    });
  }
  for (const change of diff.changes) {
    parts.push({ at: change.aStart, rows: changedRows(diff, change) });
  }
  // An insertion begins where the common part after it begins, and stands before it.
  const isSame = (part: { rows: Row[] }) => (part.rows[0]?.mark === ' ' ? 1 : 0);
  parts.sort((one, two) => one.at - two.at || isSame(one) - isSame(two));
  return parts.flatMap((part) => part.rows);
}

function changedRows(diff: LineDiff, change: Change): Row[] {
  const before = diff.a.slice(change.aStart, change.aEnd);
  const after = diff.b.slice(change.bStart, change.bEnd);
  const found: Row[] = [];
  let i = 0;
  let j = 0;
  const end = [before.length, after.length] as const;
  const gone = (left: string): Row => ({ left, mark: '<', right: undefined });
  const come = (right: string): Row => ({ left: undefined, mark: '>', right });
  for (const [left, right] of [...pairLines(before, after), end]) {
    found.push(...before.slice(i, left).map(gone), ...after.slice(j, right).map(come));
    if (left < before.length) {
      found.push({ left: before[left], mark: '|', right: after[right] });
    }
    i = left + 1;
    j = right + 1;
  }
  return found;
}

function expandTabs(text: string, tab: number): string {
  let expanded = '';
  let column = 0;
  for (const letter of text) {
    const piece = letter === '\t' ? ' '.repeat(tab - (column % tab)) : letter;
    expanded += piece;
    column += [...piece].length;
  }
  return expanded;
}

function cut(text: string, width: number): string {
  const letters = [...text];
  return letters.length <= width ? text : letters.slice(0, width).join('');
}
