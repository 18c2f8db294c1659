/** Reads traces from files and identifies other formats. */
import { constants } from "node:buffer";
import { createReadStream } from "node:fs";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

import { checkString } from "@cl/base";

import type { Trace } from "../model/trace.js";
import { parseTrace } from "./json.js";

/**
 * Reads a trace from a file that `writeTrace` wrote as `.cl.json`, or as `.json` for Perfetto, compressed or not. Throws an
 * error that says what the file is if it is something else.
 *
 * @example
 * ```ts
 * async function slowest(path: string): Promise<string | undefined> {
 *   return traceStatistics(await readTrace(path))[0]?.name;
 * }
 * ```
 */
export async function readTrace(path: string): Promise<Trace> {
  const text = await readText(checkString(path, "path"));
  try {
    return parseTrace(text);
  } catch (error) {
    throw badFile(`${path} is ${otherFormat(text) ?? `not a trace: ${(error as Error).message}`}`, error);
  }
}

async function readText(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // In parts: a device such as /dev/zero does not end.
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > constants.MAX_STRING_LENGTH) break;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw badFile(`the file ${path} does not exist`, error, code);
    if (code === "EISDIR") throw badFile(`${path} is a folder, not a trace`, error, code);
    throw badFile(`${path} cannot be read: ${message}`, error, code);
  }
  if (length > constants.MAX_STRING_LENGTH) throw tooLong(path);
  let bytes = Buffer.concat(chunks);
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
      bytes = await promisify(gunzip)(bytes, { maxOutputLength: constants.MAX_STRING_LENGTH });
    }
  } catch (error) {
    throw badFile(`${path} cannot be decompressed: ${(error as Error).message}`, error);
  }
  if (bytes.length > constants.MAX_STRING_LENGTH) throw tooLong(path);
  return bytes.toString("utf8");
}

function tooLong(path: string): Error {
  return badFile(`${path} is longer than ${constants.MAX_STRING_LENGTH} bytes, the longest possible string`);
}

function badFile(message: string, cause?: unknown, code = "ERR_BAD_FILE"): Error {
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code });
}

/** Describes a text that is not a trace; `undefined` if its format is unknown. */
function otherFormat(text: string): string | undefined {
  if (text.trim() === "") return "not a trace: it is empty";
  if (/^\s*</.test(text)) return "not a trace: it is an HTML page";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `not a trace: it is not JSON (${(error as Error).message})`;
  }
  const hint = 'which cannot be read; write the trace as ".cl.json" or ".json"';
  if (Array.isArray(value)) return `an array, such as of statistics or Chrome trace events, ${hint}`;
  if (typeof value !== "object" || value === null) return undefined;
  if ("traceEvents" in value && !("otherData" in value)) return `a Chrome trace of another program, ${hint}`;
  return "profiles" in value && "shared" in value ? `a speedscope profile, ${hint}` : undefined;
}
