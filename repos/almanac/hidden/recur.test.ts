import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { formatDate, fromDayNumber, parseDate, parseWeekday, toDayNumber } from "../src/civil.ts";
import { ruleDays } from "../src/recur.ts";
import { parseRule } from "../src/rule.ts";

/** The days a rule gives from `first` to `last`. */
function days(rule: string, first: string, last: string, weekStart = "monday"): string[] {
  const from = parseDate(first);
  const horizon = toDayNumber(parseDate(last));
  const found = ruleDays(parseRule(rule, from), from, parseWeekday(weekStart), horizon);
  return [...found].map((day) => formatDate(fromDayNumber(day)));
}

describe("days", () => {
  test("every day, the horizon included", () => {
    assert.deepEqual(days("day", "2024-02-28", "2024-03-01"), [
      "2024-02-28",
      "2024-02-29",
      "2024-03-01",
    ]);
  });

  test("every third day", () => {
    assert.deepEqual(days("3 days", "2024-03-04", "2024-03-11"), [
      "2024-03-04",
      "2024-03-07",
      "2024-03-10",
    ]);
  });

  test("every weekday skips the weekend", () => {
    assert.deepEqual(days("weekday", "2024-03-08", "2024-03-12"), [
      "2024-03-08",
      "2024-03-11",
      "2024-03-12",
    ]);
  });
});

describe("weeks", () => {
  test("days before the first one are not given", () => {
    assert.deepEqual(days("week on mon, thu", "2024-03-05", "2024-03-14"), [
      "2024-03-07",
      "2024-03-11",
      "2024-03-14",
    ]);
  });

  test("every other week, weeks from Monday", () => {
    assert.deepEqual(days("2 weeks on sun, tue", "2024-03-05", "2024-04-02"), [
      "2024-03-05",
      "2024-03-10",
      "2024-03-19",
      "2024-03-24",
      "2024-04-02",
    ]);
  });

  test("every other week, weeks from Sunday", () => {
    assert.deepEqual(days("2 weeks on sun, tue", "2024-03-05", "2024-04-02", "sunday"), [
      "2024-03-05",
      "2024-03-17",
      "2024-03-19",
      "2024-03-31",
      "2024-04-02",
    ]);
  });

  test("a first day late in its week still counts that week", () => {
    assert.deepEqual(days("2 weeks on tuesday", "2024-03-09", "2024-04-16"), [
      "2024-03-19",
      "2024-04-02",
      "2024-04-16",
    ]);
  });

  test("a first week without occurrences counts when weeks begin on Sunday", () => {
    assert.deepEqual(days("3 weeks on mon, wed", "2024-03-07", "2024-04-20", "sunday"), [
      "2024-03-25",
      "2024-03-27",
      "2024-04-15",
      "2024-04-17",
    ]);
  });

  test("every third week, weeks from Wednesday", () => {
    assert.deepEqual(days("3 weeks on tue, wed", "2024-03-06", "2024-04-05", "wednesday"), [
      "2024-03-06",
      "2024-03-12",
      "2024-03-27",
      "2024-04-02",
    ]);
  });
});

describe("months", () => {
  test("a month without the day is skipped", () => {
    assert.deepEqual(days("month", "2024-01-31", "2024-05-31"), [
      "2024-01-31",
      "2024-03-31",
      "2024-05-31",
    ]);
  });

  test("or takes its last day when the rule says so", () => {
    assert.deepEqual(days("month on day 30 or last", "2023-12-30", "2024-03-31"), [
      "2023-12-30",
      "2024-01-30",
      "2024-02-29",
      "2024-03-30",
    ]);
  });

  test("the last day", () => {
    assert.deepEqual(days("month on last day", "2023-01-15", "2023-03-31"), [
      "2023-01-31",
      "2023-02-28",
      "2023-03-31",
    ]);
  });

  test("the last Friday, in months with four and with five", () => {
    assert.deepEqual(days("month on last friday", "2024-02-01", "2024-05-31"), [
      "2024-02-23",
      "2024-03-29",
      "2024-04-26",
      "2024-05-31",
    ]);
  });

  test("the fifth Friday is skipped in months with four", () => {
    assert.deepEqual(days("month on fifth friday", "2024-02-01", "2024-06-30"), [
      "2024-03-29",
      "2024-05-31",
    ]);
  });

  test("several days of a month, each given once", () => {
    assert.deepEqual(days("month on day 15, 3rd fri, day 1", "2024-03-01", "2024-04-20"), [
      "2024-03-01",
      "2024-03-15",
      "2024-04-01",
      "2024-04-15",
      "2024-04-19",
    ]);
  });

  test("every second month across a new year", () => {
    assert.deepEqual(days("2 months on first monday", "2023-11-01", "2024-03-31"), [
      "2023-11-06",
      "2024-01-01",
      "2024-03-04",
    ]);
  });
});

describe("years", () => {
  test("29 February", () => {
    assert.deepEqual(days("year on 29 february", "2023-01-01", "2032-12-31"), [
      "2024-02-29",
      "2028-02-29",
      "2032-02-29",
    ]);
  });

  test("29 February does not happen in 2100", () => {
    assert.deepEqual(days("4 years on 29 february", "2096-01-01", "2104-12-31"), [
      "2096-02-29",
      "2104-02-29",
    ]);
  });

  test("the last Sunday of October", () => {
    assert.deepEqual(days("year on last sunday of october", "2021-01-01", "2023-12-31"), [
      "2021-10-31",
      "2022-10-30",
      "2023-10-29",
    ]);
  });

  test("every second year", () => {
    assert.deepEqual(days("2 years", "2021-06-01", "2026-01-01"), [
      "2021-06-01",
      "2023-06-01",
      "2025-06-01",
    ]);
  });
});
