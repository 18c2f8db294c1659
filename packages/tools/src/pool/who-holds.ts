/** What a pool that has run out says of its memory. */
import type { Holder } from "./named-pool.js";

/** What there is to tell of a pool. */
interface Books {
  readonly activeBlocks: number;
  readonly activeBytes: number;
  readonly managedBytes: number;
  readonly holders: readonly Readonly<Holder>[];
}

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** A number of bytes for people. */
export function byteText(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const value = bytes / 1024 ** unit;
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${units[unit]}`;
}

/** Who has the memory of a pool. */
export function whoHolds(pool: Books): string {
  const { activeBlocks, activeBytes, managedBytes, holders } = pool;
  const known = holders.map(({ name, blocks, bytes }) => `"${name}" ${countText(blocks)} of ${byteText(bytes)}`);
  const rest = activeBlocks - holders.reduce((sum, { blocks }) => sum + blocks, 0);
  const restBytes = activeBytes - holders.reduce((sum, { bytes }) => sum + bytes, 0);
  if (known.length > 0 && rest > 0) known.push(`others ${countText(rest)} of ${byteText(restBytes)}`);
  const who = known.length === 0 ? "" : `, of which ${known.join(", ")}`;
  return `the pool has ${byteText(managedBytes)} and has lent ${countText(activeBlocks)} for ${byteText(activeBytes)}${who}`;
}

/** A number of blocks. */
export function countText(blocks: number): string {
  return blocks === 1 ? "1 block" : `${blocks} blocks`;
}
