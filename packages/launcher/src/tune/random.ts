/** Chance that is the same each time. */

/** Numbers from 0 up to 1 that look random; the same ones for the same seed (xorshift32, after a mix of the seed). */
export function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/** So many of the items, in the order in which they were; all of them if there are no more. */
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
