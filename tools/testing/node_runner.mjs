// Runs test files with node:test in this process and writes results to descriptor 4.
// Lines are those of run_pytest.py. Ids: `file > describe > name`, file relative to the tree.
import assert from 'node:assert';
import { readFileSync, readdirSync, unlinkSync, writeSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';

const config = JSON.parse(readFileSync(process.argv[2], 'utf8'));
unlinkSync(process.argv[2]);
const root = process.cwd();
const limit = config.message_chars ?? 3000;
const exit = process.exit.bind(process);
const later = setTimeout;
const machinery = new Map();
for (const [name, object] of Object.entries({ assert, strict: assert.strict })) {
  for (const key of Object.keys(object)) {
    if (typeof object[key] === 'function') machinery.set(`${name}.${key}`, [object, key, object[key]]);
  }
}

function changedMachinery() {
  const changed = [];
  for (const [name, [object, key, value]] of machinery) if (object[key] !== value) changed.push(name);
  return changed.slice(0, 20);
}

function emit(result) {
  let data = Buffer.from(JSON.stringify(result) + '\n');
  while (data.length > 0) {
    try {
      data = data.subarray(writeSync(4, data));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

function clip(text) {
  if (text.length <= limit) return text;
  const head = Math.floor(limit / 3);
  return `${text.slice(0, head)}\n[... ${text.length - limit} characters cut ...]\n${text.slice(head - limit)}`;
}

function findFiles(folder) {
  const found = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...findFiles(path));
    else if (/[.](test|spec)[.](ts|mts|js|mjs)$/.test(entry.name)) found.push(path);
  }
  return found.sort();
}

function shuffle(items, seed) {
  let state = (seed >>> 0) || 1;
  for (let i = items.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = state % (i + 1);
    [items[i], items[j]] = [items[j], items[i]];
  }
}

function describeError(details) {
  const error = details?.error;
  const cause = error?.cause ?? error;
  if (cause === undefined || cause === null) return '';
  return clip(String(cause.stack ?? cause.message ?? cause));
}

function isSyntax(error) {
  for (let depth = 0; error && depth < 10; depth++, error = error.cause) {
    // A name that a module lacks is a SyntaxError to Node, but the file does parse.
    if (/does not provide an export named/.test(String(error.message))) return false;
    if (error instanceof SyntaxError || error.name === 'SyntaxError') return true;
    if (/ERR_(INVALID|UNSUPPORTED)_TYPESCRIPT_SYNTAX/.test(String(error.code))) return true;
  }
  return false;
}

function kindOf(error) {
  if (isSyntax(error)) return 'syntax';
  const memory = /Failed to allocate memory|Array buffer allocation failed/;
  return memory.test(String(error?.message)) || memory.test(String(error?.cause?.message)) ? 'memory' : 'collection';
}

const files = findFiles(resolve(root, config.folder));
if (config.order !== null && config.order !== undefined) shuffle(files, config.order);
emit({ type: 'begin', runner: 'node', version: process.version });

const seen = new Map();
const open = [];
const collected = [];

function nameOf(data) {
  const path = open.slice(0, data.nesting).concat([data.name]);
  const file = data.file ? relative(root, data.file) : '?';
  return [file, ...path].join(' > ');
}

function finish(data, outcome) {
  if (data.nesting === 0 && data.name === data.file) {
    // A file whose import failed: node:test reports it as a test named after the file.
    if (outcome === 'passed') return;
    const kind = kindOf(data.details?.error);
    emit({ type: 'error', kind, path: relative(root, data.file), message: describeError(data.details) });
    return;
  }
  const id = nameOf(data);
  const nested = data.details?.type === 'suite';
  open.length = data.nesting;
  if (nested) {
    const broken = outcome === 'failed' && data.details?.error?.failureType !== 'subtestsFailed';
    if (broken) emit({ type: 'error', kind: 'collection', path: id, message: describeError(data.details) });
    return;
  }
  const count = (seen.get(id) ?? 0) + 1;
  seen.set(id, count);
  const unique = count === 1 ? id : `${id} #${count}`;
  const result = data.skip !== undefined || data.todo !== undefined ? 'skipped' : outcome;
  collected.push(unique);
  emit({
    type: 'test',
    id: unique,
    outcome: result,
    message: result === 'passed' ? '' : describeError(data.details),
    seconds: (data.details?.duration_ms ?? 0) / 1000,
  });
}

// Open timers or sockets of the code under test would keep the stream from ending. All files are
// imported before the first test starts, so the run is over when every top-level test has ended.
let waiting = 0;
let ended = false;

function end() {
  if (ended) return;
  ended = true;
  emit({ type: 'collected', ids: collected });
  emit({ type: 'end', exit: 0, machinery: changedMachinery() });
  exit(0);
}

function countDown(data) {
  if (data.nesting > 0) return;
  waiting -= 1;
  if (waiting === 0) later(() => waiting === 0 && end(), 20);
}

const stream = run({ files, isolation: 'none', concurrency: 1, forceExit: true });
stream.on('test:enqueue', (data) => {
  if (data.nesting === 0) waiting += 1;
});
stream.on('test:start', (data) => {
  open.length = data.nesting;
  open.push(data.name);
});
stream.on('test:pass', (data) => {
  finish(data, 'passed');
  countDown(data);
});
stream.on('test:fail', (data) => {
  finish(data, 'failed');
  countDown(data);
});
stream.on('error', (error) => {
  emit({ type: 'error', kind: kindOf(error), path: '', message: clip(String(error.stack)) });
});
stream.on('end', end);
stream.resume();
