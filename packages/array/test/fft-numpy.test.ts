/** Fourier transforms compared with NumPy: lengths around all limits, axes, views, norms, and random options. */
import type { AnyArray, DeviceArray, DTypeName, FourierNorm } from "@cl/array";
import { expect, test } from "vitest";

import { hasDoubles, xp } from "./support/device.js";
import { sample, testSeed, testsEveryCase } from "@cl/testing/level";
import {
  casesOf,
  counted,
  countedText,
  Draw,
  type EvalCase,
  evalDifferences,
  needsNumPy,
  noise,
  noiseText,
} from "./support/numpy-eval.js";

type Precision = "single" | "double";

const precisions: readonly Precision[] = sample(hasDoubles ? ["single", "double"] : ["single"], 1);
const types = {
  single: { complex: "complex64", real: "float32", close: 2e-6 },
  double: { complex: "complex128", real: "float64", close: 1e-14 },
} as const;
const norms: readonly FourierNorm[] = ["backward", "ortho", "forward"];

const edges = [77, 127, 128, 129, 143, 255, 256, 257, 509, 512, 1000, 1021, 1024, 2187, 4095, 4096, 4097, 5000, 16_384];
/** All short lengths (in a full run) and those around vector, tile and pass limits; large primes, and products of small ones. */
const lengths: readonly number[] = [
  ...sample(
    Array.from({ length: 64 }, (_, k) => k + 1),
    4,
  ),
  ...sample(edges, 4),
  ...(testsEveryCase ? [2401, 2744, 6561, 8191, 8192, 28_561, 65_536, 65_537, 100_000, 2 ** 20, 1_000_003] : []),
];

const differences = (cases: readonly EvalCase[], precision: Precision): Promise<readonly string[]> =>
  evalDifferences(cases, types[precision].close, "largest");

/** NumPy's double-precision result, cast to our dtype. */
const theirs = (name: string, of: string, dtype: DTypeName, options = ""): string =>
  `np.fft.${name}((${of}).astype("${of.includes("complex") ? "complex128" : "float64"}")${options}).astype("${dtype}")`;

test("matches NumPy for all lengths, one line and several", { timeout: 900_000, tags: "ci" }, async (run) => {
  needsNumPy(run);
  for (const precision of precisions) {
    const { complex } = types[precision];
    const cases = lengths.flatMap((n): EvalCase[] => {
      const shapes = n > 5000 ? [[n]] : [[n], [3, n], [testsEveryCase ? 33 : 17, n]];
      return shapes.flatMap((shape) =>
        (["fft", "ifft"] as const).map((name) => ({
          ours: (): AnyArray => xp.fft[name](noise(shape, complex)),
          theirs: theirs(name, noiseText(shape, complex), complex),
        })),
      );
    });
    expect(await differences(cases, precision)).toEqual([]);
  }
});

test("matches NumPy along axes other than the last", { timeout: 300_000, tags: "full" }, async (run) => {
  needsNumPy(run);
  const shapes =
    "8 16; 0 | 5 17; 0 | 60 40; 0 | 7 3; 0 | 3 1021 2; 1 | 3 13 20; -2 | 2 4 6 5; 1 | 5000 17; 0 | 1021 18; 0"
      .split(" | ")
      .map((text) => text.split("; ").map((numbers) => numbers.split(" ").map(Number)) as [number[], [number]]);
  for (const precision of precisions) {
    const { complex } = types[precision];
    const cases = shapes.flatMap(([shape, [axis]]) =>
      (["fft", "ifft"] as const).map((name) => ({
        ours: (): AnyArray => xp.fft[name](noise(shape, complex), { axis }),
        theirs: theirs(name, noiseText(shape, complex), complex, `, axis=${axis}`),
      })),
    );
    expect(await differences(cases, precision)).toEqual([]);
  }
});

test("rfft and irfft match NumPy for even and odd lengths", { timeout: 300_000, tags: "ci" }, async (run) => {
  needsNumPy(run);
  const short = Array.from({ length: 20 }, (_, k) => k + 1);
  const some = sample([...short, 64, 127, 128, 129, 254, 1000, 1001, 2042, 4096, 4099, 8192, 16_384], 5);
  for (const precision of precisions) {
    const { complex, real } = types[precision];
    const cases = some.flatMap((n): EvalCase[] => {
      const shape = [n % 3 === 0 ? 17 : 2, n];
      const spectrum = [2, Math.floor(n / 2) + 1];
      return [
        { ours: () => xp.fft.rfft(noise(shape, real)), theirs: theirs("rfft", noiseText(shape, real), complex) },
        { ours: () => xp.fft.ihfft(noise(shape, real)), theirs: theirs("ihfft", noiseText(shape, real), complex) },
        {
          ours: () => xp.fft.irfft(noise(spectrum, complex), { n }),
          theirs: theirs("irfft", noiseText(spectrum, complex), real, `, n=${n}`),
        },
        {
          ours: () => xp.fft.hfft(noise(spectrum, complex), { n }),
          theirs: theirs("hfft", noiseText(spectrum, complex), real, `, n=${n}`),
        },
      ];
    });
    expect(await differences(cases, precision)).toEqual([]);
  }
});

