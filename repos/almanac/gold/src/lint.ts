import { formatDate, toDayNumber } from "./civil.ts";
import { nominalDays } from "./occurrences.ts";
import type { Calendar, CivilDate, Entry, Weekday } from "./types.ts";

/** Remarks on a calendar that is well-formed but hardly meant so, in its own order. */
export function lintCalendar(calendar: Calendar): string[] {
  return calendar.entries.flatMap((entry) => lintEntry(entry, calendar.weekStart));
}

function lintEntry(entry: Entry, weekStart: Weekday): string[] {
  const remarks: string[] = [];
  const named = [...entry.except, ...entry.moves.map((move) => move.from)];
  const horizon = Math.max(toDayNumber(entry.first), ...named.map(toDayNumber));
  const days = new Set(nominalDays(entry, weekStart, horizon));
  const occurs = (date: CivilDate) => days.has(toDayNumber(date));
  for (const date of entry.except) {
    if (!occurs(date)) {
      remarks.push(`${entry.id}: does not occur on ${formatDate(date)}, no need to except it`);
    }
  }
  for (const { from } of entry.moves) {
    if (!occurs(from)) {
      remarks.push(`${entry.id}: does not occur on ${formatDate(from)}, cannot be moved`);
    } else if (entry.except.some((date) => toDayNumber(date) === toDayNumber(from))) {
      remarks.push(`${entry.id}: ${formatDate(from)} is both moved and excepted`);
    }
  }
  if (entry.rule !== undefined && !days.has(toDayNumber(entry.first))) {
    remarks.push(`${entry.id}: the rule skips the first day, ${formatDate(entry.first)}`);
  }
  return remarks;
}
