/**
 * Philox and Threefry in OpenCL C: one block of four words, for any device, and eight blocks in vectors for CPUs. The
 * compiler does not vectorize the high words of products, so these are written as products of 64-bit lanes.
 */
import {
  type GeneratorName,
  philoxFactors,
  philoxRounds,
  philoxSteps,
  threefryParity,
  threefryRotations,
  threefryRounds,
} from "./generators.js";

/** Number of blocks computed together in loops. */
export const lanes = 8;

/*
 * PoCL's compiler finds the rounds too long to be part of a loop. Called, they have their words in memory and prepare their keys
 * each time, which takes as long as themselves.
 */
const inlined = `#ifdef __clang__
#define INLINED static __attribute__((always_inline))
#else
#define INLINED
#endif`;

/** What all kernels of a generator begin with: where the stream is, and the words of its blocks. */
export function streamHead(generator: GeneratorName, wide: boolean): string {
  const texts = {
    philox: { scalar: philox, vector: widePhilox },
    threefry: { scalar: threefry, vector: wideThreefry },
  };
  const { scalar, vector } = texts[generator];
  return `/* Results are those of the operations one by one, on each device. */
#pragma OPENCL FP_CONTRACT OFF

/* A stream from some block on, and the elements that it fills. */
typedef struct {
  /* The counter of the first block. */
  ulong low, high;
  uint key[4];
  /* The index in memory of the first number of the first block, and how many of its numbers are skipped. */
  long base, skip;
  /* One past the last number, counted from the first block; and the number of blocks. */
  long end, blocks;
  /* Number of complete blocks (except for skipped numbers of the first) that share the upper half of the counter. */
  long whole;
  /* Whether blocks are where vectors can be stored. */
  long aligned;
} Stream;
${scalar()}
/* The words of one block. */
uint4 random_block(const Stream *const by, const ulong block) {
  const ulong low = by->low + block;
  const ulong high = by->high + (low < block);
  uint a = (uint)low, b = (uint)(low >> 32), c = (uint)high, d = (uint)(high >> 32);
  random_words(&a, &b, &c, &d, by->key);
  return (uint4)(a, b, c, d);
}
${wide ? `${inlined}${vector()}` : ""}`;
}

const hex = (word: number): string => `0x${word.toString(16)}u`;

const philox = (): string => `
void random_words(uint *const a, uint *const b, uint *const c, uint *const d, const uint *const key) {
  uint first = key[0], second = key[1];
  _Pragma("unroll") for (int round = 0; round < ${philoxRounds}; round++) {
    const uint high = mul_hi(*a, ${hex(philoxFactors[0])}), low = *a * ${hex(philoxFactors[0])};
    const uint other_high = mul_hi(*c, ${hex(philoxFactors[1])}), other_low = *c * ${hex(philoxFactors[1])};
    *a = other_high ^ *b ^ first;
    *b = other_low;
    *c = high ^ *d ^ second;
    *d = low;
    first += ${hex(philoxSteps[0])};
    second += ${hex(philoxSteps[1])};
  }
}
`;

/* What is above the 32 bits of a word in its lane stays there: products take the lower half of a lane only. */
const widePhilox = (width = String(lanes)): string => `
INLINED void random_lanes(uint${width} *const words, const ulong${width} low, const ulong high, const uint *const key) {
  ulong${width} a = low, b = low >> 32, c = (ulong${width})(high), d = (ulong${width})(high >> 32);
  uint first = key[0], second = key[1];
  _Pragma("unroll") for (int round = 0; round < ${philoxRounds}; round++) {
    const ulong${width} one = (a & 0xffffffffUL) * (ulong${width})(${hex(philoxFactors[0])});
    const ulong${width} other = (c & 0xffffffffUL) * (ulong${width})(${hex(philoxFactors[1])});
    a = (other >> 32) ^ b ^ (ulong)first;
    b = other;
    c = (one >> 32) ^ d ^ (ulong)second;
    d = one;
    first += ${hex(philoxSteps[0])};
    second += ${hex(philoxSteps[1])};
  }
  words[0] = convert_uint${width}(a);
  words[1] = convert_uint${width}(b);
  words[2] = convert_uint${width}(c);
  words[3] = convert_uint${width}(d);
}
`;

/** The rounds of words of a type, with the keys k0 to k4. */
function threefryRoundsOf(word: string): string {
  const lines: string[] = [];
  for (let round = 0; round < threefryRounds; round++) {
    const [first, second] = threefryRotations[round % 8] as readonly [number, number];
    const [i, j] = round % 2 === 0 ? ["b", "d"] : ["d", "b"];
    lines.push(`a += ${i}; ${i} = rotate(${i}, (${word})(${first})) ^ a;`);
    lines.push(`c += ${j}; ${j} = rotate(${j}, (${word})(${second})) ^ c;`);
    if (round % 4 !== 3) continue;
    const turn = (round + 1) / 4;
    const keys = ["a", "b", "c", "d"].map((name, k) => `${name} += k${(turn + k) % 5}${k === 3 ? ` + ${turn}u` : ""};`);
    lines.push(keys.join(" "));
  }
  return lines.join("\n  ");
}

const threefryKeys = `const uint k0 = key[0], k1 = key[1], k2 = key[2], k3 = key[3];
  const uint k4 = k0 ^ k1 ^ k2 ^ k3 ^ ${hex(threefryParity)};`;

const threefry = (): string => `
void random_words(uint *const first, uint *const second, uint *const third, uint *const fourth, const uint *const key) {
  ${threefryKeys}
  uint a = *first + k0, b = *second + k1, c = *third + k2, d = *fourth + k3;
  ${threefryRoundsOf("uint")}
  *first = a;
  *second = b;
  *third = c;
  *fourth = d;
}
`;

const wideThreefry = (width = String(lanes)): string => `
INLINED void random_lanes(uint${width} *const words, const ulong${width} low, const ulong high, const uint *const key) {
  ${threefryKeys}
  uint${width} a = convert_uint${width}(low) + k0, b = convert_uint${width}(low >> 32) + k1;
  uint${width} c = (uint${width})((uint)high + k2), d = (uint${width})((uint)(high >> 32) + k3);
  ${threefryRoundsOf(`uint${width}`)}
  words[0] = a;
  words[1] = b;
  words[2] = c;
  words[3] = d;
}
`;
