import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseCalendar } from "../src/parser.ts";
import { writeCalendar } from "../src/writer.ts";

const rewrite = (...text: string[]) => writeCalendar(parseCalendar(text.join("\n"))).split("\n");

describe("writing", () => {
  test("settings come first, defaults are left out", () => {
    assert.deepEqual(
      rewrite("entry a", "  when 2024-03-04", "calendar Team", "workday 8:30-17:00", "week-start sun"),
      ["calendar Team", "week-start sunday", "workday 08:30-17:00", "", "entry a", "  when 2024-03-04", ""],
    );
    assert.deepEqual(rewrite("week-start monday", "entry a", "  when 2024-03-04"), [
      "entry a",
      "  when 2024-03-04",
      "",
    ]);
  });

  test("an entry in canonical order", () => {
    assert.deepEqual(
      rewrite(
        "entry a",
        "  tags Red",
        "  with ann,bob",
        "  in Hall",
        "  move 2024-03-05 to 10:00",
        "  move 2024-03-06 to 2024-03-07",
        "  move 2024-03-07 to 2024-03-08 9:30",
        "  except 2024-03-11",
        "  except 2024-03-12",
        "  until 2024-04-01",
        "  every weekday",
        "  when 2024-03-04 9:00-10:30",
        "  title Lecture",
      ),
      [
        "entry a",
        "  title Lecture",
        "  when 2024-03-04 09:00 for 1h30m",
        "  every weekday",
        "  until 2024-04-01",
        "  except 2024-03-11, 2024-03-12",
        "  move 2024-03-05 to 10:00",
        "  move 2024-03-06 to 2024-03-07",
        "  move 2024-03-07 to 2024-03-08 09:30",
        "  in Hall",
        "  with ann, bob",
        "  tags red",
        "",
      ],
    );
  });

  test("rules are written in full", () => {
    assert.equal(rewrite("entry a", "  when 2024-03-04", "  every other week")[2], "  every 2 weeks on monday");
    assert.equal(rewrite("entry a", "  when 2024-03-04", "  every month")[2], "  every month on day 4");
  });

  test("a number of times", () => {
    assert.equal(rewrite("entry a", "  when 2024-03-04", "  every day", "  times 5")[3], "  times 5");
  });

  test("a rule for the weekdays of every third week", () => {
    assert.equal(
      rewrite("entry a", "  when 2024-03-04", "  every 3 weeks on fri, thu, wed, tue, mon")[2],
      "  every 3 weeks on monday, tuesday, wednesday, thursday, friday",
    );
  });

  test("a move to midnight", () => {
    assert.equal(
      rewrite("entry a", "  when 2024-03-04 09:00 for 1h", "  every day", "  move 2024-03-07 to 0:00")[3],
      "  move 2024-03-07 to 00:00",
    );
  });

  test("a move to midnight of another day", () => {
    assert.equal(
      rewrite("entry a", "  when 2024-03-04 09:00 for 1h", "  every day", "  move 2024-03-06 to 2024-03-08 0:00")[3],
      "  move 2024-03-06 to 2024-03-08 00:00",
    );
  });

  test("a fortnight of whole days", () => {
    assert.equal(rewrite("entry a", "  when 2024-07-01..2024-07-14")[1], "  when 2024-07-01..2024-07-14");
  });

  test("whole days", () => {
    assert.equal(rewrite("entry a", "  when 2024-02-28..2024-03-01")[1], "  when 2024-02-28..2024-03-01");
    assert.equal(rewrite("entry a", "  when 2024-02-28..2024-02-28")[1], "  when 2024-02-28");
  });

  test("writing twice changes nothing", () => {
    const once = rewrite("entry a", "  when 2024-03-04 22:00-06:00", "  every year", "entry b", "  when 2024-03-05");
    assert.equal(rewrite(...once).join("|"), "entry a|  when 2024-03-04 22:00 for 8h|  every year on 4 march||entry b|  when 2024-03-05|");
    assert.equal(once.length, 7);
    assert.equal(rewrite(...once.slice(0, 3)).length, 4);
  });
});
