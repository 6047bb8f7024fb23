import { occurrencesBetween } from "./occurrences.ts";
import { formatMoment } from "./time.ts";
import type { Calendar, CivilDate, Occurrence } from "./types.ts";

/** Two occurrences that want the same place or person at the same time. */
export interface Conflict {
  readonly first: Occurrence;
  readonly second: Occurrence;
  /** The place, or the people in the order of the first entry. */
  readonly over: readonly string[];
}

/**
 * Pairs of occurrences that overlap between two days and share a place or a person,
 * in the order of the calendar. Occurrences that merely touch do not overlap. An
 * all-day entry takes its place but nobody's time.
 */
export function findConflicts(calendar: Calendar, from: CivilDate, to: CivilDate): Conflict[] {
  const occurrences = occurrencesBetween(calendar, from, to);
  const conflicts: Conflict[] = [];
  let open: Occurrence[] = [];
  for (const second of occurrences) {
    open = open.filter((one) => one.end > second.start);
    for (const first of open) {
      const over = shared(first, second);
      if (over.length > 0) {
        conflicts.push({ first, second, over });
      }
    }
    if (second.end > second.start) {
      open.push(second);
    }
  }
  return conflicts;
}

function shared(a: Occurrence, b: Occurrence): string[] {
  const over: string[] = [];
  const { place } = a.entry;
  if (place !== undefined && place.toLowerCase() === b.entry.place?.toLowerCase()) {
    over.push(place);
  }
  if (a.entry.span.kind === "timed" && b.entry.span.kind === "timed") {
    over.push(...a.entry.people.filter((person) => b.entry.people.includes(person)));
  }
  return over;
}

/** `2024-03-04 09:15: standup and review both need Room 4, ann` */
export function describeConflict({ first, second, over }: Conflict): string {
  const both = `${first.entry.id} and ${second.entry.id}`;
  return `${formatMoment(second.start)}: ${both} both need ${over.join(", ")}`;
}
