/** Arrays in memory of every kind, and foreign kernels on them. */
import {
  CommandQueue,
  Context,
  DeviceBuffer,
  DeviceView,
  DisposedError,
  dtype,
  Program,
  SvmAllocation,
} from "@cl/core";
import { type AnyArray, arrays } from "@cl/array";
import { ImmediateAllocator, MemoryPool, SvmAllocator, SvmPool } from "@cl/tools";
import { expect, test } from "vitest";
// A separate context: NVIDIA's driver rejects a buffer for an argument that was set to shared virtual memory before.
import { context as svmContext, needsCoarse } from "@cl/testing/svm";

import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { context, queue, xp } from "./support/device.js";

test.for([
  ["a pool of buffers", (own: CommandQueue) => new MemoryPool(new ImmediateAllocator(own)), false],
  ["shared virtual memory", () => new SvmAllocator(svmContext), true],
  ["shared virtual memory freed by a queue", (own: CommandQueue) => new SvmAllocator(svmContext, { queue: own }), true],
  ["a pool of shared virtual memory", () => new SvmPool(new SvmAllocator(svmContext)), true],
] as const)("arrays use their allocator's memory: %s", { tags: "ci" }, async ([, make, svm], run) => {
  if (svm) needsCoarse(run);
  const own = new CommandQueue(svm ? svmContext : context);
  const made = arrays(own, { allocator: make(own) });
  using a = made.arange(12, { dtype: "int32" });
  using hundreds = made.full([4, 3], 100, { dtype: "int32" });
  using c = a.reshape([3, 4]).T.mul(2).add(hundreds);
  expect(await c.slice(0).toNested()).toEqual([100, 108, 116]);
  expect(await c.max({ axis: 0 }).toNested()).toEqual([106, 114, 122]);
  const sent = made.array([1, 2], { dtype: "int32" });
  expect(await made.concatenate([sent, made.zeros([1], { dtype: "int32" })]).toNested()).toEqual([1, 2, 0]);
  expect(await sent.take([1, 0]).toNested()).toEqual([2, 1]);
  expect(await made.zeros([0]).toNested()).toEqual([]);
  sent.release();
  expect(() => sent.add(1)).toThrow(DisposedError);
});

test("an array over a buffer shares its memory without owning it", async () => {
  using buffer = new DeviceBuffer(context, { host: Int32Array.of(0, 1, 2, 3, 4, 5), hostPointer: "copy" });
  const a = xp.asArray(buffer);
  expect([a.dtype.name, a.shape]).toEqual(["int32", [6]]);
  using part = xp.asArray(buffer, { dtype: "int32", shape: [2, 2], strides: [12, -4], offset: 8 });
  expect([...(await part.data())]).toEqual([2, 1, 5, 4]);
  part.mul(10, { out: part });
  expect(await a.toNested()).toEqual([0, 10, 20, 3, 40, 50]);
  a.release();
  part.release();
  expect(buffer.released).toBe(false);
  expect(await xp.asArray(buffer, { dtype: "uint8" }).slice(":5").toNested()).toEqual([0, 0, 0, 0, 10]);
});

test("supports shared virtual memory", async (run) => {
  needsCoarse(run);
  using memory = new SvmAllocation(svmContext, 64);
  const allocator = new SvmAllocator(svmContext);
  const own = arrays(new CommandQueue(svmContext), { allocator });
  const a = own.asArray(memory, { dtype: "float32" });
  expect(a.shape).toEqual([16]);
  a.assign(2);
  expect(await own.asArray(memory.part(16, 8), { dtype: "float32" }).add(1).toNested()).toEqual([3, 3]);
  expect(() => a.asDeviceView()).toThrow(wrongValue());
});

test("device views become arrays and back", async () => {
  using view = DeviceView.fromHost(context, Float32Array.of(1, 2, 3, 4, 5, 6), { shape: [2, 3] });
  const a = xp.asArray(view.slice(":", "::-2"));
  expect([a.dtype.name, a.shape, a.strides]).toEqual(["float32", [2, 2], [12, -8]]);
  expect([...(await a.data())]).toEqual([3, 1, 6, 4]);
  expect(await a.T.asDeviceView().read(queue)).toEqual(Float32Array.of(3, 6, 1, 4));
  expect(xp.asArray(view.broadcastTo([2, 2, 3])).readonly).toBe(true);
  const own = xp.arange(3);
  expect(xp.asArray(own)).toBe(own);
  expect(await xp.asArray([1, 2]).toNested()).toEqual([1, 2]);
});

const program = new Program(
  context,
  `__kernel void add_to(__global const int *a, __global int *b) { b[get_global_id(0)] += a[get_global_id(0)]; }
   __kernel void fill(__global int *a, const int value) { a[get_global_id(0)] = value; }`,
).buildSync();

test("foreign kernels are ordered with array operations on all queues", async () => {
  const first = arrays(new CommandQueue(context, { outOfOrder: true }));
  const second = first.withQueue(new CommandQueue(context));
  const [a, b] = [first.ones([1000], { dtype: "int32" }), first.zeros([1000], { dtype: "int32" })];
  for (let i = 0; i < 10; i++) {
    first.launch(program.kernel("add_to"), { global: 1000 }, first.readOnly(a), b);
    second.launch(program.kernel("add_to"), { global: 1000 }, a, b);
    first.launch(program.kernel("fill"), { global: 1000 }, a, i);
  }
  expect(new Set(await b.data())).toEqual(new Set([2 * (1 + 0 + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8)]));
});

test.each([
  [
    "an array longer than the memory",
    () => xp.asArray(new DeviceBuffer(context, 8), { dtype: "int32", shape: [3] }),
    outOfRange(),
  ],
  [
    "an offset between elements",
    () => xp.asArray(new DeviceBuffer(context, 16), { dtype: "int64", shape: [1], offset: 4 }),
    outOfRange(),
  ],
  [
    "an unsupported dtype",
    () => xp.asArray(new DeviceBuffer(context, 16), { dtype: dtype("float4") as never }),
    wrongType("options.dtype"),
  ],
  ["memory of another context", () => xp.asArray(new DeviceBuffer(Context.create(), 16)), wrongValue()],
  [
    "options with a device view",
    () => xp.asArray(DeviceView.empty(context, [1], "int32"), { dtype: "int32" }),
    wrongValue("options"),
  ],
  [
    "a strided array as a kernel argument",
    () => xp.launch(program.kernel("fill"), { global: 1 }, xp.zeros([4], { dtype: "int32" }).slice("::2"), 0),
    wrongValue(),
  ],
  [
    "a broadcast array as a kernel argument",
    () => xp.launch(program.kernel("fill"), { global: 1 }, xp.zeros([1], { dtype: "int32" }).broadcastTo([2]), 0),
    wrongValue(),
  ],
  ["a number in place of a kernel", () => xp.launch(1 as never, { global: 1 }), wrongType("kernel")],
  ["a number in place of an array", () => xp.readOnly(1 as unknown as AnyArray), wrongType("array")],
] as const)("rejects %s", (_name, make, sentence) => {
  expect(make).toThrow(sentence);
});
