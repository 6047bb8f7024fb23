import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  daysInMonth,
  formatDate,
  fromDayNumber,
  isLeapYear,
  isoWeek,
  parseDate,
  parseDateRange,
  parseMonth,
  parseWeekday,
  startOfWeek,
  toDayNumber,
  weekdayName,
  weekdayOf,
} from "../src/civil.ts";

const day = (text: string) => toDayNumber(parseDate(text));

function errorName(action: () => unknown): string {
  try {
    action();
    return "none";
  } catch (error) {
    return (error as Error).name;
  }
}

describe("dates", () => {
  test("the first day is number one", () => {
    assert.equal(day("0001-01-01"), 1);
  });

  test("day numbers follow the Gregorian calendar", () => {
    assert.equal(day("1970-01-01"), 719163);
    assert.equal(day("2024-03-01") - day("2024-02-28"), 2);
    assert.equal(day("2100-03-01") - day("2100-02-28"), 1);
  });

  test("day numbers turn back into dates", () => {
    assert.equal(formatDate(fromDayNumber(day("2023-12-31") + 1)), "2024-01-01");
    assert.equal(formatDate(fromDayNumber(day("2024-02-28") + 1)), "2024-02-29");
    assert.equal(formatDate(fromDayNumber(day("2000-12-31"))), "2000-12-31");
    assert.equal(formatDate(fromDayNumber(1)), "0001-01-01");
  });

  test("century years are leap years only every four hundred years", () => {
    assert.equal(isLeapYear(2000), true);
    assert.equal(isLeapYear(1900), false);
    assert.equal(daysInMonth(2024, 2), 29);
    assert.equal(daysInMonth(2100, 2), 28);
  });

  test("weekdays count from Monday", () => {
    assert.equal(weekdayName(weekdayOf(day("2024-03-04"))), "monday");
    assert.equal(weekdayName(weekdayOf(day("2024-02-29"))), "thursday");
  });

  test("weeks start on the day that is asked for", () => {
    assert.equal(formatDate(fromDayNumber(startOfWeek(day("2024-03-06"), 0))), "2024-03-04");
    assert.equal(formatDate(fromDayNumber(startOfWeek(day("2024-03-06"), 6))), "2024-03-03");
    assert.equal(formatDate(fromDayNumber(startOfWeek(day("2024-03-03"), 6))), "2024-03-03");
  });

  test("impossible days are refused", () => {
    assert.equal(errorName(() => parseDate("2023-02-29")), "BadValue");
    assert.equal(errorName(() => parseDate("2024-13-01")), "BadValue");
    assert.equal(errorName(() => parseDate("4 March")), "BadValue");
  });

  test("ranges include their ends and run forwards", () => {
    assert.equal(formatDate(parseDateRange("2024-05-01..2024-05-03").to), "2024-05-03");
    assert.equal(errorName(() => parseDateRange("2024-05-03..2024-05-01")), "BadValue");
  });

  test("names may be shortened", () => {
    assert.equal(parseWeekday("Thu"), 3);
    assert.equal(parseMonth("SEPT"), 9);
    assert.equal(errorName(() => parseWeekday("mo")), "BadValue");
  });
});

describe("ISO weeks", () => {
  test("a week in the middle of a year", () => {
    assert.deepEqual(isoWeek(day("2024-03-04")), { year: 2024, week: 10 });
  });

  test("the last days of December may belong to the next year", () => {
    assert.deepEqual(isoWeek(day("2024-12-30")), { year: 2025, week: 1 });
    assert.deepEqual(isoWeek(day("2019-12-31")), { year: 2020, week: 1 });
  });

  test("the first days of January may belong to the year before", () => {
    assert.deepEqual(isoWeek(day("2021-01-03")), { year: 2020, week: 53 });
    assert.deepEqual(isoWeek(day("2023-01-01")), { year: 2022, week: 52 });
  });
});
