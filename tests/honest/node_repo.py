"""A TypeScript repository in pieces, with one defect: what honest solutions are made of."""
# ruff: noqa: E501 - tables of code read best one entry a line

from __future__ import annotations

from harness.grading.subject import Subject
from harness.tasks.task import TestSettings
from tests.support.grading import tree

CORE = "src/core.ts"
PIECES = {
    "ERRORS": '''\
export class ParcelError extends Error {}

export class WeightError extends ParcelError {}

export class FormatError extends ParcelError {}
''',
    "MONEY": '''\
export class Money {
  readonly cents: number;
  readonly currency: string;

  constructor(cents: number, currency = "EUR") {
    this.cents = cents;
    this.currency = currency;
  }

  plus(other: Money): Money {
    return new Money(this.cents + other.cents, this.currency);
  }

  equals(other: Money): boolean {
    return this.cents === other.cents && this.currency === other.currency;
  }

  toString(): string {
    const rest = String(this.cents % 100).padStart(2, "0");
    return `${Math.floor(this.cents / 100)}.${rest} ${this.currency}`;
  }
}
''',
    "PARSE": '''\
export function parse(text: string): Money {
  const found = /^(\\d+)\\.(\\d\\d) ([A-Z]+)$/.exec(text);
  if (found === null) throw new FormatError(`no amount: ${text}`);
  return new Money(Number(found[1]) * 100 + Number(found[2]), found[3]);
}
''',
    "SIZE": '''\
export type Size = "small" | "medium" | "large";

export function sizeOf(grams: number): Size {
  if (!(grams > 0)) throw new WeightError(`no weight: ${grams}`);
  if (grams <= 500) return "small";
  return grams <= 2000 ? "medium" : "large";
}
''',
    "RATE": '''\
const PRICES: Record<Size, number> = { small: 199, medium: 449, large: 899 };

export function rate(grams: number, express = false): Money {
  const cents = PRICES[sizeOf(grams)];
  return new Money(express ? cents + Math.floor(cents / 2) : cents);
}
''',
    "BASKET": '''\
export class Basket {
  private parcels: Array<[string, number]> = [];

  add(name: string, grams: number): this {
    this.parcels.push([name, grams]);
    return this;
  }

  get size(): number {
    return this.parcels.length;
  }

  *[Symbol.iterator](): Iterator<string> {
    for (const [name] of this.parcels) yield name;
  }

  has(name: string): boolean {
    return this.parcels.some(([known]) => known === name);
  }

  total(): Money {
    return this.parcels.reduce((sum, [, grams]) => sum.plus(rate(grams)), new Money(0));
  }

  bySize(): Map<Size, string[]> {
    const found = new Map<Size, string[]>();
    for (const [name, grams] of this.parcels) {
      const size = sizeOf(grams);
      found.set(size, [...(found.get(size) ?? []), name]);
    }
    return found;
  }
}
''',
    "QUOTE": '''\
export async function quote(weights: number[]): Promise<Money[]> {
  await Promise.resolve();
  return weights.map((grams) => rate(grams));
}
''',
    "SUMMARY": '''\
export function summary(basket: Basket): string {
  return `${basket.size} parcels, ${basket.total()}`;
}
''',
}  # fmt: skip
DEFECT = ("cents + Math.floor(cents / 2)", "cents * 2")
INDEX = 'export * from "./core.ts";\n'
_TESTS = """\
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import {
  Basket, FormatError, Money, ParcelError, WeightError, parse, quote, rate, sizeOf, summary,
} from "../src/index.ts";

describe("rate", () => {
  test("small", () => {
    assert.equal(rate(250).cents, 199);
  });
  test("express", () => {
    assert.equal(rate(250, true).cents, 298);
  });
  test("express text", () => {
    assert.equal(String(rate(1200, true)), "6.73 EUR");
  });
  test("express equals", () => {
    assert.ok(rate(5000, true).equals(new Money(1348)));
  });
  test("deep", () => {
    assert.deepEqual(rate(5000), new Money(899));
  });
  test("weight", () => {
    assert.throws(() => rate(0), WeightError);
  });
  test("any error", () => {
    assert.throws(() => sizeOf(-5), ParcelError);
  });
});

test("parse", () => {
  assert.deepEqual(parse("1.50 EUR"), new Money(150, "EUR"));
});
test("parse other currency", () => {
  assert.equal(parse("20.05 CHF").currency, "CHF");
});
test("format error", () => {
  assert.throws(() => parse("much"), FormatError);
});
test("format error message", () => {
  assert.throws(() => parse("much"), /no amount: much/);
});
test("size", () => {
  assert.equal(sizeOf(700), "medium");
});
test("quote", async () => {
  const found = await quote([100, 900]);
  assert.deepEqual(found.map((money) => money.cents), [199, 449]);
});
test("quote rejects", async () => {
  await assert.rejects(quote([0]), WeightError);
});

describe("basket", () => {
  let basket: Basket;
  beforeEach(() => {
    basket = new Basket().add("book", 400).add("lamp", 1500).add("pen", 20);
  });
  test("size", () => {
    assert.equal(basket.size, 3);
  });
  test("names", () => {
    assert.deepEqual([...basket], ["book", "lamp", "pen"]);
  });
  test("has", () => {
    assert.equal(basket.has("lamp"), true);
  });
  test("total", () => {
    assert.equal(basket.total().cents, 847);
  });
  test("by size", () => {
    assert.deepEqual(Object.fromEntries(basket.bySize()), { small: ["book", "pen"], medium: ["lamp"] });
  });
  test("summary", () => {
    assert.equal(summary(basket), "3 parcels, 8.47 EUR");
  });
});
"""
_FILE = "tests/parcels.test.ts > "
_DECIDE = ("rate > express", "rate > express text", "rate > express equals")
_KEEP = (
    "rate > small", "rate > deep", "rate > weight", "rate > any error", "parse",
    "parse other currency", "format error", "format error message", "size", "quote",
    "quote rejects",
    *(f"basket > {name}" for name in ("size", "names", "has", "total", "by size", "summary")),
)  # fmt: skip
_BASE = {"package.json": '{"type": "module"}\n', "src/index.ts": INDEX}


def module(**pieces: str) -> str:
    """The core module with some pieces replaced."""
    unknown = pieces.keys() - PIECES.keys()
    assert not unknown, unknown
    return "\n".join({**PIECES, **pieces}.values())


def solution(**pieces: str) -> dict[str, str]:
    """The repository's files with some pieces of the core replaced."""
    return {**_BASE, CORE: module(**pieces)}


def parcels() -> Subject:
    """The task: express costs twice as much instead of half as much again."""
    gold = solution()
    start = {**gold, CORE: gold[CORE].replace(*DEFECT)}
    assert start != gold
    return Subject(
        id="parcels-express-ts",
        language="typescript",
        tests=TestSettings(style="node", timeout_s=20),
        start=tree(start),
        hidden=tree({"tests/parcels.test.ts": _TESTS}),
        gold=tree(gold),
        protected=("tests/**", "package.json", "tsconfig.json", "node_modules/**"),
        fail_to_pass=tuple(_FILE + name for name in _DECIDE),
        pass_to_pass=tuple(_FILE + name for name in _KEEP),
    )
