import { fromDayNumber, isoWeek, monthName, toDayNumber, weekdayName, weekdayOf } from "./civil.ts";
import { compareOccurrences, occurrencesBetween } from "./occurrences.ts";
import { dayOf, formatClock, minuteOf, moment } from "./time.ts";
import type { Calendar, CivilDate, Occurrence } from "./types.ts";

const LABEL_WIDTH = 13;

/**
 * The days from `from` to `to` as text: a heading for each ISO week, a line for each
 * day that has something, and what happens on it. Empty days are left out.
 */
export function agenda(calendar: Calendar, from: CivilDate, to: CivilDate): string {
  const occurrences = occurrencesBetween(calendar, from, to);
  const lines: string[] = [];
  let heading = "";
  for (let day = toDayNumber(from); day <= toDayNumber(to); day += 1) {
    const here = occurrences.filter((one) => happensOn(one, day)).sort(allDayFirst);
    if (here.length === 0) {
      continue;
    }
    const { year, week } = isoWeek(day);
    const wanted = `Week ${week}, ${year}`;
    if (wanted !== heading) {
      heading = wanted;
      lines.push(heading);
    }
    lines.push(`  ${dayTitle(day)}`, ...here.map((one) => `    ${occurrenceLine(one, day)}`));
  }
  return lines.join("\n");
}

function happensOn(occurrence: Occurrence, day: number): boolean {
  const startsHere = dayOf(occurrence.start) === day;
  return startsHere || (occurrence.start < moment(day, 0) && occurrence.end > moment(day, 0));
}

function allDayFirst(a: Occurrence, b: Occurrence): number {
  const rank = (one: Occurrence) => (one.entry.span.kind === "all-day" ? 0 : 1);
  return rank(a) - rank(b) || compareOccurrences(a, b);
}

/** `Mon 4 Mar` */
export function dayTitle(day: number): string {
  const date = fromDayNumber(day);
  return `${short(weekdayName(weekdayOf(day)))} ${date.day} ${short(monthName(date.month))}`;
}

function short(name: string): string {
  return name[0].toUpperCase() + name.slice(1, 3);
}

function occurrenceLine(occurrence: Occurrence, day: number): string {
  const { entry } = occurrence;
  const place = entry.place === undefined ? "" : ` (${entry.place})`;
  const mark = occurrence.moved ? " [moved]" : "";
  return `${timeLabel(occurrence, day).padEnd(LABEL_WIDTH)}${entry.title}${place}${mark}`;
}

/** What the day sees of an occurrence: its times, its end if it began earlier, or all day. */
export function timeLabel(occurrence: Occurrence, day: number): string {
  const { span } = occurrence.entry;
  if (span.kind === "all-day") {
    if (span.days === 1) {
      return "all day";
    }
    return `day ${day - dayOf(occurrence.start) + 1} of ${span.days}`;
  }
  const from = minuteOf(occurrence.start);
  const midnight = moment(day + 1, 0);
  if (occurrence.start < moment(day, 0)) {
    const goesOn = occurrence.end >= midnight;
    return goesOn ? "all day" : `until ${formatClock(minuteOf(occurrence.end))}`;
  }
  if (span.length === 0) {
    return formatClock(from);
  }
  const nextDay = occurrence.end > midnight ? "+" : "";
  const end = occurrence.end === midnight ? "24:00" : formatClock(minuteOf(occurrence.end));
  return `${formatClock(from)}-${end}${nextDay}`;
}
