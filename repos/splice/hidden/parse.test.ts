import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatPatches, parsePatches, PatchSyntaxError } from '../src/index.ts';

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');

describe('reading patches', () => {
  test('a plain one', () => {
    assert.deepEqual(parsePatches(text('--- a/f', '+++ b/f', '@@ -2,2 +2,2 @@ head', ' a', '-b', '+c')), [
      {
        oldPath: 'f',
        newPath: 'f',
        hunks: [
          {
            aStart: 2,
            aCount: 2,
            bStart: 2,
            bCount: 2,
            heading: 'head',
            lines: [
              { kind: ' ', text: 'a\n' },
              { kind: '-', text: 'b\n' },
              { kind: '+', text: 'c\n' },
            ],
          },
        ],
      },
    ]);
  });

  test('a count that is not written is 1', () => {
    const [patch] = parsePatches(text('--- f', '+++ f', '@@ -3 +4,2 @@', '-a', '+b', '+c'));
    assert.equal(patch.hunks[0].aCount, 1);
  });

  test('numbers are numbers', () => {
    const [patch] = parsePatches(text('--- f', '+++ f', '@@ -12,1 +13,1 @@', '-a', '+b'));
    assert.equal(patch.hunks[0].bStart + patch.hunks[0].bCount, 14);
  });

  test('text around it is skipped', () => {
    assert.deepEqual(
      parsePatches(text('Hello,', '', '--- a/f', '+++ b/f', '@@ -1 +1 @@', '-a', '+b', '-- ', 'Ann')).map(
        (patch) => patch.hunks.length,
      ),
      [1],
    );
  });

  test('lines that look like names belong to the hunk', () => {
    const [patch] = parsePatches(text('--- a/f', '+++ b/f', '@@ -1,2 +1,2 @@', '--- x', '+++ y', ' z'));
    assert.deepEqual(
      patch.hunks[0].lines.map((line) => line.text),
      ['-- x\n', '++ y\n', 'z\n'],
    );
  });

  test('several files and hunks', () => {
    assert.deepEqual(
      parsePatches(
        text('--- a/f', '+++ b/f', '@@ -1 +1 @@', '-a', '+b', '@@ -9 +9 @@', '-c', '+d') +
          text('--- a/g', '+++ b/g', '@@ -1 +1 @@', '-a', '+b'),
      ).map((patch) => `${patch.newPath} ${patch.hunks.length}`),
      ['f 2', 'g 1'],
    );
  });

  test('a date behind the name', () => {
    assert.equal(
      parsePatches(text('--- my file\t2024-01-01 10:00', '+++ b/my file\t2024', '@@ -1 +1 @@', '-a', '+b'))[0].oldPath,
      'my file',
    );
  });

  test('a file that comes', () => {
    assert.equal(
      parsePatches(text('--- /dev/null', '+++ b/f', '@@ -0,0 +1 @@', '+a'))[0].oldPath,
      undefined,
    );
  });

  test('a missing newline', () => {
    const [patch] = parsePatches(
      text('--- f', '+++ f', '@@ -1 +1 @@', '-a', '\\ No newline at end of file', '+a'),
    );
    assert.deepEqual(patch.hunks[0].lines, [
      { kind: '-', text: 'a' },
      { kind: '+', text: 'a\n' },
    ]);
  });

  test('a missing newline in the last line of the hunk', () => {
    const [patch] = parsePatches(
      text('--- f', '+++ f', '@@ -1 +1 @@', '-a', '+b', '\\ No newline at end of file'),
    );
    assert.equal(patch.hunks[0].lines[1].text, 'b');
  });

  test('context that lost its blank', () => {
    const [patch] = parsePatches(text('--- f', '+++ f', '@@ -1,3 +1,3 @@', ' a', '', '-b', '+c'));
    assert.deepEqual(patch.hunks[0].lines[1], { kind: ' ', text: '\n' });
  });

  test('windows line ends stay in the lines', () => {
    const [patch] = parsePatches('--- f\r\n+++ f\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n');
    assert.deepEqual(
      patch.hunks[0].lines.map((line) => line.text),
      ['a\r\n', 'b\r\n'],
    );
  });
});

