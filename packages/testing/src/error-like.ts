/** Assertions of error class, code and argument. All error texts are in one table per package. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";

type ErrorClass = abstract new (...args: never[]) => Error;

/**
 * Returns a matcher for an error's class, code and argument name in the message.
 *
 * The messages are listed in `test/messages.txt` of the package, where they can be reviewed together. A message that is
 * not listed fails the test; `CL_UPDATE_MESSAGES=1` adds it.
 */
export function errorLike(type: ErrorClass, code: string, argument?: string): Error {
  const expected = `${type.name} ${code}${argument === undefined ? "" : ` that names ${argument}`}`;
  const matcher = {
    $$typeof: Symbol.for("jest.asymmetricMatcher"),
    asymmetricMatch(error: unknown): boolean {
      if (!(error instanceof type) || (error as { code?: unknown }).code !== code) return false;
      if (argument !== undefined && !names(error.message, argument)) return false;
      checkText(error, code, argument);
      return true;
    },
    toString: () => expected,
    toAsymmetricMatcher: () => expected,
    getExpectedType: () => "object",
  };
  return matcher as unknown as Error;
}

export const wrongType = (argument?: string): Error => errorLike(TypeError, "ERR_INVALID_ARG_TYPE", argument);
export const wrongValue = (argument?: string): Error => errorLike(TypeError, "ERR_INVALID_ARG_VALUE", argument);
export const wrongState = (argument?: string): Error => errorLike(TypeError, "ERR_INVALID_STATE", argument);
export const outOfRange = (argument?: string): Error => errorLike(RangeError, "ERR_OUT_OF_RANGE", argument);

/** Returns whether a text contains the argument as a whole word: "options.orders" does not contain "options.order". */
function names(text: string, argument: string): boolean {
  return nameIn(argument, "").test(text);
}

function nameIn(argument: string, flags: string): RegExp {
  return new RegExp(`(?<![\\w.])${escaped(argument)}(?![\\w[]|\\.\\w)`, flags);
}

/** Checks that the message is in the table, except messages of drivers, which differ. */
function checkText(error: Error, code: string, argument: string | undefined): void {
  if (!code.startsWith("ERR_")) return;
  const line = `${code} ${textOf(error.message, argument)}`;
  const file = tableOf(expect.getState().testPath as string);
  if (isListed(line, readTable(file))) return;
  if (process.env["CL_UPDATE_MESSAGES"] !== "1") throw new Error(`${file} has no line "${line}"`);
  readTable(file).add(line);
  appendFileSync(file, `${line}\n`);
}

/** Returns the first line of a message without its values. */
export function textOf(message: string, argument: string | undefined): string {
  const [first = ""] = message.split("\n");
  const named = argument === undefined ? first : first.replace(nameIn(argument, "g"), "{argument}");
  return named
    .replace(/, received .*?(?=$|[.;] )/, ", received {value}")
    .replace(/(?<=^| )\/[\w./@-]+/g, "{path}")
    .replace(/"[^"]*"/g, '"…"')
    .replace(/'[^']*'/g, "'…'")
    .replace(/(?<![\w{])-?(?:0x[\da-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)n?/gi, "#")
    .replace(/#(?:, ?#)+/g, "#, …");
}

/** Whether a table has a line. `{any}` in a table stands for what depends on the device. */
function isListed(line: string, table: ReadonlySet<string>): boolean {
  if (table.has(line)) return true;
  return [...table].some((pattern) => {
    const fixed = pattern.split("{any}");
    return fixed.length > 1 && new RegExp(`^${fixed.map(escaped).join(".*")}$`).test(line);
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

const tables = new Map<string, Set<string>>();

function readTable(file: string): Set<string> {
  let table = tables.get(file);
  if (table === undefined) tables.set(file, (table = new Set(readFileSync(file, "utf8").split("\n"))));
  return table;
}

function tableOf(testFile: string): string {
  for (let folder = dirname(testFile); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, "messages.txt");
    if (existsSync(file)) return file;
  }
  throw new Error(`no messages.txt above ${testFile}`);
}
