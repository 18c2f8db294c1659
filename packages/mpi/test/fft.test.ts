/** Fourier transforms over ranks against the sums that define them. */
import { isFull, sample } from "@cl/testing/level";
import { expect, test } from "vitest";

import { describeMpis, rankCounts, resultsOf, runRanks } from "./support/run-ranks.js";

const transforms = `
  import { arrays } from "@cl/array";
  import { DistributedFft } from "@cl/mpi/fft";
  const mpi = await Mpi.init();
  const { world } = mpi;
  const context = mpi.createContext();
  const queue = new CommandQueue(context);
  const xp = arrays(queue);
  const count = (sizes) => sizes.reduce((product, size) => product * size, 1);
  /** The transform of complex numbers, one axis after another. */
  const dft = (numbers, shape) => {
    let from = numbers;
    for (const [axis, n] of shape.entries()) {
      const to = new Float64Array(from.length);
      const stride = count(shape.slice(axis + 1));
      for (let i = 0; i < count(shape); i++) {
        const k = Math.floor(i / stride) % n;
        const first = i - k * stride;
        for (let j = 0; j < n; j++) {
          const angle = (-2 * Math.PI * ((j * k) % n)) / n;
          const [re, im] = [from[2 * (first + j * stride)], from[2 * (first + j * stride) + 1]];
          to[2 * i] += re * Math.cos(angle) - im * Math.sin(angle);
          to[2 * i + 1] += re * Math.sin(angle) + im * Math.cos(angle);
        }
      }
      from = to;
    }
    return from;
  };
  const close = (name, found, expected, limit) => {
    if (found.length !== expected.length) throw new Error(name + ": " + found.length + " numbers instead of " + expected.length);
    const scale = Math.max(...expected.map(Math.abs));
    const wrong = expected.findIndex((value, i) => !(Math.abs(found[i] - value) <= limit * scale));
    if (wrong >= 0) throw new Error(name + ": number " + wrong + " is " + found[wrong] + " instead of " + expected[wrong]);
  };
  const shapes = [...${JSON.stringify(
    sample(
      [
        [5, 7, 6],
        [8, 6],
        [4, 8, 9],
      ],
      1,
    ),
  )}, ...(world.size === 1 ? [[12]] : [])];
  for (const [i, shape] of shapes.entries()) {
    for (const [type, limit] of [[Float32Array, 2e-6], [Float64Array, 1e-14]].slice(0, ${isFull ? 2 : 1})) {
      for (const components of ${JSON.stringify(sample([1, 2], 1))}) {
        const name = type.name + ", " + components + " components, shape " + shape;
        const grid = await Grid.create(world, { shape, ghosts: i % 2 });
        const field = grid.field(context, type, { components });
        const other = grid.field(context, type, { components });
        const valueAt = (shift) => (...place) => {
          const index = place.reduce((sum, at, axis) => sum * shape[axis] + at, 0) + shift;
          return components === 1 ? Math.sin(index * index) : [Math.sin(index * index), Math.cos(3 * index)];
        };
        await field.fill(queue, valueAt(0));
        await other.fill(queue, valueAt(5));
        const before = await grid.gather(queue, field);
        const fft = await DistributedFft.create(xp, field);
        // More than once, and of several fields.
        for (const [source, shift] of [[field, 0], [other, 5], [field, 0]]) {
          const spectrum = await fft.forward(source);
          const found = await spectrum.grid.gather(queue, spectrum);
          if (found !== undefined) {
            const whole = new Float64Array(2 * count(shape));
            for (let at = 0; at < count(shape); at++) {
              const place = shape.map((size, axis) => Math.floor(at / count(shape.slice(axis + 1))) % size);
              const value = valueAt(shift)(...place);
              whole.set(components === 1 ? [value] : value, 2 * at);
            }
            const n = shape.at(-1);
            const kept = components === 1 ? Math.floor(n / 2) + 1 : n;
            close(name, found, dft(whole, shape).filter((_, k) => Math.floor(k / 2) % n < kept), limit);
          }
        }
        const back = await fft.inverse();
        if (back !== field) throw new Error("another field");
        const after = await grid.gather(queue, field);
        if (before !== undefined) close(name + ", inverse", after, before, limit);
        await fft.release();
      }
    }
  }
  const grid = await Grid.create(world, { shape: [8, 8] });
  await expectError("type", () => DistributedFft.create(xp, grid.field(context, Int32Array)), /field must be a field of Float32Array or Float64Array/);
  await expectError("components", () => DistributedFft.create(xp, grid.field(context, Float32Array, { components: 3 })), /1 or 2 components/);
  await expectError("field", () => DistributedFft.create(xp, grid), /field must be a Field/);
  const far = new Context(context.devices);
  await expectError("context", () => DistributedFft.create(xp, grid.field(far, Float32Array)), /xp must be for the context of field/);
  const fft = await DistributedFft.create(xp, grid.field(context, Float32Array));
  const elsewhere = (await Grid.create(world, { shape: [8, 8] })).field(context, Float32Array);
  await expectError("grid", () => fft.forward(elsewhere), /field must be a field of the grid of the transform/);
  await expectError("type", () => fft.forward(grid.field(context, Float64Array)), /element type/);
  await mpi.finalize();
  print(["done"]);`;

describeMpis((mpi) => {
  test.each(isFull ? rankCounts : [2])("real and complex fields on %d ranks", { tags: "ci" }, async (ranks) => {
    const results = resultsOf(await runRanks(mpi, ranks, transforms));
    expect(results).toEqual(Array.from({ length: ranks }, () => ["done"]));
  });
});
