import { toDayNumber } from "./civil.ts";
import { compareText, occurrencesBetween } from "./occurrences.ts";
import { moment } from "./time.ts";
import type { Calendar, CivilDate, Occurrence } from "./types.ts";

export interface TagTotal {
  readonly tag: string;
  readonly count: number;
  readonly minutes: number;
}

/** Adds up the part of occurrences that lies inside a window of moments. */
class Tally {
  private readonly opens: number;
  private readonly closes: number;
  private readonly totals = new Map<string, TagTotal>();

  constructor(opens: number, closes: number) {
    this.opens = opens;
    this.closes = closes;
  }

  add(occurrence: Occurrence, tag: string): void {
    const { count, minutes } = this.totals.get(tag) ?? { count: 0, minutes: 0 };
    this.totals.set(tag, {
      tag,
      count: count + 1,
      minutes: minutes + this.minutesInside(occurrence),
    });
  }

  private minutesInside(occurrence: Occurrence): number {
    if (occurrence.entry.span.kind === "all-day") {
      return 0;
    }
    const start = Math.max(occurrence.start, this.opens);
    const end = Math.min(occurrence.end, this.closes);
    return Math.max(0, end - start);
  }

  sorted(): TagTotal[] {
    return [...this.totals.values()].sort(
      (a, b) => b.minutes - a.minutes || b.count - a.count || compareText(a.tag, b.tag),
    );
  }
}

/**
 * How often and how long each tag occurs between two days, longest first. Time
 * outside the days is not counted; all-day entries count but take no minutes.
 */
export function tagTotals(calendar: Calendar, from: CivilDate, to: CivilDate): TagTotal[] {
  const tally = new Tally(moment(toDayNumber(from), 0), moment(toDayNumber(to) + 1, 0));
  for (const occurrence of occurrencesBetween(calendar, from, to)) {
    for (const tag of new Set(occurrence.entry.tags)) {
      tally.add(occurrence, tag);
    }
  }
  return tally.sorted();
}
