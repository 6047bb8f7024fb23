import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FormatError } from "../src/errors.ts";
import { parseCalendar } from "../src/parser.ts";

/** The line a broken text is blamed on; 0 when the text is fine. */
function blamedLine(...lines: string[]): number {
  try {
    parseCalendar(lines.join("\n"));
    return 0;
  } catch (error) {
    if (error instanceof FormatError) {
      return error.line;
    }
    throw error;
  }
}

const entryOf = (...lines: string[]) =>
  parseCalendar(["entry a", ...lines.map((line) => `  ${line}`)].join("\n")).entries[0];

describe("calendars", () => {
  test("settings have defaults", () => {
    const calendar = parseCalendar("");
    assert.equal(calendar.name, "");
    assert.equal(calendar.weekStart, 0);
    assert.equal(calendar.entries.length, 0);
  });

  test("settings are read", () => {
    const calendar = parseCalendar("calendar Our team\nweek-start sun\nworkday 08:30-17:00\n");
    assert.equal(calendar.name, "Our team");
    assert.equal(calendar.weekStart, 6);
    assert.deepEqual(calendar.workday, { opens: 510, closes: 1020 });
  });

  test("comments, blank lines and continued lines", () => {
    const calendar = parseCalendar(
      "# team\n\nentry a\n  # why not\n  when 2024-03-04\n  with ann, \\\n    bob\n",
    );
    assert.deepEqual(calendar.entries[0].people, ["ann", "bob"]);
  });

  test("Windows line ends", () => {
    assert.equal(parseCalendar("entry a\r\n  title Lunch\r\n  when 2024-03-04\r\n").entries[0].title, "Lunch");
  });

  test("continued lines with Windows line ends", () => {
    const calendar = parseCalendar("entry a\r\n  when 2024-03-04\r\n  with ann, \\\r\n    bob\r\n");
    assert.deepEqual(calendar.entries[0].people, ["ann", "bob"]);
  });

  test("a continued title with Windows line ends", () => {
    const calendar = parseCalendar("entry a\r\n  title A long \\\r\n    lunch\r\n  when 2024-03-04\r\n");
    assert.equal(calendar.entries[0].title, "A long lunch");
  });
});

describe("entries", () => {
  test("the title defaults to the identifier", () => {
    assert.equal(entryOf("when 2024-03-04").title, "a");
    assert.equal(entryOf("title Big lunch", "when 2024-03-04").title, "Big lunch");
  });

  test("a start and a length", () => {
    assert.deepEqual(entryOf("when 2024-03-04 09:15 for 1h30m").span, {
      kind: "timed",
      minute: 555,
      length: 90,
    });
  });

  test("a start and an end", () => {
    assert.deepEqual(entryOf("when 2024-03-04 22:00 - 06:00").span, {
      kind: "timed",
      minute: 1320,
      length: 480,
    });
  });

  test("an end at the start is a day later", () => {
    assert.deepEqual(entryOf("when 2024-03-04 08:00-08:00").span, {
      kind: "timed",
      minute: 480,
      length: 1440,
    });
  });

  test("one whole day and several", () => {
    assert.deepEqual(entryOf("when 2024-05-01").span, { kind: "all-day", days: 1 });
    assert.deepEqual(entryOf("when 2024-05-01..2024-05-03").span, { kind: "all-day", days: 3 });
  });

  test("lists gather several lines", () => {
    const entry = entryOf("when 2024-05-01", "tags Red, blue", "tags green");
    assert.deepEqual(entry.tags, ["red", "blue", "green"]);
  });

  test("moves to a day, a time, or both", () => {
    const entry = entryOf(
      "when 2024-03-04 09:00 for 1h",
      "every day",
      "move 2024-03-05 to 2024-03-06",
      "move 2024-03-07 to 00:00",
      "move 2024-03-08 to 2024-03-09 10:30",
    );
    assert.deepEqual(entry.moves, [
      { from: { year: 2024, month: 3, day: 5 }, to: { year: 2024, month: 3, day: 6 } },
      { from: { year: 2024, month: 3, day: 7 }, to: { year: 2024, month: 3, day: 7 }, minute: 0 },
      { from: { year: 2024, month: 3, day: 8 }, to: { year: 2024, month: 3, day: 9 }, minute: 630 },
    ]);
  });

  test("endings", () => {
    assert.deepEqual(entryOf("when 2024-03-04", "every day", "times 12").ending, {
      kind: "times",
      count: 12,
    });
    assert.deepEqual(entryOf("when 2024-03-04").ending, { kind: "never" });
  });
});

describe("broken texts", () => {
  test("unknown keywords", () => {
    assert.equal(blamedLine("calendar x", "event a"), 2);
    assert.equal(blamedLine("entry a", "  when 2024-03-04", "  where here"), 3);
  });

  test("an entry without when is blamed on its head", () => {
    assert.equal(blamedLine("calendar x", "", "entry a", "  title A"), 3);
  });

  test("an identifier used twice", () => {
    assert.equal(blamedLine("entry a", "  when 2024-03-04", "entry a", "  when 2024-03-05"), 3);
  });

  test("a line said twice", () => {
    assert.equal(blamedLine("entry a", "  when 2024-03-04", "  in x", "  in y"), 4);
  });

  test("a line outside an entry", () => {
    assert.equal(blamedLine("  title A"), 1);
  });

  test("bad values carry the line of their start", () => {
    assert.equal(blamedLine("entry a", "  when 2024-03-04", "  every \\", "  moon"), 3);
    assert.equal(blamedLine("entry a", "  when 2024-02-30"), 2);
  });

  test("lines after a continued one keep their number with Windows line ends", () => {
    assert.equal(blamedLine("entry a\r", "  when 2024-03-04\r", "  with ann, \\\r", "    bob\r", "  where here\r"), 5);
  });

  test("two endings, and an ending without a rule", () => {
    assert.equal(
      blamedLine("entry a", "  when 2024-03-04", "  every day", "  until 2024-04-01", "  times 3"),
      5,
    );
    assert.equal(blamedLine("entry a", "  times 3", "  when 2024-03-04"), 2);
  });

  test("a number of times must be positive", () => {
    assert.equal(blamedLine("entry a", "  when 2024-03-04", "  every day", "  times 0"), 4);
  });

  test("an all-day entry cannot move to a time", () => {
    assert.equal(blamedLine("entry a", "  when 2024-03-04", "  move 2024-03-04 to 10:00"), 3);
  });

  test("a working day ends on its own day", () => {
    assert.equal(blamedLine("workday 22:00-06:00"), 1);
    assert.equal(blamedLine("workday 22:00-24:00"), 0);
  });
});
