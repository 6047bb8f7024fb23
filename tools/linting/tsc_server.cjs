// Type checks trees sent as JSON lines; run as `node -e SOURCE -- TYPESCRIPT_LIB GLOBALS`.
//
// Files come as text and are never read from a disk, but for the compiler's own libraries. Parsed
// files are kept while their text stays the same; each check is a new program with a new checker,
// so that findings do not depend on what was checked before. GLOBALS is the text of a declaration
// file for code that Node runs by stripping types; blank means the compiler's default libraries.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");

const libFolder = path.resolve(process.argv[1]) + "/";
const globals = process.argv[2] ?? "";
const ts = require(libFolder + "typescript.js");

const ROOT = "/tree/";
const GLOBALS_FILE = "/globals.d.ts";
const MAX_FINDINGS = 5000;

const OPTIONS = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  skipLibCheck: true,
  jsx: ts.JsxEmit.Preserve,
  types: [],
};
if (globals) {
  // What Node cannot strip, and types imported as values, fail when they run
  OPTIONS.erasableSyntaxOnly = true;
  OPTIONS.verbatimModuleSyntax = true;
  OPTIONS.lib = ["lib.es2024.d.ts", "lib.esnext.collection.d.ts", "lib.esnext.iterator.d.ts"];
}

const parsed = new Map(); // path -> {text, source}

function isLib(name) {
  return name.startsWith(libFolder) && !name.slice(libFolder.length).includes("/");
}

function isOurs(name) {
  return name === GLOBALS_FILE || isLib(name);
}

function folders(files) {
  const found = new Set(["/tree"]);
  for (const name of files.keys()) {
    for (let at = path.dirname(name); at.startsWith(ROOT); at = path.dirname(at)) found.add(at);
  }
  return found;
}

function hostFor(files) {
  const known = folders(files);
  const readFile = (name) => {
    if (files.has(name)) return files.get(name);
    if (name === GLOBALS_FILE) return globals;
    return isLib(name) ? ts.sys.readFile(name) : undefined;
  };
  return {
    fileExists: (name) => files.has(name) || (isLib(name) && fs.existsSync(name)),
    readFile,
    getSourceFile(name, languageVersionOrOptions) {
      const kept = parsed.get(name);
      if (kept && (isOurs(name) || kept.text === files.get(name))) return kept.source;
      const text = readFile(name);
      if (text === undefined) return undefined;
      const source = ts.createSourceFile(name, text, languageVersionOrOptions);
      parsed.set(name, { text, source });
      return source;
    },
    getDefaultLibFileName: (options) => libFolder + ts.getDefaultLibFileName(options),
    getDefaultLibLocation: () => libFolder,
    writeFile() {},
    getCurrentDirectory: () => "/tree",
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    directoryExists: (name) => known.has(name),
    getDirectories: () => [],
  };
}

function check(question) {
  const files = new Map();
  for (const [name, text] of Object.entries(question.files)) files.set(ROOT + name, text);
  for (const name of parsed.keys()) if (!files.has(name) && !isOurs(name)) parsed.delete(name);
  const rootNames = [...files.keys()].filter((name) => /\.[cm]?tsx?$/.test(name)).sort();
  if (globals) rootNames.unshift(GLOBALS_FILE);
  const program = ts.createProgram({ rootNames, options: OPTIONS, host: hostFor(files) });
  const diagnostics = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
  for (const source of program.getSourceFiles()) {
    if (isOurs(source.fileName)) continue;
    diagnostics.push(...program.getSyntacticDiagnostics(source));
    diagnostics.push(...program.getSemanticDiagnostics(source));
  }
  const findings = [];
  for (const found of diagnostics) {
    if (found.category !== ts.DiagnosticCategory.Error || findings.length >= MAX_FINDINGS) continue;
    const text = ts.flattenDiagnosticMessageText(found.messageText, "\n").replaceAll(ROOT, "");
    if (!found.file || found.start === undefined) {
      findings.push([".", 0, 0, found.code, text]);
      continue;
    }
    const at = found.file.getLineAndCharacterOfPosition(found.start);
    const name = found.file.fileName.slice(ROOT.length);
    findings.push([name, at.line + 1, at.character + 1, found.code, text]);
  }
  return { findings, failed: false };
}

check({ files: { "warm.ts": "export {};\n" } }); // parse the libraries now

readline.createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", (line) => {
  let answer;
  try {
    answer = check(JSON.parse(line));
  } catch {
    answer = { findings: [], failed: true }; // the compiler threw: the tree is beyond it
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
