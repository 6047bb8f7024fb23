import { PatchSyntaxError } from './errors.ts';
import type { Hunk, HunkLine } from './hunks.ts';
import { chomp, splitLines } from './lines.ts';
import { pathOfSide, unquoteName, withoutSide } from './names.ts';
import type { FilePatch } from './patch.ts';

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(?: (.*))?$/;
const EXTENDED =
  /^((?:old|new|deleted file|new file) mode|rename from|rename to|similarity index|index) (.+)$/;
const MODE = /^[0-7]{6}$/;

/**
 * Reads unified diffs, with or without the headers of git. Text around them is skipped. Throws
 * PatchSyntaxError.
 */
export function parsePatches(text: string): FilePatch[] {
  return new PatchReader(text).read();
}

interface Header {
  created: boolean;
  deleted: boolean;
  oldPath: string | undefined;
  newPath: string | undefined;
  oldMode: string | undefined;
  newMode: string | undefined;
  similarity: number | undefined;
}

class PatchReader {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#lines = splitLines(text);
  }

  read(): FilePatch[] {
    const patches: FilePatch[] = [];
    while (this.#at < this.#lines.length) {
      if (this.#line().startsWith('diff --git ')) {
        patches.push(this.#gitPatch());
      } else if (this.#atNames()) {
        patches.push(this.#plainPatch());
      } else if (HUNK.test(this.#line())) {
        throw this.#error('a hunk without the names of its files');
      } else {
        this.#at += 1;
      }
    }
    return patches;
  }

  #gitPatch(): FilePatch {
    const header = this.#gitNames();
    this.#at += 1;
    while (this.#at < this.#lines.length && this.#extended(header)) {
      this.#at += 1;
    }
    if (this.#atNames()) {
      this.#names(header);
    }
    return toPatch(header, this.#hunks());
  }

  #plainPatch(): FilePatch {
    const header = emptyHeader(undefined);
    this.#names(header);
    const hunks = this.#hunks();
    if (hunks.length === 0) {
      throw this.#error('a file without hunks');
    }
    return toPatch(header, hunks);
  }

  /** The names in `diff --git a/x b/x`; where they are not the same, later lines give them. */
  #gitNames(): Header {
    const rest = this.#line().slice('diff --git '.length);
    const half = (rest.length - 1) / 2;
    const [first, second] = [rest.slice(0, half), rest.slice(half + 1)];
    const [a, b] = [unquoteName(first), unquoteName(second)];
    const same = a !== undefined && b !== undefined && withoutSide(a) === withoutSide(b);
    return emptyHeader(same ? withoutSide(a) : undefined);
  }

  #extended(header: Header): boolean {
    const match = EXTENDED.exec(this.#line());
    const value = match?.[2] ?? '';
    switch (match?.[1]) {
      case 'old mode':
        header.oldMode = this.#mode(value);
        return true;
      case 'new mode':
        header.newMode = this.#mode(value);
        return true;
      case 'deleted file mode':
        header.deleted = true;
        header.oldMode = this.#mode(value);
        return true;
      case 'new file mode':
        header.created = true;
        header.newMode = this.#mode(value);
        return true;
      case 'rename from':
        header.oldPath = this.#name(value);
        return true;
      case 'rename to':
        header.newPath = this.#name(value);
        return true;
      case 'similarity index':
        header.similarity = Number.parseInt(value, 10);
        return true;
      default:
        return match !== null;
    }
  }

  #mode(text: string): string {
    if (!MODE.test(text)) {
      throw this.#error(`not a mode: ${text}`);
    }
    return text;
  }

  #name(text: string): string {
    const name = unquoteName(text);
    if (name === undefined) {
      throw this.#error(`not a name: ${text}`);
    }
    return name;
  }

  #atNames(): boolean {
    return this.#line().startsWith('--- ') && this.#line(1).startsWith('+++ ');
  }

  #names(header: Header): void {
    for (const side of ['oldPath', 'newPath'] as const) {
      const written = this.#line().slice(4);
      const found = pathOfSide(written);
      if (found === undefined) {
        throw this.#error(`not a name: ${written}`);
      }
      header[side] = found.path;
      this.#at += 1;
    }
  }

  #hunks(): Hunk[] {
    const hunks: Hunk[] = [];
    for (;;) {
      const match = HUNK.exec(this.#line());
      if (match === null) {
        if (this.#line().startsWith('@@')) {
          throw this.#error('not the header of a hunk');
        }
        return hunks;
      }
      hunks.push(this.#hunk(match));
    }
  }

  #hunk(header: RegExpExecArray): Hunk {
    const [, aStart, aCount = '1', bStart, bCount = '1', heading = ''] = header;
    this.#at += 1;
    const lines = this.#hunkLines(Number(aCount), Number(bCount));
    return {
      aStart: Number(aStart),
      aCount: Number(aCount),
      bStart: Number(bStart),
      bCount: Number(bCount),
      heading,
      lines,
    };
  }

  #hunkLines(aCount: number, bCount: number): HunkLine[] {
    const lines: HunkLine[] = [];
    let a = aCount;
    let b = bCount;
    while (a > 0 || b > 0) {
      const written = this.#lines[this.#at];
      if (written === undefined) {
        throw this.#error('the patch ends within a hunk');
      }
      const { kind, text } = this.#hunkLine(written);
      a -= kind === '+' ? 0 : 1;
      b -= kind === '-' ? 0 : 1;
      if (a < 0 || b < 0) {
        throw this.#error('a hunk has other lines than its header says');
      }
      const endless = this.#line(1).startsWith('\\');
      lines.push({ kind, text: endless ? chomp(text) : text });
      this.#at += endless ? 2 : 1;
    }
    return lines;
  }

  #hunkLine(line: string): HunkLine {
    const kind = line[0];
    if (kind === ' ' || kind === '-' || kind === '+') {
      return { kind, text: line.slice(1) };
    }
    // Editors and mail programs take the blank of an empty context line away.
    if (chomp(line) === '') {
      return { kind: ' ', text: line };
    }
    throw this.#error('not a line of a hunk');
  }

  #line(ahead = 0): string {
    return chomp(this.#lines[this.#at + ahead] ?? '');
  }

  #error(message: string): PatchSyntaxError {
    return new PatchSyntaxError(this.#at + 1, message);
  }
}

function emptyHeader(path: string | undefined): Header {
  return {
    created: false,
    deleted: false,
    oldPath: path,
    newPath: path,
    oldMode: undefined,
    newMode: undefined,
    similarity: undefined,
  };
}

function toPatch(header: Header, hunks: Hunk[]): FilePatch {
  const { created, deleted, oldMode, newMode, similarity } = header;
  return {
    oldPath: created ? undefined : header.oldPath,
    newPath: deleted ? undefined : header.newPath,
    ...(oldMode === undefined ? {} : { oldMode }),
    ...(newMode === undefined ? {} : { newMode }),
    ...(similarity === undefined ? {} : { similarity }),
    hunks,
  };
}
