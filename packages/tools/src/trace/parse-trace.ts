/** Parses allocation logs into traces. */
import { createReadStream } from "node:fs";

import { checkOptions, checkSignal, describe, typeError } from "@cl/base";

import type { LogLine } from "../adaptors/log-adaptor.js";
import { Trace, TraceBuilder } from "./trace.js";

/** Options of {@link readTrace}. */
export interface ReadTraceOptions {
  /** Aborts reading. */
  readonly signal?: AbortSignal;
}

/**
 * Parses the lines of a log that `LogAdaptor` wrote, as text or as parsed objects. Failed requests, lines of other
 * kinds and empty lines are skipped. Memory without a release in the log is never released in the trace.
 *
 * @example
 * ```ts
 * const trace = parseTrace([
 *   '{"op":"allocate","id":1,"bytes":1024,"time":0}',
 *   '{"op":"release","id":1,"time":1}',
 * ]);
 * console.log([...trace]); // [{ op: 'allocate', slot: 0, bytes: 1024 }, { op: 'release', slot: 0 }]
 * ```
 */
export function parseTrace(lines: Iterable<string | LogLine>): Trace {
  if (typeof lines === "string" || typeof (lines as Partial<typeof lines>)?.[Symbol.iterator] !== "function") {
    throw typeError("lines", "an iterable of lines", lines);
  }
  const parser = new Parser();
  for (const line of lines) parser.add(line);
  return parser.end();
}

/** Reads the trace in a log file. See {@link parseTrace}. */
export async function readTrace(path: string | URL, options?: ReadTraceOptions): Promise<Trace> {
  const signal = checkSignal(checkOptions(options, ["signal"]).signal);
  const parser = new Parser();
  let rest = "";
  for await (const chunk of createReadStream(path, { encoding: "utf8", signal, highWaterMark: 2 ** 18 })) {
    const lines = (rest + (chunk as string)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) parser.add(line);
  }
  parser.add(rest);
  return parser.end();
}

class Parser {
  readonly #builder: TraceBuilder = new TraceBuilder();
  readonly #slots: Map<number, number> = new Map();
  #line = 0;

  add(line: string | LogLine): void {
    this.#line++;
    const entry = this.#entry(line);
    if (entry === undefined) return;
    const { op, id, bytes } = entry;
    if (op === "allocate") {
      if (!isCount(id) || !isCount(bytes)) throw this.#error("is an allocation without a valid id or bytes", line);
      if (this.#slots.has(id)) throw this.#error(`allocates id ${id}, which is already allocated`, line);
      this.#slots.set(id, this.#builder.allocate(bytes));
    } else if (op === "release") {
      const slot = isCount(id) ? this.#slots.get(id) : undefined;
      if (slot === undefined) throw this.#error("releases an id that is not allocated", line);
      this.#slots.delete(id as number);
      this.#builder.release(slot);
    }
  }

  end(): Trace {
    return new Trace(this.#builder);
  }

  #entry(line: string | LogLine): Partial<Record<string, unknown>> | undefined {
    let entry: unknown = line;
    if (typeof line === "string") {
      if (line.trim() === "") return undefined;
      try {
        entry = JSON.parse(line);
      } catch {
        throw this.#error("is not valid JSON", line);
      }
    }
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
      throw this.#error("is not an object", line);
    }
    return entry;
  }

  #error(problem: string, line: unknown): SyntaxError {
    return new SyntaxError(`line ${this.#line} of the log ${problem}: ${describe(line)}`);
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
