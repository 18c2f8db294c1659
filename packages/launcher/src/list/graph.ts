/** Computes the dependencies between the members of a list from their memory accesses. */
import { type Accesses, independent } from "./access.js";

/** Returns the direct predecessors of each member, without those that another predecessor implies. */
export function precedents(members: readonly Accesses[]): number[][] {
  // A bit set per member: sets of numbers use 100 times as much memory, 240 MB for a chain of 4,000 members.
  const bitWords = Math.ceil(members.length / 32);
  const predecessorSets: Uint32Array[] = [];
  return members.map((accesses, i) => {
    const covered = new Uint32Array(bitWords);
    const direct: number[] = [];
    for (let j = i - 1; j >= 0; j--) {
      if (has(covered, j) || independent(members[j], accesses)) continue;
      direct.push(j);
      const earlier = predecessorSets[j] as Uint32Array;
      for (let k = 0; k <= j >> 5; k++) covered[k] = (covered[k] as number) | (earlier[k] as number);
      covered[j >> 5] = (covered[j >> 5] as number) | (1 << (j & 31));
    }
    predecessorSets.push(covered);
    return direct.toReversed();
  });
}

function has(bits: Uint32Array, i: number): boolean {
  return ((bits[i >> 5] as number) & (1 << (i & 31))) !== 0;
}
