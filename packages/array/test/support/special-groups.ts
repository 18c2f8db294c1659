/** The special functions, in groups of the same inputs. */
import type { DeviceArray } from "@cl/array";

import { xp } from "./device.js";
import type { SpecialCase, SpecialGroup } from "./special-cases.js";

const count = 1500;
const { special } = xp;

const logUniform = (next: () => number, low: number, high: number): number => low * (high / low) ** next();
const repeated = (one: () => number): number[] => Array.from({ length: count }, one);
const edges = [0, 1, 2, 3, 8, 10, 0.5, 25, 1e-30, 1e30, Infinity, NaN];
const withNegatives = (list: readonly number[]): number[] => [...list, ...list.map((x) => -x)];
/** Numbers of both signs, near 0 and large. */
const everywhere = (next: () => number): number[] => [
  ...withNegatives(edges),
  ...repeated(() => (next() - 0.5) * 60),
  ...repeated(() => logUniform(next, 1e-12, 1e6) * (next() < 0.5 ? -1 : 1)),
];
const probabilities = (next: () => number): number[] => [
  0,
  1,
  0.5,
  2,
  -1,
  NaN,
  ...repeated(next),
  ...repeated(() => logUniform(next, 1e-37, 1)),
];

type Rest = Partial<SpecialCase>;

/** One of our functions of the named operands, and SciPy's expression. */
function fn(name: string, operands: string, theirs: string, rest: Rest = {}): SpecialCase {
  const call = (special as unknown as Readonly<Record<string, SpecialCase["ours"]>>)[name] as SpecialCase["ours"];
  const places = operands.split("").map((letter) => "xyzvw".indexOf(letter));
  return { name, ours: (...given) => call(...places.map((k) => given[k] as DeviceArray)), theirs, ...rest };
}
/** A function of x; SciPy's has the same name by default. */
const of = (name: string, theirs = `sp.${name}(x)`, rest: Rest = {}): SpecialCase => fn(name, "x", theirs, rest);

/** Amplitude of the oscillations; SciPy's angles are only accurate to their last digits. */
const amplitude = { scale: "np.minimum(1, 0.8 / np.sqrt(np.abs(x))) * (1 + 4e-4 * np.abs(x))" };

const orderAmplitude = { scale: "np.where(y > np.abs(x), np.minimum(1, 0.8 / np.sqrt(y)), 0)" };
const complexAmplitude = "np.where(np.abs(x) > 1, 0.5 / np.sqrt(np.abs(x)) * np.exp(np.abs(x.imag)), 0)";
const ofOrder = (name: "jn" | "hankel1" | "hankel2", n: number, theirs: string, scale = "0"): SpecialCase => ({
  name: `${name} ${n}`,
  ours: (z) => special[name](n, z as DeviceArray<"complex128">),
  theirs: `sp.${theirs}(${n}, x)`,
  scale,
  errors: [1e-12, 2e-5],
});

