import { MismatchError, SpliceError } from './errors.ts';
import { diffSequences } from './sequence.ts';

export type Value = null | boolean | number | string | readonly Value[] | ValueObject;
export interface ValueObject {
  readonly [name: string]: Value;
}

/** A step that changes a value at a path, a JSON pointer. It knows what was there before. */
export type Operation =
  | { readonly op: 'add'; readonly path: string; readonly value: Value }
  | { readonly op: 'remove'; readonly path: string; readonly old: Value }
  | { readonly op: 'replace'; readonly path: string; readonly old: Value; readonly value: Value };

/** The steps, one after the other, that make `after` of `before`. */
export function diffValues(before: Value, after: Value): Operation[] {
  const operations: Operation[] = [];
  compare(before, after, [], operations);
  return operations;
}

type Path = readonly (string | number)[];

function compare(before: Value, after: Value, path: Path, into: Operation[]): void {
  if (sameValue(before, after)) {
    return;
  }
  if (isList(before) && isList(after)) {
    compareLists(before, after, path, into);
  } else if (isObject(before) && isObject(after)) {
    compareObjects(before, after, path, into);
  } else {
    into.push({ op: 'replace', path: pointer(path), old: before, value: after });
  }
}

function compareObjects(
  before: ValueObject,
  after: ValueObject,
  path: Path,
  into: Operation[],
): void {
  for (const name of Object.keys({ ...before, ...after }).sort()) {
    const old = own(before, name);
    const value = own(after, name);
    const here = [...path, name];
    if (old === undefined && value !== undefined) {
      into.push({ op: 'add', path: pointer(here), value });
    } else if (old !== undefined && value === undefined) {
      into.push({ op: 'remove', path: pointer(here), old });
    } else if (old !== undefined && value !== undefined) {
      compare(old, value, here, into);
    }
  }
}

/** Items that stand in for one another are compared in turn; others come and go. */
function compareLists(
  before: readonly Value[],
  after: readonly Value[],
  path: Path,
  into: Operation[],
): void {
  let growth = 0;
  for (const { aStart, aEnd, bStart, bEnd } of diffSequences(before, after, canonical)) {
    const old = before.slice(aStart, aEnd);
    const now = after.slice(bStart, bEnd);
    const start = aStart + growth;
    const paired = Math.min(old.length, now.length);
    old.slice(0, paired).forEach((item, i) => {
      compare(item, now[i] ?? null, [...path, start + i], into);
    });
    old.slice(paired).forEach((item) => {
      into.push({ op: 'remove', path: pointer([...path, start + paired]), old: item });
    });
    now.slice(paired).forEach((value, i) => {
      into.push({ op: 'add', path: pointer([...path, start + paired + i]), value });
    });
    growth += now.length - old.length;
  }
}

/** Carries the steps out on a copy. Throws MismatchError where something else is found. */
export function applyOperations(value: Value, operations: readonly Operation[]): Value {
  return operations.reduce((now, one) => change(now, parsePointer(one.path), one), value);
}

/** The steps that take the steps back. */
export function reverseOperations(operations: readonly Operation[]): Operation[] {
  return operations.map(reverse).reverse();
}

function reverse(operation: Operation): Operation {
  const { path } = operation;
  switch (operation.op) {
    case 'add':
      return { op: 'remove', path, old: operation.value };
    case 'remove':
      return { op: 'add', path, value: operation.old };
    case 'replace':
      return { op: 'replace', path, old: operation.value, value: operation.old };
  }
}

function change(value: Value, steps: readonly string[], operation: Operation): Value {
  const [step, ...further] = steps;
  if (step === undefined) {
    expectOld(value, operation);
    return operation.op === 'remove' ? null : operation.value;
  }
  if (isList(value)) {
    const index = toIndex(step, value.length, operation);
    const adds = further.length === 0 && operation.op === 'add';
    if (!adds && index === value.length) {
      throw mismatch(operation, 'there is no such item');
    }
    return changeList(value, index, further, operation);
  }
  if (isObject(value)) {
    return changeObject(value, step, further, operation);
  }
  throw mismatch(operation, 'there is nothing');
}

function changeList(
  list: readonly Value[],
  index: number,
  further: readonly string[],
  operation: Operation,
): Value {
  if (further.length === 0 && operation.op === 'add') {
    return list.toSpliced(index, 0, operation.value);
  }
  if (further.length === 0 && operation.op === 'remove') {
    expectOld(list[index] ?? null, operation);
    return list.toSpliced(index, 1);
  }
  return list.with(index, change(list[index] ?? null, further, operation));
}

function changeObject(
  object: ValueObject,
  name: string,
  further: readonly string[],
  operation: Operation,
): Value {
  const old = own(object, name);
  if (further.length === 0 && operation.op === 'add') {
    if (old !== undefined) {
      throw mismatch(operation, 'is there already');
    }
    return { ...object, [name]: operation.value };
  }
  if (old === undefined) {
    throw mismatch(operation, 'there is nothing');
  }
  if (further.length === 0 && operation.op === 'remove') {
    expectOld(old, operation);
    return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
  }
  return { ...object, [name]: change(old, further, operation) };
}

function expectOld(found: Value, operation: Operation): void {
  if (operation.op !== 'add' && !sameValue(found, operation.old)) {
    throw mismatch(operation, 'has another value');
  }
}

function toIndex(step: string, length: number, operation: Operation): number {
  const index = step === '-' ? length : Number(step);
  if (!(step === '-' || /^(0|[1-9]\d*)$/.test(step)) || index > length) {
    throw mismatch(operation, 'there is no such item');
  }
  return index;
}

function mismatch(operation: Operation, message: string): MismatchError {
  return new MismatchError(`${operation.op} ${operation.path}: ${message}`);
}

export function sameValue(one: Value, two: Value): boolean {
  return canonical(one) === canonical(two);
}

/** One text for values that are the same, whatever the order of their names. */
function canonical(value: Value): string {
  if (isList(value)) {
    return `[${value.map(canonical).join(',')}]`;
  }
  if (isObject(value)) {
    const parts = Object.keys(value)
      .sort()
      .map((name) => `${JSON.stringify(name)}:${canonical(own(value, name) ?? null)}`);
    return `{${parts.join(',')}}`;
  }
  return JSON.stringify(value);
}

/** A JSON pointer: `/` before each step, where `~` is written `~0` and `/` is written `~1`. */
export function pointer(path: Path): string {
  return path
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

export function parsePointer(text: string): string[] {
  if (text === '') {
    return [];
  }
  if (!text.startsWith('/') || /~(?![01])/.test(text)) {
    throw new SpliceError(`not a pointer: ${text}`);
  }
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function own(object: ValueObject, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function isObject(value: Value): value is ValueObject {
  return typeof value === 'object' && value !== null && !isList(value);
}
