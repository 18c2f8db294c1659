/** Texts about the memory use of a pool. */
import { formatBytes } from "@cl/base/units";

/** Memory in use under a name. */
export interface Holder {
  readonly name: string;
  blocks: number;
  bytes: number;
}

interface PoolCounters {
  readonly activeBlocks: number;
  readonly activeBytes: number;
  readonly managedBytes: number;
  readonly holders: readonly Readonly<Holder>[];
}

/** Describes the memory use of a pool by its holders. */
export function poolUsage(pool: PoolCounters): string {
  const { activeBlocks, activeBytes, managedBytes, holders } = pool;
  const parts = holders.map(({ name, blocks, bytes }) => `"${name}" ${blockCount(blocks)} of ${formatBytes(bytes)}`);
  const rest = activeBlocks - holders.reduce((sum, { blocks }) => sum + blocks, 0);
  const restBytes = activeBytes - holders.reduce((sum, { bytes }) => sum + bytes, 0);
  if (parts.length > 0 && rest > 0) parts.push(`others ${blockCount(rest)} of ${formatBytes(restBytes)}`);
  const byHolder = parts.length === 0 ? "" : `: ${parts.join(", ")}`;
  return `the pool has ${formatBytes(managedBytes)}, of which ${blockCount(activeBlocks)} with ${formatBytes(activeBytes)} ${activeBlocks === 1 ? "is" : "are"} in use${byHolder}`;
}

/** Formats a number of blocks. */
export function blockCount(blocks: number): string {
  return blocks === 1 ? "1 block" : `${blocks} blocks`;
}
