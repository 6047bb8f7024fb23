/** What all errors of this library have in common. */
export class SpliceError extends Error {
  override readonly name: string = 'SpliceError';
}

/** A patch, or a text with conflict markers, that cannot be read. */
export class PatchSyntaxError extends SpliceError {
  override readonly name = 'PatchSyntaxError';
  /** Number of the offending line, from 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
}

/** Something that was to be changed is not in the state that was expected. */
export class MismatchError extends SpliceError {
  override readonly name = 'MismatchError';
}

/** A commit, a branch or a path that a history does not have, or cannot take. */
export class HistoryError extends SpliceError {
  override readonly name = 'HistoryError';
}
