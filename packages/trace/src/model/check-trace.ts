/** Validates traces, such as those read from files, and rows of statistics. */
import { checkInteger, checkString, rangeError, typeError, wrongValue } from "@cl/base";

import type { StatisticsRow } from "./statistics-row.js";
import { commandKinds, type Trace } from "./trace.js";

/**
 * Returns the value if it is a trace. Otherwise throws an error that tells the first problem: `trace.commands[3].ended must be …`.
 *
 * @example
 * ```ts
 * const trace = checkTrace(JSON.parse('{ "version": 1, "started": "2026-01-01T00:00:00.000Z", "origin": 0, "queues": [], "commands": [], "hostSpans": [], "memory": [], "dropped": 0 }'));
 * console.log(trace.commands.length); // 0
 * ```
 */
export function checkTrace(value: unknown, name = "trace"): Trace {
  const trace = checkObject(value, name);
  if (trace["version"] !== 1) throw rangeError(`${name}.version`, "1, the supported version", trace["version"]);
  if (Number.isNaN(Date.parse(checkString(trace["started"], `${name}.started`)))) {
    throw rangeError(`${name}.started`, "a date in ISO 8601", trace["started"]);
  }
  checkTime(trace["origin"], () => `${name}.origin`);
  checkInteger(trace["dropped"], `${name}.dropped`);

  const queues = new Set<unknown>();
  checkEach(trace["queues"], `${name}.queues`, (queue, at) => {
    const id = checkInteger(queue["id"], `${at()}.id`);
    if (queues.has(id)) throw wrongValue(`${at()}.id must be unique, received ${id}, the id of an earlier queue`);
    queues.add(id);
    checkString(queue["label"], `${at()}.label`);
    checkString(queue["device"], `${at()}.device`);
    if (typeof queue["outOfOrder"] !== "boolean") {
      throw typeError(`${at()}.outOfOrder`, "true or false", queue["outOfOrder"]);
    }
  });
  const commands = checkArray(trace["commands"], `${name}.commands`).length;
  checkEach(trace["commands"], `${name}.commands`, (command, at, index) => {
    checkCommand(command, at);
    if (!queues.has(command["queue"])) {
      throw rangeError(`${at()}.queue`, "the id of one of the trace's queues", command["queue"]);
    }
    if (command["waitsFor"] === undefined) return;
    for (const other of checkArray(command["waitsFor"], `${at()}.waitsFor`)) {
      if (Number.isInteger(other) && Number(other) >= 0 && Number(other) < commands && other !== index) continue;
      throw rangeError(`${at()}.waitsFor`, `indices of the ${commands - 1} other commands`, other);
    }
  });
  checkEach(trace["hostSpans"], `${name}.hostSpans`, (span, at) => {
    checkText(span["name"], at, "name");
    checkRange(span, at);
    if (span["thread"] !== undefined) checkText(span["thread"], at, "thread");
    if (span["failed"] !== undefined) checkText(span["failed"], at, "failed");
  });
  checkEach(trace["memory"], `${name}.memory`, (point, at) => {
    checkText(point["label"], at, "label");
    checkTime(point["time"], () => `${at()}.time`);
    checkAmount(point["bytes"], () => `${at()}.bytes`);
  });
  return value as Trace;
}

/** Path of a value for errors. Computed only when an error is thrown, since traces may have a million commands. */
type Path = () => string;

type Fields = Readonly<Record<string, unknown>>;

const kinds: ReadonlySet<unknown> = new Set(commandKinds);

function checkCommand(command: Fields, at: Path): void {
  checkText(command["name"], at, "name");
  if (!kinds.has(command["kind"])) {
    throw rangeError(`${at()}.kind`, `one of ${commandKinds.join(", ")}`, command["kind"]);
  }
  if (command["launcher"] !== undefined) checkText(command["launcher"], at, "launcher");
  checkTime(command["queued"], () => `${at()}.queued`);
  checkTime(command["submitted"], () => `${at()}.submitted`);
  checkRange(command, at);
  if (command["global"] !== undefined) checkSize(command["global"], () => `${at()}.global`);
  if (command["local"] !== undefined) checkSize(command["local"], () => `${at()}.local`);
  if (command["bytes"] !== undefined) checkAmount(command["bytes"], () => `${at()}.bytes`);
  if (command["failed"] !== undefined) checkText(command["failed"], at, "failed");
}

function checkRange(range: Fields, at: Path): void {
  const started = checkTime(range["started"], () => `${at()}.started`);
  const ended = checkTime(range["ended"], () => `${at()}.ended`);
  if (ended < started) throw rangeError(`${at()}.ended`, `at least the start time ${started}`, ended);
}

function checkSize(value: unknown, at: Path): void {
  for (const size of checkArray(value, at)) checkAmount(size, at);
}

function checkText(value: unknown, at: Path, field: string): void {
  if (typeof value !== "string") throw typeError(`${at()}.${field}`, "a string", value);
}

function checkTime(value: unknown, at: Path): number {
  if (typeof value !== "number") throw typeError(at(), "a time in nanoseconds", value);
  if (!Number.isFinite(value)) throw rangeError(at(), "a time in nanoseconds", value);
  return value;
}

function checkAmount(value: unknown, at: Path): void {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw rangeError(at(), "an integer of at least 0", value);
}

function checkEach(value: unknown, name: string, check: (item: Fields, at: Path, index: number) => void): void {
  let index = 0;
  const at: Path = () => `${name}[${index}]`;
  for (const items = checkArray(value, name); index < items.length; index++) {
    check(checkObject(items[index], at), at, index);
  }
}

function checkArray(value: unknown, name: string | Path): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw typeError(typeof name === "string" ? name : name(), "an array", value);
}

function checkObject(value: unknown, name: string | Path): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw typeError(typeof name === "string" ? name : name(), "an object", value);
}

/** Returns the value if it is an array of objects, otherwise throws. Missing fields are shown as absent. */
export function checkStatistics(value: unknown, name: string): readonly StatisticsRow[] {
  if (!Array.isArray(value)) throw typeError(name, "an array of statistics", value);
  for (const [i, row] of (value as readonly unknown[]).entries()) {
    if (typeof row !== "object" || row === null) throw typeError(`${name}[${i}]`, "statistics", row);
  }
  return value as readonly StatisticsRow[];
}
