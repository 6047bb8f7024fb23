import { formatDate, fromDayNumber } from "./civil.ts";
import { BadValue } from "./errors.ts";

export const DAY = 24 * 60;

/** A moment is a count of minutes: day number times DAY plus the minute of the day. */
export function moment(dayNumber: number, minute: number): number {
  return dayNumber * DAY + minute;
}

export function dayOf(at: number): number {
  return Math.floor(at / DAY);
}

export function minuteOf(at: number): number {
  return at - dayOf(at) * DAY;
}

/** Reads `09:15` as minutes from midnight. `24:00` is accepted as the end of a day. */
export function parseClock(text: string): number {
  const match = /^(\d{1,2}):(\d{2})$/.exec(text);
  if (match === null) {
    throw new BadValue(`not a time of day: ${text}`);
  }
  const hours = Number(match[1]);
  const minutes = Number(match[2]);
  const total = hours * 60 + minutes;
  if (minutes > 59 || total > DAY) {
    throw new BadValue(`no such time of day: ${text}`);
  }
  return total;
}

export function formatClock(minute: number): string {
  const hours = Math.floor(minute / 60);
  return `${String(hours).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

/** Reads `45m`, `1h30m`, `2h`, `1d6h` as minutes. */
export function parseDuration(text: string): number {
  const match = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?$/.exec(text);
  if (match === null || text === "") {
    throw new BadValue(`not a duration: ${text}`);
  }
  const [days, hours, minutes] = match.slice(1).map((part) => Number(part ?? 0));
  return days * DAY + hours * 60 + minutes;
}

export function formatDuration(length: number): string {
  const days = Math.floor(length / DAY);
  const hours = Math.floor((length % DAY) / 60);
  const minutes = length % 60;
  const parts = [days > 0 ? `${days}d` : "", hours > 0 ? `${hours}h` : ""];
  if (minutes > 0 || length === 0) {
    parts.push(`${minutes}m`);
  }
  return parts.join("");
}

/** Reads `14:00-15:30`; a range that ends at or before its start runs past midnight. */
export function parseClockRange(text: string): { minute: number; length: number } {
  const ends = text.split("-");
  if (ends.length !== 2) {
    throw new BadValue(`not a range of times: ${text}`);
  }
  const minute = parseClock(ends[0].trim());
  const end = parseClock(ends[1].trim());
  if (minute === DAY) {
    throw new BadValue(`a range cannot start at 24:00: ${text}`);
  }
  return { minute, length: end > minute ? end - minute : end + DAY - minute };
}

export function formatMoment(at: number): string {
  return `${formatDate(fromDayNumber(dayOf(at)))} ${formatClock(minuteOf(at))}`;
}
