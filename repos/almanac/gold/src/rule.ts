import {
  daysInMonth,
  monthName,
  parseMonth,
  parseWeekday,
  toDayNumber,
  weekdayName,
  weekdayOf,
} from "./civil.ts";
import { BadValue } from "./errors.ts";
import { splitList } from "./lines.ts";
import type { CivilDate, DayInMonth, Ordinal, Rule, Weekday } from "./types.ts";

const ORDINALS: Readonly<Record<string, Ordinal>> = {
  ...{ first: 1, second: 2, third: 3, fourth: 4, fifth: 5, last: -1 },
  ...{ "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5 },
};

const ORDINAL_NAMES = ["", "first", "second", "third", "fourth", "fifth"];

const LONGEST = 2000; // a leap year: the most days a month can ever have

/**
 * Reads what follows `every`: `day`, `weekday`, `2 weeks on mon, thu`,
 * `month on last friday`, `year on 29 february`. What the text leaves open is
 * taken from `first`, the first day of the entry.
 */
export function parseRule(text: string, first: CivilDate): Rule {
  const match = /^(?:(\d+|other)\s+)?([a-z]+)(?:\s+on\s+(.+))?$/i.exec(text);
  if (match === null) {
    throw new BadValue(`not a rule: every ${text}`);
  }
  const interval = parseInterval(match[1]);
  const unit = match[2].toLowerCase().replace(/s$/, "");
  const on = match[3];
  switch (unit) {
    case "day":
      rejectOn(unit, on);
      return { unit, interval };
    case "weekday":
      rejectOn(unit, on);
      if (interval !== 1) {
        throw new BadValue("every weekday takes no number");
      }
      return { unit: "week", interval, weekdays: [0, 1, 2, 3, 4] };
    case "week":
      return { unit, interval, weekdays: on === undefined ? [weekdayOfDate(first)] : weekdays(on) };
    case "month":
      return { unit, interval, on: on === undefined ? [dayOfDate(first)] : daysOfMonth(on) };
    case "year":
      return on === undefined
        ? { unit, interval, month: first.month, on: dayOfDate(first) }
        : { unit, interval, ...dayOfYear(on) };
    default:
      throw new BadValue(`not a unit of time: ${match[2]}`);
  }
}

function parseInterval(text: string | undefined): number {
  if (text === undefined) {
    return 1;
  }
  const interval = text.toLowerCase() === "other" ? 2 : Number(text);
  if (interval < 1) {
    throw new BadValue("a rule cannot repeat every 0 units");
  }
  return interval;
}

function rejectOn(unit: string, on: string | undefined): void {
  if (on !== undefined) {
    throw new BadValue(`every ${unit} takes no days: on ${on}`);
  }
}

function weekdayOfDate(date: CivilDate): Weekday {
  return weekdayOf(toDayNumber(date));
}

function dayOfDate(date: CivilDate): DayInMonth {
  return { kind: "day", day: date.day, orLast: false };
}

function weekdays(text: string): Weekday[] {
  const found = new Set(splitList(text).map(parseWeekday));
  return [...found].sort((a, b) => a - b);
}

function daysOfMonth(text: string): DayInMonth[] {
  return splitList(text).map(dayInMonth);
}

/** Reads `day 15`, `day 31 or last`, `last day`, `2nd tuesday`. */
function dayInMonth(text: string): DayInMonth {
  const numbered = /^day\s+(\d+)(\s+or\s+last)?$/i.exec(text);
  if (numbered !== null) {
    const day = Number(numbered[1]);
    if (day < 1 || day > 31) {
      throw new BadValue(`no month has a day ${day}`);
    }
    return { kind: "day", day, orLast: numbered[2] !== undefined };
  }
  const words = text.toLowerCase().split(/\s+/);
  if (words.length !== 2 || !Object.hasOwn(ORDINALS, words[0])) {
    throw new BadValue(`not a day of the month: ${text}`);
  }
  const ordinal = ORDINALS[words[0]];
  if (words[1] !== "day") {
    return { kind: "nth", ordinal, weekday: parseWeekday(words[1]) };
  }
  return ordinal === -1 ? { kind: "last-day" } : { kind: "day", day: ordinal, orLast: false };
}

/** Reads `29 february` and `last sunday of october`. */
function dayOfYear(text: string): { month: number; on: DayInMonth } {
  const dated = /^(\d{1,2})\s+([a-z]+)$/i.exec(text);
  if (dated !== null) {
    const day = Number(dated[1]);
    const month = parseMonth(dated[2]);
    if (day < 1 || day > daysInMonth(LONGEST, month)) {
      throw new BadValue(`no such day of the year: ${text}`);
    }
    return { month, on: { kind: "day", day, orLast: false } };
  }
  const placed = /^(.+)\s+of\s+([a-z]+)$/i.exec(text);
  if (placed === null) {
    throw new BadValue(`not a day of the year: ${text}`);
  }
  return { month: parseMonth(placed[2]), on: dayInMonth(placed[1]) };
}

/** Writes a rule in full, so that reading it again needs no first day. */
export function formatRule(rule: Rule): string {
  const every = rule.interval === 1 ? rule.unit : `${rule.interval} ${rule.unit}s`;
  switch (rule.unit) {
    case "day":
      return every;
    case "week":
      if (rule.interval === 1 && rule.weekdays.join() === "0,1,2,3,4") {
        return "weekday";
      }
      return `${every} on ${rule.weekdays.map(weekdayName).join(", ")}`;
    case "month":
      return `${every} on ${rule.on.map(formatDayInMonth).join(", ")}`;
    case "year":
      return rule.on.kind === "day" && !rule.on.orLast
        ? `${every} on ${rule.on.day} ${monthName(rule.month)}`
        : `${every} on ${formatDayInMonth(rule.on)} of ${monthName(rule.month)}`;
  }
}

function formatDayInMonth(on: DayInMonth): string {
  switch (on.kind) {
    case "day":
      return `day ${on.day}${on.orLast ? " or last" : ""}`;
    case "last-day":
      return "last day";
    case "nth":
      return `${on.ordinal === -1 ? "last" : ORDINAL_NAMES[on.ordinal]} ${weekdayName(on.weekday)}`;
  }
}
