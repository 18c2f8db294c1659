/** Reads PNG files. */
import { crc32 } from "node:zlib";

import { expect } from "vitest";

/** A chunk of a PNG file. */
export interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** Splits a PNG file into chunks, whose checksums must be right. */
export function chunksOf(file: Buffer): Chunk[] {
  expect(file.toString("latin1", 0, 8)).toBe("\x89PNG\r\n\x1A\n");
  const chunks: Chunk[] = [];
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const body = file.subarray(at + 4, at + 8 + length);
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.push({ type: body.toString("latin1", 0, 4), data: body.subarray(4) });
    at += length + 12;
  }
  return chunks;
}
