import { parseDate, parseDateRange, parseWeekday, sameDate, toDayNumber } from "./civil.ts";
import { BadValue, FormatError } from "./errors.ts";
import { logicalLines, splitList } from "./lines.ts";
import type { LogicalLine } from "./lines.ts";
import { parseRule } from "./rule.ts";
import { DAY, parseClock, parseClockRange, parseDuration } from "./time.ts";
import type { Calendar, CivilDate, Ending, Entry, Move, Pause, Span, Workday } from "./types.ts";

const ONCE = new Set(["title", "when", "every", "until", "times", "in"]);
const REPEATED = new Set(["except", "pause", "move", "with", "tags"]);

/** Reads a calendar text. Throws FormatError with the number of the offending line. */
export function parseCalendar(text: string): Calendar {
  const settings = new Map<string, LogicalLine>();
  const entries: Entry[] = [];
  let block: { head: LogicalLine; body: LogicalLine[] } | undefined;
  const close = () => {
    if (block !== undefined) {
      entries.push(parseEntry(block.head, block.body));
    }
    block = undefined;
  };
  const ids = new Set<string>();
  for (const line of logicalLines(text)) {
    if (line.indented) {
      if (block === undefined) {
        throw new FormatError(line.number, `${line.keyword} stands outside an entry`);
      }
      block.body.push(line);
      continue;
    }
    close();
    if (line.keyword === "entry") {
      if (!/^[\w-]+$/.test(line.rest)) {
        throw new FormatError(line.number, `not an identifier: ${line.rest}`);
      }
      if (ids.has(line.rest)) {
        throw new FormatError(line.number, `entry ${line.rest} is already there`);
      }
      ids.add(line.rest);
      block = { head: line, body: [] };
    } else if (["calendar", "week-start", "workday"].includes(line.keyword)) {
      if (settings.has(line.keyword)) {
        throw new FormatError(line.number, `${line.keyword} is already set`);
      }
      settings.set(line.keyword, line);
    } else {
      throw new FormatError(line.number, `unknown keyword: ${line.keyword}`);
    }
  }
  close();
  const weekStart = settings.get("week-start");
  const workday = settings.get("workday");
  return {
    name: settings.get("calendar")?.rest ?? "",
    weekStart: weekStart === undefined ? 0 : reading(weekStart, parseWeekday),
    workday: workday === undefined ? undefined : reading(workday, parseWorkday),
    entries,
  };
}

/** Runs a reader over the rest of a line and gives its complaint the line's number. */
function reading<T>(line: LogicalLine, reader: (text: string) => T): T {
  try {
    return reader(line.rest);
  } catch (error) {
    if (error instanceof BadValue) {
      throw new FormatError(line.number, error.message);
    }
    throw error;
  }
}

function parseEntry(head: LogicalLine, body: LogicalLine[]): Entry {
  const once = new Map<string, LogicalLine>();
  const repeated = new Map<string, LogicalLine[]>();
  for (const line of body) {
    if (REPEATED.has(line.keyword)) {
      repeated.set(line.keyword, [...(repeated.get(line.keyword) ?? []), line]);
    } else if (!ONCE.has(line.keyword)) {
      throw new FormatError(line.number, `unknown keyword: ${line.keyword}`);
    } else if (once.has(line.keyword)) {
      throw new FormatError(line.number, `${line.keyword} is already set`);
    } else {
      once.set(line.keyword, line);
    }
  }
  const when = once.get("when");
  if (when === undefined) {
    throw new FormatError(head.number, `entry ${head.rest} has no when`);
  }
  const { first, span } = reading(when, parseWhen);
  const every = once.get("every");
  const list = (keyword: string): string[] =>
    (repeated.get(keyword) ?? []).flatMap((line) => splitList(line.rest));
  return {
    id: head.rest,
    title: once.get("title")?.rest ?? head.rest,
    first,
    span,
    rule: every === undefined ? undefined : reading(every, (text) => parseRule(text, first)),
    ending: parseEnding(once.get("until"), once.get("times"), every, first),
    except: (repeated.get("except") ?? []).flatMap((line) =>
      reading(line, (text) => splitList(text).map(parseDate)),
    ),
    pauses: parsePauses(repeated.get("pause") ?? [], every),
    moves: parseMoves(repeated.get("move") ?? [], span),
    place: once.get("in")?.rest,
    people: list("with"),
    tags: list("tags").map((tag) => tag.toLowerCase()),
  };
}

