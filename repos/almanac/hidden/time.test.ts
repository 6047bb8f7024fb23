import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  dayOf,
  formatClock,
  formatDuration,
  formatMoment,
  minuteOf,
  moment,
  parseClock,
  parseClockRange,
  parseDuration,
} from "../src/time.ts";

function errorName(action: () => unknown): string {
  try {
    action();
    return "none";
  } catch (error) {
    return (error as Error).name;
  }
}

describe("times of day", () => {
  test("are minutes from midnight", () => {
    assert.equal(parseClock("09:15"), 555);
    assert.equal(parseClock("0:05"), 5);
    assert.equal(parseClock("24:00"), 1440);
  });

  test("are written with two digits", () => {
    assert.equal(formatClock(555), "09:15");
    assert.equal(formatClock(0), "00:00");
  });

  test("beyond the day are refused", () => {
    assert.equal(errorName(() => parseClock("24:01")), "BadValue");
    assert.equal(errorName(() => parseClock("12:60")), "BadValue");
    assert.equal(errorName(() => parseClock("noon")), "BadValue");
  });
});

describe("durations", () => {
  test("of minutes", () => {
    assert.equal(parseDuration("45m"), 45);
  });

  test("of hours, and of hours and minutes", () => {
    assert.equal(parseDuration("2h"), 120);
    assert.equal(parseDuration("1h30m"), 90);
  });

  test("of days", () => {
    assert.equal(parseDuration("1d6h"), 1800);
  });

  test("are written with the largest units", () => {
    assert.equal(formatDuration(1800), "1d6h");
    assert.equal(formatDuration(90), "1h30m");
    assert.equal(formatDuration(0), "0m");
  });

  test("without a unit are refused", () => {
    assert.equal(errorName(() => parseDuration("45")), "BadValue");
    assert.equal(errorName(() => parseDuration("")), "BadValue");
    assert.equal(errorName(() => parseDuration("30m1h")), "BadValue");
  });
});

describe("ranges of times", () => {
  test("within a day", () => {
    assert.deepEqual(parseClockRange("14:00-15:30"), { minute: 840, length: 90 });
  });

  test("past midnight", () => {
    assert.deepEqual(parseClockRange("22:00-06:00"), { minute: 1320, length: 480 });
  });

  test("to the end of the day", () => {
    assert.deepEqual(parseClockRange("22:00-24:00"), { minute: 1320, length: 120 });
  });

  test("a whole day round", () => {
    assert.equal(parseClockRange("08:00-08:00").length, 1440);
  });
});

describe("moments", () => {
  test("hold a day and a minute", () => {
    assert.equal(dayOf(moment(738949, 555)), 738949);
    assert.equal(minuteOf(moment(738949, 555)), 555);
  });

  test("are written as date and time", () => {
    assert.equal(formatMoment(moment(738949, 555)), "2024-03-04 09:15");
    assert.equal(formatMoment(moment(738949, 1440)), "2024-03-05 00:00");
  });
});
