// Checks src/binding/constants.ts against the OpenCL headers: a C++ compiler evaluates each constant that they define,
// and the test compares it with the generated one. The generator parses the headers as text, so the two paths are
// independent.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import * as constants from "../../src/binding/constants.js";

interface Entry {
  group: string;
  key: string;
  name: string;
  value: number;
  /** Present on a constant that the headers lack: where it is documented. */
  why?: string;
}
interface Listing {
  fingerprint: string;
  entries: Entry[];
  unclaimed: string[];
  excluded: { match: string; why: string }[];
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const generator = path.join(root, "scripts/generate-constants.mjs");
const work = mkdtempSync(path.join(tmpdir(), "cl-constants-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const headerNames = ["cl.h", "cl_ext.h", "cl_gl.h"];
const defined = evaluateHeaders();
const listing = JSON.parse(execFileSync(process.execPath, [generator, "--list"], { encoding: "utf8" })) as Listing;
const byName = new Map(listing.entries.map((entry) => [`${entry.group}.${entry.key}`, entry]));
const tables = Object.entries(constants).filter(([group]) => group !== "StatusName") as unknown as [
  string,
  Record<string, number>,
][];
// Each release of the headers adds extensions, and another machine's headers may be newer than the committed file. So
// all extensions are required only with the headers that the file was generated from; cl.h is always required.
const sameHeaders = readFileSync(path.join(root, "src/binding/constants.ts"), "utf8").includes(
  `Header fingerprint: ${listing.fingerprint}\n`,
);

describe("the generated constants", () => {
  test.each(tables)("%s has the values from the headers", (group, table) => {
    for (const [key, value] of Object.entries(table)) {
      const name = byName.get(`${group}.${key}`)?.name;
      const actual = name === undefined ? undefined : defined.get(name)?.value;
      if (actual === undefined) {
        const excused = !sameHeaders || byName.get(`${group}.${key}`)?.why !== undefined;
        expect(excused, `${group}.${key} is in no header`).toBe(true);
        continue;
      }
      expect(name?.endsWith(key), `${group}.${key} stands for ${name}`).toBe(true);
      expect(BigInt(value), `${group}.${key}`).toBe(actual);
    }
  });

  test("include each constant of the headers that the generator does not exclude with a reason", () => {
    const ours = new Set(
      listing.entries.filter(({ group, key }) => key in (find(group) ?? {})).map(({ name }) => name),
    );
    const reasons = listing.excluded.map(({ match }) => new RegExp(match));
    const missing = [...defined]
      .filter(([name, { header }]) => (header === "cl.h" || sameHeaders) && !ours.has(name))
      .filter(([name]) => !reasons.some((reason) => reason.test(name)))
      .map(([name]) => name);
    expect(missing).toEqual([]);
  });

  test("are safe integers, and bit-fields are never negative", () => {
    for (const [group, table] of tables) {
      for (const [key, value] of Object.entries(table)) {
        expect(Number.isSafeInteger(value), `${group}.${key}`).toBe(true);
      }
    }
    expect(constants.DeviceType.ALL).toBe(0xffff_ffff);
    expect(constants.CommandQueueProperties.THREAD_LOCAL_EXEC_ENABLE_INTEL).toBe(2 ** 31);
    expect(constants.MemFlags.PROTECTED_ALLOC_ARM).toBe(2 ** 36);
  });
});

describe("manual constants, which the headers lack", () => {
  const listed = listing.entries.filter(({ why }) => why !== undefined);
  test.each(listed.map(({ name, why, value, group, key }) => ({ name, why, value, group, key })))(
    "$name is documented by $why",
    ({ name, value, group, key }) => {
      expect(defined.has(name)).toBe(false);
      expect(find(group)?.[key]).toBe(value);
    },
  );
});

function find(group: string): Record<string, number> | undefined {
  return tables.find(([name]) => name === group)?.[1];
}

/** Preprocesses the headers, keeping every define, with markers that name its file. */
function preprocess(): string[] {
  const source = `#define CL_TARGET_OPENCL_VERSION 300\n${headerNames.map((name) => `#include <CL/${name}>\n`).join("")}`;
  const text = execFileSync(compiler(), [...includeFlags(), "-E", "-dD", "-x", "c++", "-"], {
    input: source,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return text.split("\n");
}

/** Returns each integer constant CL_… of the headers with the compiler's value and its header. */
function evaluateHeaders(): Map<string, { value: bigint; header: string }> {
  const origin = new Map<string, string>();
  let header: string | undefined;
  for (const line of preprocess()) {
    const marker = /^# \d+ "([^"]*)"/.exec(line);
    if (marker) header = headerNames.find((name) => marker[1]?.endsWith(`/CL/${name}`));
    const name = /^#define (CL_\w+) +[^"\s]/.exec(line)?.[1];
    if (header !== undefined && name !== undefined) origin.set(name, header);
  }
  const source = path.join(work, "values.cc");
  const program = path.join(work, "values");
  writeFileSync(
    source,
    [
      "#define CL_TARGET_OPENCL_VERSION 300",
      ...headerNames.map((name) => `#include <CL/${name}>`),
      "#include <cstdint>",
      "#include <iostream>",
      "int main() {",
      ...[...origin.keys()].map((name) => `  std::cout << "${name}=" << +(${name}) << '\\n';`),
      "}",
    ].join("\n"),
  );
  execFileSync(compiler(), [...includeFlags(), "-O0", "-o", program, source]);
  const lines = execFileSync(program, { encoding: "utf8" }).trim().split("\n");
  return new Map(
    lines.map((line) => {
      const [name = "", value = ""] = line.split("=");
      return [name, { value: BigInt(value), header: origin.get(name) ?? "" }];
    }),
  );
}

function compiler(): string {
  return process.env["CXX"] ?? "g++";
}

function includeFlags(): string[] {
  const folder = process.env["CL_INC_DIR"];
  return folder === undefined ? [] : [`-I${folder}`];
}
