import { CommandQueue, Context, Image, ImageFormat, imageFromArray, Program } from "@cl/core";

import { sobelSource } from "./sobel.cl.js";

const [width, height, radius] = [61, 47, 18];

/** A white disc on black: row after row, as arrays in C and NumPy have it. */
const disc = Uint8Array.from({ length: height * width }, (_, i) => {
  const [x, y] = [i % width, Math.floor(i / width)];
  return Math.hypot(x - width / 2, y - height / 2) < radius ? 255 : 0;
});

const context = Context.create();
const queue = new CommandQueue(context);
const program = await new Program(context, sobelSource).build();

// The array's shape is [rows, columns], the image's [width, height]. Normalized, so that the kernel reads 0 to 1.
const picture = imageFromArray(context, { data: disc, shape: [height, width] }, { normalized: true });
const edges = Image.empty(context, new ImageFormat("R", "FLOAT"), [width, height], { access: "write-only" });
program.kernel("sobel").launch(queue, { global: [width, height] }, picture, edges);

const strength = await queue.read(edges); // a Float32Array, as the format says
const found = strength.filter((value) => value > 0.5).length;
console.log(`${found} of ${width} × ${height} pixels are at the edge of the disc`);

// One row of the result, mapped: the edge is crossed twice.
await using mapped = await queue.map(edges, { access: "read", origin: [0, 23], region: [width, 1] });
const crossed = [...mapped.row(0).entries()].filter(([, value]) => value > 0.5).map(([x]) => x);
console.log(`in the middle row they are at ${crossed.join(", ")}`);
