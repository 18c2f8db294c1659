/** Reads the text of OpenCL C sources, which have no declared encoding. */
import type { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { TextDecoder } from "node:util";

/** Contents of a file. */
export interface SourceText {
  readonly text: string;
  /** False if the bytes are not valid UTF-8 and were decoded as Latin-1, which accepts any byte. */
  readonly isUtf8: boolean;
}

/** Returns a file's text, or `undefined` if it does not exist. */
export async function readSource(path: string): Promise<SourceText | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR" || code === "ENOTDIR") return undefined;
    throw new Error(`${path} cannot be read: ${message}`, { cause: error });
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), isUtf8: true };
  } catch {
    return { text: bytes.toString("latin1"), isUtf8: false };
  }
}
