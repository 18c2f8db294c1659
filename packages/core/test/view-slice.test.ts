import { caseCount } from "@cl/testing/level";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DeviceView, HostView, type SliceIndex } from "@cl/core";
import { context, queue } from "./support/kernels.js";

const order = fc.constantFrom("C" as const, "F" as const);
const bound = fc.option(fc.integer({ min: -6, max: 6 }));

/** A shape, and indices that fit it. */
const cases = fc
  .array(fc.integer({ min: 1, max: 4 }), { maxLength: 6 })
  .chain((shape) =>
    fc.tuple(
      fc.constant(shape),
      fc.tuple(
        ...shape.map((extent): fc.Arbitrary<SliceIndex> =>
          fc.oneof(
            { weight: 1, arbitrary: fc.integer({ min: -extent, max: extent - 1 }) },
            { weight: 4, arbitrary: fc.tuple(bound, bound, fc.constantFrom(1, 2, 3, -1, -2)) },
            { weight: 2, arbitrary: fc.constant(":") },
          ),
        ),
      ),
      order,
      fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
    ),
  );

const types = fc.constantFrom("uint8", "int16", "float32", "float64", "uint16x2", "float32x4", "int32x3");

/** Creates the same view on the device and on the host, where no kernels are used. */
function twins(shape: readonly number[], type: string): { host: HostView; device: DeviceView } {
  const host = HostView.zeros(shape, type);
  const bytes = host.toArray();
  const all = new Uint8Array(bytes.buffer);
  all.forEach((_, i) => {
    all[i] = (i * 7 + 1) % 251;
  });
  const filled = new HostView(bytes, { dtype: type, shape });
  return { host: filled, device: DeviceView.fromHost(context, filled) };
}

const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

describe("a slice of a view", () => {
  test("is read according to its indices, with any strides", async () => {
    await fc.assert(
      fc.asyncProperty(cases, types, async ([shape, indices, way, keys], type) => {
        const { host, device } = twins(shape, type);
        const part = host.slice(...indices);
        const axes = part.shape.map((_, i) => i).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
        const wanted = bytesOf(part.transpose(axes).toArray(way));
        const view = device.slice(...indices).transpose(axes);
        expect(bytesOf(await view.read(queue, { order: way }))).toEqual(wanted);
        expect(bytesOf(view.readSync(queue, { order: way }))).toEqual(wanted);
        device.release();
      }),
      { numRuns: caseCount(300) },
    );
  });

  test("is written only where its indices refer to", async () => {
    await fc.assert(
      fc.asyncProperty(cases, types, async ([shape, indices, , keys], type) => {
        const { host, device } = twins(shape, type);
        const part = host.slice(...indices);
        const axes = part.shape.map((_, i) => i).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
        const values = new Uint8Array(part.nbytes).map((_, i) => 255 - (i % 200));
        const target = part.transpose(axes);
        target.assign(new HostView(values, { dtype: type, shape: target.shape }));
        await device
          .slice(...indices)
          .transpose(axes)
          .write(queue, values);
        expect(bytesOf(await device.read(queue))).toEqual(bytesOf(host.toArray()));
        device.release();
      }),
      { numRuns: caseCount(300) },
    );
  });

  test("is copied to new memory, and into other slices of the same view", async () => {
    await fc.assert(
      fc.asyncProperty(cases, types, order, async ([shape, indices], type, way) => {
        const { host, device } = twins(shape, type);
        const view = device.slice(...indices);
        const copied = await view.copy(queue, { order: way });
        expect(copied.isContiguous || way === "F").toBe(true);
        expect(bytesOf(await copied.read(queue))).toEqual(bytesOf(host.slice(...indices).toArray()));
        // Reverses the axes in place: all elements are read before any is written.
        const back = shape.map(() => "::-1");
        device.enqueueCopyFrom(queue, device.slice(...back));
        expect(bytesOf(await device.read(queue))).toEqual(bytesOf(host.slice(...back).toArray()));
        copied.release();
        device.release();
      }),
      { numRuns: caseCount(150) },
    );
  });

  test("is copied into any other slice of the same memory, with any overlap", () => {
    const line = fc.tuple(fc.nat(20), fc.constantFrom(1, 2, 3, -1, -2));
    fc.assert(
      fc.property(line, line, fc.integer({ min: 1, max: 8 }), fc.boolean(), ([a, s], [b, t], count, square) => {
        const { host, device } = twins([64, 2], "int16");
        const rows = (first: number, step: number): SliceIndex => {
          const start = step > 0 ? first : first + (1 - count) * step;
          const stop = start + count * step;
          return [start, stop < 0 ? null : stop, step];
        };
        const columns = square ? "::-1" : ":";
        device.slice(rows(a, s)).enqueueCopyFrom(queue, device.slice(rows(b, t), columns));
        host.slice(rows(a, s)).assign(host.slice(rows(b, t), columns));
        expect(device.readSync(queue)).toEqual(host.toArray());
        device.release();
      }),
      { numRuns: caseCount(300) },
    );
  });
});
