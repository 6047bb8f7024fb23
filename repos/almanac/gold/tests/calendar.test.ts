import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  FormatError,
  agenda,
  busyTimes,
  describeConflict,
  findConflicts,
  formatMoment,
  freeSlots,
  lintCalendar,
  occurrencesBetween,
  parseCalendar,
  parseDate,
  search,
  tagTotals,
  writeCalendar,
} from "../src/index.ts";

const TEXT = `# The team
calendar Team
workday 08:30-17:00

entry standup
  title Daily stand-up
  when 2024-03-04 09:15 for 15m
  every weekday
  until 2024-06-28
  except 2024-03-29, 2024-04-01
  move 2024-03-12 to 2024-03-13 10:00
  in Room 4
  with ann, bob
  tags team, short

entry review
  when 2024-03-05 14:00-15:00
  in Room 4
  with bob
  tags team
`;

const calendar = parseCalendar(TEXT);
const monday = parseDate("2024-03-04");
const tuesday = parseDate("2024-03-05");

const starts = (from: string, to: string): string[] =>
  occurrencesBetween(calendar, parseDate(from), parseDate(to)).map(({ start }) => formatMoment(start));

describe("reading", () => {
  test("gives the entries", () => {
    assert.deepEqual(calendar.entries.map(({ id }) => id), ["standup", "review"]);
  });

  test("knows the line of a mistake", () => {
    assert.throws(() => parseCalendar("entry a\n  when tomorrow at nine\n"), FormatError);
  });

  test("keeps tags in lower case", () => {
    assert.deepEqual(parseCalendar("entry a\n  when 2024-03-04\n  tags Fun\n").entries[0].tags, ["fun"]);
  });
});

describe("occurrences", () => {
  test("of every weekday", () => {
    assert.deepEqual(starts("2024-03-07", "2024-03-11"), [
      "2024-03-07 09:15",
      "2024-03-08 09:15",
      "2024-03-11 09:15",
    ]);
  });

  test("leave exceptions out", () => {
    assert.equal(starts("2024-03-29", "2024-04-01").length, 0);
  });

  test("are moved", () => {
    assert.deepEqual(starts("2024-03-12", "2024-03-13"), ["2024-03-13 09:15", "2024-03-13 10:00"]);
  });

  test("end", () => {
    assert.deepEqual(starts("2024-06-28", "2024-07-05"), ["2024-06-28 09:15"]);
  });
});

describe("questions", () => {
  test("what is on", () => {
    assert.equal(
      agenda(calendar, tuesday, tuesday),
      [
        "Week 10, 2024",
        "  Tue 5 Mar",
        "    09:15-09:30  Daily stand-up (Room 4)",
        "    14:00-15:00  review (Room 4)",
      ].join("\n"),
    );
  });

  test("who is double-booked", () => {
    const text = `${TEXT}\nentry call\n  when 2024-03-05 14:30 for 1h\n  with bob\n`;
    assert.deepEqual(findConflicts(parseCalendar(text), monday, tuesday).map(describeConflict), [
      "2024-03-05 14:30: review and call both need bob",
    ]);
  });

  test("who is busy", () => {
    assert.equal(busyTimes(calendar, ["ann"], tuesday, tuesday).length, 1);
    assert.equal(busyTimes(calendar, ["bob"], tuesday, tuesday).length, 2);
  });

  test("when there is time", () => {
    assert.deepEqual(
      freeSlots(calendar, ["bob"], tuesday, tuesday, 60).map(({ start }) => formatMoment(start)),
      ["2024-03-05 09:30", "2024-03-05 15:00"],
    );
  });

  test("where the time goes", () => {
    assert.deepEqual(tagTotals(calendar, monday, tuesday), [
      { tag: "team", count: 3, minutes: 90 },
      { tag: "short", count: 2, minutes: 30 },
    ]);
  });

  test("what there is of something", () => {
    assert.deepEqual(search(calendar, "tag:team longer:45m", monday, tuesday).map(({ entry }) => entry.id), [
      "review",
    ]);
  });

  test("what is odd", () => {
    assert.deepEqual(lintCalendar(parseCalendar("entry a\n  when 2024-03-04\n  every week\n  except 2024-03-12\n")), [
      "a: does not occur on 2024-03-12, no need to except it",
    ]);
  });
});

describe("writing", () => {
  test("gives the canonical form", () => {
    assert.equal(
      writeCalendar(parseCalendar("entry a\n  every other week\n  when 2024-03-04 9:00-10:30\n")),
      "entry a\n  when 2024-03-04 09:00 for 1h30m\n  every 2 weeks on monday\n",
    );
  });
});
