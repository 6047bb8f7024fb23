import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { lintCalendar } from "../src/lint.ts";
import { parseCalendar } from "../src/parser.ts";

const remarks = (...text: string[]) => lintCalendar(parseCalendar(text.join("\n")));
const WEEKLY = ["entry a", "  when 2024-03-04 09:00 for 1h", "  every week"];

describe("remarks", () => {
  test("none on a sound calendar", () => {
    assert.equal(remarks(...WEEKLY, "  except 2024-03-11", "  move 2024-03-18 to 10:00").length, 0);
    assert.equal(remarks(...WEEKLY, "  except 2024-03-12").length, 1);
  });

  test("on exceptions that hit nothing", () => {
    assert.deepEqual(remarks(...WEEKLY, "  except 2024-03-12"), [
      "a: does not occur on 2024-03-12, no need to except it",
    ]);
  });

  test("none on a late move without exceptions", () => {
    assert.equal(remarks(...WEEKLY, "  move 2024-06-03 to 2024-06-04").length, 0);
  });

  test("on moves that hit nothing", () => {
    assert.deepEqual(remarks(...WEEKLY, "  until 2024-03-20", "  move 2024-03-25 to 10:00"), [
      "a: does not occur on 2024-03-25, cannot be moved",
    ]);
  });

  test("on days that are moved and excepted", () => {
    assert.deepEqual(remarks(...WEEKLY, "  except 2024-03-11", "  move 2024-03-11 to 10:00"), [
      "a: 2024-03-11 is both moved and excepted",
    ]);
  });

  test("on rules that skip the first day", () => {
    assert.deepEqual(remarks("entry a", "  when 2024-03-04", "  every week on fri"), [
      "a: the rule skips the first day, 2024-03-04",
    ]);
  });
});
