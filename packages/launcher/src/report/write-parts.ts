/** Writes long texts, compressed if wanted. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { writeAtomically } from "@cl/base/files";

/** How to write. */
export interface WritePartsOptions {
  /** Whether gzip compresses the file. */
  readonly gzip: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Writes a file of these parts. If the signal is aborted, what was there before stays. Missing folders are made. */
export async function writeParts(
  path: string,
  parts: Iterable<string>,
  { gzip, signal }: WritePartsOptions,
): Promise<void> {
  signal?.throwIfAborted();
  await writeAtomically(
    path,
    async (file) => {
      const source = Readable.from(chunks(parts), { objectMode: true });
      const append = async (bytes: AsyncIterable<Uint8Array>): Promise<void> => {
        for await (const chunk of bytes) await file.append(chunk);
      };
      await (gzip ? pipeline(source, createGzip(), append, { signal }) : pipeline(source, append, { signal }));
    },
    { makeFolders: true },
  );
}

/** Large enough that a write costs little, small enough that the event loop is not held. */
const chunkLength = 1 << 18;

function* chunks(parts: Iterable<string>): Generator<Buffer> {
  let held: string[] = [];
  let length = 0;
  for (const part of parts) {
    held.push(part);
    length += part.length;
    if (length < chunkLength) continue;
    yield Buffer.from(held.join(""));
    held = [];
    length = 0;
  }
  if (length > 0) yield Buffer.from(held.join(""));
}
