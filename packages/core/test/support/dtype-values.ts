/** Values at the limits of each scalar type, and values outside its range. */
import type { DType, DTypeValue } from "@cl/core";

/** Valid values of a type, each with the value read back, and invalid values with their error classes. */
export interface Samples {
  readonly right: readonly (readonly [given: DTypeValue, back: DTypeValue])[];
  readonly wrong: readonly (readonly [value: unknown, error: typeof TypeError | typeof RangeError])[];
}

const notNumbers = [1n, "1", true, null, undefined, {}, [1]].map((value) => [value, TypeError] as const);
const notIntegers = [0.5, NaN, Infinity].map((value) => [value, RangeError] as const);

function integers(min: number, max: number): Samples {
  return {
    right: [min, min + 1, 0, 1, max - 1, max].map((value) => [value, value]),
    wrong: [...[min - 1, max + 1, 2 ** 60].map((value) => [value, RangeError] as const), ...notIntegers, ...notNumbers],
  };
}

function bigIntegers(min: bigint, max: bigint): Samples {
  return {
    right: [
      ...[min, min + 1n, 0n, 2n ** 53n + 1n, max - 1n, max].map((value) => [value, value] as const),
      ...[0, 1, 2 ** 32, Number.MAX_SAFE_INTEGER].map((value) => [value, BigInt(value)] as const),
    ],
    wrong: [
      ...[min - 1n, max + 1n, 2n ** 70n, 0.5, NaN, 2 ** 53].map((value) => [value, RangeError] as const),
      ...["1", true, null, undefined, {}].map((value) => [value, TypeError] as const),
    ],
  };
}

/** `round` rounds to the nearest number of the type, `most` is its largest, `least` its smallest subnormal. */
function floats(round: (value: number) => number, most: number, least: number): Samples {
  const values = [0, -0, 1, -1, 1 / 3, most, -most, least, -least, 3 * least, least / 4, Infinity, -Infinity, NaN];
  return {
    right: values.map((value) => [value, round(value)]),
    wrong: [
      ...[most * 2, -most * 2].filter(Number.isFinite).map((value) => [value, RangeError] as const),
      ...notNumbers,
    ],
  };
}

/** Rounds to a float16. Exact enough for the samples, none of which needs ties-to-even. */
function nearestHalf(value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(value))), -14);
  const unit = 2 ** (exponent - 10);
  return Math.abs(value) < unit / 2 ? (value < 0 ? -0 : 0) : Math.round(value / unit) * unit;
}

const scalars: Readonly<Record<string, Samples>> = {
  int8: integers(-(2 ** 7), 2 ** 7 - 1),
  uint8: integers(0, 2 ** 8 - 1),
  int16: integers(-(2 ** 15), 2 ** 15 - 1),
  uint16: integers(0, 2 ** 16 - 1),
  int32: integers(-(2 ** 31), 2 ** 31 - 1),
  uint32: integers(0, 2 ** 32 - 1),
  int64: bigIntegers(-(2n ** 63n), 2n ** 63n - 1n),
  uint64: bigIntegers(0n, 2n ** 64n - 1n),
  float16: floats(nearestHalf, 65504, 2 ** -24),
  float32: floats(Math.fround, 3.4028234663852886e38, 2 ** -149),
  float64: floats((value) => value, Number.MAX_VALUE, Number.MIN_VALUE),
  bool: {
    right: [
      [true, true],
      [false, false],
    ],
    wrong: [0, 1, "true", null, undefined, {}].map((value) => [value, TypeError] as const),
  },
};

/** Returns the samples of any type except structs. */
export function samplesOf(type: DType): Samples {
  const base = scalars[type.base.name] as Samples;
  if (type.kind === "complex") return complexSamples(base);
  if (type.kind !== "vector") return base;
  const rotated = base.right.map((_, i) => Array.from({ length: type.width }, (__, k) => at(base, i + k)));
  const [right] = rotated[0] as (readonly [DTypeValue, DTypeValue])[];
  const filled = (value: unknown): unknown[] =>
    Array.from({ length: type.width }, (_, k) => (k === 1 ? value : right?.[0]));
  return {
    right: rotated.map((pairs) => [pairs.map(([given]) => given), pairs.map(([, back]) => back)]),
    wrong: [
      ...base.wrong.map(([value, error]) => [filled(value), error] as const),
      [Array.from({ length: type.width + 1 }, () => right?.[0]), TypeError],
      [[], TypeError],
      [right?.[0], TypeError],
      [null, TypeError],
    ],
  };
}

function complexSamples(base: Samples): Samples {
  const pairs = base.right.map((one, i) => [one, at(base, i + 1)] as const);
  return {
    right: [
      ...pairs.map(
        ([re, im]) =>
          [
            { re: re[0] as number, im: im[0] as number },
            { re: re[1] as number, im: im[1] as number },
          ] as const,
      ),
      [2, { re: 2, im: 0 }],
    ],
    wrong: [
      ...base.wrong.map(([value, error]) => [{ re: 1, im: value }, error] as const),
      [{ re: 1 }, TypeError],
      [[1, 2], TypeError],
      ["1+2i", TypeError],
      [null, TypeError],
    ],
  };
}

function at({ right }: Samples, i: number): readonly [DTypeValue, DTypeValue] {
  return right[i % right.length] as readonly [DTypeValue, DTypeValue];
}