/** Reads `09:00-17:30`; a working day ends on the day it starts. */
function parseWorkday(text: string): Workday {
  const { minute, length } = parseClockRange(text);
  if (minute + length > DAY) {
    throw new BadValue(`a working day cannot run past midnight: ${text}`);
  }
  return { opens: minute, closes: minute + length };
}

/** Reads `DATE`, `DATE..DATE`, `DATE 09:15 for 15m` and `DATE 14:00-15:30`. */
function parseWhen(text: string): { first: CivilDate; span: Span } {
  const gap = text.search(/\s/);
  if (gap < 0) {
    const { from, to } = parseDateRange(text.includes("..") ? text : `${text}..${text}`);
    const days = toDayNumber(to) - toDayNumber(from) + 1;
    return { first: from, span: { kind: "all-day", days } };
  }
  const first = parseDate(text.slice(0, gap));
  const rest = text.slice(gap).trim();
  const lasting = /^(\S+)\s+for\s+(\S+)$/.exec(rest);
  if (lasting === null) {
    return { first, span: { kind: "timed", ...parseClockRange(rest) } };
  }
  const minute = parseStart(lasting[1]);
  return { first, span: { kind: "timed", minute, length: parseDuration(lasting[2]) } };
}

function parseStart(text: string): number {
  const minute = parseClock(text);
  if (minute === DAY) {
    throw new BadValue("nothing can start at 24:00");
  }
  return minute;
}

function parseEnding(
  until: LogicalLine | undefined,
  times: LogicalLine | undefined,
  every: LogicalLine | undefined,
  first: CivilDate,
): Ending {
  const given = until ?? times;
  if (given === undefined) {
    return { kind: "never" };
  }
  if (every === undefined) {
    throw new FormatError(given.number, `${given.keyword} needs an every`);
  }
  if (until !== undefined && times !== undefined) {
    throw new FormatError(times.number, "until and times exclude each other");
  }
  if (until !== undefined) {
    const date = reading(until, parseDate);
    if (toDayNumber(date) < toDayNumber(first)) {
      throw new FormatError(until.number, "the entry ends before it starts");
    }
    return { kind: "until", date };
  }
  if (!/^[1-9]\d*$/.test(given.rest)) {
    throw new FormatError(given.number, `not a number of times: ${given.rest}`);
  }
  return { kind: "times", count: Number(given.rest) };
}

function parsePauses(lines: LogicalLine[], every: LogicalLine | undefined): Pause[] {
  return lines.map((line) => {
    if (every === undefined) {
      throw new FormatError(line.number, "pause needs an every");
    }
    return reading(line, parseDateRange);
  });
}

function parseMoves(lines: LogicalLine[], span: Span): Move[] {
  const moves: Move[] = [];
  for (const line of lines) {
    const move = reading(line, (text) => parseMove(text, span));
    if (moves.some((other) => sameDate(other.from, move.from))) {
      throw new FormatError(line.number, "this day is already moved");
    }
    moves.push(move);
  }
  return moves;
}

/** Reads `DATE to DATE`, `DATE to 10:00` and `DATE to DATE 10:00`. */
function parseMove(text: string, span: Span): Move {
  const match = /^(\S+)\s+to\s+(\d\S*-\S+)?\s*(\d+:\d+)?$/.exec(text);
  if (match === null || (match[2] === undefined && match[3] === undefined)) {
    throw new BadValue(`not a move: ${text}`);
  }
  if (match[3] !== undefined && span.kind === "all-day") {
    throw new BadValue("an all-day entry cannot be moved to a time");
  }
  const from = parseDate(match[1]);
  const to = match[2] === undefined ? from : parseDate(match[2]);
  return match[3] === undefined ? { from, to } : { from, to, minute: parseStart(match[3]) };
}
