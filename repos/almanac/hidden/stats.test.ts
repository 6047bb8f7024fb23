import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseDate } from "../src/civil.ts";
import { parseCalendar } from "../src/parser.ts";
import { tagTotals } from "../src/stats.ts";

const totals = (from: string, to: string, ...text: string[]) =>
  tagTotals(parseCalendar(text.join("\n")), parseDate(from), parseDate(to));

describe("totals by tag", () => {
  test("count occurrences and minutes, longest first", () => {
    assert.deepEqual(
      totals(
        "2024-03-04",
        "2024-03-08",
        "entry a",
        "  when 2024-03-04 09:00 for 15m",
        "  every day",
        "  tags short, team",
        "entry b",
        "  when 2024-03-06 14:00-16:00",
        "  tags team",
      ),
      [
        { tag: "team", count: 6, minutes: 195 },
        { tag: "short", count: 5, minutes: 75 },
      ],
    );
  });

  test("time outside the days is not counted", () => {
    assert.deepEqual(
      totals("2024-03-05", "2024-03-05", "entry a", "  when 2024-03-04 22:00-06:00", "  tags night"),
      [{ tag: "night", count: 1, minutes: 360 }],
    );
  });

  test("the second day of a trip counts as far as it goes", () => {
    assert.deepEqual(
      totals("2024-03-05", "2024-03-05", "entry a", "  when 2024-03-04 12:00 for 2d", "  tags trip"),
      [{ tag: "trip", count: 1, minutes: 1440 }],
    );
  });

  test("the evening of a night counts until midnight", () => {
    assert.deepEqual(
      totals("2024-03-04", "2024-03-04", "entry a", "  when 2024-03-04 22:00-06:00", "  tags night"),
      [{ tag: "night", count: 1, minutes: 120 }],
    );
  });

  test("an evening that ends at midnight is no part of the next day", () => {
    assert.equal(
      totals("2024-03-05", "2024-03-05", "entry a", "  when 2024-03-04 14:00-24:00", "  tags late").length,
      0,
    );
  });

  test("whole days count but take no minutes", () => {
    assert.deepEqual(
      totals(
        "2024-03-04",
        "2024-03-08",
        "entry a",
        "  when 2024-03-04..2024-03-06",
        "  tags off",
        "entry b",
        "  when 2024-03-06 14:00 for 30m",
        "  tags off, work",
      ),
      [
        { tag: "off", count: 2, minutes: 30 },
        { tag: "work", count: 1, minutes: 30 },
      ],
    );
  });

  test("a single whole day takes no minutes", () => {
    assert.deepEqual(totals("2024-03-04", "2024-03-08", "entry a", "  when 2024-03-05", "  tags off"), [
      { tag: "off", count: 1, minutes: 0 },
    ]);
  });

  test("a tag said twice counts once", () => {
    const [only] = totals("2024-03-04", "2024-03-04", "entry a", "  when 2024-03-04 10:00 for 1h", "  tags x, X");
    assert.equal(only.count, 1);
    assert.equal(only.minutes, 60);
  });

  test("equal totals are in the order of their tags", () => {
    const found = totals("2024-03-04", "2024-03-04", "entry a", "  when 2024-03-04", "  tags b, a, c");
    assert.deepEqual(found.map(({ tag }) => tag), ["a", "b", "c"]);
  });
});
