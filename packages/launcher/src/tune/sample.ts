/** Returns `count` random items in their original order, or all items if there are fewer. */
export function sample<T>(items: readonly T[], count: number, random: () => number): readonly T[] {
  if (items.length <= count) return items;
  const indices = [...items.keys()];
  for (let i = 0; i < count; i++) {
    const j = i + Math.floor(random() * (indices.length - i));
    [indices[i], indices[j]] = [indices[j] as number, indices[i] as number];
  }
  const chosen = indices.slice(0, count).toSorted((a, b) => a - b);
  return chosen.map((i) => items[i] as T);
}
