/** The numbers of examples/image-convolution. */
import { CommandQueue, Context } from "@cl/core";
import { sample } from "@cl/testing/level";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { blur, type Border, type Picture, weightsOf } from "../../examples/image-convolution/blur.js";

const queue = new CommandQueue(Context.create());
const { device } = queue;
const [width, height] = [23, 17];
const data = Float32Array.from({ length: width * height }, (_, i) => ((i * 7919) % 101) / 100);

test.for(["edge", "dark"] as const)(
  "a blur with the border '%s' equals that of plain JavaScript",
  async (border, run) => {
    needs(run, device.imageSupport, `'${device.name}' has no images`);
    for (const sigma of sample([2, 0.5, 6], 1)) {
      const blurred = await blur(queue, { width, height, data }, sigma, border);
      const off = plainBlur({ width, height, data }, sigma, border).map((value, i) =>
        Math.abs(value - (blurred[i] as number)),
      );
      expect(Math.max(...off), `sigma ${sigma}`).toBeLessThan(2e-6);
    }
  },
);

test.each([2, 5])("weightsOf(%d) has this standard deviation", (sigma) => {
  const weights = weightsOf(sigma);
  const middle = (weights.length - 1) / 2;
  expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 5);
  const variance = weights.reduce((sum, weight, i) => sum + weight * (i - middle) ** 2, 0);
  // Slightly less, because the tails are cut off.
  expect(Math.abs(Math.sqrt(variance) / sigma - 1)).toBeLessThan(0.03);
});

test("a uniform image does not change with the border 'edge'", { tags: "ci" }, async (run) => {
  needs(run, device.imageSupport, `'${device.name}' has no images`);
  const blurred = await blur(queue, { width, height, data: data.map(() => 0.75) }, 2, "edge");
  for (const value of blurred) expect(value).toBeCloseTo(0.75, 5);
});

/** Reference blur with the two-dimensional square of weights, unlike the device's two passes. */
function plainBlur({ width, height, data }: Picture, sigma: number, border: Border): Float64Array {
  const weights = weightsOf(sigma);
  const radius = (weights.length - 1) / 2;
  const within = (i: number, length: number): number => Math.min(length - 1, Math.max(0, i));
  return Float64Array.from(data, (_, i) => {
    let sum = 0;
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) {
        const [x, y] = [(i % width) + dx, Math.floor(i / width) + dy];
        const [nearX, nearY] = [within(x, width), within(y, height)];
        if (border === "dark" && (nearX !== x || nearY !== y)) continue;
        const weight = (weights[radius + dx] as number) * (weights[radius + dy] as number);
        sum += weight * (data[nearY * width + nearX] as number);
      }
    }
    return sum;
  });
}
