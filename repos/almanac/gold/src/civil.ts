import { BadValue } from "./errors.ts";
import type { CivilDate, Weekday } from "./types.ts";

export const LAST_YEAR = 9999;

const WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split(" ");

const MONTHS = (
  "january february march april may june july august " +
  "september october november december"
).split(" ");

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : LENGTHS[month - 1];
}

function daysBeforeYear(year: number): number {
  const past = year - 1;
  return past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
}

/** Day number of a date: 0001-01-01, a Monday, is 1. */
export function toDayNumber(date: CivilDate): number {
  let days = daysBeforeYear(date.year) + date.day;
  for (let month = 1; month < date.month; month += 1) {
    days += daysInMonth(date.year, month);
  }
  return days;
}

export function fromDayNumber(dayNumber: number): CivilDate {
  let year = Math.max(1, Math.floor(dayNumber / 365.2425));
  while (daysBeforeYear(year + 1) < dayNumber) {
    year += 1;
  }
  let rest = dayNumber - daysBeforeYear(year);
  let month = 1;
  while (rest > daysInMonth(year, month)) {
    rest -= daysInMonth(year, month);
    month += 1;
  }
  return { year, month, day: rest };
}

export function weekdayOf(dayNumber: number): Weekday {
  return ((dayNumber - 1) % 7) as Weekday;
}

/** Day number of the first day of the week that holds `dayNumber`. */
export function startOfWeek(dayNumber: number, weekStart: Weekday): number {
  return dayNumber - ((weekdayOf(dayNumber) - weekStart + 7) % 7);
}

export function sameDate(a: CivilDate, b: CivilDate): boolean {
  return a.year === b.year && a.month === b.month && a.day === b.day;
}

/** ISO 8601 week: weeks start on Monday and belong to the year of their Thursday. */
export function isoWeek(dayNumber: number): { year: number; week: number } {
  const thursday = startOfWeek(dayNumber, 0) + 3;
  const year = fromDayNumber(thursday).year;
  return { year, week: Math.floor((thursday - daysBeforeYear(year) - 1) / 7) + 1 };
}

/** Reads `2024-03-09`. Throws BadValue when the day does not exist. */
export function parseDate(text: string): CivilDate {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) {
    throw new BadValue(`not a date: ${text}`);
  }
  const date = { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) };
  const exists =
    date.year >= 1 &&
    date.month >= 1 &&
    date.month <= 12 &&
    date.day >= 1 &&
    date.day <= daysInMonth(date.year, date.month);
  if (!exists) {
    throw new BadValue(`no such day: ${text}`);
  }
  return date;
}

/** Reads `2024-05-01..2024-05-03`; both ends belong to the range. */
export function parseDateRange(text: string): { from: CivilDate; to: CivilDate } {
  const ends = text.split("..");
  if (ends.length !== 2) {
    throw new BadValue(`not a range of dates: ${text}`);
  }
  const from = parseDate(ends[0].trim());
  const to = parseDate(ends[1].trim());
  if (toDayNumber(to) < toDayNumber(from)) {
    throw new BadValue(`the range ends before it starts: ${text}`);
  }
  return { from, to };
}

export function formatDate(date: CivilDate): string {
  const pad = (value: number, width: number) => String(value).padStart(width, "0");
  return `${pad(date.year, 4)}-${pad(date.month, 2)}-${pad(date.day, 2)}`;
}

/** Accepts full names and abbreviations of three letters or more, in any case. */
function nameIndex(names: readonly string[], text: string): number {
  const wanted = text.toLowerCase();
  return wanted.length < 3 ? -1 : names.findIndex((name) => name.startsWith(wanted));
}

export function parseWeekday(text: string): Weekday {
  const index = nameIndex(WEEKDAYS, text);
  if (index < 0) {
    throw new BadValue(`not a weekday: ${text}`);
  }
  return index as Weekday;
}

export function parseMonth(text: string): number {
  const index = nameIndex(MONTHS, text);
  if (index < 0) {
    throw new BadValue(`not a month: ${text}`);
  }
  return index + 1;
}

export function weekdayName(weekday: Weekday): string {
  return WEEKDAYS[weekday];
}

export function monthName(month: number): string {
  return MONTHS[month - 1];
}
