/** Arrays over overlapping parts of one memory: their commands stay in order, and overlaps are detected. */

import { CommandQueue, DeviceBuffer, DisposedError, Program, SvmAllocation, UserEvent } from "@cl/core";
import { type Arrays, arrays, type DeviceArray, ElementwiseKernel } from "@cl/array";
import { expect, test } from "vitest";
import { pooled } from "./support/pooled.js";
import { needsCoarse } from "@cl/testing/svm";

import { roundTrip } from "@cl/testing/round-trip";
import { context, queue, xp } from "./support/device.js";
import { wrongState, wrongValue } from "@cl/testing/error-like";

/** The alignment of sub-buffers, in bytes. */
const alignment = Math.max(...context.devices.map((device) => device.memBaseAddrAlign)) / 8;
/** Number of elements before a sub-buffer at the first aligned offset. */
const before = alignment / 4;
const length = 4 * before;

const fill = new Program(context, "__kernel void fill(__global int *a, int value) { a[get_global_id(0)] = value; }")
  .buildSync()
  .kernel("fill");

/** Two int32 arrays over shared memory; the second begins at element `before` of the first. */
interface Parts {
  readonly whole: DeviceArray<"int32">;
  readonly part: DeviceArray<"int32">;
}

const shared: readonly (readonly [string, (own: Arrays) => Parts, boolean])[] = [
  ["a buffer and a part of it", (own) => partsOf(own, new DeviceBuffer(context, 4 * length)), false],
  ["a pooled buffer and a part of it", (own) => partsOf(own, pooled(own.queue).pool.allocate(4 * length)), false],
  [
    "overlapping slices of a typed buffer",
    (own) => {
      const buffer = DeviceBuffer.from(context, new Float32Array(length + 1));
      const part = buffer.slice(before, length).as(Int32Array);
      return { whole: own.asArray(buffer.slice(0, length), { dtype: "int32" }), part: own.asArray(part) };
    },
    false,
  ],
  [
    "an array's own memory as a device view",
    (own) => {
      const whole = own.zeros([length], { dtype: "int32" });
      const part = whole.asDeviceView().memory.subBuffer(alignment, 4 * (length - before));
      return { whole, part: own.asArray(part, { dtype: "int32" }) };
    },
    false,
  ],
  [
    "shared virtual memory and a part of it",
    (own) => {
      const memory = new SvmAllocation(context, 4 * length);
      return {
        whole: own.asArray(memory, { dtype: "int32" }),
        part: own.asArray(memory.part(alignment, undefined, Float32Array), { dtype: "int32" }),
      };
    },
    true,
  ],
  [
    "shared virtual memory and a buffer over it",
    (own) => {
      const memory = new SvmAllocation(context, 4 * length);
      const buffer = memory.asBuffer({ byteOffset: alignment });
      return { whole: own.asArray(memory, { dtype: "int32" }), part: own.asArray(buffer, { dtype: "int32" }) };
    },
    true,
  ],
];

function partsOf(own: Arrays, buffer: DeviceBuffer): Parts {
  const part = buffer.subBuffer(alignment, 4 * (length - before));
  return { whole: own.asArray(buffer, { dtype: "int32" }), part: own.asArray(part, { dtype: "int32" }) };
}

test.for(shared)("a read waits for a write through an overlapping part: %s", async ([, make, svm], run) => {
  if (svm) needsCoarse(run);
  const own = arrays(new CommandQueue(context, { outOfOrder: true }));
  const { whole, part } = make(own);
  whole.assign(0);
  await own.queue.finish();
  using gate = new UserEvent(context);
  own.launch(fill, { global: length - before, waitFor: [gate] }, part, 5);
  const read = whole.add(1);
  // Must not overtake the pending read.
  part.assign(7);
  let done = false;
  const values = read.data().then((host) => {
    done = true;
    return host;
  });
  await roundTrip(context);
  expect(done).toBe(false);
  gate.complete();
  expect([...(await values)]).toEqual([...line(before, 1), ...line(length - before, 6)]);
  expect([...(await whole.data())]).toEqual([...line(before, 0), ...line(length - before, 7)]);
});

test("a write waits for a read through an overlapping part, also on another queue", async () => {
  const [first, second] = [new CommandQueue(context), new CommandQueue(context)];
  const own = arrays(first);
  const { whole, part } = partsOf(own, new DeviceBuffer(context, 4 * length));
  whole.assign(own.arange(length, { dtype: "int32" }));
  await first.finish();
  using gate = new UserEvent(context);
  first.enqueueBarrier([gate]);
  const read = whole.add(1);
  part.withQueue(second).assign(0);
  second.flush();
  await roundTrip(context);
  gate.complete();
  expect([...(await read.data())]).toEqual(Array.from({ length }, (_, i) => i + 1));
  expect((await part.data()).every((value) => value === 0)).toBe(true);
});

