// Buffers in memory that the host and the device can access at the same time.
import { beforeAll, expect, test } from "vitest";
import { DeviceBuffer, DeviceSvmCapabilities, NotSupportedError, Program } from "@cl/core";

import { collectGarbage, needs } from "@cl/base/testing";
import { disposed } from "@cl/testing/core-errors";
import { wrongType, wrongValue } from "@cl/testing/error-like";
import { onFake } from "./support/on-fake.js";
import { context, queue } from "./support/kernels.js";

const fine = context.devices.every(
  (device) => (device.svmCapabilities & DeviceSvmCapabilities.FINE_GRAIN_BUFFER) !== 0,
);
const lacking = `'${queue.device.name}' has no fine-grained buffer SVM`;
let twice: ReturnType<Program["kernel"]>;

beforeAll(async () => {
  const source = "__kernel void twice(__global float *x) { x[get_global_id(0)] *= 2; }";
  twice = (await new Program(context, source).build()).kernel("twice");
});

const empty = (length: number): DeviceBuffer<Float32Array> =>
  DeviceBuffer.empty(context, Float32Array, length, { hostCoherent: "required" });

test("kernels read what the host writes, and the host reads what kernels write", async (run) => {
  needs(run, fine, lacking);
  const buffer = empty(8);
  expect(buffer.usesSvmPointer).toBe(true);
  const array = buffer.hostArray as Float32Array;
  array.fill(3);
  twice.launch(queue, { global: [8] }, buffer);
  await queue.finish();
  expect([...array]).toEqual(Array(8).fill(6));
  queue.writeSync(buffer, new Float32Array(8).fill(5));
  expect(array[7]).toBe(5);
  twice.launch(queue, { global: [8] }, buffer);
  expect([...queue.readSync(buffer)]).toEqual(Array(8).fill(10));
  await queue.write(buffer, Float32Array.of(1, 2), { offset: 3 });
  expect([...(await queue.read(buffer, { offset: 2, length: 4 }))]).toEqual([10, 1, 2, 10]);
});

test("a read or write runs after all enqueued commands", async (run) => {
  needs(run, fine, lacking);
  const buffer = DeviceBuffer.from(context, new Float32Array(1 << 16).fill(1), { hostCoherent: "required" });
  for (let round = 0; round < 10; round++) {
    twice.launch(queue, { global: [1 << 16] }, buffer);
    const now = round % 2 === 0 ? queue.readSync(buffer) : await queue.read(buffer);
    expect(now.every((value) => value === 2)).toBe(true);
    twice.launch(queue, { global: [1 << 16] }, buffer);
    if (round % 2 === 0) queue.writeSync(buffer, new Float32Array(1 << 16).fill(1));
    else await queue.write(buffer, new Float32Array(1 << 16).fill(1));
    expect(queue.readSync(buffer).every((value) => value === 1)).toBe(true);
  }
});

test("a read with `view: true` returns the buffer's memory without a copy", async (run) => {
  needs(run, fine, lacking);
  const buffer = empty(1 << 20);
  twice.launch(queue, { global: [1 << 20] }, buffer);
  const all = queue.readSync(buffer, { view: true });
  expect(all).toBeInstanceOf(Float32Array);
  all.fill(4);
  expect(queue.readSync(buffer)[12345]).toBe(4);
  const part = await queue.read(buffer, Int32Array, { view: true, offset: 2, length: 3 });
  expect([part.length, part.byteOffset, part.buffer === all.buffer]).toEqual([3, 8, true]);
  const sub = buffer.slice(1024, 2048);
  queue.readSync(sub, { view: true })[0] = 7;
  expect(all[1024]).toBe(7);
  expect(queue.readSync(buffer.as(Uint32Array), { view: true }).length).toBe(1 << 20);
  expect(() => queue.readSync(buffer, { view: true, into: new Float32Array(4) })).toThrow(wrongValue());
});

test("a read with `view: true` throws for a buffer that is not host-coherent", async () => {
  const buffer = DeviceBuffer.empty(context, Float32Array, 4);
  const refused = wrongType("options.view");
  expect(() => queue.readSync(buffer, { view: true })).toThrow(refused);
  await expect(queue.read(buffer, { view: true })).rejects.toThrow(refused);
});

test("releasing a buffer detaches its host arrays, but sub-buffers keep the device memory", async (run) => {
  needs(run, fine, lacking);
  const buffer = empty(4096);
  const array = buffer.hostArray as Float32Array;
  const view = queue.readSync(buffer, { view: true });
  const part = buffer.slice(0, 1024);
  queue.writeSync(part, new Float32Array(1024).fill(2));
  buffer.release();
  expect([array.length, view.length]).toEqual([0, 0]);
  expect(() => queue.readSync(part, { view: true })).toThrow(disposed());
  // The sub-buffer keeps the memory alive in the driver.
  expect([...queue.readSync(part, { length: 2 })]).toEqual([2, 2]);
});

test("a view keeps the memory alive after the buffer is collected", async (run) => {
  needs(run, fine, lacking);
  const view = queue.readSync(
    DeviceBuffer.from(context, new Float32Array(1024).fill(8), { hostCoherent: "required" }),
    { view: true },
  );
  await collectGarbage();
  for (let i = 0; i < 50; i++) empty(1024).release();
  expect(view.every((value) => value === 8)).toBe(true);
});

test('contradicting options throw; "preferred" falls back to an ordinary buffer, "required" throws', () => {
  for (const [options, argument] of [
    [{ host: new Uint8Array(8), hostPointer: "use" }, "options.hostPointer"],
    [{ size: 8, hostAccess: "none" }, "options.hostAccess"],
  ] as const) {
    expect(() => new DeviceBuffer(context, { ...options, hostCoherent: "preferred" })).toThrow(wrongType(argument));
  }
  expect(new DeviceBuffer(context, { size: 8, hostCoherent: "preferred" }).hostArray !== undefined).toBe(fine);
  if (!fine) expect(() => empty(2)).toThrow(NotSupportedError);
});

test("small transfers bypass the driver while the queue is empty, unless its pointer has been exposed", async () => {
  const { lines, report } = await onFake(`
    const buffer = DeviceBuffer.from(context, new Float32Array(1024).fill(1), { hostCoherent: "required" });
    queue.writeSync(buffer, new Float32Array(1024).fill(2));
    await queue.write(buffer, new Float32Array(8).fill(3));
    const sums = [queue.readSync(buffer), await queue.read(buffer)].map((array) => array.reduce((sum, x) => sum + x));
    queue.enqueueMarker();
    await queue.finish();
    queue.readSync(buffer);
    queue.enqueueMarker();
    queue.finishSync();
    queue.readSync(buffer);
    queue.pointer;
    queue.readSync(buffer);
    console.log(sums.join());`);
  expect(lines).toEqual(["2056,2056"]);
  expect(report.calls["clEnqueueReadBuffer"]).toBe(1);
  expect(report.calls["clEnqueueWriteBuffer"]).toBeUndefined();
});
