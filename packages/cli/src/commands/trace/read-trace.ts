/** Reads traces from files and identifies other formats. */
import { constants } from "node:buffer";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

import { checkTrace, type Trace } from "@cl/launcher";

/** Reads a trace that `writeTrace` of `@cl/launcher` wrote as `.cl.json` or `.cl.json.gz`. */
export async function readTrace(path: string): Promise<Trace> {
  const text = await readText(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not a trace: ${otherText(text) ?? `it is not JSON (${(error as Error).message})`}`, {
      cause: error,
    });
  }
  const other = otherFormat(value);
  if (other !== undefined) {
    throw new Error(`${path} is ${other}, which cannot be read; write the trace as ".cl.json"`);
  }
  try {
    return checkTrace(value);
  } catch (error) {
    throw new Error(`${path} is not a trace: ${(error as Error).message}`, { cause: error });
  }
}

async function readText(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new Error(`the file ${path} does not exist`, { cause: error });
    if (code === "EISDIR") throw new Error(`${path} is a folder, not a trace`, { cause: error });
    throw new Error(`${path} cannot be read: ${message}`, { cause: error });
  }
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
      bytes = await promisify(gunzip)(bytes, { maxOutputLength: constants.MAX_STRING_LENGTH });
    }
  } catch (error) {
    throw new Error(`${path} cannot be decompressed: ${(error as Error).message}`, { cause: error });
  }
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    throw new Error(
      `${path} has ${bytes.length} bytes, which exceeds the maximum string length of ${constants.MAX_STRING_LENGTH}`,
    );
  }
  return bytes.toString("utf8");
}

function otherText(text: string): string | undefined {
  if (/^\s*</.test(text)) return "it is an HTML page";
  return text.trim() === "" ? "it is empty" : undefined;
}

function otherFormat(value: unknown): string | undefined {
  if (Array.isArray(value)) return "an array, such as of statistics or Chrome trace events";
  if (typeof value !== "object" || value === null) return undefined;
  if ("traceEvents" in value) return "a Chrome trace";
  return "profiles" in value && "shared" in value ? "a speedscope profile" : undefined;
}
