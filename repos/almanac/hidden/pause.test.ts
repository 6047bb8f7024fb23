import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  FormatError,
  formatMoment,
  lintCalendar,
  occurrencesBetween,
  parseCalendar,
  parseDate,
  writeCalendar,
} from "../src/index.ts";

function starts(from: string, to: string, ...text: string[]): string[] {
  const calendar = parseCalendar(text.join("\n"));
  return occurrencesBetween(calendar, parseDate(from), parseDate(to)).map((one) => formatMoment(one.start));
}

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

const DAILY = ["entry a", "  when 2024-03-04 09:00 for 1h", "  every day"];
const WEEKLY = ["entry a", "  when 2024-03-04 09:00 for 1h", "  every week"];

describe("pauses", () => {
  test("leave out both of their ends", () => {
    assert.deepEqual(starts("2024-03-04", "2024-03-09", ...DAILY, "  pause 2024-03-05..2024-03-07"), [
      "2024-03-04 09:00",
      "2024-03-08 09:00",
      "2024-03-09 09:00",
    ]);
  });

  test("do not count as times", () => {
    assert.deepEqual(
      starts("2024-03-01", "2024-05-31", ...WEEKLY, "  times 3", "  pause 2024-03-10..2024-03-20"),
      ["2024-03-04 09:00", "2024-03-25 09:00", "2024-04-01 09:00"],
    );
  });

  test("while exceptions still do", () => {
    assert.deepEqual(
      starts(
        "2024-03-01",
        "2024-05-31",
        ...WEEKLY,
        "  times 3",
        "  pause 2024-03-10..2024-03-20",
        "  except 2024-03-25",
      ),
      ["2024-03-04 09:00", "2024-04-01 09:00"],
    );
  });

  test("an exception inside a pause changes nothing", () => {
    assert.deepEqual(
      starts(
        "2024-03-01",
        "2024-05-31",
        ...WEEKLY,
        "  times 2",
        "  pause 2024-03-10..2024-03-20",
        "  except 2024-03-11",
      ),
      ["2024-03-04 09:00", "2024-03-25 09:00"],
    );
  });

  test("do not put off the last day of until", () => {
    assert.deepEqual(
      starts("2024-03-01", "2024-05-31", ...WEEKLY, "  until 2024-03-26", "  pause 2024-03-10..2024-03-20"),
      ["2024-03-04 09:00", "2024-03-25 09:00"],
    );
  });

  test("may cover the first day", () => {
    assert.deepEqual(
      starts("2024-03-01", "2024-05-31", ...WEEKLY, "  times 1", "  pause 2024-03-01..2024-03-12"),
      ["2024-03-18 09:00"],
    );
  });

  test("may be several and overlap", () => {
    assert.deepEqual(
      starts(
        "2024-03-04",
        "2024-03-12",
        ...DAILY,
        "  pause 2024-03-05..2024-03-07",
        "  pause 2024-03-07..2024-03-08",
        "  pause 2024-03-10..2024-03-10",
      ),
      ["2024-03-04 09:00", "2024-03-09 09:00", "2024-03-11 09:00", "2024-03-12 09:00"],
    );
  });

  test("a paused day cannot be moved", () => {
    assert.deepEqual(
      starts(
        "2024-03-01",
        "2024-03-31",
        ...WEEKLY,
        "  until 2024-03-18",
        "  pause 2024-03-10..2024-03-12",
        "  move 2024-03-11 to 2024-03-20",
      ),
      ["2024-03-04 09:00", "2024-03-18 09:00"],
    );
  });

  test("an occurrence may be moved into a pause", () => {
    assert.deepEqual(
      starts(
        "2024-03-01",
        "2024-03-20",
        ...WEEKLY,
        "  pause 2024-03-10..2024-03-20",
        "  move 2024-03-04 to 2024-03-12 10:00",
      ),
      ["2024-03-12 10:00"],
    );
  });

  test("a night that began before a pause goes on", () => {
    assert.deepEqual(
      starts(
        "2024-03-05",
        "2024-03-06",
        "entry night",
        "  when 2024-03-04 22:00-06:00",
        "  every day",
        "  pause 2024-03-05..2024-03-06",
      ),
      ["2024-03-04 22:00"],
    );
  });

  test("are known to the remarks", () => {
    assert.deepEqual(
      lintCalendar(parseCalendar([...WEEKLY, "  pause 2024-03-10..2024-03-20", "  except 2024-03-11"].join("\n"))),
      ["a: does not occur on 2024-03-11, no need to except it"],
    );
  });

  test("are written back between exceptions and moves", () => {
    const text = [
      ...WEEKLY,
      "  pause 2024-07-01 .. 2024-08-31",
      "  move 2024-03-11 to 10:00",
      "  pause 2024-05-01..2024-05-01",
      "  except 2024-03-18",
    ];
    assert.deepEqual(writeCalendar(parseCalendar(text.join("\n"))).split("\n"), [
      "entry a",
      "  when 2024-03-04 09:00 for 1h",
      "  every week on monday",
      "  except 2024-03-18",
      "  pause 2024-07-01..2024-08-31",
      "  pause 2024-05-01..2024-05-01",
      "  move 2024-03-11 to 10:00",
      "",
    ]);
  });

  test("need a rule", () => {
    assert.equal(blamedLine("entry a", "  pause 2024-03-05..2024-03-07", "  when 2024-03-04"), 2);
    assert.equal(blamedLine(...DAILY, "  pause 2024-03-05..2024-03-07"), 0);
  });

  test("need two days in order", () => {
    assert.equal(blamedLine(...DAILY, "  pause 2024-03-05"), 4);
    assert.equal(blamedLine(...DAILY, "  times 3", "  pause 2024-03-07..2024-03-05"), 5);
    assert.equal(blamedLine(...DAILY, "  times 3", "  in Hall", "  pause 2024-02-30..2024-03-05"), 6);
  });
});
