/** Which members of a list have to follow which, from the memory that they reach. */
import { type Accesses, independent } from "./access.js";

/** For each member those before it that it must follow; those that one of these follows anyway are left out. */
export function precedents(members: readonly Accesses[]): number[][] {
  const all: Set<number>[] = [];
  return members.map((accesses, i) => {
    const covered = new Set<number>();
    const direct: number[] = [];
    for (let j = i - 1; j >= 0; j--) {
      if (covered.has(j) || independent(members[j], accesses)) continue;
      direct.unshift(j);
      covered.add(j);
      for (const earlier of all[j] as Set<number>) covered.add(earlier);
    }
    all.push(covered);
    return direct;
  });
}
