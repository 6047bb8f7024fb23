import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { agenda } from "../src/agenda.ts";
import { parseDate } from "../src/civil.ts";
import { parseCalendar } from "../src/parser.ts";

const lines = (from: string, to: string, ...text: string[]) =>
  agenda(parseCalendar(text.join("\n")), parseDate(from), parseDate(to)).split("\n");

const STANDUP = [
  "entry standup",
  "  title Daily stand-up",
  "  when 2024-03-04 09:15 for 15m",
  "  every weekday",
  "  in Room 4",
];

describe("agenda", () => {
  test("one day", () => {
    assert.deepEqual(lines("2024-03-04", "2024-03-04", ...STANDUP), [
      "Week 10, 2024",
      "  Mon 4 Mar",
      "    09:15-09:30  Daily stand-up (Room 4)",
    ]);
  });

  test("empty days are left out and every week has a heading", () => {
    assert.deepEqual(lines("2024-03-08", "2024-03-11", ...STANDUP), [
      "Week 10, 2024",
      "  Fri 8 Mar",
      "    09:15-09:30  Daily stand-up (Room 4)",
      "Week 11, 2024",
      "  Mon 11 Mar",
      "    09:15-09:30  Daily stand-up (Room 4)",
    ]);
  });

  test("nothing at all", () => {
    assert.equal(lines("2024-03-02", "2024-03-03", ...STANDUP).join(), "");
    assert.equal(lines("2024-03-02", "2024-03-04", ...STANDUP)[0], "Week 10, 2024");
  });

  test("moved occurrences are marked", () => {
    const text = [...STANDUP, "  move 2024-03-05 to 10:00"];
    assert.deepEqual(lines("2024-03-05", "2024-03-05", ...text), [
      "Week 10, 2024",
      "  Tue 5 Mar",
      "    10:00-10:15  Daily stand-up (Room 4) [moved]",
    ]);
  });

  test("a night is shown on both days", () => {
    assert.deepEqual(lines("2024-03-04", "2024-03-05", "entry night", "  when 2024-03-04 22:00-02:00"), [
      "Week 10, 2024",
      "  Mon 4 Mar",
      "    22:00-02:00+ night",
      "  Tue 5 Mar",
      "    until 02:00  night",
    ]);
  });

  test("an evening that ends at midnight is shown once", () => {
    assert.deepEqual(lines("2024-03-04", "2024-03-05", "entry party", "  when 2024-03-04 20:00-24:00"), [
      "Week 10, 2024",
      "  Mon 4 Mar",
      "    20:00-24:00  party",
    ]);
  });

  test("a timed entry that fills a day", () => {
    assert.deepEqual(lines("2024-03-05", "2024-03-05", "entry trip", "  when 2024-03-04 12:00 for 2d"), [
      "Week 10, 2024",
      "  Tue 5 Mar",
      "    all day      trip",
    ]);
  });

  test("an entry without length shows its time", () => {
    assert.equal(
      lines("2024-03-04", "2024-03-04", "entry pills", "  when 2024-03-04 08:00 for 0m")[2],
      "    08:00        pills",
    );
  });

  test("all-day entries come first", () => {
    const text = ["entry alarm", "  when 2024-03-04 00:00 for 3d", "entry party", "  when 2024-03-04"];
    assert.deepEqual(lines("2024-03-04", "2024-03-04", ...text), [
      "Week 10, 2024",
      "  Mon 4 Mar",
      "    all day      party",
      "    00:00-00:00+ alarm",
    ]);
  });

  test("several whole days are numbered", () => {
    assert.deepEqual(lines("2024-03-05", "2024-03-06", "entry fair", "  when 2024-03-04..2024-03-06"), [
      "Week 10, 2024",
      "  Tue 5 Mar",
      "    day 2 of 3   fair",
      "  Wed 6 Mar",
      "    day 3 of 3   fair",
    ]);
  });

  test("the turn of the year", () => {
    const text = ["entry sweep", "  when 2024-12-29 08:00 for 1h", "  every day"];
    assert.deepEqual(lines("2024-12-29", "2024-12-31", ...text), [
      "Week 52, 2024",
      "  Sun 29 Dec",
      "    08:00-09:00  sweep",
      "Week 1, 2025",
      "  Mon 30 Dec",
      "    08:00-09:00  sweep",
      "  Tue 31 Dec",
      "    08:00-09:00  sweep",
    ]);
  });

  test("a whole day by the clock ends at midnight", () => {
    assert.equal(
      lines("2024-03-04", "2024-03-05", "entry duty", "  when 2024-03-04 00:00-24:00").join("|"),
      "Week 10, 2024|  Mon 4 Mar|    00:00-24:00  duty",
    );
  });
});
