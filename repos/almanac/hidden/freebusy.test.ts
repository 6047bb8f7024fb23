import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseDate } from "../src/civil.ts";
import { busyTimes, freeSlots, mergeStretches } from "../src/freebusy.ts";
import type { Stretch } from "../src/freebusy.ts";
import { parseCalendar } from "../src/parser.ts";
import { formatMoment } from "../src/time.ts";

const show = ({ start, end }: Stretch) => `${formatMoment(start)} to ${formatMoment(end).slice(11)}`;

function busy(people: string[], day: string, ...text: string[]): string[] {
  return busyTimes(parseCalendar(text.join("\n")), people, parseDate(day), parseDate(day)).map(show);
}

function free(people: string[], from: string, to: string, shortest: number, ...text: string[]): string[] {
  const calendar = parseCalendar(text.join("\n"));
  return freeSlots(calendar, people, parseDate(from), parseDate(to), shortest).map(show);
}

const TEAM = [
  "workday 08:30-16:00",
  "entry standup",
  "  when 2024-03-04 09:15 for 15m",
  "  every weekday",
  "  with ann, bob",
  "entry review",
  "  when 2024-03-04 13:00-14:30",
  "  with bob",
];

describe("merging", () => {
  test("joins stretches that overlap or touch", () => {
    assert.deepEqual(
      mergeStretches([
        { start: 50, end: 60 },
        { start: 10, end: 20 },
        { start: 20, end: 30 },
      ]),
      [
        { start: 10, end: 30 },
        { start: 50, end: 60 },
      ],
    );
  });

  test("a stretch inside another does not shorten it", () => {
    assert.deepEqual(
      mergeStretches([
        { start: 10, end: 100 },
        { start: 20, end: 30 },
      ]),
      [{ start: 10, end: 100 }],
    );
  });
});

describe("busy times", () => {
  test("of one person", () => {
    assert.deepEqual(busy(["ann"], "2024-03-04", ...TEAM), ["2024-03-04 09:15 to 09:30"]);
  });

  test("of several people", () => {
    assert.deepEqual(busy(["ann", "bob"], "2024-03-04", ...TEAM), [
      "2024-03-04 09:15 to 09:30",
      "2024-03-04 13:00 to 14:30",
    ]);
  });

  test("an entry without people concerns everybody", () => {
    assert.deepEqual(busy(["zoe"], "2024-03-04", "entry drill", "  when 2024-03-04 11:00 for 30m"), [
      "2024-03-04 11:00 to 11:30",
    ]);
  });

  test("a call in the middle of a workshop ends nothing", () => {
    const text = ["entry workshop", "  when 2024-03-05 09:00-15:00", "entry call", "  when 2024-03-05 10:00-10:30"];
    assert.deepEqual(busy(["bob"], "2024-03-05", ...text), ["2024-03-05 09:00 to 15:00"]);
  });

  test("whole days take nobody's time", () => {
    assert.equal(busy(["zoe"], "2024-03-04", "entry a", "  when 2024-03-04").length, 0);
    assert.equal(busy(["zoe"], "2024-03-04", "entry a", "  when 2024-03-04 12:00 for 1d").length, 1);
  });
});

describe("free slots", () => {
  test("lie between the entries of the working day", () => {
    assert.deepEqual(free(["bob"], "2024-03-04", "2024-03-04", 30, ...TEAM), [
      "2024-03-04 08:30 to 09:15",
      "2024-03-04 09:30 to 13:00",
      "2024-03-04 14:30 to 16:00",
    ]);
  });

  test("shorter ones are left out", () => {
    assert.deepEqual(free(["bob"], "2024-03-04", "2024-03-04", 90, ...TEAM), [
      "2024-03-04 09:30 to 13:00",
      "2024-03-04 14:30 to 16:00",
    ]);
  });

  test("skip weekends", () => {
    assert.deepEqual(free(["zoe"], "2024-03-08", "2024-03-11", 60, ...TEAM), [
      "2024-03-08 08:30 to 16:00",
      "2024-03-11 08:30 to 16:00",
    ]);
  });

  test("skip holidays of several days", () => {
    const holiday = ["entry easter", "  when 2024-03-05..2024-03-06", "  tags Holiday"];
    assert.deepEqual(free(["zoe"], "2024-03-04", "2024-03-07", 60, ...TEAM, ...holiday), [
      "2024-03-04 08:30 to 16:00",
      "2024-03-07 08:30 to 16:00",
    ]);
  });

  test("working hours are nine to five unless the calendar says otherwise", () => {
    assert.deepEqual(free(["zoe"], "2024-03-04", "2024-03-04", 60, "entry a", "  when 2024-03-04 12:00-13:00"), [
      "2024-03-04 09:00 to 12:00",
      "2024-03-04 13:00 to 17:00",
    ]);
  });

  test("nine to five holds for every working day", () => {
    assert.deepEqual(free(["zoe"], "2024-03-08", "2024-03-11", 60, "entry a", "  when 2024-03-11 09:00-16:00"), [
      "2024-03-08 09:00 to 17:00",
      "2024-03-11 16:00 to 17:00",
    ]);
  });

  test("a night that ends in the morning cuts the day", () => {
    const night = ["entry night", "  when 2024-03-04 22:00-09:00"];
    assert.deepEqual(free(["zoe"], "2024-03-05", "2024-03-05", 30, ...TEAM, ...night), [
      "2024-03-05 09:00 to 16:00",
    ]);
  });

  test("a meeting that begins before the working day cuts it", () => {
    const early = ["entry early", "  when 2024-03-05 08:00-09:00"];
    assert.deepEqual(free(["zoe"], "2024-03-05", "2024-03-05", 30, ...TEAM, ...early), [
      "2024-03-05 09:00 to 16:00",
    ]);
  });

  test("a holiday that began before the first day counts", () => {
    const holiday = ["entry easter", "  when 2024-03-05..2024-03-07", "  tags holiday"];
    assert.deepEqual(free(["zoe"], "2024-03-07", "2024-03-08", 60, ...TEAM, ...holiday), [
      "2024-03-08 08:30 to 16:00",
    ]);
  });

  test("a day with other all-day entries is a working day", () => {
    const fair = ["entry fair", "  when 2024-03-05..2024-03-07", "  tags fun"];
    assert.deepEqual(free(["zoe"], "2024-03-06", "2024-03-06", 420, ...TEAM, ...fair), [
      "2024-03-06 08:30 to 16:00",
    ]);
  });
});
