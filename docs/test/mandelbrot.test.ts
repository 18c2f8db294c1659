/** The numbers of examples/mandelbrot. */
import { CommandQueue, Context } from "@cl/core";
import { expect, test } from "vitest";

import { mandelbrot, type View } from "../../examples/mandelbrot/mandelbrot.js";

const queue = new CommandQueue(Context.create());
const stepsOf = async (view: View): Promise<Float32Array> => queue.read(await mandelbrot(queue, view));

test.each([
  ["0", [0, 0], 0],
  ["-2", [-2, 0], 0],
  ["i", [0, 1], 0],
  ["-1", [-1, 0], 0],
  // 0, 1, 2, 5, 26, 677: six steps, minus a fraction for the distance of 677 beyond the border.
  ["1", [1, 0], 5 + 4 - Math.log2(Math.log2(677 ** 2))],
] as const)("the point %s has the expected number of steps", async (_, center, expected) => {
  const [steps] = await stepsOf({ center, span: 1, width: 1, height: 1, limit: 200 });
  expect(steps).toBeCloseTo(expected, 4);
});

test("every pixel has the step count of plain JavaScript", async () => {
  const view = { center: [-0.75, 0.1], span: 3, width: 90, height: 60, limit: 100 } as const;
  const steps = await stepsOf(view);
  const off = steps.map((value, i) => Math.abs(value - plainSteps(view, i % 90, Math.floor(i / 90))));
  expect(Math.max(...off)).toBeLessThan(1e-4);
});

test("the set is symmetric and has its known area", { tags: "ci" }, async () => {
  const size = 400;
  const steps = await stepsOf({ center: [-0.5, 0], span: 3, width: size, height: size, limit: 400 });
  const rows = Array.from({ length: size }, (_, y) => steps.subarray(y * size, (y + 1) * size));
  // Coordinates are rounded, so mirrored points at the border may differ.
  const asymmetric = rows.reduce(
    (sum, row, y) => sum + row.filter((n, x) => (n === 0) !== (rows[size - 1 - y]?.[x] === 0)).length,
    0,
  );
  expect(asymmetric).toBeLessThan(size / 4);
  const area = steps.filter((n) => n === 0).length * (3 / size) ** 2;
  // 1.50659…, by counting pixels of finer grids; a lower limit includes a few more points.
  expect(Math.abs(area - 1.50659)).toBeLessThan(0.02);
});

/** Computes the same operations in single precision. */
function plainSteps({ center: [re, im], span, width, height, limit }: View, x: number, y: number): number {
  const f = Math.fround;
  const pixel = f(span / width);
  const cx = f(f(re - ((span / width) * (width - 1)) / 2) + f(pixel * x));
  const cy = f(f(im + ((span / width) * (height - 1)) / 2) - f(pixel * y));
  let [zx, zy, n] = [0, 0, 0];
  const far = (): number => f(f(zx * zx) + f(zy * zy));
  for (; n < limit && far() < 65536; n++) {
    [zx, zy] = [f(f(f(zx * zx) - f(zy * zy)) + cx), f(f(f(2 * zx) * zy) + cy)];
  }
  return n < limit ? n + 4 - Math.log2(Math.log2(far())) : 0;
}
