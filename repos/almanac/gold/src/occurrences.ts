import { fromDayNumber, sameDate, toDayNumber } from "./civil.ts";
import { ruleDays } from "./recur.ts";
import { DAY, moment } from "./time.ts";
import type { Calendar, CivilDate, Entry, Occurrence, Weekday } from "./types.ts";

/** Every occurrence that touches a day from `from` to `to`, both included, in order. */
export function occurrencesBetween(
  calendar: Calendar,
  from: CivilDate,
  to: CivilDate,
): Occurrence[] {
  const lastDay = toDayNumber(to);
  const opens = moment(toDayNumber(from), 0);
  const closes = moment(lastDay + 1, 0);
  const found: Occurrence[] = [];
  for (const entry of calendar.entries) {
    for (const occurrence of entryOccurrences(entry, calendar.weekStart, lastDay)) {
      if (touches(occurrence, opens, closes)) {
        found.push(occurrence);
      }
    }
  }
  return found.sort(compareOccurrences);
}

/** An occurrence without length counts when it starts inside the window. */
function touches(occurrence: Occurrence, opens: number, closes: number): boolean {
  return occurrence.start < closes && (occurrence.end > opens || occurrence.start >= opens);
}

/** By start, longer ones first, then by title and identifier. */
export function compareOccurrences(a: Occurrence, b: Occurrence): number {
  return (
    a.start - b.start ||
    b.end - a.end ||
    compareText(a.entry.title, b.entry.title) ||
    compareText(a.entry.id, b.entry.id)
  );
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The occurrences of one entry with a nominal day up to `lastDay`, and those moved
 * from a later day, in the order of their nominal days.
 */
function entryOccurrences(entry: Entry, weekStart: Weekday, lastDay: number): Occurrence[] {
  // A later occurrence may have been moved forward into the window.
  const horizon = Math.max(lastDay, ...entry.moves.map((move) => toDayNumber(move.from)));
  const found: Occurrence[] = [];
  for (const day of nominalDays(entry, weekStart, horizon)) {
    const nominal = fromDayNumber(day);
    if (!entry.except.some((date) => sameDate(date, nominal))) {
      found.push(place(entry, nominal));
    }
  }
  return found;
}

/**
 * The days the rule gives within the entry's ending. A day in `except` counts
 * towards `times`, a day in a pause does not.
 */
export function nominalDays(entry: Entry, weekStart: Weekday, horizon: number): number[] {
  if (entry.rule === undefined) {
    const only = toDayNumber(entry.first);
    return only <= horizon ? [only] : [];
  }
  const { ending } = entry;
  const limit = ending.kind === "until" ? Math.min(horizon, toDayNumber(ending.date)) : horizon;
  const most = ending.kind === "times" ? ending.count : Infinity;
  const days: number[] = [];
  for (const day of ruleDays(entry.rule, entry.first, weekStart, limit)) {
    if (isPaused(entry, day)) {
      continue;
    }
    if (days.length >= most) {
      break;
    }
    days.push(day);
  }
  return days;
}

function isPaused(entry: Entry, day: number): boolean {
  return entry.pauses.some(
    (pause) => toDayNumber(pause.from) <= day && day <= toDayNumber(pause.to),
  );
}

function place(entry: Entry, nominal: CivilDate): Occurrence {
  const move = entry.moves.find((one) => sameDate(one.from, nominal));
  const day = toDayNumber(move?.to ?? nominal);
  const moved = move !== undefined;
  if (entry.span.kind === "all-day") {
    const start = moment(day, 0);
    return { entry, nominal, start, end: start + entry.span.days * DAY, moved };
  }
  const start = moment(day, move?.minute ?? entry.span.minute);
  return { entry, nominal, start, end: start + entry.span.length, moved };
}
