/** Reads a trace from a file, and says of others what they are instead. */
import { constants } from "node:buffer";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

import { checkTrace, type Trace } from "@cl/launcher";

/** The trace that `writeTrace` of `@cl/launcher` wrote as `.cl.json`, or as `.cl.json.gz`. */
export async function readTrace(path: string): Promise<Trace> {
  const text = await readText(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is no trace: ${otherText(text) ?? `it is no JSON (${(error as Error).message})`}`, {
      cause: error,
    });
  }
  const other = otherFormat(value);
  if (other !== undefined) {
    throw new Error(`${path} is ${other}, from which no trace can be read: write one as ".cl.json"`);
  }
  try {
    return checkTrace(value);
  } catch (error) {
    throw new Error(`${path} is no trace: ${(error as Error).message}`, { cause: error });
  }
}

async function readText(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new Error(`there is no file ${path}`, { cause: error });
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
      `${path} has ${bytes.length} bytes, more than the ${constants.MAX_STRING_LENGTH} that one text can have`,
    );
  }
  return bytes.toString("utf8");
}

function otherText(text: string): string | undefined {
  if (/^\s*</.test(text)) return "it is a page";
  return text.trim() === "" ? "it is empty" : undefined;
}

function otherFormat(value: unknown): string | undefined {
  if (Array.isArray(value)) return "a list, such as of statistics or of Chrome's events";
  if (typeof value !== "object" || value === null) return undefined;
  if ("traceEvents" in value) return "a trace in Chrome's format";
  return "profiles" in value && "shared" in value ? "a profile in speedscope's format" : undefined;
}
