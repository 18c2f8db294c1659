/** Which members of a list have to follow which, from the memory that they reach. */
import { type Accesses, independent } from "./access.js";

/** For each member those before it that it must follow; those that one of these follows anyway are left out. */
export function precedents(members: readonly Accesses[]): number[][] {
  // One bit for each member: a set of numbers takes 100 times as much memory, 240 MB for a chain of 4,000 members.
  const words = Math.ceil(members.length / 32);
  const followed: Uint32Array[] = [];
  return members.map((accesses, i) => {
    const covered = new Uint32Array(words);
    const direct: number[] = [];
    for (let j = i - 1; j >= 0; j--) {
      if (has(covered, j) || independent(members[j], accesses)) continue;
      direct.push(j);
      const earlier = followed[j] as Uint32Array;
      for (let k = 0; k <= j >> 5; k++) covered[k] = (covered[k] as number) | (earlier[k] as number);
      covered[j >> 5] = (covered[j >> 5] as number) | (1 << (j & 31));
    }
    followed.push(covered);
    return direct.toReversed();
  });
}

function has(bits: Uint32Array, i: number): boolean {
  return ((bits[i >> 5] as number) & (1 << (i & 31))) !== 0;
}
