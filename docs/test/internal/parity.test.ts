/**
 * Checks docs/parity.tsv: its symbols exist, and the tests that it names mention them.
 *
 * A symbol is `@cl/core:Class.prototype.name`, `@cl/core:Class(option)` for an option or a property of the result, which
 * only its test verifies, or `env:NAME` for an environment variable. `@@name` is a well-known symbol.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";

import * as array from "@cl/array";
import * as characterize from "@cl/characterize";
import * as core from "@cl/core";
import * as launcher from "@cl/launcher";
import * as tools from "@cl/tools";
import * as testing from "@cl/tools/testing";
import { expect, test } from "vitest";

const packages: Readonly<Record<string, object>> = {
  core,
  tools,
  "tools/testing": testing,
  characterize,
  launcher,
  array,
};
const repository = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, repository), "utf8");

interface Line {
  readonly seed: string;
  readonly item: string;
  readonly symbol: string;
  readonly file: string;
  readonly cells: number;
}

const [header = "", ...rows] = read("docs/parity.tsv").trimEnd().split("\n");
const lines: readonly Line[] = rows.map((row) => {
  const cells = row.split("\t");
  const [seed = "", item = "", symbol = "", file = ""] = cells;
  return { seed, item, symbol, file, cells: cells.length };
});
const done = lines.filter(({ symbol }) => symbol !== "todo");

/** Returns the problems of bad lines, which is easier to read than 435 tests. */
function faults(of: readonly Line[], check: (line: Line) => string | undefined): string[] {
  return of.flatMap((line) => {
    const fault = check(line);
    return fault === undefined ? [] : [`${line.item}: ${fault}`];
  });
}

test("parity.tsv has one line for each of the 435 items, with five columns", () => {
  expect(header.split("\t")).toEqual(["seed", "item", "our symbol", "test file", "note"]);
  expect(lines).toHaveLength(435);
  expect(new Set(lines.map(({ seed, item }) => `${seed} ${item}`))).toHaveLength(435);
  expect(lines.filter(({ cells }) => cells !== 5)).toEqual([]);
  const seeds = ["000", "001", "002", "003", "004"];
  expect(seeds.map((seed) => lines.filter((line) => line.seed === seed).length)).toEqual([181, 97, 45, 58, 54]);
});

test("every symbol in parity.tsv resolves", () => {
  expect(faults(done, ({ symbol }) => (resolves(symbol) ? undefined : `${symbol} does not exist`))).toEqual([]);
});

test("every test file in parity.tsv exists and mentions its symbol", () => {
  const check = ({ symbol, file }: Line): string | undefined => {
    if (!/^packages\/\w+\/test\/.*\.test\.ts$/.test(file)) return `"${file}" is not a test file`;
    if (!existsSync(new URL(file, repository))) return `${file} does not exist`;
    const text = read(file);
    const missing = wordsOf(symbol).filter((word) => !new RegExp(`\\b${word}\\b`).test(text));
    return missing.length === 0 ? undefined : `${file} does not mention ${missing.join(" and ")}`;
  };
  expect(faults(done, check)).toEqual([]);
});

test("lines marked todo name no test", () => {
  expect(lines.filter(({ symbol, file }) => symbol === "todo" && file !== "")).toEqual([]);
});

function resolves(symbol: string): boolean {
  const variable = /^env:(\w+)$/.exec(symbol)?.[1];
  if (variable !== undefined) return sources().includes(variable);
  const [, from = "", path] = /^@cl\/([\w/]+):([\w.@]+)(?:\(\w+\))?$/.exec(symbol) ?? [];
  const exported = packages[from];
  if (path === undefined || exported === undefined) return false;
  const [first = "", ...names] = path.split(".");
  let found: unknown = Object.hasOwn(exported, first) ? Reflect.get(exported, first) : undefined;
  if (found === undefined) return false;
  for (const name of names) {
    const key = name.startsWith("@@") ? (Reflect.get(Symbol, name.slice(2)) as symbol) : name;
    const descriptor = describeProperty(found, key);
    if (descriptor === undefined) return false;
    // Do not call getters, which throw on a prototype.
    found = descriptor.value as unknown;
  }
  return true;
}

/** Returns the words that a test of the symbol must contain: its last name and the option's name. */
function wordsOf(symbol: string): string[] {
  const [path = "", option] = symbol.replace(/^.*:/, "").replace(")", "").split("(");
  return [path.split(".").at(-1)?.replace("@@", "") ?? "", option].filter((word) => word !== undefined);
}

function describeProperty(owner: unknown, key: PropertyKey): PropertyDescriptor | undefined {
  for (let object = owner; object !== null && object !== undefined; object = Object.getPrototypeOf(object) as unknown) {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    if (descriptor !== undefined) return descriptor;
  }
  return undefined;
}

let text: string | undefined;

function sources(): string {
  const folder = new URL("packages/", repository);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const ours = files.filter((name) => /^\w+\/src\/.*\.ts$/.test(name.replaceAll("\\", "/")));
  text ??= ours.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
  return text;
}
