/** Writes long texts, optionally compressed. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { writeAtomically } from "@cl/base/files";

export interface WritePartsOptions {
  /** Whether to compress with gzip. */
  readonly gzip: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Writes a file atomically and creates missing folders. If the signal is aborted, an existing file is kept. */
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

/** Large enough for efficient writes, small enough not to block the event loop. */
const chunkLength = 1 << 18;

function* chunks(parts: Iterable<string>): Generator<Buffer> {
  let pending: string[] = [];
  let length = 0;
  for (const part of parts) {
    pending.push(part);
    length += part.length;
    if (length < chunkLength) continue;
    yield Buffer.from(pending.join(""));
    pending = [];
    length = 0;
  }
  if (length > 0) yield Buffer.from(pending.join(""));
}