describe("git's headers", () => {
  test('a rename', () => {
    assert.deepEqual(
      parsePatches(
        text('diff --git a/x b/y', 'similarity index 87%', 'rename from x', 'rename to y', 'index 12..34'),
      ),
      [{ oldPath: 'x', newPath: 'y', similarity: 87, hunks: [] }],
    );
  });

  test('another mode', () => {
    assert.deepEqual(parsePatches(text('diff --git a/x b/x', 'old mode 100644', 'new mode 100755')), [
      { oldPath: 'x', newPath: 'x', oldMode: '100644', newMode: '100755', hunks: [] },
    ]);
  });

  test('an empty file that comes', () => {
    assert.deepEqual(parsePatches(text('diff --git a/x y b/x y', 'new file mode 100644')), [
      { oldPath: undefined, newPath: 'x y', newMode: '100644', hunks: [] },
    ]);
  });

  test('a file that goes', () => {
    assert.deepEqual(parsePatches(text('diff --git a/x b/x', 'deleted file mode 100755')), [
      { oldPath: 'x', newPath: undefined, oldMode: '100755', hunks: [] },
    ]);
  });

  test('quoted names', () => {
    assert.equal(
      parsePatches(text('diff --git "a/t\\tb" "b/t\\tb"', 'old mode 100644', 'new mode 100755'))[0].newPath,
      't\tb',
    );
  });

  test('what was written is read back', () => {
    const patches = [
      { oldPath: 'x "1"', newPath: 'y\\2', similarity: 60, hunks: [] },
      { oldPath: 'z', newPath: undefined, oldMode: '100644', hunks: [] },
    ];
    assert.equal(
      formatPatches(parsePatches(formatPatches(patches))),
      'diff --git "a/x \\"1\\"" "b/y\\\\2"\nsimilarity index 60%\nrename from "x \\"1\\""\nrename to "y\\\\2"\n' +
        'diff --git a/z b/z\ndeleted file mode 100644\n',
    );
  });
});

describe('broken patches', () => {
  const lineOf = (...lines: string[]) => {
    try {
      parsePatches(text(...lines));
      return 0;
    } catch (error) {
      return error instanceof PatchSyntaxError ? error.line : -1;
    }
  };

  test('are a PatchSyntaxError', () => {
    assert.throws(() => parsePatches(text('--- f', '+++ f', '@@ -1 +1 @@', 'a')), PatchSyntaxError);
  });

  test('the text ends in a hunk', () => {
    assert.equal(lineOf('--- f', '+++ f', '@@ -1,2 +1 @@', '-a', '+b'), 6);
  });

  test('more lines than the header says', () => {
    assert.equal(lineOf('--- f', '+++ f', '@@ -1 +1,2 @@', '-a', '-b', '+c'), 5);
  });

  test('a header of a hunk that is not one', () => {
    assert.equal(lineOf('--- f', '+++ f', '@@ -1 +x @@', '-a'), 3);
  });

  test('a hunk that belongs to no file', () => {
    assert.equal(lineOf('hello', '@@ -1 +1 @@', '-a', '+b'), 2);
  });

  test('a file without hunks', () => {
    assert.equal(lineOf('--- f', '+++ f', 'hello'), 3);
  });

  test('a mode that is not one', () => {
    assert.equal(lineOf('diff --git a/x b/x', 'old mode 100644', 'new mode 755'), 3);
  });

  test('a name whose quotes are not closed', () => {
    assert.equal(lineOf('', '--- "f', '+++ "f"', '@@ -1 +1 @@', '-a', '+b'), 2);
  });

  test('the message names the line', () => {
    assert.throws(() => parsePatches(text('@@ -1 +1 @@')), {
      name: 'PatchSyntaxError',
      message: 'line 1: a hunk without the names of its files',
    });
  });
});
