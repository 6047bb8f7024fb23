import { chomp, endOf } from './lines.ts';

/**
 * How blanks count: `exact`ly; not at the end of a line (`trailing`); any run of them as one
 * blank and not at the end of a line (`amount`); not at all (`all`).
 */
export type Whitespace = 'exact' | 'trailing' | 'amount' | 'all';

export interface CompareOptions {
  readonly whitespace?: Whitespace;
  readonly ignoreCase?: boolean;
  /** `\n`, `\r\n` and a missing end of the last line are the same. */
  readonly ignoreEnds?: boolean;
}

export type Key<T> = (item: T) => string;

const BLANKS = /[ \t\v\f\r]+/g;
const TRAILING = /[ \t\v\f\r]+$/;

/** Two lines are the same under the options if their keys are. */
export function lineKey(options: CompareOptions = {}): Key<string> {
  const { whitespace = 'exact', ignoreCase = false, ignoreEnds = false } = options;
  return (line) => {
    const body = squeeze(chomp(line), whitespace);
    const key = ignoreCase ? body.toLowerCase() : body;
    return ignoreEnds ? key : key + endOf(line);
  };
}

function squeeze(body: string, whitespace: Whitespace): string {
  switch (whitespace) {
    case 'exact':
      return body;
    case 'trailing':
      return body.replace(TRAILING, '');
    case 'amount':
      return body.replace(TRAILING, '').replace(BLANKS, ' ');
    case 'all':
      return body.replace(BLANKS, '');
  }
}
