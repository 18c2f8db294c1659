/** Into how many parts elements are divided that are counted before something is written for them. */
import { type Device, DeviceType } from "@cl/core";

/** Chunks, for a work-item with a loop each, or blocks of `blockSize`, for a group each. */
export type Parts = "chunks" | "blocks";

/** Elements that a group has. */
export const blockSize = 4096;

/** So many chunks keep the cores of a processor evenly busy, whatever else runs there. */
const chunks = 16;
const leastChunk = 1024;

/** Elements by parts: of which kind, of how many elements, and how many. */
export interface Division {
  readonly parts: Parts;
  readonly part: number;
  readonly count: number;
}

/** The parts that suit a device, if none are said. */
export function divideInParts({ type }: Device, size: number, said?: Parts): Division {
  const parts = said ?? ((type & DeviceType.CPU) === 0 ? "blocks" : "chunks");
  const part = parts === "blocks" ? blockSize : Math.max(1, Math.ceil(size / chunks / leastChunk)) * leastChunk;
  return { parts, part, count: Math.ceil(size / part) };
}
