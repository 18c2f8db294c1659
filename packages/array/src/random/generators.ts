/**
 * Philox4x32-10 and Threefry4x32-20 of Salmon et al. ("Parallel random numbers: as easy as 1, 2, 3"): functions of a
 * counter and a key that return four words of 32 bits. This is the host implementation, which derives keys;
 * stream-source.ts has the device implementation.
 */

/** A block of four words; also a counter of 128 bits, its lowest word first. */
export type Words = readonly [number, number, number, number];

/** A generator: how long its key is, and what it makes of a counter. */
export interface BlockFunction {
  /** Words of a key. */
  readonly keyLength: 2 | 4;
  /** The words of a counter. */
  readonly block: (counter: Words, key: readonly number[]) => Words;
}

/** Names of the generators. */
export type GeneratorName = "philox" | "threefry";

/** The factors of Philox, and what is added to its key after each round. */
export const philoxFactors = [0xd2511f53, 0xcd9e8d57] as const;
export const philoxSteps = [0x9e3779b9, 0xbb67ae85] as const;
export const philoxRounds = 10;

/** How far Threefry rotates two of its words in rounds 0 to 7, which come again. */
export const threefryRotations = [
  [10, 26],
  [11, 21],
  [13, 27],
  [23, 5],
  [6, 20],
  [17, 11],
  [25, 10],
  [18, 20],
] as const;
/** What the words of a key of Threefry are combined with to one more. */
export const threefryParity = 0x1bd11bda;
export const threefryRounds = 20;

/** The generators by their names. */
export const blockFunctions: Readonly<Record<GeneratorName, BlockFunction>> = {
  philox: { keyLength: 2, block: philox },
  threefry: { keyLength: 4, block: threefry },
};

function philox(counter: Words, key: readonly number[]): Words {
  let [a, b, c, d] = counter;
  let [first, second] = key as readonly [number, number];
  for (let round = 0; round < philoxRounds; round++) {
    const [low, high] = product(philoxFactors[0], a);
    const [otherLow, otherHigh] = product(philoxFactors[1], c);
    [a, b, c, d] = [(otherHigh ^ b ^ first) >>> 0, otherLow, (high ^ d ^ second) >>> 0, low];
    first = (first + philoxSteps[0]) >>> 0;
    second = (second + philoxSteps[1]) >>> 0;
  }
  return [a, b, c, d];
}

/** Both words of a product, by halves of the second factor. */
function product(a: number, b: number): readonly [low: number, high: number] {
  const upper = a * (b >>> 16) + Math.floor((a * (b & 0xffff)) / 2 ** 16);
  return [Math.imul(a, b) >>> 0, Math.floor(upper / 2 ** 16)];
}

function threefry(counter: Words, key: readonly number[]): Words {
  const keys = [...key, key.reduce((a, b) => a ^ b, threefryParity)];
  const x = counter.map((word, i) => (word + (keys[i] as number)) >>> 0) as [number, number, number, number];
  for (let round = 0; round < threefryRounds; round++) {
    const [first, second] = threefryRotations[round % 8] as readonly [number, number];
    // The second and the fourth word change places in each other round.
    const [i, j] = round % 2 === 0 ? [1, 3] : [3, 1];
    x[0] = (x[0] + (x[i] as number)) >>> 0;
    x[i] = rotated(x[i] as number, first) ^ x[0];
    x[2] = (x[2] + (x[j] as number)) >>> 0;
    x[j] = rotated(x[j] as number, second) ^ x[2];
    if (round % 4 !== 3) continue;
    const turn = (round + 1) / 4;
    for (let k = 0; k < 4; k++) {
      x[k] = ((x[k] as number) + (keys[(turn + k) % 5] as number) + (k === 3 ? turn : 0)) >>> 0;
    }
  }
  return x.map((word) => word >>> 0) as unknown as Words;
}

function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
