/** Convolutions and correlations compared with NumPy: dtypes, modes, lengths above and below the FFT threshold. */
import type { AnyArray, DTypeName } from "@cl/array";
import { expect, test } from "vitest";

import { hasDoubles, xp } from "./support/device.js";
import { sample, testSeed, testsEveryCase } from "@cl/testing/level";
import { outOfRange } from "@cl/testing/error-like";
import {
  counted,
  countedText,
  Draw,
  type EvalCase,
  evalDifferences,
  needsNumPy,
  noise,
  noiseText,
  pairsOf,
} from "./support/numpy-eval.js";

const modes = ["full", "same", "valid"] as const;
const doubles = hasDoubles ? (["float64", "complex128"] as const) : [];

/** NumPy's double-precision result, cast to our dtype. */
function lineCase(name: "convolve" | "correlate", n: number, m: number, dtype: DTypeName, mode: string): EvalCase {
  const wide = dtype.startsWith("complex") ? "complex128" : "float64";
  const [a, v] = [noiseText([n], dtype), noiseText([m], dtype)].map((text) => `${text}.astype("${wide}")`);
  return {
    ours: (): AnyArray =>
      xp[name](noise<DTypeName>([n], dtype), noise<DTypeName>([m], dtype), { mode: mode as "full" }),
    theirs: `np.${name}(${a}, ${v}, "${mode}").astype("${dtype}")`,
  };
}

test("matches NumPy for short and long inputs in every mode", { timeout: 300_000, tags: "ci" }, async (run) => {
  needsNumPy(run);
  const lengths =
    "1 1, 5 1, 1 5, 7 3, 3 8, 4 8, 64 64, 200 63, 63 200, 3000 129, 4099 511, 511 4098, 2000 512, 1025 1000, 700 3000"
      .split(", ")
      .map((pair) => pair.split(" ").map(Number) as [number, number]);
  for (const [dtype, close] of sample(
    [["float32", 2e-6], ["complex64", 2e-6], ...doubles.map((one) => [one, 1e-14] as const)] as const,
    2,
  )) {
    const cases = sample(lengths, 3).flatMap(([n, m]) =>
      (["convolve", "correlate"] as const).flatMap((name) => modes.map((mode) => lineCase(name, n, m, dtype, mode))),
    );
    expect(await evalDifferences(cases, close, "largest"), dtype).toEqual([]);
  }
});

test("matches NumPy for integers and booleans", { tags: "ci" }, async (run) => {
  needsNumPy(run);
  const more = testsEveryCase ? ", int8 int16, int64 uint32, bool int16" : "";
  const pairs = pairsOf(`int32 int32, uint8 uint8, bool bool${more}`);
  const cases = pairs.flatMap(([one, other]) =>
    (["convolve", "correlate"] as const).map((name) => ({
      ours: (): AnyArray => xp[name](counted<DTypeName>([700], one), counted<DTypeName>([601], other)),
      theirs: `np.${name}(${countedText([700], one)}, ${countedText([601], other)})`,
    })),
  );
  expect(await evalDifferences(cases)).toEqual([]);
});

test("matches NumPy for strided views", async (run) => {
  needsNumPy(run);
  const text = noiseText([300], "float32");
  const [a, wide] = [noise([300], "float32"), `${text}.astype("float64")`];
  const cases: EvalCase[] = [
    {
      ours: () => xp.convolve(a.slice("::-2"), a.slice([3, 20])),
      theirs: `np.convolve(${wide}[::-2], ${wide}[3:20]).astype("float32")`,
    },
    {
      ours: () => xp.correlate(a.slice("7:"), a.slice("1:90:3"), { mode: "same" }),
      theirs: `np.correlate(${wide}[7:], ${wide}[1:90:3], "same").astype("float32")`,
    },
  ];
  expect(await evalDifferences(cases, 2e-6, "largest")).toEqual([]);
});

test("matches NumPy along axes", { timeout: 300_000, tags: "ci" }, async (run) => {
  needsNumPy(run);
  const draw = new Draw(testSeed(11));
  const cases = Array.from({ length: testsEveryCase ? 200 : 20 }, (): EvalCase => {
    const ndim = draw.integer(1, 3);
    const axes = Array.from({ length: ndim }, (_, k) => k).filter((k) => k === 0 || draw.integer(0, 2) > 0);
    const mode = draw.of(modes);
    const one = Array.from({ length: ndim }, () => draw.integer(4, 14));
    const other = one.map((n, axis) =>
      axes.includes(axis) ? draw.integer(1, mode === "same" ? 20 : 4) : draw.of([1, n]),
    );
    const dtype = draw.of(["float32", "complex64"] as const);
    // The sums along an axis, written out: element i of the second array has its own position.
    const [n, m] = [one, other].map((shape) => `[${shape.join()}]`);
    return {
      ours: () => xp.fft.fftconvolve(noise<DTypeName>(one, dtype), noise<DTypeName>(other, dtype), { mode, axes }),
      theirs: `conv(${noiseText(one, dtype)}, ${noiseText(other, dtype)}, "${mode}", [${axes.join()}]).astype("${dtype}") if ${n} and ${m} else 0`,
    };
  });
  expect(await evalDifferences(cases, 2e-6, "largest")).toEqual([]);
});

test("rejects operands whose shapes do not fit", () => {
  const a = noise([5], "float32");
  expect(() => xp.convolve(a.reshape([5, 1]), a)).toThrow(outOfRange());
  expect(() => xp.correlate(a, a.slice([0, 0]))).toThrow(outOfRange("v"));
  expect(() => xp.convolve(a, a, { mode: "half" as never })).toThrow(outOfRange("options.mode"));
  const b = noise([3, 4], "float32");
  expect(() => xp.fft.fftconvolve(b, a)).toThrow(outOfRange());
  expect(() => xp.fft.fftconvolve(b, noise([3, 2], "float32"), { axes: 0 })).toThrow(outOfRange());
  expect(() => xp.fft.fftconvolve(b, noise([4, 2], "float32"), { mode: "valid" })).toThrow(outOfRange("options.mode"));
  expect(() => xp.fft.fftconvolve(b, b, { axes: [] })).toThrow(outOfRange("options.axes"));
});
