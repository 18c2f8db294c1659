/** What a pool that has run out says of its memory. */
import { formatBytes } from "@cl/base/units";

/** What was lent under a name. */
export interface Holder {
  readonly name: string;
  blocks: number;
  bytes: number;
}

/** What there is to tell of a pool. */
interface Books {
  readonly activeBlocks: number;
  readonly activeBytes: number;
  readonly managedBytes: number;
  readonly holders: readonly Readonly<Holder>[];
}

/** Who has the memory of a pool. */
export function whoHolds(pool: Books): string {
  const { activeBlocks, activeBytes, managedBytes, holders } = pool;
  const known = holders.map(({ name, blocks, bytes }) => `"${name}" ${countText(blocks)} of ${formatBytes(bytes)}`);
  const rest = activeBlocks - holders.reduce((sum, { blocks }) => sum + blocks, 0);
  const restBytes = activeBytes - holders.reduce((sum, { bytes }) => sum + bytes, 0);
  if (known.length > 0 && rest > 0) known.push(`others ${countText(rest)} of ${formatBytes(restBytes)}`);
  const who = known.length === 0 ? "" : `, of which ${known.join(", ")}`;
  return `the pool has ${formatBytes(managedBytes)} and has lent ${countText(activeBlocks)} for ${formatBytes(activeBytes)}${who}`;
}

/** A number of blocks. */
export function countText(blocks: number): string {
  return blocks === 1 ? "1 block" : `${blocks} blocks`;
}
