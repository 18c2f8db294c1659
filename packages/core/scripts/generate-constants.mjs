#!/usr/bin/env node
// Writes src/binding/constants.ts from the OpenCL headers of this machine (Debian: opencl-c-headers).
//
//   node scripts/generate-constants.mjs           write the file
//   node scripts/generate-constants.mjs --check   exit with 1 if the file on disk differs
//   node scripts/generate-constants.mjs --list    print the contents as JSON, for the test
//
// The script parses the headers as text, so that it requires only Node; the test compiles them and compares the values.
// CL_INC_DIR is the folder that contains CL/cl.h; it defaults to the compiler's usual folders.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { byHand, excluded, groups } from "./constant-groups.mjs";

const headers = ["cl.h", "cl_ext.h", "cl_gl.h"];
const target = fileURLToPath(new URL("../src/binding/constants.ts", import.meta.url));

main(process.argv[2]);

function main(mode) {
  const defines = readDefines(includeDirectory());
  // If a newer header defines one of these constants, the header takes precedence.
  const missing = byHand.filter(({ name }) => defines.every((define) => define.name !== name));
  const { tables, unclaimed } = sort([
    ...defines,
    ...missing.map((constant) => ({ ...constant, byHand: true, literal: hex(constant.value) })),
  ]);
  const print = fingerprint(defines);
  if (mode === "--list") {
    const entries = tables.flatMap(({ group, entries }) =>
      entries.map(({ key, name, value, byHand: listed, why }) => ({
        group: group.name,
        key,
        name,
        value,
        ...(listed ? { why } : {}),
      })),
    );
    console.log(
      JSON.stringify({
        fingerprint: print,
        entries,
        unclaimed,
        excluded: excluded.map(({ match, why }) => ({ match: match.source, why })),
      }),
    );
    return;
  }
  if (unclaimed.length > 0) {
    fail(`no group of scripts/constant-groups.mjs contains:\n  ${unclaimed.join("\n  ")}`);
  }
  const empty = tables.filter(({ entries }) => entries.length === 0).map(({ group }) => group.name);
  if (empty.length > 0) {
    fail(`no header name matches the groups ${empty.join(", ")}`);
  }
  const text = render(tables, print);
  if (mode === "--check") {
    if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
      fail("src/binding/constants.ts differs from these headers: run node scripts/generate-constants.mjs");
    }
  } else if (mode === undefined) {
    writeFileSync(target, text);
  } else {
    fail(`unknown option ${mode}; the options are --check and --list`);
  }
}

/** Returns the folder that contains CL/cl.h. */
function includeDirectory() {
  const configured = process.env.CL_INC_DIR;
  const tried = configured ? [configured] : ["/usr/include", "/usr/local/include", "/opt/homebrew/include"];
  const found = tried.find((folder) => existsSync(path.join(folder, "CL", "cl.h")));
  return found ?? fail(`no CL/cl.h in ${tried.join(", ")}: install opencl-c-headers or set CL_INC_DIR`);
}

/** Returns every `#define CL_NAME integer` in header order, with its extension. The first definition of a name wins. */
function readDefines(folder) {
  const defines = new Map();
  for (const header of headers) {
    let extension;
    for (const line of readFileSync(path.join(folder, "CL", header), "utf8").split(/\r?\n/)) {
      extension =
        /^(?:\/\*| ?\*)\s*(?:Extension:\s*)?(cl_(?:khr|ext|nv|amd|arm|intel|img|qcom)_\w+)/.exec(line)?.[1] ??
        extension;
      const [, name, body] = /^#define (CL_\w+)\s+(.*)$/.exec(line) ?? [];
      if (name === undefined || defines.has(name)) continue;
      const literal = body.replace(/\/\*.*?\*\/|\/\/.*$/g, "").trim();
      const value = evaluate(literal, defines);
      if (value === undefined) continue;
      defines.set(name, { name, value, literal, extension: header === "cl.h" ? undefined : extension });
    }
  }
  return [...defines.values()];
}

/**
 * Evaluates a C constant expression of integers, earlier constants, casts, `<<`, `-`, `|` and parentheses, by replacing
 * the innermost parts with their values until one number is left. Returns undefined for other expressions.
 */
