/** Reference Philox4x32-10 and Threefry4x32-20 with big integers, to compare the kernels with. */

type Words = readonly bigint[];
const word = (value: bigint): bigint => BigInt.asUintN(32, value);
const rotated = (value: bigint, by: bigint): bigint => word((value << by) | (value >> (32n - by)));

/** Four words of a counter and two of a key. */
export function philox(counter: Words, key: Words): Words {
  let x = [...counter];
  for (let round = 0n; round < 10n; round++) {
    const [k0, k1] = [word((key[0] as bigint) + round * 0x9e3779b9n), word((key[1] as bigint) + round * 0xbb67ae85n)];
    const first = 0xd2511f53n * (x[0] as bigint);
    const second = 0xcd9e8d57n * (x[2] as bigint);
    x = [(second >> 32n) ^ (x[1] as bigint) ^ k0, word(second), (first >> 32n) ^ (x[3] as bigint) ^ k1, word(first)];
  }
  return x;
}

/** Four words of a counter and four of a key. */
export function threefry(counter: Words, key: Words): Words {
  const turns = [10, 26, 11, 21, 13, 27, 23, 5, 6, 20, 17, 11, 25, 10, 18, 20].map(BigInt);
  const keys = [...key, key.reduce((a, b) => a ^ b, 0x1bd11bdan)];
  let [a, b, c, d] = counter.map((value, i) => word(value + (keys[i] as bigint))) as [bigint, bigint, bigint, bigint];
  for (let round = 0; round < 20; round++) {
    const [first, second] = [turns[(2 * round) % 16] as bigint, turns[(2 * round + 1) % 16] as bigint];
    a = word(a + b);
    c = word(c + d);
    // The rotated words swap positions, so that all rounds are alike.
    [b, d] = [rotated(d, second) ^ c, rotated(b, first) ^ a];
    if (round % 4 !== 3) continue;
    const turn = (round + 1) / 4;
    const at = (k: number): bigint => keys[(turn + k) % 5] as bigint;
    a = word(a + at(0));
    b = word(b + at(1));
    c = word(c + at(2));
    d = word(d + at(3) + BigInt(turn));
  }
  return [a, b, c, d];
}

/** Returns words of a stream from a position, counted in words; the counter has 128 bits. */
export function wordsFrom(
  generator: "philox" | "threefry",
  key: readonly number[],
  from: bigint,
  count: number,
): number[] {
  const block = { philox, threefry }[generator];
  const words: number[] = [];
  for (let at = from; at < from + BigInt(count); at++) {
    const counter = BigInt.asUintN(128, at / 4n);
    const list = block(
      [0n, 32n, 64n, 96n].map((shift) => word(counter >> shift)),
      key.map(BigInt),
    );
    words.push(Number(list[Number(at % 4n)]));
  }
  return words;
}
