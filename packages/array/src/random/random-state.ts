/** States of random streams: keys from seeds, and keys of split streams. */
import { randomBytes } from "node:crypto";

import { checkInteger, checkList, checkObject, outOfRange, rangeError, typeError, wrongValue } from "@cl/base";
import { blockFunctions, type GeneratorName, type Words } from "./generators.js";

/** A seed. A list is distinct from a number, and lists of different lengths are distinct. */
export type Seed = number | bigint | readonly (number | bigint)[];

/** The complete state of a generator, serializable as JSON. */
export interface RandomState {
  /** Name of the generator's algorithm. */
  readonly generator: GeneratorName;
  /** The key: two words of 32 bits for Philox, four for Threefry. */
  readonly key: readonly number[];
  /** Position in the stream in 32-bit words, as decimal digits. */
  readonly position: string;
  /** Number of generators that were split off. */
  readonly children?: number;
}

/** The state with its position as a bigint. */
export interface StreamState {
  readonly generator: GeneratorName;
  readonly key: readonly number[];
  readonly position: bigint;
  readonly children: number;
}

/** Positions are those of words: four for each of 2^128 counters. After the last one comes the first. */
export function wrapped(position: bigint): bigint {
  return BigInt.asUintN(130, position);
}

/** The stream of a seed; of new randomness for none. */
export function seeded(seed: Seed | undefined, generator: GeneratorName): StreamState {
  if (seed !== undefined) return streamOf(hashed(seedWords(seed)), generator);
  const bytes = randomBytes(16);
  return streamOf([0, 4, 8, 12].map((at) => bytes.readUInt32LE(at)) as unknown as Words, generator);
}

/** The stream of the child of this number: its words are a block that the parent never comes to. */
export function childOf({ generator, key }: StreamState, child: number): StreamState {
  const counter: Words = [child >>> 0, Math.floor(child / 2 ** 32), 0, splitTag];
  return streamOf(blockFunctions[generator].block(counter, key), generator);
}

/** "SPLT": the highest word of counters whose blocks are keys. Streams come there after 2^126 blocks. */
const splitTag = 0x53504c54;

/** Where Philox's key has no room, words say where its counter begins: all 128 bits tell streams from each other. */
function streamOf(words: Words, generator: GeneratorName): StreamState {
  if (generator === "threefry") return { generator, key: [...words], position: 0n, children: 0 };
  const [first, second, low, high] = words;
  const counter = ((BigInt(high) << 32n) | BigInt(low)) << 64n;
  return { generator, key: [first, second], position: counter * 4n, children: 0 };
}

/** Each number of a seed as its length and its words, so that no two seeds have the same. */
function seedWords(seed: Seed): readonly number[] {
  if (typeof seed === "number" || typeof seed === "bigint") return numberWords(seed, "seed");
  const list = checkList(seed, "seed", "an integer, or an array of integers");
  return [0xffff_ffff, ...list.flatMap((one, i) => numberWords(one, `seed[${i}]`))];
}

function numberWords(value: unknown, name: string): readonly number[] {
  let rest: bigint;
  if (typeof value === "bigint") rest = value;
  else rest = BigInt(checkInteger(value, name));
  if (rest < 0n) throw rangeError(name, "an integer of at least 0", value);
  const words: number[] = [];
  for (; rest > 0n; rest >>= 32n) words.push(Number(rest & 0xffff_ffffn));
  return [words.length, ...words];
}

/** A hash of four words: each four of the input are enciphered by Threefry with those before them as the key. */
function hashed(input: readonly number[]): Words {
  const all = [...input, 0x80000000];
  let hash: Words = [0, 0, 0, 0];
  for (let at = 0; at < all.length; at += 4) {
    const words = [0, 1, 2, 3].map((i) => all[at + i] ?? 0) as unknown as Words;
    const block = blockFunctions.threefry.block(words, hash);
    hash = block.map((word, i) => (word ^ (words[i] as number)) >>> 0) as unknown as Words;
  }
  return hash;
}

/** True for what {@link RandomGenerator.state} gave, or something like it. */
export function isState(value: unknown): value is RandomState {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A state that somebody kept. */
export function checkState(value: unknown, name: string): StreamState {
  const { generator, key, position, children = 0 } = checkObject(value as RandomState, name);
  const own = checkGenerator(generator, `${name}.generator`);
  const { keyLength } = blockFunctions[own];
  if (!Array.isArray(key)) throw typeError(`${name}.key`, `an array of ${keyLength} words`, key);
  if (key.length !== keyLength) {
    throw outOfRange(`${name}.key must have ${keyLength} words for ${own}, received ${key.length}`);
  }
  for (const [i, word] of key.entries()) checkInteger(word, `${name}.key[${i}]`, 0, 2 ** 32 - 1);
  if (typeof position !== "string" || !/^\d{1,40}$/u.test(position)) {
    throw typeError(`${name}.position`, "a string of decimal digits", position);
  }
  checkInteger(children, `${name}.children`);
  const place = BigInt(position);
  if (wrapped(place) !== place) throw wrongValue(`${name}.position must be less than 2^130`);
  return { generator: own, key: [...(key as readonly number[])], position: place, children };
}

/** Checks the name of a generator; undefined is Philox. */
export function checkGenerator(value: unknown, name: string): GeneratorName {
  if (value === undefined) return "philox";
  if (value === "philox" || value === "threefry") return value;
  throw rangeError(name, '"philox" or "threefry"', value);
}
