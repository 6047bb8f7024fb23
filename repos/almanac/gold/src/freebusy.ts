import { toDayNumber, weekdayOf } from "./civil.ts";
import { occurrencesBetween } from "./occurrences.ts";
import { moment } from "./time.ts";
import type { Calendar, CivilDate } from "./types.ts";

/** A stretch of time between two moments; `end` does not belong to it. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Sorts stretches and joins those that overlap or touch. */
export function mergeStretches(stretches: readonly Stretch[]): Stretch[] {
  const sorted = [...stretches].sort((a, b) => a.start - b.start);
  const merged: Stretch[] = [];
  for (const next of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && next.start <= last.end) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, next.end) };
    } else {
      merged.push(next);
    }
  }
  return merged;
}

/**
 * When at least one of `people` is taken. All-day entries take nobody's time;
 * an entry without people takes everybody's.
 */
export function busyTimes(
  calendar: Calendar,
  people: readonly string[],
  from: CivilDate,
  to: CivilDate,
): Stretch[] {
  const taken = occurrencesBetween(calendar, from, to).filter(({ entry }) => {
    const concerned =
      entry.people.length === 0 || entry.people.some((person) => people.includes(person));
    return entry.span.kind === "timed" && entry.span.length > 0 && concerned;
  });
  return mergeStretches(taken.map(({ start, end }) => ({ start, end })));
}

/**
 * Free stretches of at least `shortest` minutes inside working hours, Monday to
 * Friday, without the days that an all-day entry tagged `holiday` covers.
 */
export function freeSlots(
  calendar: Calendar,
  people: readonly string[],
  from: CivilDate,
  to: CivilDate,
  shortest: number,
): Stretch[] {
  const { opens, closes } = calendar.workday ?? { opens: 9 * 60, closes: 17 * 60 };
  const busy = busyTimes(calendar, people, from, to);
  const holidays = occurrencesBetween(calendar, from, to).filter(
    ({ entry }) => entry.span.kind === "all-day" && entry.tags.includes("holiday"),
  );
  const free: Stretch[] = [];
  for (let day = toDayNumber(from); day <= toDayNumber(to); day += 1) {
    const noon = moment(day, 12 * 60);
    const closed = holidays.some(({ start, end }) => start <= noon && noon < end);
    if (weekdayOf(day) < 5 && !closed) {
      free.push(...gaps(busy, { start: moment(day, opens), end: moment(day, closes) }));
    }
  }
  return free.filter(({ start, end }) => end - start >= shortest);
}

/** What merged `busy` leaves of `window`. */
function gaps(busy: readonly Stretch[], window: Stretch): Stretch[] {
  const free: Stretch[] = [];
  let cursor = window.start;
  for (const { start, end } of busy) {
    if (end <= cursor) {
      continue;
    }
    if (start >= window.end) {
      break;
    }
    if (start > cursor) {
      free.push({ start: cursor, end: start });
    }
    cursor = Math.max(cursor, end);
  }
  if (cursor < window.end) {
    free.push({ start: cursor, end: window.end });
  }
  return free;
}
