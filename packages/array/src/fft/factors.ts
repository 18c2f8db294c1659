/** Factorizations of lengths: into radices with butterflies, and into parts that one pass over memory can transform. */

/** The primes that butterflies are made of; other lengths are convolutions. */
const primes = [2, 3, 5, 7, 11, 13] as const;

/** True if a length is a product of primes that there are butterflies for. */
export function isSmooth(n: number): boolean {
  let rest = n;
  for (const prime of primes) while (rest % prime === 0) rest /= prime;
  return rest === 1;
}

/** The smallest length that is at least `n` and a product of 2, 3 and 5: what lines are padded to where any length will do. */
export function nextFast(n: number): number {
  let best = 2 ** Math.ceil(Math.log2(Math.max(n, 1)));
  for (let five = 1; five < best; five *= 5) {
    for (let three = five; three < best; three *= 3) {
      const two = three * 2 ** Math.max(0, Math.ceil(Math.log2(n / three)));
      if (two >= n && two < best) best = two;
    }
  }
  return best;
}

/** The fewest of some radices whose product is `n`, the largest first; empty for 1. */
export function radicesOf(n: number, radices: readonly number[]): readonly number[] {
  const found = fewest(
    n,
    radices.toSorted((a, b) => b - a),
    16,
  );
  if (found === undefined) throw new Error(`no radices for ${n}`);
  return found;
}

function fewest(n: number, radices: readonly number[], most: number): readonly number[] | undefined {
  if (n === 1) return [];
  if (most === 0 || n > (radices[0] ?? 0) ** most) return undefined;
  let best: readonly number[] | undefined;
  for (const [k, radix] of radices.entries()) {
    if (n % radix !== 0) continue;
    const rest = fewest(n / radix, radices.slice(k), (best?.length ?? most + 1) - 1 - (best === undefined ? 0 : 1));
    if (rest !== undefined && (best === undefined || rest.length + 1 < best.length)) best = [radix, ...rest];
  }
  return best;
}

/**
 * A length as a product of the fewest parts that are at most `most`; of these, those for which `cost` is least. The length
 * itself if it is short enough.
 */
export function partsOf(n: number, most: number, cost: (parts: readonly number[]) => number): readonly number[] {
  if (n <= most) return [n];
  for (let count = 2; ; count++) {
    const all = splits(n, count, most);
    if (all.length > 0) return all.reduce((best, parts) => (cost(parts) < cost(best) ? parts : best));
  }
}

/**
 * Returns the two factors of a length, both at least `least`, that minimize `cost`; undefined if no such factors exist.
 */
export function divided(
  n: number,
  least: number,
  cost: (parts: readonly [number, number]) => number,
): readonly [number, number] | undefined {
  let best: readonly [number, number] | undefined;
  for (const part of divisorsOf(n)) {
    const parts = [part, n / part] as const;
    if (Math.min(...parts) >= least && (best === undefined || cost(parts) < cost(best))) best = parts;
  }
  return best;
}

/** True if a length is a product of some radices. */
export function isProduct(n: number, radices: readonly number[]): boolean {
  let rest = n;
  for (const radix of radices) while (rest % radix === 0) rest /= radix;
  return rest === 1;
}

/** Two parts of a length that is short enough for one; itself if it has none. */
export function halvesOf(n: number, cost: (parts: readonly number[]) => number): readonly number[] {
  const all = splits(n, 2, n / 2);
  if (all.length === 0) return [n];
  return all.reduce((best, parts) => (cost(parts) < cost(best) ? parts : best));
}

function splits(n: number, count: number, most: number): readonly (readonly number[])[] {
  if (count === 1) return n <= most && n > 1 ? [[n]] : [];
  if (n > most ** count) return [];
  const result: (readonly number[])[] = [];
  for (const part of divisorsOf(n)) {
    if (part === 1 || part > most) continue;
    for (const rest of splits(n / part, count - 1, most)) result.push([part, ...rest]);
  }
  return result;
}

/** All divisors of a product of small primes. */
function divisorsOf(n: number): readonly number[] {
  let all = [1];
  let rest = n;
  for (const prime of primes) {
    const own = all;
    for (let power = prime; rest % prime === 0; power *= prime) {
      rest /= prime;
      all = [...all, ...own.map((divisor) => divisor * power)];
    }
  }
  return all;
}
