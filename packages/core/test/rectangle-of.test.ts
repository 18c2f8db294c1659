import { DeviceBuffer, DeviceView, HostView, rectangleOf } from "@cl/core";
import { checkCopy, checkFill } from "@cl/core/internal";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { disposed } from "@cl/testing/core-errors";
import { outOfRange, wrongState, wrongType } from "@cl/testing/error-like";
import { context, queue } from "./support/kernels.js";

const ramp = (count: number): Float32Array => Float32Array.from({ length: count }, (_, i) => i);

describe("rectangleOf", () => {
  test("covers the same elements as assign, if there is a rectangle", async () => {
    const part = fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 3 }));
    await fc.assert(
      fc.asyncProperty(part, part, part, part, async ([y, rows], [x, columns], [y2], [x2]) => {
        const target = new HostView(new Float32Array(36), { shape: [6, 6] });
        const expected = new HostView(new Float32Array(36), { shape: [6, 6] });
        const values = new HostView(ramp(36), { shape: [6, 6] });
        const source = DeviceView.fromHost(context, ramp(36), { shape: [6, 6] });
        const [from, to] = [
          [`${y}:${y + rows}`, `${x}:${x + columns}`],
          [`${y2}:${y2 + rows}`, `${x2}:${x2 + columns}`],
        ] as const;
        expected.slice(...to).assign(values.slice(...from));
        const rectangle = rectangleOf(target.slice(...to), source.slice(...from));
        await queue.enqueueCopy(target.memory, source.memory, rectangle).wait();
        expect(target.toNested()).toEqual(expected.toNested());
      }),
      { numRuns: 40 },
    );
  });

  test("returns a run of bytes for contiguous elements, and an empty rectangle for none", () => {
    const view = new HostView(ramp(12), { shape: [3, 4] });
    expect(rectangleOf(view.slice("1:3"), view.slice("0:2"))).toEqual({ bytes: 32, sourceOffset: 0, targetOffset: 16 });
    expect(rectangleOf(view.slice("3:"), view.slice("3:"))?.bytes).toBe(0);
  });

  test("returns undefined if the views run in different directions", () => {
    const view = new HostView(ramp(12), { shape: [3, 4] });
    expect(rectangleOf(view, view.slice(":", "::-1"))).toBeUndefined();
    expect(rectangleOf(view.slice(":", "0:3"), view.slice(":", "0:3").transpose())).toBeUndefined();
  });

  test("rejects views that do not match", () => {
    const view = new HostView(ramp(12), { shape: [3, 4] });
    const integers = new HostView(new Int32Array(12), { shape: [3, 4] });
    expect(() => rectangleOf(view, view.slice(0))).toThrow(outOfRange("source"));
    expect(() => rectangleOf(view, integers)).toThrow(wrongType("source"));
    expect(() => rectangleOf(view.slice(0).broadcastTo([2, 4]), view.slice("0:2"))).toThrow(wrongState());
  });
});

test("places a host view's memory at the array's start", () => {
  const array = ramp(6).subarray(2);
  const view = new HostView(array).slice("1:");
  expect([view.memory.buffer === array.buffer, view.memory.byteOffset, view.memory.byteLength]).toEqual([true, 8, 16]);
  expect(view.offset).toBe(4);
});

describe("the exported checks", () => {
  const [x, y] = [DeviceBuffer.from(context, ramp(4)), DeviceBuffer.from(context, ramp(4))];

  test("accept commands that can be enqueued", () => {
    expect(() => checkCopy(x, y)).not.toThrow();
    expect(() => checkCopy(x, new Uint8Array(8), { region: [4, 2], targetPitches: [8] })).not.toThrow();
    expect(() => checkFill(x, 1, { bytes: 8 })).not.toThrow();
  });

  test("throw the same errors as enqueue", () => {
    for (const [target, source, options] of [
      [x, y, { bytes: 17 }],
      [x, x, { bytes: 8, targetOffset: 4 }],
      [x, new Uint8Array(4), {}],
      [x, y, { region: [8, 3] }],
      [x, y, { offset: 1 }],
      [new Uint8Array(4), new Uint8Array(4), {}],
    ] as const) {
      const messageOf = (call: () => unknown): unknown => {
        try {
          return call();
        } catch (error) {
          return (error as Error).message;
        }
      };
      const message = messageOf(() => checkCopy(target, source, options as never));
      expect(message).toEqual(expect.any(String));
      expect(message).toBe(messageOf(() => queue.enqueueCopy(target as never, source as never, options as never)));
    }
    expect(() => checkFill(x, 0.5, { offset: 2 })).toThrow(outOfRange("options.offset"));
    x.subBuffer(0, 4).release();
    const released = DeviceBuffer.from(context, ramp(1));
    released.release();
    expect(() => checkCopy(released, y)).toThrow(disposed());
    expect(() => checkFill(released, 1)).toThrow(disposed());
  });
});
