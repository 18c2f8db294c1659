/** Copies of every second element with the CPU kernel, on any kind of device. */
import { Device, DeviceBuffer, DeviceType } from "@cl/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { collapse } from "../../src/kernels/collapse.js";
import { everySecond } from "../../src/kernels/every-second.js";
import { context, queue } from "../support/device.js";
import { treatAs } from "../support/treat-as.js";

const { device } = queue;
let override: Disposable;
beforeEach(() => {
  override = treatAs(DeviceType.CPU);
  vi.spyOn(Device.prototype, "globalMemCacheSize", "get").mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
  override[Symbol.dispose]();
});

test("long lines are copied with non-temporal stores", () => {
  for (const bytes of [1, 2, 4, 8]) {
    const length = 4096 + 3 * 256 + 37;
    const source = { shape: [length], strides: [2 * bytes], offset: bytes };
    const target = { shape: [length], strides: [bytes], offset: 128 };
    const launch = everySecond(context, device, collapse([source, target], [bytes, bytes]), bytes);
    if (launch === undefined) throw new Error(`no kernel for elements of ${bytes} bytes`);
    const sourceBytes = Uint8Array.from({ length: 2 * length * bytes }, (_, i) => (i * 37 + (i >> 7)) & 255);
    using from = DeviceBuffer.from(context, sourceBytes);
    using to = DeviceBuffer.from(context, new Uint8Array(128 + length * bytes + 16));
    launch.kernel.ready()?.launch(queue, launch.sizes, from.as(null), to.as(null), launch.last);
    const expected = new Uint8Array(to.size);
    for (let k = 0; k < length; k++) {
      expected.set(sourceBytes.subarray((2 * k + 1) * bytes, (2 * k + 2) * bytes), 128 + k * bytes);
    }
    expect(Buffer.from(queue.readSync(to, Uint8Array)).equals(expected)).toBe(true);
  }
});

test("other steps, short lines and large elements use the general kernel", () => {
  const launch = (bytes: number, length: number, step: number): unknown => {
    const source = { shape: [length], strides: [step * bytes], offset: 0 };
    const target = { shape: [length], strides: [bytes], offset: 0 };
    return everySecond(context, device, collapse([source, target], [bytes, bytes]), bytes);
  };
  expect(launch(4, 64, 2)).toBeDefined();
  for (const [bytes, length, step] of [
    [4, 63, 2],
    [4, 64, 3],
    [16, 64, 2],
  ] as const) {
    expect(launch(bytes, length, step)).toBeUndefined();
  }
});