export const groups: readonly SpecialGroup[] = [
  {
    name: "errors",
    inputs: (next) => [everywhere(next)],
    cases: [
      ...["erf", "erfc", "erfcx", "ndtr", "expit", "exprel"].map((name) => of(name)),
      of("dawsn", "sp.dawsn(x)"),
      of("logNdtr", "sp.log_ndtr(x)"),
      of("logExpit", "sp.log_expit(x)"),
    ],
  },
  {
    name: "probabilities",
    inputs: (next) => [probabilities(next)],
    cases: [
      ...["erfinv", "erfcinv", "entr", "ellipk", "ellipkm1", "ellipe"].map((name) => of(name)),
      of("ndtri", "sp.ndtri(x)", { scale: "0.1" }),
      // Near 0.5 SciPy takes the logarithm of a rounded quotient.
      of("logit", undefined, { scale: "0.01" }),
    ],
  },
  {
    name: "gamma",
    inputs: (next) => [
      [
        ...withNegatives(edges),
        ...repeated(() => (next() - 0.5) * 350),
        ...repeated(() => logUniform(next, 1e-12, 1e6)),
        ...repeated(() => next() * 12 - 2),
      ],
    ],
    cases: [
      of("gamma"),
      of("gammaln", undefined, { scale: "1" }),
      of(
        "gammasgn",
        "np.where((x <= 0) & (x == np.floor(x)) & (x != 0), np.nan, np.where(x == 0, np.copysign(1, x), sp.gammasgn(x)))",
      ),
      of("rgamma"),
      // SciPy loses digits near poles.
      of("digamma", undefined, { scale: "0.5", errors: [1e-11, 5e-6] }),
      of("factorial", "sp.factorial(x)"),
    ],
  },
  {
    name: "Bessel functions",
    inputs: (next) => [everywhere(next)],
    cases: [
      ...["j0", "j1", "y0", "y1"].map((name) => of(name, undefined, amplitude)),
      ...["i0", "i0e", "i1", "i1e", "k0", "k0e", "k1", "k1e"].map((name) => of(name)),
    ],
  },
  {
    name: "exponential integrals",
    inputs: (next) => [everywhere(next)],
    cases: [
      of("exp1"),
      of("expi", undefined, { scale: "0.5" }),
      { name: "si", ours: (x) => special.sici(x as never)[0], theirs: "sp.sici(x)[0]" },
      {
        name: "ci",
        ours: (x) => special.sici(x as never)[1],
        theirs: "sp.sici(x)[1]",
        scale: "np.minimum(0.5, 1 / np.abs(x))",
      },
      of("lambertw", "np.where(x < -np.exp(-1), np.nan, sp.lambertw(x).real)"),
    ],
  },
  {
    name: "Airy functions",
    inputs: (next) => [
      [
        ...withNegatives(edges.slice(0, 8)),
        ...repeated(() => (next() - 0.5) * 30),
        ...repeated(() => -logUniform(next, 1e-8, 1e3)),
        ...repeated(() => logUniform(next, 1e-8, 103)),
      ],
    ],
    cases: [0, 1, 2, 3].map((k) => ({
      name: `airy ${k}`,
      ours: (x) => special.airy(x as never)[k] as never,
      theirs: `sp.airy(x)[${k}]`,
      scale: `np.where(x < 0, np.abs(x) ** ${k % 2 === 0 ? -0.25 : 0.25} * 0.5 * (1 + 4e-4 * np.abs(x) ** 1.5), 0)`,
    })),
  },
  {
    name: "orders",
    inputs: (next) => [
      repeated(() => Math.floor(next() * 32 - 2)),
      repeated(() => logUniform(next, 1e-3, 600)),
      repeated(() => Math.floor(next() * 10 - 1)),
    ],
    cases: [
      fn("jn", "xy", "sp.jn(x, y)", orderAmplitude),
      fn("yn", "xy", "sp.yn(x.astype(int), y)", orderAmplitude),
      fn("kn", "xy", "sp.kn(x.astype(int), y)"),
      fn("polygamma", "zy", "np.where(z < 0, np.nan, np.where(z == 0, sp.digamma(y), sp.polygamma(np.abs(z), y)))", {
        scale: "np.where(z == 0, 0.5, 0)",
      }),
      {
        name: "zeta",
        ours: (x, y) => special.zeta((x as DeviceArray<"float64">).add(1.5), y),
        theirs: "sp.zeta(x + 1.5, y)",
      },
      fn("expn", "xy", "np.where(x < 0, np.nan, sp.expn(np.abs(x).astype(int), y))"),
      // SciPy loses digits where factors are near 0.
      fn("binom", "yz", "sp.binom(y, z)", { errors: [1e-11, 5e-6] }),
    ],
  },
  {
    name: "two numbers and three",
    inputs: (next) =>
      [0, 1]
        .map(() => repeated(() => logUniform(next, 1e-3, 1e3)))
        .concat(
          [repeated(next)],
          [0, 1].map(() => repeated(() => logUniform(next, 0.1, 60))),
        ),
    cases: [
      fn("beta", "vw", "sp.beta(v, w)", { errors: [1e-12, 2e-5] }),
      fn("betaln", "vw", "sp.betaln(v, w)", { scale: "0.5", errors: [1e-12, 2e-5] }),
      fn("gammainc", "xy", "sp.gammainc(x, y)", { errors: [5e-12, 5e-5] }),
      fn("gammaincc", "xy", "sp.gammaincc(x, y)", { errors: [5e-12, 5e-5] }),
      // Beyond these numbers SciPy 1.10 loses digits.
      fn("betainc", "vwz", "sp.betainc(v, w, z)", { errors: [1e-12, 5e-5] }),
      fn("xlogy", "xy", "sp.xlogy(x, y)"),
      fn("xlog1py", "xy", "sp.xlog1py(x, y)"),
      fn("relEntr", "xy", "sp.rel_entr(x, y)", { scale: "0.5 * x" }),
      fn("klDiv", "xy", "sp.kl_div(x, y)", { scale: "0.5 * x" }),
    ],
  },
  {
    name: "complex numbers",
    complex: true,
    inputs: (next) => {
      const numbers = repeated(() => 0).flatMap(() => {
        const [length, angle] = [logUniform(next, 1e-5, 80), (2 * next() - 1) * Math.PI];
        return [length * Math.cos(angle), length * Math.sin(angle)];
      });
      return [numbers];
    },
    cases: [
      of("wofz", undefined, { errors: [1e-12, 2e-5] }),
      ...[0, 1, 2, -3].map((n) => ofOrder("hankel1", n, "hankel1")),
      ...[0, 1, 5].map((n) => ofOrder("hankel2", n, "hankel2")),
      ...[0, 1, -3, 40].map((n) => ofOrder("jn", n, "jv", Math.abs(n) < 4 ? complexAmplitude : "0")),
    ],
  },
];
