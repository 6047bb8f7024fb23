import { LAST_YEAR, daysInMonth, startOfWeek, toDayNumber, weekdayOf } from "./civil.ts";
import type { CivilDate, DayInMonth, Rule, Weekday } from "./types.ts";

/**
 * Yields the day numbers a rule gives on or after `first`, in order and without
 * repeats, up to and including `horizon`. The caller applies endings and exceptions.
 */
export function* ruleDays(
  rule: Rule,
  first: CivilDate,
  weekStart: Weekday,
  horizon: number,
): Generator<number> {
  const start = toDayNumber(first);
  for (const candidates of periods(rule, first, weekStart, horizon)) {
    for (const day of candidates) {
      if (day > horizon) {
        return;
      }
      if (day >= start) {
        yield day;
      }
    }
  }
}

/** One sorted list of candidate days for each day, week, month or year the rule visits. */
function* periods(
  rule: Rule,
  first: CivilDate,
  weekStart: Weekday,
  horizon: number,
): Generator<number[]> {
  const start = toDayNumber(first);
  switch (rule.unit) {
    case "day":
      for (let day = start; day <= horizon; day += rule.interval) {
        yield [day];
      }
      return;
    case "week": {
      const offsets = rule.weekdays
        .map((weekday) => (weekday - weekStart + 7) % 7)
        .sort((a, b) => a - b);
      let week = startOfWeek(start, weekStart);
      while (week <= horizon) {
        yield offsets.map((offset) => week + offset);
        week += 7 * rule.interval;
      }
      return;
    }
    case "month": {
      let index = first.year * 12 + first.month - 1;
      while (index < (LAST_YEAR + 1) * 12) {
        const year = Math.floor(index / 12);
        const month = (index % 12) + 1;
        if (toDayNumber({ year, month, day: 1 }) > horizon) {
          return;
        }
        yield daysMatching(rule.on, year, month);
        index += rule.interval;
      }
      return;
    }
    case "year":
      for (let year = first.year; year <= LAST_YEAR; year += rule.interval) {
        if (toDayNumber({ year, month: 1, day: 1 }) > horizon) {
          return;
        }
        yield daysMatching([rule.on], year, rule.month);
      }
      return;
  }
}

/** The days of one month that `on` names, sorted and without repeats. */
function daysMatching(on: readonly DayInMonth[], year: number, month: number): number[] {
  const found = new Set<number>();
  for (const one of on) {
    const day = resolveDay(one, year, month);
    if (day !== undefined) {
      found.add(toDayNumber({ year, month, day }));
    }
  }
  return [...found].sort((a, b) => a - b);
}

/** Day of the month, or undefined when this month has no such day. */
function resolveDay(on: DayInMonth, year: number, month: number): number | undefined {
  const length = daysInMonth(year, month);
  switch (on.kind) {
    case "last-day":
      return length;
    case "day":
      if (on.day > length) {
        return on.orLast ? length : undefined;
      }
      return on.day;
    case "nth": {
      if (on.ordinal === -1) {
        const last = weekdayOf(toDayNumber({ year, month, day: length }));
        return length - ((last - on.weekday + 7) % 7);
      }
      const first = weekdayOf(toDayNumber({ year, month, day: 1 }));
      const day = 1 + ((on.weekday - first + 7) % 7) + 7 * (on.ordinal - 1);
      return day > length ? undefined : day;
    }
  }
}
