/** Names of files in the headers of patches. */

const NO_FILE = '/dev/null';
const ESCAPES: readonly (readonly [string, string])[] = [
  ['\\', '\\\\'],
  ['"', '\\"'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
];

/** Names with a quote, a backslash, a tab or a line end stand in quotes. */
export function quoteName(name: string): string {
  let quoted = '';
  for (const letter of name) {
    quoted += ESCAPES.find(([plain]) => plain === letter)?.[1] ?? letter;
  }
  return quoted === name ? name : `"${quoted}"`;
}

/** Takes quotes away. Gives `undefined` where they are not closed or an escape is unknown. */
export function unquoteName(text: string): string | undefined {
  if (!text.startsWith('"')) {
    return text;
  }
  const match = /^"((?:[^"\\]|\\.)*)"$/.exec(text);
  if (match === null) {
    return undefined;
  }
  let known = true;
  const name = (match[1] ?? '').replace(/\\./g, (escaped) => {
    const plain = ESCAPES.find(([, written]) => written === escaped)?.[0];
    known &&= plain !== undefined;
    return plain ?? '';
  });
  return known ? name : undefined;
}

/** A name in a `---` or `+++` line; `/dev/null` stands for no file. */
export function sideName(side: 'a' | 'b', path: string | undefined): string {
  return path === undefined ? NO_FILE : quoteName(`${side}/${path}`);
}

/** The path of such a name. What follows a tab (a date) is not part of it. */
export function pathOfSide(text: string): { path: string | undefined } | undefined {
  const written = text.startsWith('"') ? text.trimEnd() : (text.split('\t')[0] ?? '').trimEnd();
  const name = unquoteName(written);
  if (name === undefined || name === '') {
    return undefined;
  }
  return { path: name === NO_FILE ? undefined : withoutSide(name) };
}

export function withoutSide(name: string): string {
  return /^[ab]\//.test(name) ? name.slice(2) : name;
}
