// Prints test files anew and names what can be falsified in them; see run_find_twins.py.
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

const config = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const require = createRequire(import.meta.url);
const library = config.toolchain.typescript;
const ts = require(existsSync(`${library}/typescript.js`) ? `${library}/typescript.js` : `${library}/lib/typescript.js`);
const Kind = ts.SyntaxKind;

const CONTRARY = {
  equal: 'notEqual',
  strictEqual: 'notStrictEqual',
  deepEqual: 'notDeepEqual',
  deepStrictEqual: 'notDeepStrictEqual',
  match: 'doesNotMatch',
  throws: 'doesNotThrow',
  rejects: 'doesNotReject',
};
for (const [name, contrary] of Object.entries({ ...CONTRARY })) CONTRARY[contrary] = name;
const EQUALITIES = new Set(['equal', 'strictEqual', 'deepEqual', 'deepStrictEqual']);
const BUILTIN = ['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError'];

function emit(value) {
  let data = Buffer.from(JSON.stringify(value) + '\n');
  while (data.length > 0) data = data.subarray(writeSync(4, data));
}

function parse(path, text) {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
}

function ancestors(name) {
  const found = [];
  while (name !== undefined && !found.includes(name)) {
    found.push(name);
    name = BUILTIN.includes(name) ? 'Error' : config.classes[name];
  }
  return found;
}

function apart(a, b) {
  const [upA, upB] = [ancestors(a), ancestors(b)];
  return upA.includes('Error') && upB.includes('Error') && !upA.includes(b) && !upB.includes(a);
}

