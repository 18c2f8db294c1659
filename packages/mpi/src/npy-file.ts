/** Files of whole fields in NumPy's format: each rank writes its cells, and no rank needs memory for those of others. */
import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { endianness } from "node:os";

import { checkString, sizeOf } from "@cl/base";
import type { CommandQueue } from "@cl/core";

import type { Field } from "./field.js";
import type { GridPart } from "./grid-part.js";
import type { HostArray } from "./native.js";
import { eachRow } from "./whole-field.js";

/** Writes the cells of all ranks to a file, which replaces an older one when it is complete. */
export async function writeNpy(grid: GridPart, queue: CommandQueue, field: Field, path: string): Promise<void> {
  checkString(path, "path");
  const { communicator, shape } = grid;
  const values = await field.read(queue);
  const header = headerOf(values, field.components === 1 ? shape : [...shape, field.components]);
  const cells = sizeOf(shape);
  const part = await communicator.broadcastJson(`${path}.${randomUUID()}.part`);
  const create = async (): Promise<void> => {
    await using file = await open(part, "wx");
    await file.truncate(header.length + cells * field.cellBytes);
    await writeAll(file, header, 0);
  };
  const writeRows = async (): Promise<void> => {
    await using file = await open(part, "r+");
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const { BYTES_PER_ELEMENT: size } = values;
    const rows: [from: number, to: number, length: number][] = [];
    eachRow(grid, communicator.rank, field.components, (inWhole, inPart, length) => {
      rows.push([inPart * size, header.length + inWhole * size, length * size]);
    });
    for (const [from, to, length] of rows) await writeAll(file, bytes.subarray(from, from + length), to);
    await file.sync();
  };
  // All ranks take each step, or all fail.
  try {
    await together(grid, communicator.isRoot ? create : undefined);
    await together(grid, writeRows);
    await together(grid, communicator.isRoot ? () => rename(part, path) : undefined);
  } catch (error) {
    if (communicator.isRoot) await rm(part, { force: true });
    throw error;
  }
}

/** Runs a step of this rank, and waits for those of the others. Throws on all ranks if one has failed. */
async function together({ communicator }: GridPart, step: (() => Promise<void>) | undefined): Promise<void> {
  let failure: Error | undefined;
  try {
    await step?.();
  } catch (error) {
    failure = error as Error;
  }
  const failed = await communicator.allreduce(failure === undefined ? communicator.size : communicator.rank, "min");
  if (failure !== undefined) throw failure;
  if (failed < communicator.size) throw new Error(`rank ${failed} could not write the file`);
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Returns the header of version 1.0, whose length is a multiple of 64. */
function headerOf(values: HostArray, shape: readonly number[]): Uint8Array {
  const letter = values.constructor.name.replace(/^Big/, "")[0]?.toLowerCase() as string;
  const order = values.BYTES_PER_ELEMENT === 1 ? "|" : endianness() === "LE" ? "<" : ">";
  const axes = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const text = `{'descr': '${order}${letter}${values.BYTES_PER_ELEMENT}', 'fortran_order': False, 'shape': (${axes}), }`;
  const length = Math.ceil((10 + text.length + 1) / 64) * 64;
  const header = Buffer.alloc(length, " ");
  header.write("\u0093NUMPY\u0001\u0000", 0, "latin1");
  header.writeUInt16LE(length - 10, 8);
  header.write(text, 10, "latin1");
  header.write("\n", length - 1, "latin1");
  return header;
}
