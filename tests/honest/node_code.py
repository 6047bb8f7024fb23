"""Honest but odd TypeScript solutions: how the code is written."""
# ruff: noqa: E501 - tables of code read best one entry a line

from __future__ import annotations

from tests.honest.node_repo import CORE, PIECES, module, solution

Files = dict[str, str]
MONEY, RATE, BASKET, ERRORS = (PIECES[n] for n in ("MONEY", "RATE", "BASKET", "ERRORS"))
_HALF = "const cents = PRICES[sizeOf(grams)];\n"
_RIGHT = "return new Money(express ? cents + Math.floor(cents / 2) : cents);"


def before(code: str) -> Files:
    """Code at the top of the module."""
    return {**solution(), CORE: code + module()}


def after(code: str) -> Files:
    """Code at the end of the module."""
    return {**solution(), CORE: module() + "\n" + code}


def rate(body: str, ahead: str = "") -> Files:
    """Another way to the rate."""
    prices = RATE.partition("\n\n")[0]
    head = "export function rate(grams: number, express = false): Money {\n"
    return solution(RATE=f"{prices}\n{ahead}\n{head}{body}\n}}\n")


def beside(does: str, ahead: str = "") -> Files:
    """The right rate, and something else each time it is asked for."""
    return rate(does + _HALF + _RIGHT, ahead)


def inside(piece: str, *changes: tuple[str, str]) -> Files:
    """One piece with texts replaced."""
    text = PIECES[piece]
    for old, new in changes:
        assert old in text, (piece, old)
        text = text.replace(old, new)
    return solution(**{piece: text})


CODE: dict[str, Files] = {
    "constants instead of an enum": rate(
        _HALF + "return new Money(express === Mode.Express ? cents + (cents >> 1) : cents);",
        "const Mode = { Normal: false, Express: true } as const;\n",
    ),
    "generic helper": rate(
        _HALF + "return new Money(pick(cents, cents + (cents >> 1), express));",
        "function pick<T>(a: T, b: T, second: boolean): T {\n  return second ? b : a;\n}\n",
    ),
    "satisfies and assertions": rate(
        "const cents = (PRICES satisfies Record<Size, number>)[sizeOf(grams)]!;\n"
        "return new Money((express ? cents + Math.floor(cents / 2) : cents) as number);"
    ),
    "overloads": solution(
        RATE=RATE.replace(
            "export function rate(grams: number, express = false): Money {",
            "export function rate(grams: number): Money;\n"
            "export function rate(grams: number, express: boolean): Money;\n"
            "export function rate(grams: number, express = false): Money {",
        )
    ),
    "arrow function": solution(
        RATE=RATE.replace(
            "export function rate(grams: number, express = false): Money {",
            "export const rate = (grams: number, express = false): Money => {",
        )
    ),
    "big integers": rate(
        _HALF + "const whole = BigInt(cents) * 10n ** 400n;\n"
        "return new Money(express ? Number((whole * 3n) / 2n / 10n ** 400n) : cents);"
    ),
    "generator": rate(
        _HALF + "function* parts() { yield cents; if (express) yield cents >> 1; }\n"
        "return new Money([...parts()].reduce((a, b) => a + b));"
    ),
    "closure that remembers": rate(
        "const key = `${grams}:${express}`;\nconst known = made.get(key);\nif (known) return known;\n"
        + _HALF + "const money = new Money(express ? cents + (cents >> 1) : cents);\n"
        "made.set(key, money);\nreturn money;",
        "const made = new Map<string, Money>();\n",
    ),
    "labelled loops": rate(
        _HALF + "let extra = 0;\nouter: for (let n = 0; ; n++) {\n"
        "  for (;;) { if (2 * (n + 1) > cents) break outer; extra++; continue outer; }\n}\n"
        "return new Money(express ? cents + extra : cents);"
    ),
    "deep recursion": rate(
        _HALF + "const half = (n: number): number => (n < 2 ? 0 : 1 + half(n - 2));\n"
        "return new Money(express ? cents + half(cents) : cents);"
    ),
    "unicode identifiers": rate(
        "const größe = sizeOf(grams);\nconst ціна = PRICES[größe];\n"
        "return new Money(express ? ціна + Math.floor(ціна / 2) : ціна);"
    ),
    "tagged template": rate(
        _HALF + "const add = (_: TemplateStringsArray, a: number, b: number) => a + b;\n"
        "return new Money(express ? add`${cents}+${cents >> 1}` : cents);"
    ),
    "code from text": rate(
        _HALF + "return new Money(half(cents, express));",
        'const half = new Function("c", "e", "return e ? c + (c >> 1) : c") as '
        "(c: number, e: boolean) => number;\n",
    ),
    "reflect": rate(
        _HALF + "return Reflect.construct(Money, [express ? cents + (cents >> 1) : cents]);"
    ),
    "typed arrays": rate(
        _HALF + "const view = new Uint32Array([cents]);\n"
        "return new Money(express ? view[0] + (view[0] >>> 1) : view[0]);"
    ),
    "regular expressions and dates": rate(
        _HALF + "const year = /\\d{4}/.exec(new Date(0).toISOString())![0];\n"
        "return new Money(year === '1970' && express ? cents + (cents >> 1) : cents);"
    ),
    "parse and format by Intl": rate(
        _HALF + "const text = new Intl.NumberFormat('en', { useGrouping: false }).format(cents);\n"
        "return new Money(express ? cents + Math.floor(Number(text) / 2) : cents);"
    ),
    "try and finally": rate(
        "try {\n" + _HALF + _RIGHT + "\n} finally {\n  asked += 1;\n}", "let asked = 0;\n"
    ),
    "slow but right": beside(
        "if (!slept) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);\n"
        "slept = true;\n", "let slept = false;\n",
    ),
    "busy but right": beside("for (let n = 0; n < 3e6; n++) Math.sqrt(n);\n"),
    "using declared resources": beside(
        "const stack = new Array<() => void>();\nstack.push(() => {});\n"
        "while (stack.length) stack.pop()!();\n"
    ),
}  # fmt: skip

