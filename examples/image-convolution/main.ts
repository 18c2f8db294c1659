// A test card before and after a blur: rings that get finer to the outside vanish where the blur is wider than they.
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
const soft = await blur(queue, { width, height, data }, sigma, "edge");

/** How far brightness is from grey, on average, between two distances from the centre. */
const contrast = (values: Float32Array, from: number, to: number): string => {
  const ring = values.filter((_, i) => {
    const r = Math.hypot((i % width) - width / 2, Math.floor(i / width) - height / 2);
    return from <= r && r < to;
  });
  return (ring.reduce((sum, value) => sum + Math.abs(value - 0.5), 0) / ring.length).toFixed(2);
};
console.log(`contrast in the middle: ${contrast(data, 0, 30)} before, ${contrast(soft, 0, 30)} after`);
console.log(`contrast far out: ${contrast(data, 120, 150)} before, ${contrast(soft, 120, 150)} after`);

const xp = arrays(queue);
const pictures = [data, soft].map((values) => xp.fromHost(values).reshape([height, width]));
await mkdir("build", { recursive: true });
await xp.savePng("build/image-convolution.png", xp.concatenate(pictures, { axis: 1 }), {
  colormap: "gray",
  min: 0,
  max: 1,
});
console.log("both are in build/image-convolution.png");
