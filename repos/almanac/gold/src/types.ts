/** A day of the proleptic Gregorian calendar; months and days count from 1. */
export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Monday is 0, Sunday is 6. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** The place of a weekday in its month; -1 counts from the end. */
export type Ordinal = 1 | 2 | 3 | 4 | 5 | -1;

export type DayInMonth =
  | { readonly kind: "day"; readonly day: number; readonly orLast: boolean }
  | { readonly kind: "last-day" }
  | { readonly kind: "nth"; readonly ordinal: Ordinal; readonly weekday: Weekday };

export type Rule =
  | { readonly unit: "day"; readonly interval: number }
  | { readonly unit: "week"; readonly interval: number; readonly weekdays: readonly Weekday[] }
  | { readonly unit: "month"; readonly interval: number; readonly on: readonly DayInMonth[] }
  | {
      readonly unit: "year";
      readonly interval: number;
      readonly month: number;
      readonly on: DayInMonth;
    };

export type Ending =
  | { readonly kind: "never" }
  | { readonly kind: "until"; readonly date: CivilDate }
  | { readonly kind: "times"; readonly count: number };

/** `minute` counts from midnight; `length` is in minutes; `days` is at least 1. */
export type Span =
  | { readonly kind: "timed"; readonly minute: number; readonly length: number }
  | { readonly kind: "all-day"; readonly days: number };

/** One occurrence taken to another day, another time, or both. */
export interface Move {
  readonly from: CivilDate;
  readonly to: CivilDate;
  readonly minute?: number;
}

/** Days on which a series rests, both ends included. */
export interface Pause {
  readonly from: CivilDate;
  readonly to: CivilDate;
}

export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly first: CivilDate;
  readonly span: Span;
  readonly rule?: Rule;
  readonly ending: Ending;
  readonly except: readonly CivilDate[];
  readonly pauses: readonly Pause[];
  readonly moves: readonly Move[];
  readonly place?: string;
  readonly people: readonly string[];
  readonly tags: readonly string[];
}

/** Working hours in minutes from midnight. */
export interface Workday {
  readonly opens: number;
  readonly closes: number;
}

export interface Calendar {
  readonly name: string;
  readonly weekStart: Weekday;
  readonly workday?: Workday;
  readonly entries: readonly Entry[];
}

/**
 * One happening of an entry. `start` and `end` are moments (see time.ts);
 * `nominal` is the day the rule gave, before any move.
 */
export interface Occurrence {
  readonly entry: Entry;
  readonly nominal: CivilDate;
  readonly start: number;
  readonly end: number;
  readonly moved: boolean;
}