for (const [path, source] of Object.entries(config.files)) {
  const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });
  const text = printer.printFile(parse(path, source));
  const file = parse(path, text);
  const units = [];
  const pool = [];
  const counts = new Map();
  let namedAsserts = new Map();
  let assertNames = new Set();

  // Offsets of the parser count UTF-16 units; those of the harness count code points.
  const offset = (at) => Array.from(text.slice(0, at)).length;
  const span = (node) => ({ start: offset(node.getStart(file)), end: offset(node.getEnd()) });
  const edit = (node, replacement) => ({ ...span(node), text: replacement });

  function literal(node) {
    const made = (kind, key) => ({ ...span(node), kind, key, text: node.getText(file) });
    if (ts.isPrefixUnaryExpression(node) && node.operator === Kind.MinusToken && ts.isNumericLiteral(node.operand)) {
      return made(number(node.operand.text), String(-Number(node.operand.text)));
    }
    if (ts.isNumericLiteral(node)) return made(number(node.text), String(Number(node.text)));
    if (ts.isBigIntLiteral(node)) return made('bigint', node.text);
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return made('str', node.text);
    if (node.kind === Kind.TrueKeyword || node.kind === Kind.FalseKeyword) return made('bool', node.getText(file));
    return null;
  }
  const number = (digits) => (Number.isInteger(Number(digits)) ? 'int' : 'float');

  function expected(node) {
    if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)) return expected(node.expression);
    if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(expected);
    if (ts.isObjectLiteralExpression(node)) {
      return node.properties.flatMap((p) => (ts.isPropertyAssignment(p) ? expected(p.initializer) : []));
    }
    const found = literal(node);
    return found === null ? [] : [found];
  }

  function assertion(call) {
    const callee = call.expression;
    if (ts.isIdentifier(callee)) {
      if (assertNames.has(callee.text)) return { name: 'ok', node: callee };
      const name = namedAsserts.get(callee.text);
      return name === undefined ? null : { name, node: callee, plain: true };
    }
    if (ts.isPropertyAccessExpression(callee)) {
      const base = callee.expression;
      const plain = ts.isIdentifier(base) && assertNames.has(base.text);
      const strict = ts.isPropertyAccessExpression(base) && base.name.text === 'strict';
      if (plain || strict) return { name: callee.name.text, node: callee.name };
    }
    return null;
  }

  function callSites(call, strong) {
    const found = assertion(call);
    if (found === null) return [];
    const { name, node, plain } = found;
    const args = call.arguments;
    if (name === 'ok' && args.length > 0) {
      const text = args[0].getText(file);
      const flip = edit(args[0], /^[\w.]+(\(.*\))?$/s.test(text) ? `!${text}` : `!(${text})`);
      return [{ value: null, flip, strong }];
    }
    const contrary = CONTRARY[name];
    // A function imported by its own name cannot be exchanged for one that is not in scope.
    const flip = contrary === undefined || plain ? null : edit(node, contrary);
    let values = [];
    if (EQUALITIES.has(name) && args.length > 1) {
      values = expected(args[1]);
      if (values.length === 0 && literal(args[0]) !== null) values = expected(args[0]);
    } else if ((name === 'throws' || name === 'rejects') && args.length > 1) {
      return errorSites(args[1], flip, strong);
    }
    if (values.length > 0) return values.map((value) => ({ value, flip, strong }));
    return flip === null ? [] : [{ value: null, flip, strong }];
  }

  function errorSites(kind, flip, strong) {
    if (ts.isIdentifier(kind)) {
      const value = { ...span(kind), kind: 'error', key: kind.text, text: kind.text };
      const other = BUILTIN.find((name) => apart(name, kind.text));
      if (other !== undefined) return [{ value, flip: edit(kind, other), strong }];
    }
    const values = ts.isObjectLiteralExpression(kind) ? expected(kind) : [];
    if (values.length > 0) return values.map((value) => ({ value, flip, strong }));
    return flip === null ? [] : [{ value: null, flip, strong }];
  }

  function sites(node, strong) {
    if (ts.isExpressionStatement(node) || ts.isReturnStatement(node)) {
      let call = node.expression;
      while (call && (ts.isAwaitExpression(call) || ts.isVoidExpression(call))) call = call.expression;
      return call && ts.isCallExpression(call) ? callSites(call, strong) : [];
    }
    if (ts.isBlock(node)) return node.statements.flatMap((child) => sites(child, strong));
    const found = [];
    if (ts.isIterationStatement(node, false) || ts.isIfStatement(node) || ts.isTryStatement(node)) {
      ts.forEachChild(node, (child) => {
        if (ts.isBlock(child) || ts.isStatement(child)) found.push(...sites(child, false));
        if (ts.isCatchClause(child)) found.push(...sites(child.block, false));
      });
    }
    return found;
  }

  function callbackOf(call) {
    const last = call.arguments[call.arguments.length - 1];
    return last && (ts.isArrowFunction(last) || ts.isFunctionExpression(last)) ? last : null;
  }

  function calleeName(call) {
    const callee = call.expression;
    if (ts.isIdentifier(callee)) return callee.text;
    if (ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.expression)) return callee.expression.text;
    return '';
  }

  const isTestCall = (call) => ['describe', 'suite', 'it', 'test'].includes(calleeName(call));

  function hasSubtests(body) {
    let found = false;
    (function walk(node) {
      if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
        if (node.expression.name.text === 'test' && callbackOf(node) !== null) found = true;
      }
      ts.forEachChild(node, walk);
    })(body);
    return found;
  }

  function collect(statements, names) {
    for (const statement of statements) {
      if (!ts.isExpressionStatement(statement)) continue;
      let call = statement.expression;
      while (ts.isAwaitExpression(call) || ts.isVoidExpression(call)) call = call.expression;
      if (!ts.isCallExpression(call)) continue;
      const kind = calleeName(call);
      const title = call.arguments[0];
      const callback = callbackOf(call);
      if (!['describe', 'suite', 'it', 'test'].includes(kind) || callback === null || !title) continue;
      if (!ts.isStringLiteral(title) && !ts.isNoSubstitutionTemplateLiteral(title)) continue;
      const path_ = [...names, title.text];
      if (kind === 'describe' || kind === 'suite') {
        if (ts.isBlock(callback.body)) collect(callback.body.statements, path_);
        continue;
      }
      const id = [path, ...path_].join(' > ');
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      const body = callback.body;
      let found = [];
      if (!ts.isBlock(body)) {
        const inner = ts.isAwaitExpression(body) ? body.expression : body;
        found = ts.isCallExpression(inner) ? callSites(inner, true) : [];
      } else if (!hasSubtests(body)) {
        found = sites(body, true);
      }
      units.push({ ids: [count === 1 ? id : `${id} #${count}`], sites: found });
    }
  }

  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !/^(node:)?assert(\/strict)?$/.test(statement.moduleSpecifier.text)) continue;
    const clause = statement.importClause;
    if (clause?.name) assertNames.add(clause.name.text);
    const bindings = clause?.namedBindings;
    if (bindings && ts.isNamespaceImport(bindings)) assertNames.add(bindings.name.text);
    for (const element of bindings && ts.isNamedImports(bindings) ? bindings.elements : []) {
      const original = (element.propertyName ?? element.name).text;
      if (original === 'strict' || original === 'default') assertNames.add(element.name.text);
      else namedAsserts.set(element.name.text, original);
    }
  }
  collect(file.statements, []);
  for (const unit of units) for (const site of unit.sites) if (site.value) pool.push(site.value);
  (function walk(node) {
    if (ts.isImportDeclaration(node) || ts.isTemplateExpression(node)) return;
    const method = node.expression?.name?.text;
    if (ts.isCallExpression(node) && (isTestCall(node) || method === 'test')) {
      node.arguments.slice(1).forEach(walk);
      return;
    }
    const found = literal(node);
    if (found !== null) pool.push(found);
    else ts.forEachChild(node, walk);
  })(file);
  emit({ type: 'file', path, text, units, pool });
}
emit({ type: 'end' });
