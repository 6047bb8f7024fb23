import type { Hunk, HunkLine } from './hunks.ts';
import { newSide, oldSide } from './hunks.ts';
import { endOf } from './lines.ts';
import { quoteName, sideName } from './names.ts';
import type { FilePatch } from './patch.ts';

const NO_END = '\\ No newline at end of file\n';

/** Patches as unified diffs with the headers that git writes. */
export function formatPatches(patches: readonly FilePatch[]): string {
  return patches.map(formatPatch).join('');
}

export function formatPatch(patch: FilePatch): string {
  const head = gitHeader(patch);
  return patch.hunks.length === 0 ? head : head + formatUnified(patch);
}

/** Only the names and the hunks. */
export function formatUnified(patch: FilePatch): string {
  const names = `--- ${sideName('a', patch.oldPath)}\n+++ ${sideName('b', patch.newPath)}\n`;
  return names + patch.hunks.map(formatHunk).join('');
}

export function formatHunk(hunk: Hunk): string {
  const old = range(hunk.aStart, hunk.aCount);
  const now = range(hunk.bStart, hunk.bCount);
  const heading = hunk.heading === '' ? '' : ` ${hunk.heading}`;
  const lines = hunk.lines.map((line) => formatLine(line.kind, line.text));
  return `@@ -${old} +${now} @@${heading}\n${lines.join('')}`;
}

/** The format of `diff -c`: both states one after the other. */
export function formatContext(patch: FilePatch): string {
  const names = `*** ${sideName('a', patch.oldPath)}\n--- ${sideName('b', patch.newPath)}\n`;
  return names + patch.hunks.map(contextHunk).join('');
}

function contextHunk(hunk: Hunk): string {
  const marks = contextMarks(hunk.lines);
  const written = hunk.lines.map((line, i) => formatLine(`${marks[i] ?? ' '} `, line.text));
  const side = (other: HunkLine['kind']) =>
    written.filter((_, i) => hunk.lines[i]?.kind !== other).join('');
  const old = oldSide(hunk.lines).length;
  const now = newSide(hunk.lines).length;
  return (
    `***************\n*** ${span(hunk.aStart, old)} ****\n` +
    (hunk.lines.some((line) => line.kind === '-') ? side('+') : '') +
    `--- ${span(hunk.bStart, now)} ----\n` +
    (hunk.lines.some((line) => line.kind === '+') ? side('-') : '')
  );
}

/** `!` for the lines of a run that has both removed and added ones. */
function contextMarks(lines: readonly HunkLine[]): string[] {
  const marks: string[] = lines.map((line) => line.kind);
  let start = 0;
  while (start < lines.length) {
    let end = start;
    while (end < lines.length && lines[end]?.kind !== ' ') {
      end += 1;
    }
    const kinds = new Set(lines.slice(start, end).map((line) => line.kind));
    if (kinds.size === 2) {
      marks.fill('!', start, end);
    }
    start = Math.max(end, start + 1);
  }
  return marks;
}

function formatLine(mark: string, text: string): string {
  const end = endOf(text);
  return end === '' ? `${mark}${text}\n${NO_END}` : mark + text;
}

function range(start: number, count: number): string {
  return count === 1 ? `${start}` : `${start},${count}`;
}

/** First and last line. */
function span(start: number, count: number): string {
  return count <= 1 ? `${start}` : `${start},${start + count - 1}`;
}

function gitHeader(patch: FilePatch): string {
  const { oldPath, newPath, oldMode, newMode, similarity } = patch;
  const from = oldPath ?? newPath ?? '';
  const to = newPath ?? from;
  const lines = [`diff --git ${quoteName(`a/${from}`)} ${quoteName(`b/${to}`)}`];
  if (oldPath === undefined) {
    lines.push(`new file mode ${newMode ?? '100644'}`);
  } else if (newPath === undefined) {
    lines.push(`deleted file mode ${oldMode ?? '100644'}`);
  } else {
    if (oldMode !== newMode) {
      lines.push(`old mode ${oldMode ?? '100644'}`, `new mode ${newMode ?? '100644'}`);
    }
    if (oldPath !== newPath) {
      lines.push(`similarity index ${similarity ?? 100}%`);
      lines.push(`rename from ${quoteName(oldPath)}`, `rename to ${quoteName(newPath)}`);
    }
  }
  return lines.map((line) => `${line}\n`).join('');
}