function evaluate(expression, defines) {
  let text = expression
    .replace(/\(\s*cl_\w+\s*\)/g, "")
    .replace(/\bCL_\w+\b/g, (name) => defines.get(name)?.value ?? name)
    .replace(/\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b/g, (_, digits) => BigInt(digits));
  for (let before; before !== text;) {
    before = text;
    text = text
      .replace(/\(\s*(-?\d+)\s*\)/g, "$1")
      .replace(/(\d+)\s*<<\s*(\d+)/, (_, a, b) => BigInt(a) << BigInt(b))
      .replace(/(\d+)\s*-\s*(\d+)/, (_, a, b) => BigInt(a) - BigInt(b))
      .replace(/(\d+)\s*\|\s*(\d+)/, (_, a, b) => BigInt(a) | BigInt(b));
  }
  // Constants are JavaScript numbers, so one that is not a safe integer must be excluded by name.
  return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}

/** Sorts the constants into the groups that contain them. */
function sort(defines) {
  const tables = groups.map((group) => ({ group, entries: [] }));
  const unclaimed = [];
  for (const define of defines) {
    const owner = tables.find(({ group }) => !group.shared && group.match.test(define.name));
    const sharers = tables.filter(({ group }) => group.shared && group.match.test(define.name));
    const holders = owner === undefined ? sharers : [owner, ...sharers];
    if (holders.length === 0 && !excluded.some(({ match }) => match.test(define.name))) unclaimed.push(define.name);
    for (const { group, entries } of holders) {
      const key = define.name.replace(group.strip, "");
      if (entries.some((entry) => entry.key === key)) fail(`${group.name}.${key} is defined twice`);
      entries.push({ ...define, key });
    }
  }
  return { tables, unclaimed };
}

/** Returns a hash of all constants, to compare the header versions of two machines. */
function fingerprint(defines) {
  const lines = defines.map(({ name, value }) => `${name}=${value}`).sort();
  return createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 16);
}

function render(tables, print) {
  return [
    "// Generated from CL/cl.h, CL/cl_ext.h and CL/cl_gl.h by scripts/generate-constants.mjs: do not edit.",
    `// Header fingerprint: ${print}`,
    "//",
    "// Each group is an object and a type of the same name. A bit-field's type is number, because its values are combined.",
    "",
    "type ValueOf<T> = T[keyof T];",
    "",
    ...tables.flatMap(renderGroup),
    "/** OpenCL's own name of each status code, `CL_` included. */",
    "export const StatusName: Readonly<Record<number, string>> = Object.fromEntries(",
    "  Object.entries(Status).map(([key, value]) => [value, `CL_${key}`]),",
    ");",
    "",
  ].join("\n");
}

function renderGroup({ group, entries }) {
  const members = [];
  const headings = entries.map(({ extension, byHand: listed, why }) =>
    listed ? `${why}, not in the headers` : extension,
  );
  const mixed = new Set(headings).size > 1;
  let section;
  for (const [i, { key, value, literal }] of entries.entries()) {
    const heading = headings[i];
    if (mixed && heading !== section && heading !== undefined) members.push(`// ${heading}`);
    section = heading;
    members.push(`${key}: ${/^\(*0x|<<|cl_bitfield/i.test(literal) ? hex(value) : value},`);
  }
  const type = group.bits ? "number" : `ValueOf<typeof ${group.name}>`;
  const short = `export const ${group.name} = { ${members.join(" ").slice(0, -1)} } as const;`;
  const fits = !mixed && short.length <= 120;
  return [
    `/** ${group.doc} */`,
    ...(fits ? [short] : [`export const ${group.name} = {`, ...members.map((member) => `  ${member}`), "} as const;"]),
    `/** One of {@link ${group.name}}${group.bits ? ", or several of them combined" : ""}. */`,
    `export type ${group.name} = ${type};`,
    "",
  ];
}

function hex(value) {
  return value < 10 ? String(value) : `0x${value.toString(16)}`;
}

function fail(message) {
  console.error(`generate-constants: ${message}`);
  process.exit(1);
}
