/** Distributes work in blocks among processors according to their speed. Independent of OpenCL. */

/** Processes `count` items from `first`. Resolves to the seconds taken. */
export type Processor = (first: number, count: number) => Promise<number>;

/** A processor's share of the work. */
export interface Share {
  readonly items: number;
  readonly blocks: number;
  readonly seconds: number;
}

/**
 * Processes `total` items in blocks that are multiples of `grain`. An idle processor takes the next block: first one grain,
 * which measures its speed, then half of its share of the remaining work. Blocks get smaller towards the end, so that all
 * processors finish at about the same time.
 */
export async function shareOut(total: number, grain: number, processors: readonly Processor[]): Promise<Share[]> {
  const shares = processors.map(() => ({ items: 0, blocks: 0, seconds: 0 }));
  let next = 0;

  async function work(processor: Processor, share: (typeof shares)[number]): Promise<void> {
    while (next < total) {
      // No `await` before `next` is updated, so no two processors get the same block.
      const first = next;
      const part = (total - next) * throughputFraction(share, shares);
      const count = Math.min(total - next, Math.max(1, Math.round(part / 2 / grain)) * grain);
      next += count;
      share.seconds += await processor(first, count);
      share.items += count;
      share.blocks++;
    }
  }

  const ends = await Promise.allSettled(
    processors.map((processor, i) =>
      work(processor, shares[i] as (typeof shares)[number]).catch((error: unknown) => {
        // Stop the others.
        next = total;
        throw error;
      }),
    ),
  );
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return shares;
}

/** Returns a processor's fraction of the total throughput, 0 before it has been measured. */
function throughputFraction(share: Share, shares: readonly Share[]): number {
  const speed = ({ items, seconds }: Share): number => (items === 0 ? 0 : items / seconds);
  const measured = shares.filter(({ items }) => items > 0);
  // Processors not yet measured count as the average of the others.
  const total = (measured.reduce((sum, other) => sum + speed(other), 0) * shares.length) / Math.max(1, measured.length);
  return share.items === 0 ? 0 : speed(share) / total;
}
