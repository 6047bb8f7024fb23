import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseDate } from "../src/civil.ts";
import { occurrencesBetween } from "../src/occurrences.ts";
import { parseCalendar } from "../src/parser.ts";
import { formatMoment } from "../src/time.ts";

const between = (from: string, to: string, ...lines: string[]) =>
  occurrencesBetween(parseCalendar(lines.join("\n")), parseDate(from), parseDate(to));

const starts = (from: string, to: string, ...lines: string[]) =>
  between(from, to, ...lines).map((one) => formatMoment(one.start));

const DAILY = ["entry a", "  when 2024-03-04 09:00 for 1h", "  every day"];

describe("windows", () => {
  test("include both days", () => {
    assert.deepEqual(starts("2024-03-06", "2024-03-07", ...DAILY), [
      "2024-03-06 09:00",
      "2024-03-07 09:00",
    ]);
  });

  test("an entry without a rule happens once", () => {
    assert.deepEqual(starts("2024-01-01", "2024-12-31", "entry a", "  when 2024-03-04 09:00 for 1h"), [
      "2024-03-04 09:00",
    ]);
  });

  test("an occurrence that began the day before is seen", () => {
    const night = ["entry a", "  when 2024-03-04 22:00-06:00"];
    assert.deepEqual(starts("2024-03-05", "2024-03-05", ...night), ["2024-03-04 22:00"]);
  });

  test("an occurrence that ends at midnight is not seen on the next day", () => {
    const evening = ["entry a", "  when 2024-03-04 22:00-24:00"];
    assert.equal(starts("2024-03-05", "2024-03-05", ...evening).length, 0);
    assert.equal(starts("2024-03-04", "2024-03-05", ...evening).length, 1);
  });

  test("an occurrence without length is seen on its day", () => {
    const alarm = ["entry a", "  when 2024-03-04 00:00 for 0m"];
    assert.equal(starts("2024-03-04", "2024-03-04", ...alarm).length, 1);
    assert.equal(starts("2024-03-03", "2024-03-03", ...alarm).length, 0);
  });

  test("a holiday of several days is seen on its last day", () => {
    const holiday = ["entry a", "  when 2024-03-04..2024-03-06"];
    assert.equal(starts("2024-03-06", "2024-03-06", ...holiday).length, 1);
    assert.equal(starts("2024-03-07", "2024-03-07", ...holiday).length, 0);
  });
});

describe("order", () => {
  test("by start, then the longer one, then by title", () => {
    const found = between(
      "2024-03-04",
      "2024-03-04",
      "entry late",
      "  when 2024-03-04 10:00 for 1h",
      "entry b",
      "  when 2024-03-04 09:00 for 1h",
      "entry a",
      "  when 2024-03-04 09:00 for 1h",
      "entry long",
      "  when 2024-03-04 09:00 for 3h",
    );
    assert.deepEqual(found.map((one) => one.entry.id), ["long", "a", "b", "late"]);
  });
});

describe("endings", () => {
  test("until includes its day", () => {
    assert.deepEqual(starts("2024-03-01", "2024-03-31", ...DAILY, "  until 2024-03-05"), [
      "2024-03-04 09:00",
      "2024-03-05 09:00",
    ]);
  });

  test("a number of times counts from the first day", () => {
    assert.deepEqual(starts("2024-03-06", "2024-03-31", ...DAILY, "  times 4"), [
      "2024-03-06 09:00",
      "2024-03-07 09:00",
    ]);
  });

  test("excepted days count as times", () => {
    assert.deepEqual(
      starts("2024-03-01", "2024-03-31", ...DAILY, "  times 3", "  except 2024-03-05"),
      ["2024-03-04 09:00", "2024-03-06 09:00"],
    );
  });

  test("a rule that skips the first day skips the entry there too", () => {
    assert.deepEqual(
      starts(
        "2024-03-01",
        "2024-03-31",
        "entry a",
        "  when 2024-03-04 09:00 for 1h",
        "  every week on friday",
        "  times 2",
      ),
      ["2024-03-08 09:00", "2024-03-15 09:00"],
    );
  });
});

describe("moves", () => {
  test("to another time of the same day", () => {
    assert.deepEqual(
      starts("2024-03-05", "2024-03-06", ...DAILY, "  move 2024-03-05 to 16:30"),
      ["2024-03-05 16:30", "2024-03-06 09:00"],
    );
  });

  test("to midnight", () => {
    assert.deepEqual(
      starts("2024-03-05", "2024-03-06", ...DAILY, "  move 2024-03-06 to 00:00"),
      ["2024-03-05 09:00", "2024-03-06 00:00"],
    );
  });

  test("to midnight of another day", () => {
    assert.deepEqual(
      starts("2024-03-06", "2024-03-07", ...DAILY, "  move 2024-03-06 to 2024-03-07 00:00"),
      ["2024-03-07 00:00", "2024-03-07 09:00"],
    );
  });

  test("to another day at the same time", () => {
    assert.deepEqual(
      starts("2024-03-05", "2024-03-07", ...DAILY, "  until 2024-03-06", "  move 2024-03-05 to 2024-03-07"),
      ["2024-03-06 09:00", "2024-03-07 09:00"],
    );
  });

  test("out of the window", () => {
    assert.deepEqual(
      starts("2024-03-05", "2024-03-06", ...DAILY, "  move 2024-03-05 to 2024-04-01 10:00"),
      ["2024-03-06 09:00"],
    );
  });

  test("into the window from before it", () => {
    assert.deepEqual(
      starts("2024-03-08", "2024-03-08", ...DAILY, "  move 2024-03-05 to 2024-03-08 10:00"),
      ["2024-03-08 09:00", "2024-03-08 10:00"],
    );
  });

  test("into the window from after it", () => {
    assert.deepEqual(
      starts("2024-03-08", "2024-03-08", ...DAILY, "  move 2024-03-20 to 2024-03-08 10:00"),
      ["2024-03-08 09:00", "2024-03-08 10:00"],
    );
  });

  test("to a day before the series begins", () => {
    assert.deepEqual(
      starts("2024-03-01", "2024-03-03", ...DAILY, "  move 2024-03-06 to 2024-03-02 08:00"),
      ["2024-03-02 08:00"],
    );
  });

  test("of a day that is excepted do nothing", () => {
    assert.deepEqual(
      starts("2024-03-05", "2024-03-06", ...DAILY, "  except 2024-03-05", "  move 2024-03-05 to 10:00"),
      ["2024-03-06 09:00"],
    );
  });

  test("to another day of a day that is excepted do nothing", () => {
    assert.deepEqual(
      starts("2024-03-05", "2024-03-07", ...DAILY, "  move 2024-03-05 to 2024-03-07 10:00", "  except 2024-03-05"),
      ["2024-03-06 09:00", "2024-03-07 09:00"],
    );
  });

  test("of a holiday keep its length", () => {
    const [found] = between(
      "2024-03-01",
      "2024-03-31",
      "entry a",
      "  when 2024-03-04..2024-03-05",
      "  move 2024-03-04 to 2024-03-11",
    );
    assert.equal(formatMoment(found.start), "2024-03-11 00:00");
    assert.equal(formatMoment(found.end), "2024-03-13 00:00");
  });
});
