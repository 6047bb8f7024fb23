/** A value that cannot be read (a date, a time, a rule); it does not know its line. */
export class BadValue extends Error {
  override readonly name = "BadValue";
}

/** A calendar text that breaks the format. `line` counts from 1. */
export class FormatError extends Error {
  override readonly name = "FormatError";
  readonly line: number;

  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
}

/** A search that cannot be understood. `position` counts characters from 0. */
export class QueryError extends Error {
  override readonly name = "QueryError";
  readonly position: number;

  constructor(position: number, message: string) {
    super(`at ${position}: ${message}`);
    this.position = position;
  }
}