test("keeps single precision and converts all other dtypes to double", { tags: "full" }, async (run) => {
  needsNumPy(run);
  const single = ["float16", "float32", "complex64"] as const;
  const double = testsEveryCase
    ? (["bool", "int8", "uint16", "int64", "float64", "complex128"] as const)
    : (["int64", "float64"] as const);
  for (const [precision, dtypes] of [
    ["single", single],
    ["double", hasDoubles ? double : []],
  ] as const) {
    const { complex, real } = types[precision];
    const cases = dtypes.flatMap((dtype): EvalCase[] => {
      // Small numbers that every dtype represents exactly.
      const make = (): DeviceArray => counted([3, 12], dtype);
      const text = countedText([3, 12], dtype);
      const isReal = !dtype.startsWith("complex");
      return [
        { ours: () => xp.fft.fft(make()), theirs: theirs("fft", text, complex) },
        { ours: () => xp.fft.irfft(make()), theirs: theirs("irfft", text, real) },
        ...(isReal ? [{ ours: () => xp.fft.rfft(make()), theirs: theirs("rfft", text, complex) }] : []),
      ];
    });
    expect(await differences(cases, precision)).toEqual([]);
  }
});

/** One of our arrays and NumPy's expression for it, as a random view. */
function drawn(draw: Draw, ndim: number, dtype: DTypeName): { array: DeviceArray; text: string } {
  const shape = Array.from({ length: ndim }, () => draw.integer(2, draw.of([3, 7, 20])));
  const [array, text] = [noise<DTypeName>(shape, dtype), noiseText(shape, dtype)];
  const kind = draw.integer(0, 4);
  if (kind === 0) return { array: array.T, text: `${text}.T` };
  if (kind === 1) return { array: array.slice("::-1"), text: `${text}[::-1]` };
  if (kind === 2) return { array: array.slice("1:"), text: `${text}[1:]` };
  if (kind === 3) return { array: array.slice("...", "1::2"), text: `${text}[..., 1::2]` };
  return { array, text };
}

function call(draw: Draw, precision: Precision): EvalCase {
  const { complex, real } = types[precision];
  const norm = draw.of(norms);
  const name = draw.of([
    ...(["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"] as const),
    ...(["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"] as const),
  ]);
  const dtype = /^(?:rfft|ihfft)/u.test(name) ? real : complex;
  const type = /^(?:irfft|hfft)/u.test(name) ? real : complex;
  const ndim = draw.integer(name.endsWith("2") ? 2 : 1, 3);
  const { array, text } = drawn(draw, ndim, dtype);
  if (name.endsWith("fft")) {
    const one = name as "fft";
    const axis = draw.integer(-ndim, ndim - 1);
    const n = draw.integer(0, 1) === 0 ? undefined : draw.integer(1, 24);
    const options = n === undefined ? { axis, norm } : { axis, norm, n };
    return {
      ours: () => xp.fft[one](array, options),
      theirs: theirs(name, text, type, `, axis=${axis}, norm="${norm}"${n === undefined ? "" : `, n=${n}`}`),
    };
  }
  const several = name as "fftn";
  const count = name.endsWith("2") ? 2 : draw.integer(1, ndim);
  const all = Array.from({ length: ndim }, (_, k) => (draw.integer(0, 1) === 0 ? k : k - ndim));
  const axes = all.toSorted(() => draw.integer(-1, 1)).slice(0, count);
  const s = draw.integer(0, 1) === 0 ? undefined : axes.map(() => draw.integer(1, 24));
  return {
    ours: () => xp.fft[several](array, s === undefined ? { axes, norm } : { axes, norm, s }),
    theirs: theirs(
      name,
      text,
      type,
      `, axes=[${axes.join()}], norm="${norm}"${s === undefined ? "" : `, s=[${s.join()}]`}`,
    ),
  };
}

test("all functions match NumPy for random views and options", { timeout: 600_000, tags: "ci" }, async (run) => {
  needsNumPy(run);
  const draw = new Draw(testSeed(7));
  for (const precision of precisions) {
    const cases = Array.from({ length: testsEveryCase ? 600 : 24 }, () => call(draw, precision));
    expect(await evalDifferences(cases, types[precision].close * 2, "largest")).toEqual([]);
  }
});

test("the functions match NumPy for a short line", async (run) => {
  needsNumPy(run);
  const { complex, real } = types.single;
  const cases = (["fft", "rfft", "irfft"] as const).map((name): EvalCase => {
    const [input, output] = [name === "rfft" ? real : complex, name === "irfft" ? real : complex];
    return {
      ours: () => (xp.fft[name] as typeof xp.fft.fft)(noise<DTypeName>([2, 12], input)),
      theirs: theirs(name, noiseText([2, 12], input), output),
    };
  });
  expect(await differences(cases, "single")).toEqual([]);
});

test("fftfreq, fftshift and their variants match NumPy", { tags: "ci" }, async (run) => {
  needsNumPy(run);
  const cases = [1, 2, 3, 8, 9, 1000].flatMap((n) => {
    const shape = [n, 3];
    const operands = { n, floats: noiseText(shape, "float32"), words: noiseText(shape, "int16") };
    return casesOf(operands, [
      ['np.fft.fftfreq(n, 0.25).astype("float32")', () => xp.fft.fftfreq(n, { d: 0.25, dtype: "float32" })],
      ['np.fft.rfftfreq(n, 3).astype("float32")', () => xp.fft.rfftfreq(n, { d: 3, dtype: "float32" })],
      ["np.fft.fftshift(floats)", () => xp.fft.fftshift(noise(shape, "float32"))],
      ["np.fft.ifftshift(floats)", () => xp.fft.ifftshift(noise(shape, "float32"))],
      ["np.fft.fftshift(words, axes=0)", () => xp.fft.fftshift(noise(shape, "int16"), { axes: 0 })],
      ["np.fft.ifftshift(words, axes=0)", () => xp.fft.ifftshift(noise(shape, "int16"), { axes: 0 })],
    ]);
  });
  expect(await evalDifferences(cases, 2e-7)).toEqual([]);
});
