import { parseWeekday, weekdayOf } from "./civil.ts";
import { BadValue, QueryError } from "./errors.ts";
import { occurrencesBetween } from "./occurrences.ts";
import { dayOf, parseDuration } from "./time.ts";
import type { Calendar, CivilDate, Occurrence } from "./types.ts";

type Test = (occurrence: Occurrence) => boolean;

interface Token {
  readonly position: number;
  readonly kind: "(" | ")" | "-" | "or" | "term";
  readonly field: string;
  readonly value: string;
}

/** The occurrences between two days that a search accepts, in order. */
export function search(
  calendar: Calendar,
  query: string,
  from: CivilDate,
  to: CivilDate,
): Occurrence[] {
  const test = compileQuery(query);
  return occurrencesBetween(calendar, from, to).filter(test);
}

/**
 * Compiles a search: terms side by side must all hold, `or` binds weaker, `-` negates
 * the next term or group. An empty search accepts everything. Throws QueryError.
 */
export function compileQuery(query: string): Test {
  const tokens = tokenize(query);
  let index = 0;

  const either = (): Test => {
    const branches = [all()];
    while (tokens[index]?.kind === "or") {
      index += 1;
      branches.push(all());
    }
    return (occurrence) => branches.some((test) => test(occurrence));
  };

  const all = (): Test => {
    const tests: Test[] = [];
    while (index < tokens.length && tokens[index].kind !== ")" && tokens[index].kind !== "or") {
      tests.push(single());
    }
    if (tests.length === 0) {
      throw new QueryError(tokens[index]?.position ?? query.length, "a term is missing");
    }
    return (occurrence) => tests.every((test) => test(occurrence));
  };

  const single = (): Test => {
    const token = tokens[index];
    if (token === undefined) {
      throw new QueryError(query.length, "a term is missing");
    }
    index += 1;
    if (token.kind === "-") {
      const negated = single();
      return (occurrence) => !negated(occurrence);
    }
    if (token.kind === "(") {
      const inner = either();
      if (tokens[index]?.kind !== ")") {
        throw new QueryError(token.position, "this parenthesis is never closed");
      }
      index += 1;
      return inner;
    }
    if (token.kind !== "term") {
      throw new QueryError(token.position, `unexpected ${token.kind}`);
    }
    return compileTerm(token);
  };

  if (tokens.length === 0) {
    return () => true;
  }
  const test = either();
  if (index < tokens.length) {
    throw new QueryError(tokens[index].position, `unexpected ${tokens[index].kind}`);
  }
  return test;
}

function tokenize(query: string): Token[] {
  const pattern = /\s*(?:([()-])|(?:(\w+):)?(?:"([^"]*)"|([^\s()":]+)))/y;
  const end = query.trimEnd().length;
  const tokens: Token[] = [];
  while (pattern.lastIndex < end) {
    const before = pattern.lastIndex;
    const match = pattern.exec(query);
    if (match === null) {
      throw new QueryError(before, `cannot read ${query.slice(before).trim()}`);
    }
    const position = before + match[0].length - match[0].trimStart().length;
    const [, mark, field, quoted, bare] = match;
    if (mark !== undefined) {
      tokens.push({ position, kind: mark as Token["kind"], field: "", value: "" });
    } else if (field === undefined && bare?.toLowerCase() === "or") {
      tokens.push({ position, kind: "or", field: "", value: "" });
    } else {
      const value = quoted ?? bare;
      tokens.push({ position, kind: "term", field: field?.toLowerCase() ?? "title", value });
    }
  }
  return tokens;
}

function compileTerm({ position, field, value }: Token): Test {
  const wanted = value.toLowerCase();
  switch (field) {
    case "title":
      return ({ entry }) => entry.title.toLowerCase().includes(wanted);
    case "id":
      return ({ entry }) => entry.id.toLowerCase() === wanted;
    case "tag":
      return ({ entry }) => entry.tags.includes(wanted);
    case "with":
      return ({ entry }) => entry.people.some((person) => person.toLowerCase() === wanted);
    case "in":
      return ({ entry }) => entry.place?.toLowerCase().includes(wanted) ?? false;
    case "is":
      return compileState(position, wanted);
    case "on":
    case "longer":
    case "shorter":
      return compileMeasure(position, field, value);
    default:
      throw new QueryError(position, `unknown field: ${field}`);
  }
}

function compileState(position: number, state: string): Test {
  switch (state) {
    case "moved":
      return ({ moved }) => moved;
    case "recurring":
      return ({ entry }) => entry.rule !== undefined;
    case "all-day":
      return ({ entry }) => entry.span.kind === "all-day";
    default:
      throw new QueryError(position, `unknown state: ${state}`);
  }
}

/** `longer` and `shorter` are strict and look at timed entries only. */
function compileMeasure(position: number, field: "on" | "longer" | "shorter", value: string): Test {
  try {
    if (field === "on") {
      const weekday = parseWeekday(value);
      return ({ start }) => weekdayOf(dayOf(start)) === weekday;
    }
    const length = parseDuration(value);
    return ({ entry }) =>
      entry.span.kind === "timed" &&
      (field === "longer" ? entry.span.length > length : entry.span.length < length);
  } catch (error) {
    if (error instanceof BadValue) {
      throw new QueryError(position, error.message);
    }
    throw error;
  }
}
