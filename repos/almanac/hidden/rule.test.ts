import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseDate } from "../src/civil.ts";
import { formatRule, parseRule } from "../src/rule.ts";

const monday = parseDate("2024-03-04");

function errorName(action: () => unknown): string {
  try {
    action();
    return "none";
  } catch (error) {
    return (error as Error).name;
  }
}

describe("reading rules", () => {
  test("a plain unit", () => {
    assert.deepEqual(parseRule("day", monday), { unit: "day", interval: 1 });
  });

  test("a number of units", () => {
    assert.deepEqual(parseRule("3 days", monday), { unit: "day", interval: 3 });
  });

  test("every other", () => {
    assert.equal(parseRule("other week", monday).interval, 2);
    assert.equal(parseRule("10 years", monday).interval, 10);
  });

  test("weekdays are sorted and named once", () => {
    assert.deepEqual(parseRule("week on thu, monday, Thursday", monday), {
      unit: "week",
      interval: 1,
      weekdays: [0, 3],
    });
  });

  test("a week takes its weekday from the first day", () => {
    assert.deepEqual(parseRule("2 weeks", parseDate("2024-03-06")), {
      unit: "week",
      interval: 2,
      weekdays: [2],
    });
  });

  test("a month takes its day from the first day", () => {
    assert.deepEqual(parseRule("month", parseDate("2024-01-31")), {
      unit: "month",
      interval: 1,
      on: [{ kind: "day", day: 31, orLast: false }],
    });
  });

  test("days of a month", () => {
    assert.deepEqual(parseRule("month on day 31 or last, 2nd tue", monday), {
      unit: "month",
      interval: 1,
      on: [
        { kind: "day", day: 31, orLast: true },
        { kind: "nth", ordinal: 2, weekday: 1 },
      ],
    });
  });

  test("29 February is a day of the year", () => {
    assert.deepEqual(parseRule("year on 29 feb", monday), {
      unit: "year",
      interval: 1,
      month: 2,
      on: { kind: "day", day: 29, orLast: false },
    });
  });

  test("nonsense is refused", () => {
    assert.equal(errorName(() => parseRule("fortnight", monday)), "BadValue");
    assert.equal(errorName(() => parseRule("0 days", monday)), "BadValue");
    assert.equal(errorName(() => parseRule("month on day 32", monday)), "BadValue");
    assert.equal(errorName(() => parseRule("year on 30 february", monday)), "BadValue");
    assert.equal(errorName(() => parseRule("2 weekdays", monday)), "BadValue");
    assert.equal(errorName(() => parseRule("day on monday", monday)), "BadValue");
  });
});

describe("writing rules", () => {
  const again = (text: string) => formatRule(parseRule(text, monday));

  test("Monday to Friday is every weekday", () => {
    assert.equal(again("week on mon, tue, wed, thu, fri"), "weekday");
    assert.equal(again("weekday"), "weekday");
  });

  test("Monday to Friday of every other week name their days", () => {
    assert.equal(
      again("2 weeks on mon, tue, wed, thu, fri"),
      "2 weeks on monday, tuesday, wednesday, thursday, friday",
    );
  });

  test("weeks name their days", () => {
    assert.equal(again("week"), "week on monday");
    assert.equal(again("other week on sun, tue"), "2 weeks on tuesday, sunday");
  });

  test("months name their days", () => {
    assert.equal(again("month on 1st mon, last day"), "month on first monday, last day");
    assert.equal(again("3 months on day 30 or last"), "3 months on day 30 or last");
  });

  test("years name their day", () => {
    assert.equal(again("year"), "year on 4 march");
    assert.equal(again("year on last sun of oct"), "year on last sunday of october");
  });
});