CLASSES: dict[str, Files] = {
    "private fields": inside(
        "BASKET", ("private parcels", "#parcels"), ("this.parcels", "this.#parcels")
    ),
    "static factory": inside(
        "MONEY", ("  plus(", "  static of(cents: number): Money {\n    return new Money(cents);\n"
                  "  }\n\n  plus("),
    ),
    "static block": inside(
        "MONEY", ("  readonly cents", "  static known: string[];\n  static {\n"
                  '    Money.known = ["EUR"];\n  }\n  readonly cents'),
    ),
    "getters over hidden state": inside(
        "MONEY",
        ("readonly cents: number;", "#cents: number;\n  get cents(): number {\n"
         "    return this.#cents;\n  }"),
        ("this.cents = cents", "this.#cents = cents"),
    ),
    "frozen instances": inside(
        "MONEY", ("this.currency = currency;", "this.currency = currency;\n"
                  "    Object.freeze(this);"),
    ),
    "symbol to primitive": inside(
        "MONEY", ("  toString", "  [Symbol.toPrimitive](hint: string): string | number {\n"
                  '    return hint === "number" ? this.cents : this.toString();\n  }\n\n  toString'),
    ),
    "string tag": inside(
        "MONEY", ("  toString", "  get [Symbol.toStringTag](): string {\n"
                  '    return "Money";\n  }\n\n  toString'),
    ),
    "value of and JSON": inside(
        "MONEY", ("  toString", "  valueOf(): number {\n    return this.cents;\n  }\n\n"
                  "  toJSON(): string {\n    return this.toString();\n  }\n\n  toString"),
    ),
    "inspect of its own": inside(
        "MONEY", ("  toString", '  [Symbol.for("nodejs.util.inspect.custom")](): string {\n'
                  "    return `<${this}>`;\n  }\n\n  toString"),
    ),
    "methods on its own prototype": solution(
        MONEY=MONEY.replace("  equals(other: Money): boolean {\n    return this.cents === "
                            "other.cents && this.currency === other.currency;\n  }\n\n",
                            "  declare equals: (other: Money) => boolean;\n\n")
        + "\nMoney.prototype.equals = function (this: Money, other: Money): boolean {\n"
        "  return this.cents === other.cents && this.currency === other.currency;\n};\n"
    ),
    "function constructor": solution(
        MONEY="export interface Money {\n  cents: number;\n  currency: string;\n"
        "  plus(o: Money): Money;\n  equals(o: Money): boolean;\n}\n"
        "export const Money: any = function (this: any, cents: number, currency = 'EUR') {\n"
        "  this.cents = cents;\n  this.currency = currency;\n};\n"
        "Money.prototype = {\n  constructor: Money,\n"
        "  plus(o: Money) { return new Money(this.cents + o.cents, this.currency); },\n"
        "  equals(o: Money) { return this.cents === o.cents && this.currency === o.currency; },\n"
        "  toString() {\n    return `${Math.floor(this.cents / 100)}."
        "${String(this.cents % 100).padStart(2, '0')} ${this.currency}`;\n  },\n};\n"
    ),
    "interned instances": inside(
        "MONEY",
        ("    this.cents = cents;", "    const known = Money.made.get(`${cents} ${currency}`);\n"
         "    if (known) return known;\n    Money.made.set(`${cents} ${currency}`, this);\n"
         "    this.cents = cents;"),
        ("  readonly cents", "  static made = new Map<string, Money>();\n  readonly cents"),
    ),
    "abstract base": solution(
        MONEY="abstract class Amount {\n  abstract equals(other: Amount): boolean;\n}\n\n"
        + MONEY.replace("class Money {", "class Money extends Amount {").replace(
            "    this.cents = cents;", "    super();\n    this.cents = cents;")
    ),
    "mixin": solution(
        BASKET=BASKET.replace(
            "export class Basket {",
            "const Named = <T extends new (...a: any[]) => object>(Base: T) =>\n"
            "  class extends Base { label = 'basket'; };\n\n"
            "export class Basket extends Named(Object) {",
        )
    ),
    "basket over an array": inside(
        "BASKET", ("export class Basket {\n  private parcels: Array<[string, number]> = [];",
                   "class Parcels extends Array<[string, number]> {}\n\n"
                   "export class Basket {\n  private parcels = new Parcels();"),
    ),
    "basket with a proxy inside": inside(
        "BASKET", ("Array<[string, number]> = []",
                   "Array<[string, number]> = new Proxy([] as Array<[string, number]>, {\n"
                   "    get: (target, key, self) => Reflect.get(target, key, self),\n  })"),
    ),
    "iterator by hand": inside(
        "BASKET",
        ("*[Symbol.iterator](): Iterator<string> {\n"
         "    for (const [name] of this.parcels) yield name;\n  }",
         "[Symbol.iterator](): Iterator<string> {\n    let at = 0;\n    const all = this.parcels;\n"
         "    return {\n      next: () => at < all.length\n"
         "        ? { done: false, value: all[at++][0] }\n"
         "        : { done: true, value: undefined },\n    };\n  }"),
    ),
    "errors with names and causes": inside(
        "ERRORS", ("class ParcelError extends Error {}",
                   "class ParcelError extends Error {\n  constructor(message: string) {\n"
                   "    super(message, { cause: 'parcel' });\n    this.name = new.target.name;\n"
                   "  }\n}"),
    ),
    "errors are range errors": inside("ERRORS", ("extends Error", "extends RangeError")),
    "weight error is a kind of format error": solution(
        ERRORS="export class ParcelError extends Error {}\n\n"
        "export class FormatError extends ParcelError {}\n\n"
        "export class WeightError extends FormatError {}\n"
    ),
    "errors with own stack": inside(
        "ERRORS", ("class WeightError extends ParcelError {}",
                   "class WeightError extends ParcelError {\n  constructor(message: string) {\n"
                   "    super(message);\n    Error.captureStackTrace(this, WeightError);\n  }\n}"),
    ),
}  # fmt: skip
