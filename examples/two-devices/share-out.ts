/** Work in blocks for several processors, each as large as its processor is fast. Nothing in here knows of OpenCL. */

/** Does blocks of the work: `count` items from `first` on. Resolves to the seconds that it took. */
export type Processor = (first: number, count: number) => Promise<number>;

/** What a processor did. */
export interface Share {
  readonly items: number;
  readonly blocks: number;
  readonly seconds: number;
}

/**
 * Does `total` items of work, in blocks of whole grains. A processor that has nothing to do takes the next block. Its first
 * one is a grain, which tells how fast it is; the later ones are half of its part of what is left. They get smaller, and so
 * does the time for which the first one that finds nothing more has to wait for the others.
 */
export async function shareOut(total: number, grain: number, processors: readonly Processor[]): Promise<Share[]> {
  const shares = processors.map(() => ({ items: 0, blocks: 0, seconds: 0 }));
  let next = 0;

  async function work(processor: Processor, share: (typeof shares)[number]): Promise<void> {
    while (next < total) {
      // From here to the `await` nothing else runs: no two processors get the same block.
      const first = next;
      const part = (total - next) * partOf(share, shares);
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
        // The others are not to go on in vain.
        next = total;
        throw error;
      }),
    ),
  );
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return shares;
}

/** How much of all throughput is this one's; 0 while it has not been measured. */
function partOf(share: Share, shares: readonly Share[]): number {
  const speed = ({ items, seconds }: Share): number => (items === 0 ? 0 : items / seconds);
  const known = shares.filter(({ items }) => items > 0);
  // Those that are still at their first grain count as the others do on average.
  const sum = (known.reduce((all, one) => all + speed(one), 0) * shares.length) / Math.max(1, known.length);
  return share.items === 0 ? 0 : speed(share) / sum;
}
