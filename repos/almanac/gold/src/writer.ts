import { formatDate, fromDayNumber, sameDate, toDayNumber, weekdayName } from "./civil.ts";
import { formatRule } from "./rule.ts";
import { formatClock, formatDuration } from "./time.ts";
import type { Calendar, Entry, Move } from "./types.ts";

/** Writes a calendar in canonical form; reading the result gives the same calendar. */
export function writeCalendar(calendar: Calendar): string {
  const head: string[] = [];
  if (calendar.name !== "") {
    head.push(`calendar ${calendar.name}`);
  }
  if (calendar.weekStart !== 0) {
    head.push(`week-start ${weekdayName(calendar.weekStart)}`);
  }
  if (calendar.workday !== undefined) {
    const { opens, closes } = calendar.workday;
    head.push(`workday ${formatClock(opens)}-${formatClock(closes)}`);
  }
  const blocks = calendar.entries.map((entry) => entryLines(entry).join("\n"));
  if (head.length > 0) {
    blocks.unshift(head.join("\n"));
  }
  return `${blocks.join("\n\n")}\n`;
}

function entryLines(entry: Entry): string[] {
  const lines: string[] = [];
  if (entry.title !== entry.id) {
    lines.push(`title ${entry.title}`);
  }
  lines.push(`when ${formatWhen(entry)}`);
  if (entry.rule !== undefined) {
    lines.push(`every ${formatRule(entry.rule)}`);
  }
  switch (entry.ending.kind) {
    case "until":
      lines.push(`until ${formatDate(entry.ending.date)}`);
      break;
    case "times":
      lines.push(`times ${entry.ending.count}`);
      break;
    case "never":
      break;
  }
  if (entry.except.length > 0) {
    lines.push(`except ${entry.except.map(formatDate).join(", ")}`);
  }
  for (const pause of entry.pauses) {
    lines.push(`pause ${formatDate(pause.from)}..${formatDate(pause.to)}`);
  }
  for (const move of entry.moves) {
    lines.push(`move ${formatMove(move)}`);
  }
  if (entry.place !== undefined) {
    lines.push(`in ${entry.place}`);
  }
  if (entry.people.length > 0) {
    lines.push(`with ${entry.people.join(", ")}`);
  }
  if (entry.tags.length > 0) {
    lines.push(`tags ${entry.tags.join(", ")}`);
  }
  return [`entry ${entry.id}`, ...lines.map((line) => `  ${line}`)];
}

function formatWhen(entry: Entry): string {
  const { first, span } = entry;
  if (span.kind === "timed") {
    return `${formatDate(first)} ${formatClock(span.minute)} for ${formatDuration(span.length)}`;
  }
  if (span.days === 1) {
    return formatDate(first);
  }
  const last = fromDayNumber(toDayNumber(first) + span.days - 1);
  return `${formatDate(first)}..${formatDate(last)}`;
}

function formatMove(move: Move): string {
  const parts = [`${formatDate(move.from)} to`];
  if (!sameDate(move.from, move.to) || move.minute === undefined) {
    parts.push(formatDate(move.to));
  }
  if (move.minute !== undefined) {
    parts.push(formatClock(move.minute));
  }
  return parts.join(" ");
}
