/** Division of elements into parts that are counted before results are written. */
import { hasParallelWorkItems } from "@cl/characterize";
import type { Device } from "@cl/core";

/** Chunks, one for each work-item, which loops over it, or blocks of `blockSize`, one for each work-group. */
export type Parts = "chunks" | "blocks";

/** Elements that a group has. */
export const blockSize = 4096;

/** Number of chunks: enough to keep the cores of a CPU evenly busy under other load. */
const chunks = 16;
const minChunk = 1024;

/** A division into parts: their kind, size and number. */
export interface Division {
  readonly parts: Parts;
  readonly part: number;
  readonly count: number;
}

/** The parts that suit a device, if none are said. */
export function divideInParts(device: Device, size: number, said?: Parts): Division {
  const parts = said ?? (hasParallelWorkItems(device) ? "blocks" : "chunks");
  const part = parts === "blocks" ? blockSize : Math.max(1, Math.ceil(size / chunks / minChunk)) * minChunk;
  return { parts, part, count: Math.ceil(size / part) };
}
