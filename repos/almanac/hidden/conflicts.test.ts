import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseDate } from "../src/civil.ts";
import { describeConflict, findConflicts } from "../src/conflicts.ts";
import { parseCalendar } from "../src/parser.ts";

const conflicts = (...text: string[]) =>
  findConflicts(parseCalendar(text.join("\n")), parseDate("2024-03-04"), parseDate("2024-03-10")).map(
    describeConflict,
  );

describe("conflicts", () => {
  test("over a place, whatever its case", () => {
    assert.deepEqual(
      conflicts(
        "entry a",
        "  when 2024-03-04 09:00 for 1h",
        "  in Room 4",
        "entry b",
        "  when 2024-03-04 09:30 for 1h",
        "  in room 4",
      ),
      ["2024-03-04 09:30: a and b both need Room 4"],
    );
  });

  test("over people", () => {
    assert.deepEqual(
      conflicts(
        "entry a",
        "  when 2024-03-04 09:00 for 1h",
        "  with cleo, ann, bob",
        "entry b",
        "  when 2024-03-04 09:30 for 1h",
        "  with bob, cleo",
      ),
      ["2024-03-04 09:30: a and b both need cleo, bob"],
    );
  });

  test("entries that touch do not conflict", () => {
    assert.equal(
      conflicts(
        "entry a",
        "  when 2024-03-04 09:00 for 1h",
        "  in Hall",
        "entry b",
        "  when 2024-03-04 10:00 for 1h",
        "  in Hall",
      ).length,
      0,
    );
  });

  test("entries with nothing in common do not conflict", () => {
    assert.equal(
      conflicts(
        "entry a",
        "  when 2024-03-04 09:00 for 1h",
        "  in Hall",
        "entry b",
        "  when 2024-03-04 09:00 for 1h",
        "entry c",
        "  when 2024-03-04 09:00 for 1h",
        "  in hall",
      ).length,
      1,
    );
  });

  test("a long entry conflicts with each short one inside it", () => {
    assert.deepEqual(
      conflicts(
        "entry fair",
        "  when 2024-03-04 08:00 for 10h",
        "  in Hall",
        "entry b",
        "  when 2024-03-04 09:00 for 1h",
        "  in Hall",
        "entry c",
        "  when 2024-03-04 15:00 for 1h",
        "  in Hall",
      ),
      [
        "2024-03-04 09:00: fair and b both need Hall",
        "2024-03-04 15:00: fair and c both need Hall",
      ],
    );
  });

  test("a longer entry elsewhere hides nothing", () => {
    assert.deepEqual(
      conflicts(
        "entry trip",
        "  when 2024-03-04 08:00 for 10h",
        "  with dora",
        "entry b",
        "  when 2024-03-04 09:00 for 2h",
        "  with ann",
        "entry c",
        "  when 2024-03-04 10:00 for 30m",
        "  with ann",
      ),
      ["2024-03-04 10:00: b and c both need ann"],
    );
  });

  test("three at once make three pairs", () => {
    assert.deepEqual(
      conflicts(
        "entry a",
        "  when 2024-03-04 09:00 for 3h",
        "  with ann",
        "entry b",
        "  when 2024-03-04 09:30 for 2h",
        "  with ann",
        "entry c",
        "  when 2024-03-04 10:00 for 1h",
        "  with ann",
      ),
      [
        "2024-03-04 09:30: a and b both need ann",
        "2024-03-04 10:00: a and c both need ann",
        "2024-03-04 10:00: b and c both need ann",
      ],
    );
  });

  test("across midnight", () => {
    assert.deepEqual(
      conflicts(
        "entry night",
        "  when 2024-03-04 22:00-06:00",
        "  with ann",
        "entry early",
        "  when 2024-03-05 05:30 for 1h",
        "  with ann",
      ),
      ["2024-03-05 05:30: night and early both need ann"],
    );
  });

  test("a whole day takes its place but nobody's time", () => {
    assert.deepEqual(
      conflicts(
        "entry fair",
        "  when 2024-03-04..2024-03-05",
        "  in Hall",
        "  with ann",
        "entry b",
        "  when 2024-03-05 09:00 for 1h",
        "  in Hall",
        "  with ann",
      ),
      ["2024-03-05 09:00: fair and b both need Hall"],
    );
  });

  test("a moved occurrence conflicts where it went", () => {
    assert.deepEqual(
      conflicts(
        "entry a",
        "  when 2024-03-04 09:00 for 1h",
        "  every week",
        "  move 2024-03-04 to 2024-03-06 14:00",
        "  with ann",
        "entry b",
        "  when 2024-03-06 13:00 for 90m",
        "  with ann",
      ),
      ["2024-03-06 14:00: b and a both need ann"],
    );
  });
});