const operations: Readonly<Record<string, (parts: Parts & { readonly shown: DeviceArray<"int32"> }) => unknown>> = {
  "an operator": ({ shown, part }) => shown.add(1, { out: part }),
  "an operator at the same positions": ({ whole, part }) => whole.slice([before, length]).mul(part, { out: part }),
  "a copy": ({ shown, part }) => part.assign(shown),
  "a scan": ({ shown, part }) => shown.cumsum({ out: part.viewAs("int32") }),
  "a sort": ({ shown, part }) => shown.sort({ descending: true, out: part }),
  "concatenated arrays": ({ shown, part }) =>
    xp.concatenate([shown.slice([1, shown.size]), shown.slice([0, 1])], { out: part }),
  "a matrix product": ({ shown, part }) =>
    xp.matmul(shown.reshape([3, before]), xp.eye(before, { dtype: "int32" }), { out: part.reshape([3, before]) }),
  "a reduction": ({ shown, part }) =>
    shown.reshape([3, before]).sum({ axis: 0, dtype: "int32", out: part.slice([0, before]) }),
  "indices and values": ({ shown, part }) =>
    part.setAt([shown.slice([0, 4])], shown.slice([before, before + 4]).flip(0)),
};

test.for(Object.entries(operations))("%s writes the same as without overlap", { tags: "ci" }, async ([, run]) => {
  const { whole, part } = partsOf(xp, new DeviceBuffer(context, 4 * length));
  whole.assign(xp.arange(length, { dtype: "int32" }));
  const shown = whole.slice([0, length - before]);
  const apart = { whole: whole.copy(), part: part.copy(), shown: shown.copy() };
  for (const parts of [apart, { whole, part, shown }]) run(parts);
  expect(await part.data()).toEqual(await apart.part.data());
});

test("an array over the device view of another one shares its dependencies", async () => {
  const a = xp.arange(1000, { dtype: "int32" });
  const again = xp.asArray(a.asDeviceView());
  again.slice([0, 999]).mul(2, { out: a.slice([1, 1000]) });
  a.release();
  expect([...(await again.data())]).toEqual([0, ...Array.from({ length: 999 }, (_, i) => 2 * i)]);
});

test("rejects partly overlapping outputs and kernel arguments", () => {
  const { whole, part } = partsOf(xp, new DeviceBuffer(context, 4 * length));
  const shown = whole.slice([0, length - before]);
  const other = xp.ones([length - before], { dtype: "int32" });
  expect(() => xp.divmod(other, other, { out: [shown, part] })).toThrow(wrongValue());
  const twice = new ElementwiseKernel("const int *x, int *y", "y[i] = 2 * x[i]");
  expect(() => twice.launch(shown, part)).toThrow(wrongValue());
  // Input and output at the same position are accepted.
  twice.launch(whole.slice([before, length]), part);
});

test("arrays of a pending promise cannot be changed through another part", async () => {
  const { whole, part } = partsOf(xp, new DeviceBuffer(context, 4 * length));
  whole.assign(3);
  const chosen = whole.at(whole.greater(2));
  expect(() => part.assign(0)).toThrow(wrongState());
  expect((await chosen).size).toBe(length);
  part.assign(0);
});

test("memory of one element type can be an array of another", { tags: "ci" }, async (run) => {
  const buffer = DeviceBuffer.from(context, Float32Array.of(1, 2, -2, 0));
  const bits = xp.asArray(buffer, { dtype: "uint32" });
  const signs = bits.rightShift(31);
  expect(await signs.toNested()).toEqual([0, 0, 1, 0]);
  bits.bitwiseAnd(0x7fffffff, { out: bits });
  expect(await queue.read(buffer)).toEqual(Float32Array.of(1, 2, 2, 0));
  expect(await xp.asArray(buffer).viewAs("complex64").imag.add(0).toNested()).toEqual([2, 0]);
  expect(await xp.asArray(buffer).viewAs("uint8").slice("3::4").add(0).toNested()).toEqual([63, 64, 64, 0]);
  expect(xp.asArray(buffer).asDeviceView().memory).toBe(buffer);
  xp.launch(fill, { global: 1 }, bits, 0);
  expect(await xp.asArray(buffer).toNested()).toEqual([0, 2, 2, 0]);
  buffer.release();
  expect(() => bits.add(1)).toThrow(DisposedError);

  needsCoarse(run);
  using memory = new SvmAllocation(context, 16);
  const floats = xp.asArray(memory.part(0, 16, Float32Array));
  floats.assign(1);
  expect(await floats.viewAs("int32").rightShift(23).toNested()).toEqual([127, 127, 127, 127]);
});

function line(count: number, value: number): readonly number[] {
  return Array.from({ length: count }, () => value);
}
