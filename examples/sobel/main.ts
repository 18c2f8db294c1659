import { CommandQueue, Context, Image, ImageFormat, imageFromArray, Program } from "@cl/core";

import { sobelSource } from "./sobel.cl.js";

const [width, height, radius] = [61, 47, 18];

/** A white disc on black, in row-major order. */
const disc = Uint8Array.from({ length: height * width }, (_, i) => {
  const [x, y] = [i % width, Math.floor(i / width)];
  return Math.hypot(x - width / 2, y - height / 2) < radius ? 255 : 0;
});

const context = Context.create();
const queue = new CommandQueue(context);
const program = await new Program(context, sobelSource).build();

// The array's shape is [rows, columns], the image's [width, height]. The kernel reads normalized values in [0, 1].
const picture = imageFromArray(context, { data: disc, shape: [height, width] }, { normalized: true });
const edges = Image.empty(context, new ImageFormat("R", "FLOAT"), [width, height], { access: "write-only" });
program.kernel("sobel").launch(queue, { global: [width, height] }, picture, edges);

const strength = await queue.read(edges); // a Float32Array, by the image format
const found = strength.filter((value) => value > 0.5).length;
console.log(`${found} of ${width} × ${height} pixels are edges`);

// Map one row of the result, which crosses the edge twice.
await using mapped = await queue.map(edges, { access: "read", origin: [0, 23], region: [width, 1] });
const columns = [...mapped.row(0).entries()].filter(([, value]) => value > 0.5).map(([x]) => x);
console.log(`in the middle row: ${columns.join(", ")}`);
