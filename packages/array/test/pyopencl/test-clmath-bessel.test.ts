/**
 * PyOpenCL's Bessel and Hankel tests of test_clmath.py, re-expressed: its ranges and error limits, compared with SciPy.
 */
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { hasDoubles, queue, xp } from "../support/device.js";
import { testsEveryCase } from "@cl/testing/level";
import { hasSciPy, type SpecialGroup, worstOf } from "../support/special-cases.js";

const everyCase = testsEveryCase(import.meta.url);

const { special } = xp;
type Next = () => number;

/** Complex numbers with log-uniform absolute values, at all angles. */
function complexNumbers(next: Next, count: number, low: number, high: number): number[] {
  return Array.from({ length: count }, () => {
    const [length, angle] = [low * (high / low) ** next(), 2 * Math.PI * next()];
    return [length * Math.cos(angle), length * Math.sin(angle)];
  }).flat();
}

/** Scale of the errors near roots, where a function is as accurate as its slope allows. */
const slopeOf = (slope: string): string => `np.where(np.abs(x) > 1, 0.1 * np.abs(${slope}), 0)`;

const groups: readonly SpecialGroup[] = [
  {
    name: "J and Y of the orders 0 to 29 (test_bessel)",
    inputs: (next) => {
      const count = everyCase ? 30_000 : 500;
      const points = Array.from({ length: count }, () => 1e-5 * 1e10 ** next());
      const orders = Array.from({ length: 30 }, (_, n) => points.map(() => n));
      return [orders.flat(), orders.flatMap(() => points)];
    },
    cases: [
      {
        name: "jn",
        ours: (n, x) => special.jn(n as never, x as never),
        theirs: "sp.jn(x, y)",
        scale: "1",
        errors: [1e-10, 0],
      },
      {
        name: "yn",
        ours: (n, x) => special.yn(n as never, x as never),
        theirs: "sp.yn(x.astype(int), y)",
        scale: "1",
        errors: [1e-10, 0],
      },
    ],
  },
  {
    name: "J of order 40 of complex numbers (test_complex_bessel)",
    complex: true,
    inputs: (next) => [complexNumbers(next, everyCase ? 100_000 : 5000, 1e-5, 1e2)],
    cases: [{ name: "jn", ours: (z) => special.jn(40, z as never), theirs: "sp.jv(40, x)", errors: [2e-13, 0] }],
  },
  {
    name: "Hankel functions of complex numbers (test_hankel_01_complex)",
    complex: true,
    inputs: (next) => [complexNumbers(next, everyCase ? 1_000_000 : 10_000, 1e-5, 1e2)],
    cases: [
      {
        name: "H0",
        ours: (z) => special.hankel1(0, z as never),
        theirs: "sp.hankel1(0, x)",
        scale: slopeOf("sp.hankel1(1, x)"),
        errors: [4e-13, 0],
      },
      {
        name: "H1",
        ours: (z) => special.hankel1(1, z as never),
        theirs: "sp.hankel1(1, x)",
        scale: slopeOf("sp.hankel1(0, x)"),
        errors: [2e-13, 0],
      },
    ],
  },
];

test.for(groups)("$name", { timeout: 240_000 }, async (group, run) => {
  needs(run, hasSciPy, "SciPy is not installed");
  needs(run, hasDoubles, `'${queue.device.name}' has no float64`);
  const worst = await worstOf(group, "float64", 42);
  expect(worst.filter(({ error, limit }) => !(error <= limit))).toEqual([]);
});
