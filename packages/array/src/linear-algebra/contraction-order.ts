/** The order in which several arrays are contracted. */

/**
 * The two of several whose product should be made first: where it is smaller than both together by most, and of those the
 * one with the fewest multiplications.
 */
export function cheapestPair(
  terms: readonly (readonly string[])[],
  output: readonly string[],
  extents: ReadonlyMap<string, number>,
): readonly [number, number] {
  const size = (labels: Iterable<string>): number =>
    [...labels].reduce((all, label) => all * (extents.get(label) ?? 1), 1);
  let best: readonly [number, number] = [0, 1];
  let least: readonly [number, number] = [Infinity, Infinity];
  for (let i = 0; i < terms.length; i++) {
    for (let j = i + 1; j < terms.length; j++) {
      const [one, other] = [terms[i] as readonly string[], terms[j] as readonly string[]];
      const needed = new Set([...output, ...terms.flatMap((labels, k) => (k === i || k === j ? [] : labels))]);
      const all = new Set([...one, ...other]);
      const cost = [size([...all].filter((label) => needed.has(label))) - size(one) - size(other), size(all)] as const;
      if (cost[0] < least[0] || (cost[0] === least[0] && cost[1] < least[1])) [best, least] = [[i, j], cost];
    }
  }
  return best;
}

/** Where a chain of matrices is divided so that products have the fewest multiplications; `extents` are one more than them. */
export function chainOrder(extents: readonly number[]): readonly (readonly number[])[] {
  const count = extents.length - 1;
  const table = (): number[][] => Array.from({ length: count }, () => Array<number>(count).fill(0));
  const [costs, splits] = [table(), table()];
  const at = (list: readonly (readonly number[])[], i: number, j: number): number => list[i]?.[j] as number;
  for (let length = 1; length < count; length++) {
    for (let i = 0; i + length < count; i++) {
      const j = i + length;
      (costs[i] as number[])[j] = Infinity;
      for (let k = i; k < j; k++) {
        const own = (extents[i] as number) * (extents[k + 1] as number) * (extents[j + 1] as number);
        const cost = at(costs, i, k) + at(costs, k + 1, j) + own;
        if (cost >= at(costs, i, j)) continue;
        (costs[i] as number[])[j] = cost;
        (splits[i] as number[])[j] = k;
      }
    }
  }
  return splits;
}
