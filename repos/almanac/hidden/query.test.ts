import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseDate } from "../src/civil.ts";
import { QueryError } from "../src/errors.ts";
import { parseCalendar } from "../src/parser.ts";
import { compileQuery, search } from "../src/query.ts";

const TEXT = `
entry standup
  title Daily stand-up
  when 2024-03-04 09:15 for 15m
  every week on mon, tue
  move 2024-03-05 to 2024-03-06
  in Room 4
  with Ann, bob
  tags team, short

entry review
  title Project review
  when 2024-03-07 14:00 for 1h30m
  in Big room
  with bob
  tags team

entry fair
  title Spring fair
  when 2024-03-08..2024-03-09
  tags fun
`;

/** What a search finds in the first full week of March 2024. */
function found(query: string): string[] {
  const calendar = parseCalendar(TEXT);
  const week = [parseDate("2024-03-04"), parseDate("2024-03-10")] as const;
  return search(calendar, query, ...week).map((one) => one.entry.id);
}

/** Where a search is wrong; 99 when it is not. */
function wrongAt(query: string): number {
  try {
    compileQuery(query);
    return 99;
  } catch (error) {
    if (error instanceof QueryError) {
      return error.position;
    }
    throw error;
  }
}

describe("terms", () => {
  test("an empty search finds everything", () => {
    assert.deepEqual(found("  "), ["standup", "standup", "review", "fair"]);
  });

  test("words look at the title", () => {
    assert.deepEqual(found("STAND-UP"), ["standup", "standup"]);
    assert.deepEqual(found('"project review"'), ["review"]);
  });

  test("tags, people and places", () => {
    assert.deepEqual(found("tag:Fun"), ["fair"]);
    assert.deepEqual(found("with:ann"), ["standup", "standup"]);
    assert.deepEqual(found("in:room with:bob"), ["standup", "standup", "review"]);
    assert.deepEqual(found('in:"big room"'), ["review"]);
  });

  test("weekdays are those on which things really happen", () => {
    assert.deepEqual(found("on:wed"), ["standup"]);
    assert.equal(found("on:tuesday").length, 0);
    assert.equal(found("id:standup").length, 2);
  });

  test("weekdays of a moved occurrence in a combined search", () => {
    assert.deepEqual(found("is:moved on:wednesday"), ["standup"]);
  });

  test("lengths are strict", () => {
    assert.deepEqual(found("longer:15m"), ["review"]);
    assert.deepEqual(found("shorter:1h30m"), ["standup", "standup"]);
  });

  test("states", () => {
    assert.deepEqual(found("is:moved"), ["standup"]);
    assert.deepEqual(found("is:all-day"), ["fair"]);
    assert.deepEqual(found("-is:recurring"), ["review", "fair"]);
  });
});

describe("combinations", () => {
  test("terms side by side must all hold", () => {
    assert.deepEqual(found("tag:team review"), ["review"]);
    assert.equal(found("tag:fun review").length, 0);
    assert.equal(found("tag:fun fair").length, 1);
  });

  test("or binds weaker", () => {
    assert.deepEqual(found("tag:team longer:1h or fair"), ["review", "fair"]);
  });

  test("groups bind first", () => {
    assert.deepEqual(found("with:bob (on:mon or on:thu)"), ["standup", "review"]);
  });

  test("a hyphen inside a word negates nothing", () => {
    assert.deepEqual(found("stand-up -on:monday"), ["standup"]);
  });

  test("or may be in capitals", () => {
    assert.deepEqual(found("id:review OR id:fair"), ["review", "fair"]);
  });

  test("groups may be nested", () => {
    assert.deepEqual(found("((id:review) or (tag:team (on:mon or on:sun)))"), ["standup", "review"]);
  });

  test("a minus negates a term or a group", () => {
    assert.deepEqual(found("-tag:team"), ["fair"]);
    assert.deepEqual(found("-(on:mon or on:wed)"), ["review", "fair"]);
    assert.deepEqual(found("--fair"), ["fair"]);
  });
});

describe("searches that make no sense", () => {
  test("missing terms", () => {
    assert.equal(wrongAt("fair or"), 7);
    assert.equal(wrongAt("()"), 1);
    assert.equal(wrongAt("fair -"), 6);
  });

  test("parentheses", () => {
    assert.equal(wrongAt("fair (on:mon"), 5);
    assert.equal(wrongAt("fair )"), 5);
  });

  test("unknown fields, states and values", () => {
    assert.equal(wrongAt("fair color:red"), 5);
    assert.equal(wrongAt("is:late"), 0);
    assert.equal(wrongAt("fair  on:someday"), 6);
    assert.equal(wrongAt("longer:much"), 0);
  });
});
