// A test card before and after a blur: rings get finer to the outside and vanish where they are narrower than the blur.
import { mkdir } from "node:fs/promises";

import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";

import { blur } from "./blur.js";

const queue = new CommandQueue(Context.create());
const [width, height, sigma] = [300, 300, 2.5];

const data = Float32Array.from({ length: width * height }, (_, i) => {
  const r = Math.hypot((i % width) - width / 2, Math.floor(i / width) - height / 2);
  return 0.5 + 0.5 * Math.cos(r ** 2 / 300);
});
const blurred = await blur(queue, { width, height, data }, sigma, "edge");

/** Mean deviation of the brightness from gray, between two distances from the center. */
const contrast = (values: Float32Array, from: number, to: number): string => {
  const ring = values.filter((_, i) => {
    const r = Math.hypot((i % width) - width / 2, Math.floor(i / width) - height / 2);
    return from <= r && r < to;
  });
  return (ring.reduce((sum, value) => sum + Math.abs(value - 0.5), 0) / ring.length).toFixed(2);
};
console.log(`contrast at the center: ${contrast(data, 0, 30)} before, ${contrast(blurred, 0, 30)} after`);
console.log(`contrast at the edge: ${contrast(data, 120, 150)} before, ${contrast(blurred, 120, 150)} after`);

const xp = arrays(queue);
const pictures = [data, blurred].map((values) => xp.fromHost(values).reshape([height, width]));
await mkdir("build", { recursive: true });
await xp.savePng("build/image-convolution.png", xp.concatenate(pictures, { axis: 1 }), {
  colormap: "gray",
  min: 0,
  max: 1,
});
console.log("wrote both images to build/image-convolution.png");
