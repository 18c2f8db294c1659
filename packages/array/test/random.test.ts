/** Random numbers: their exact values, which depend only on the seed and the position in the stream. */
import { CommandQueue, Context } from "@cl/core";
import { arrays, type DeviceArray, type RandomGenerator } from "@cl/array";
import { describe, expect, test } from "vitest";

import { context, needsDoubles, xp } from "./support/device.js";
import { outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";
import { kinds, treatBlockAs } from "./support/treat-as.js";
import { sample } from "@cl/testing/level";
import { philox, threefry, wordsFrom } from "./support/random123.js";

const generators = ["philox", "threefry"] as const;
const most = 0xffff_ffff;

function at(
  generator: (typeof generators)[number],
  key: readonly number[],
  position: bigint,
  on = xp,
): RandomGenerator {
  return on.random({ generator, key, position: String(position) });
}

const wordsOf = async (random: RandomGenerator, count: number): Promise<number[]> => [
  ...(await random
    .bytes(4 * count)
    .viewAs("uint32")
    .data()),
];

/** From Random123's file kat_vectors: 4 words of the counter, 2 or 4 of the key, and 4 of the result. */
const known = {
  philox: [
    "00000000 00000000 00000000 00000000 00000000 00000000 6627e8d5 e169c58d bc57ac4c 9b00dbd8",
    "ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff 408f276d 41c83b0e a20bc7c6 6d5451fd",
    "243f6a88 85a308d3 13198a2e 03707344 a4093822 299f31d0 d16cfe09 94fdcceb 5001e420 24126ea1",
  ],
  threefry: [
    "00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 9c6ca96a e17eae66 fc10ecd4 5256a7d8",
    "ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff 2a881696 57012287 f6c7446e a16a6732",
    "243f6a88 85a308d3 13198a2e 03707344 a4093822 299f31d0 082efa98 ec4e6c89 59cd1dbb b8879579 86b5d00c ac8b6d84",
  ],
} as const;

describe.each(generators)("the blocks of %s", (generator) => {
  test("match Random123's published vectors", async () => {
    for (const line of known[generator]) {
      const words = line.split(" ").map((one) => Number.parseInt(one, 16));
      const [counter, key, expected] = [words.slice(0, 4), words.slice(4, -4), words.slice(-4)];
      const place = counter.reduceRight((sum, one) => (sum << 32n) | BigInt(one), 0n);
      expect(await wordsOf(at(generator, key, place * 4n), 4)).toEqual(expected);
      const reference = { philox, threefry }[generator];
      expect(reference(counter.map(BigInt), key.map(BigInt)).map(Number)).toEqual(expected);
    }
  });

  test("are consecutive across word carries of the counter, and wrap around at its end", async () => {
    const key = [1, most, 3, 4].slice(0, generator === "philox" ? 2 : 4);
    for (const counter of [0n, 2n ** 32n - 20n, 2n ** 64n - 21n, 2n ** 96n - 30n, 2n ** 128n - 19n]) {
      const place = counter * 4n;
      expect(await wordsOf(at(generator, key, place), 257)).toEqual(wordsFrom(generator, key, place, 257));
    }
  });
});

describe.each(sample(kinds, 1))("random numbers on %s", (_, type) => {
  const block = treatBlockAs(type);
  const key = [11, 22];

  test("a stream has the same numbers at each position and for each size", { tags: "ci" }, async () => {
    const words = wordsFrom("philox", key, 0n, 6000);
    for (const size of [0, 1, 2, 3, 4, 5, 31, 32, 33, 63, 127, 255, 256, 257, 1023, 1025, 4091, 4101]) {
      for (const start of [0, 1, 2, 3, 7, 30]) {
        const random = at("philox", key, BigInt(start), block.xp);
        const expected = Float32Array.from(words.slice(start, start + size), (one) => (one >>> 8) / 2 ** 24);
        expect(await random.uniform([size], { dtype: "float32" }).data(), `${size} from ${start}`).toEqual(expected);
        expect(random.state.position).toBe(String(start + size));
      }
    }
  });

  test("uniform, normal and exponential numbers follow from the words", async () => {
    const n = 1000;
    const words = wordsFrom("philox", key, 0n, 4 * n);
    const at0 = (): RandomGenerator => at("philox", key, 0n, block.xp);
    const uniform = await at0().uniform([n], { low: -2, high: 6, dtype: "float32" }).data();
    uniform.forEach((x, i) => expect(x).toBe(Math.fround(-2 + 8 * (((words[i] as number) >>> 8) / 2 ** 24))));
    const normal = await at0().normal([n], { loc: 3, scale: 2, dtype: "float32" }).data();
    const exponential = await at0().exponential([n], { scale: 2, dtype: "float32" }).data();
    for (let i = 0; i < n; i++) {
      const [one, other] = [words[i - (i % 2)] as number, words[i - (i % 2) + 1] as number];
      const radius = Math.sqrt(-2 * Math.log((one + 0.5) / 2 ** 32));
      const angle = (other / 2 ** 31) * Math.PI;
      const expected = 3 + 2 * radius * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
      // A radius near 0 has the absolute precision of float32 near 1.
      expect(Math.abs((normal[i] as number) - expected)).toBeLessThan(radius < 0.05 ? 1e-4 : 4e-6);
      const time = -2 * Math.log(((words[i] as number) + 0.5) / 2 ** 32);
      expect(Math.abs((exponential[i] as number) - time)).toBeLessThan(1e-6 * (1 + time));
    }
  });

  test("float64 numbers follow from the words", { tags: "ci" }, async (run) => {
    needsDoubles(run);
    const n = 1000;
    const words = wordsFrom("philox", key, 0n, 4 * n);
    const at0 = (): RandomGenerator => at("philox", key, 0n, block.xp);
    const long = (i: number): bigint => (BigInt(words[2 * i + 1] as number) << 32n) | BigInt(words[2 * i] as number);
    const fraction = (i: number): number => Number(long(i) >> 11n) / 2 ** 53;
    const uniform = await at0().uniform([n]).data();
    const normal = await at0().normal([n]).data();
    const exponential = await at0().standardExponential([n]).data();
    for (let i = 0; i < n; i++) {
      expect(uniform[i]).toBe(fraction(i));
      const one = i - (i % 2);
      const radius = Math.sqrt(-2 * Math.log(fraction(one) + 2 ** -54));
      const angle = 2 * Math.PI * (Number(long(one + 1)) / 2 ** 64);
      const expected = radius * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
      expect(Math.abs((normal[i] as number) - expected)).toBeLessThan(2e-15 * (1 + radius));
      const time = -Math.log(fraction(i) + 2 ** -54);
      expect(Math.abs((exponential[i] as number) - time)).toBeLessThan(1e-15 * (1 + time));
    }
  });

  test("integers are the range times the words, rounded down", async () => {
    const n = 500;
    const words = wordsFrom("philox", key, 0n, 4 * n);
    const fraction = (first: number, count: number): bigint =>
      words.slice(first, first + count).reduceRight((sum, one) => (sum << 32n) | BigInt(one), 0n);
    for (const [low, high] of [
      [0n, 1n],
      [-5n, 7n],
      [-(2n ** 31n), 2n ** 31n],
      [-(2n ** 31n), 2n ** 31n + 1n],
      [-(2n ** 63n), 2n ** 63n],
      [1n, 2n ** 63n],
    ] as const) {
      const range = high - low;
      const [width, bits] = range > 2n ** 32n ? [4, 128n] : [2, 64n];
      const got = await at("philox", key, 0n, block.xp).integers([n], { low, high }).data();
      got.forEach((one, i) => expect(one).toBe(low + ((fraction(i * width, width) * range) >> bits)));
    }
    const all = await at("philox", key, 0n, block.xp)
      .integers([n], { high: 2n ** 64n, dtype: "uint64" })
      .data();
    expect(all[7]).toBe(fraction(4 * 7, 4) >> 64n);
  });

  test("permutations are the same on all devices, and complete", { tags: "ci" }, async () => {
    for (const length of [0, 1, 2, 7, 1024, 1025, 2500, 4097]) {
      const order = await at("philox", key, 0n, block.xp).permutation(length).data();
      const again = await at("philox", key, 0n).permutation(length).data();
      expect(order).toEqual(again);
      expect([...order].sort((a, b) => Number(a - b))).toEqual(Array.from({ length }, (_one, i) => BigInt(i)));
    }
  });

  test("poisson, binomial, gamma and choice numbers are the same on all devices", { tags: "full" }, async (run) => {
    needsDoubles(run);
    for (const draw of [
      (random: RandomGenerator) => random.poisson([600], { lam: 3 }),
      (random: RandomGenerator) => random.poisson([600], { lam: 300 }),
      (random: RandomGenerator) => random.binomial([600], { n: 20, p: 0.7 }),
      (random: RandomGenerator) => random.binomial([600], { n: 2000, p: 0.3 }),
      (random: RandomGenerator) => random.gamma([600], { shape: 0.5 }),
      (random: RandomGenerator) => random.gamma([603], { shape: 2, scale: 3 }),
      (random: RandomGenerator) => random.poisson([603], { lam: 11 }),
      (random: RandomGenerator) => random.choice(4, [600], { p: [0.1, 0.2, 0, 0.7] }),
    ]) {
      expect(await draw(at("philox", key, 5n, block.xp)).data()).toEqual(await draw(at("philox", key, 5n)).data());
    }
  });
});

test("the numbers of a seed never change", async () => {
  expect(await wordsOf(xp.random(42), 4)).toEqual([2716240028, 1207054134, 3818348400, 410776130]);
  expect(await wordsOf(xp.random(42, { generator: "threefry" }), 4)).toEqual([
    551120551, 91700527, 418277953, 3438806394,
  ]);
  expect((await xp.random(7).permutation(8).data()).join()).toBe("7,5,1,6,2,0,3,4");
  expect((await xp.random(7).permutation(2000).data()).slice(0, 5).join()).toBe("290,1513,618,1686,1352");
});

describe("a seed", () => {
  test("gives the same numbers each time; omitting it gives different ones", async () => {
    expect(await wordsOf(xp.random(5), 8)).toEqual(await wordsOf(xp.random(5n), 8));
    expect(await wordsOf(xp.random(), 8)).not.toEqual(await wordsOf(xp.random(), 8));
  });

  test("of another length is another seed", async () => {
    const seeds = [0, 1, 2 ** 32, 2n ** 64n, 2n ** 200n, [], [0], [1], [0, 0], [2 ** 32], [0, 1], [1, 0], [2n ** 64n]];
    const states = seeds.flatMap((seed) => generators.map((generator) => xp.random(seed, { generator }).state));
    expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(2 * seeds.length);
  });

  test.each<[call: () => unknown, error: Error]>([
    [() => xp.random(-1), outOfRange("seed")],
    [() => xp.random(1.5), outOfRange("seed")],
    [() => xp.random([1, "2"] as never), wrongType("seed[1]")],
    [() => xp.random(1, { generator: "mt19937" as never }), outOfRange("options.generator")],
    [() => xp.random({ generator: "philox", key: [1], position: "0" }), outOfRange("seed.key")],
    [() => at("philox", [1, 2], "x" as never), wrongType("seed.position")],
    [() => at("philox", [1, 2], 2n ** 130n), wrongValue("seed.position")],
  ])("that is invalid is rejected: %s", (call, error) => {
    expect(call).toThrow(error);
  });
});

describe("a stream", () => {
  test("can be advanced, moved back and jumped far ahead", async () => {
    const random = xp.random(3);
    const first = await wordsOf(random.clone(), 20);
    expect(await wordsOf(random.clone().advance(5), 8)).toEqual(first.slice(5, 13));
    expect(await wordsOf(random.clone().advance(50).advance(-50n), 20)).toEqual(first);
    const start = BigInt(random.state.position);
    expect(random.jump(3).state.position).toBe(String(BigInt.asUintN(130, start + 3n * 2n ** 66n)));
  });

  test("can be saved as JSON and resumed", async () => {
    const random = xp.random(3, { generator: "threefry" });
    random.normal([7], { dtype: "float32" });
    random.split();
    const saved = JSON.stringify(random);
    const next = await wordsOf(random, 9);
    const again = xp.random(JSON.parse(saved) as never);
    expect(await wordsOf(again, 9)).toEqual(next);
    expect(again.state).toEqual(random.state);
    random.state = JSON.parse(saved) as never;
    expect(await wordsOf(random, 9)).toEqual(next);
  });

  test("splits into streams with distinct numbers", async () => {
    const random = xp.random(9);
    const children = [...random.split(3), ...random.split(2), ...(random.split(1)[0] as RandomGenerator).split(2)];
    const states = children.slice(0, 5).map(({ state }) => state);
    const all = await Promise.all([random, ...children].map((one) => wordsOf(one, 4)));
    expect(new Set(all.flat()).size).toBe(4 * 8);
    const same = xp.random(9).split(5);
    expect(same.map(({ state }) => state)).toEqual(states);
    expect(random.split(0)).toEqual([]);
  });
});

describe("output", () => {
  const draw = (out?: DeviceArray<"float32">): DeviceArray<"float32"> =>
    xp.random(1).normal([6, 10], { dtype: "float32", ...(out === undefined ? {} : { out }) });

  test("goes into existing arrays of any layout", { tags: "ci" }, async () => {
    const expected = await draw().toNested();
    const whole = xp.zeros([20, 13], { dtype: "float32" });
    for (const view of [
      whole.slice([2, 8], [1, 11]),
      whole.slice("5::-1", "9::-1"),
      whole.slice([0, 10], [0, 6]).T,
      whole.ravel().slice([7, 67]).reshape([6, 10]),
      xp.zeros([6, 10], { dtype: "float32", order: "F" }),
    ]) {
      whole.assign(0);
      expect(draw(view)).toBe(view);
      expect(await view.toNested()).toEqual(expected);
    }
    whole.assign(0);
    draw(whole.ravel().slice([7, 67]).reshape([6, 10]));
    expect(await whole.countNonzero().item()).toBe(60n);
  });

  test("may be float16, complex and vectors", { tags: "ci" }, async () => {
    const half = await xp.random(1).uniform([2000], { low: 1, high: 2, dtype: "float16" }).astype("float32").data();
    half.forEach((x) => expect(x >= 1 && x < 2 && Number.isInteger(x * 1024)).toBe(true));
    const flat = await xp.random(1).normal([12], { scale: Math.SQRT1_2, dtype: "float32" }).data();
    const complex = xp.random(1).normal([6], { dtype: "complex64" });
    expect(await complex.data()).toEqual(flat);
    const moved = await xp.random(1).normal([6], { loc: 1, dtype: "complex64" }).data();
    moved.forEach((x, i) => expect(x).toBe(Math.fround((flat[i] as number) + (i % 2 === 0 ? 1 : 0))));
    const vectors = xp.random(1).normal([2, 2], { dtype: "float3", scale: Math.SQRT1_2 });
    expect(await vectors.components.ravel().data()).toEqual(flat);
    const records = xp.records("int2", [3]);
    expect(xp.random(1).integers([3], { high: 5, dtype: "int2", out: records })).toBe(records);
    expect(await records.components.ravel().data()).toEqual(
      await xp.random(1).integers([6], { high: 5, dtype: "int32" }).data(),
    );
    expect(await xp.random(1).integers([100], { high: 2, dtype: "bool" }).any().item()).toBe(true);
  });

  test("never reaches the end of the interval", { tags: "ci" }, async () => {
    const top = xp.random(2).uniform([100_000], { low: 0, high: 3e-45, dtype: "float32" });
    expect(await top.max().item()).toBeLessThan(3e-45);
    const near = xp.random(2).uniform([100_000], { low: 1, high: 1 + 2 ** -22, dtype: "float32" });
    expect(await near.max().item()).toBe(1 + 2 ** -22 - 2 ** -23);
    expect(await xp.random(2).uniform([3], { low: 2, high: 2, dtype: "float32" }).data()).toEqual(
      Float32Array.of(2, 2, 2),
    );
    const below = xp.random(2).uniform([100_000], { low: -1, high: -1 + 2 ** -22, dtype: "float32" });
    expect(await below.max().item()).toBe(-1 + 2 ** -22 - 2 ** -24);
  });

  test("is not written and the stream does not advance if an argument is invalid", () => {
    const random = xp.random(1);
    const before = random.state;
    const out = xp.zeros([3], { dtype: "float32" });
    for (const [call, sentence] of [
      [() => random.uniform([4], { out }), outOfRange("options.out")],
      [() => random.uniform([3], { out, dtype: "float64" as never }), wrongType("options.out")],
      [() => random.uniform([3], { dtype: "int32" as never }), wrongType()],
      [() => random.uniform([3], { low: 2, high: 1 }), outOfRange("options.high")],
      [() => random.uniform([3], { low: -3e38, high: 3e38, dtype: "float32" }), outOfRange()],
      [() => random.uniform([3], { low: NaN }), outOfRange("options.low")],
      [() => random.normal([3], { scale: -1 }), outOfRange("options.scale")],
      [() => random.integers([3], { high: 0 }), outOfRange()],
      [() => random.integers([3], { high: 300, dtype: "uint8" }), outOfRange()],
      [() => random.integers([3], { low: -1, high: 3, dtype: "uint8" }), outOfRange()],
      [() => random.integers([3], {} as never), wrongType("options.high")],
      [() => random.poisson([3], { lam: -1 }), outOfRange("options.lam")],
      [() => random.poisson([3], { lam: 200, dtype: "uint8" }), outOfRange()],
      [() => random.poisson([3], { lam: xp.zeros([2]) }), outOfRange()],
      [() => random.binomial([3], { n: 5, p: 2 }), outOfRange("options.p")],
      [() => random.choice(0, [3]), outOfRange()],
      [() => random.choice(3, [4], { replace: false }), outOfRange()],
      [() => random.choice(3, [2], { p: [0.5, 0.5] }), outOfRange("options.p")],
      [() => random.choice(2, [2], { p: [0.5, 0.6] }), outOfRange()],
      [() => random.choice(2, [2], { p: [1, 0], replace: false }), outOfRange("options.p")],
      [() => random.permutation(xp.array(1)), outOfRange()],
      [() => random.shuffle(out.slice(":1").broadcastTo([4])), wrongState()],
      [() => random.bytes(-1), outOfRange("length")],
      [() => random.split(-1), outOfRange("count")],
      [() => random.advance(0.5), outOfRange("words")],
      [() => random.normal([3], { out: arrays(new CommandQueue(Context.create())).zeros([3]) }), wrongValue()],
    ] as const) {
      expect(call).toThrow(sentence);
      expect(random.state).toEqual(before);
    }
  });
});

describe("choices", () => {
  test("are slices of an array along an axis", { tags: "ci" }, async () => {
    const a = xp.arange(12, { dtype: "float32" }).reshape([3, 4]);
    const rows = xp.random(1).choice(a, [50]);
    expect(rows.shape).toEqual([50, 4]);
    const nested = (await rows.toNested()) as number[][];
    for (const [first = 0, ...rest] of nested) {
      expect([first % 4, ...rest]).toEqual([0, first + 1, first + 2, first + 3]);
    }
    expect(new Set(nested.map(([first]) => first)).size).toBe(3);
    expect(xp.random(1).choice(a, [2, 5], { axis: 1 }).shape).toEqual([3, 2, 5]);
    expect(await xp.random(1).choice(5).item()).toBeTypeOf("bigint");
  });

  test("without replacement are distinct, with and without weights", { tags: "ci" }, async () => {
    for (const options of [{ replace: false }, { replace: false, p: Array.from({ length: 50 }, () => 1 / 50) }]) {
      const chosen = await xp.random(1).choice(50, [5, 10], options).data();
      expect(new Set(chosen).size).toBe(50);
    }
    const p = Array.from({ length: 2000 }, (_, i) => (i % 2) / 1000);
    const odd = await xp.random(1).choice(2000, [1000], { replace: false, p }).data();
    expect(new Set(odd).size).toBe(1000);
    expect(odd.every((one) => one % 2n === 1n)).toBe(true);
    expect(new Set(await xp.random(1).choice(5000, [300], { replace: false }).data()).size).toBe(300);
  });

  test("shuffle slices in place or into new memory", async () => {
    const rows = xp.arange(40, { dtype: "int32" }).reshape([10, 4]);
    const mixed = xp.random(1).permutation(rows);
    expect(await mixed.slice(":", 1).sub(mixed.slice(":", 0)).data()).toEqual(new Int32Array(10).fill(1));
    expect((await mixed.slice(":", 0).data()).toSorted()).toEqual((await rows.slice(":", 0).data()).toSorted());
    expect(await rows.slice(3, 1).item()).toBe(13);
    expect(xp.random(1).shuffle(rows)).toBe(rows);
    expect(await rows.data()).toEqual(await mixed.data());
    const columns = xp.arange(40, { dtype: "int32" }).reshape([10, 4]);
    xp.random(1).shuffle(columns.T.slice("::-1"), { axis: 1 });
    expect((await columns.slice(":", 2).data()).toSorted((a, b) => a - b)).toEqual(
      Int32Array.from({ length: 10 }, (_, i) => 4 * i + 2),
    );
  });
});

test("invalid parameters in arrays give NaN, 0 or clamped numbers", async (run) => {
  needsDoubles(run);
  const random = xp.random(1);
  const odd = xp.array([NaN, -1, 0, 1e300, Infinity]);
  expect(await random.poisson([5], { lam: odd, dtype: "int8" }).toNested()).toEqual([0, 0, 0, 127, 127]);
  expect(await random.gamma([3], { shape: xp.array([NaN, -1, 0]) }).toNested()).toEqual([NaN, NaN, 0]);
});

test("invalid parameters of other dtypes and options give NaN or limits", { tags: "ci" }, async (run) => {
  needsDoubles(run);
  const random = xp.random(1);
  const odd = xp.array([NaN, -1, 0, Infinity]);
  const largest = 2n ** 63n - 1n;
  expect(await random.poisson([4], { lam: odd }).toNested()).toEqual([0n, 0n, 0n, largest]);
  expect(await random.poisson([4], { lam: odd, dtype: "float64" }).toNested()).toEqual([NaN, NaN, 0, Infinity]);
  const chances = xp.array([NaN, -1, 0, 1, 1.5]);
  expect(await random.binomial([5], { n: 9, p: chances, dtype: "float32" }).toNested()).toEqual([NaN, NaN, 0, 9, NaN]);
  const trials = xp.array([NaN, -1, 0, 0.5, Infinity]);
  expect(await random.binomial([5], { n: trials, p: 0.5, dtype: "float32" }).toNested()).toEqual([NaN, NaN, 0, 0, NaN]);
  expect(await random.gamma([3], { shape: 2, scale: xp.array([NaN, -1, 0]) }).toNested()).toEqual([NaN, NaN, 0]);
});

test("a seed gives the same numbers on another queue of the same arrays", async () => {
  const other = xp.withQueue(new CommandQueue(context, { outOfOrder: true }));
  expect(await other.random(1).standardNormal([100], { dtype: "float32" }).data()).toEqual(
    await xp.random(1).normal([100], { dtype: "float32" }).data(),
  );
});
