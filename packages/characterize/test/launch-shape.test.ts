import {
  type KernelKind,
  launchShape,
  type LaunchShape,
  type LoopForm,
  ShapedKernels,
  shapedSource,
} from "@cl/characterize";
import { DeviceBuffer, Program } from "@cl/core";
import { sample } from "@cl/testing/level";
import { describe, expect, test } from "vitest";

import { context, device, queue } from "./support/device.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";

const forms: readonly LoopForm[] = ["single", "chunk", "grid-stride"];
// One, primes, a power of two and its neighbors, and sizes for several groups, tiles and rounds.
const counts = sample([1, 2, 3, 31, 255, 256, 257, 4099, 70_001, 1_000_003], 4);
const most = Math.max(...counts);
const numbers = Int32Array.from({ length: most }, (_, i) => ((i * 7919) % 201) - 100);
const others = Int32Array.from({ length: most }, (_, i) => (i * 104_729) % 1_000_003);
const running = Int32Array.from(numbers);
for (let i = 1; i < most; i++) running[i] = (running[i - 1] ?? 0) + (running[i] ?? 0);

const a = DeviceBuffer.from(context, numbers);
const b = DeviceBuffer.from(context, others);
const to = DeviceBuffer.from(context, new Int32Array(most + 1));
const marked = new Int32Array(most + 1).fill(-77);

describe.each(sample([4, 1, 16], 1))(
  "kernels that load vectors of %i items compute the same as JavaScript",
  (vectorWidth) => {
    const built = ShapedKernels.build(context, { type: "int", vectorWidth });

    test.each(forms.map((form) => [form] as const))("in the form %s", async (form) => {
      const kernels = await built;
      for (const n of counts) {
        expect(await wrongResults(kernels, n, (kind) => kernels.shape(n, kind, [form]))).toEqual([]);
      }
    });

    test("in the form that launchShape chooses", async () => {
      const kernels = await built;
      for (const n of counts) expect(await wrongResults(kernels, n, (kind) => kernels.shape(n, kind))).toEqual([]);
    });

    test("for n = 0: no item is written, and the sum is 0", async () => {
      const kernels = await built;
      for (const form of forms) {
        await queue.write(to, marked);
        kernels.launchAdd(queue, kernels.shape(0, "elementwise", [form]), a, b, to);
        kernels.launchScan(queue, kernels.shape(0, "scan", [form]), a, to);
        expect(differences(await queue.read(to, Int32Array), 0, () => 0)).toEqual([]);
        kernels.launchSum(queue, kernels.shape(0, "reduction", [form]), a, to);
        expect((await queue.read(to, Int32Array))[0]).toBe(0);
      }
    });
  },
);

/** Returns the errors of an element-wise kernel, a reduction and a scan of `n` items. */
async function wrongResults(
  kernels: ShapedKernels,
  n: number,
  shape: (kind: KernelKind) => LaunchShape,
): Promise<readonly string[]> {
  await queue.write(to, marked);
  kernels.launchAdd(queue, shape("elementwise"), a, b, to);
  const added = differences(await queue.read(to, Int32Array), n, (i) => (numbers[i] ?? 0) + (others[i] ?? 0));

  kernels.launchSum(queue, shape("reduction"), a, to);
  const [sum] = await queue.read(to, Int32Array);
  const summed = sum === running[n - 1] ? [] : [`the sum of ${n} is ${sum}, not ${running[n - 1]}`];

  await queue.write(to, marked);
  kernels.launchScan(queue, shape("scan"), a, to);
  return [...added, ...summed, ...differences(await queue.read(to, Int32Array), n, (i) => running[i] ?? 0)];
}

/** Returns the indices of wrong results, including writes past the end. */
function differences(results: Int32Array, n: number, expected: (i: number) => number): readonly string[] {
  const wrong: string[] = [];
  for (let i = 0; i < n && wrong.length < 5; i++) {
    if (results[i] !== expected(i)) wrong.push(`[${i}] of ${n} is ${results[i]}, not ${expected(i)}`);
  }
  if (results[n] !== -77) wrong.push(`[${n}] was written`);
  return wrong;
}

test("kernel.launch accepts a shape, which respects the kernel's limits and required size", async () => {
  const source = `
    __kernel __attribute__((reqd_work_group_size(8, 1, 1))) void eights(uint n, __global int *to)
    {
      size_t i = get_global_id(0);
      if (i < n) to[i] = get_local_size(0);
    }
    __kernel __attribute__((reqd_work_group_size(4, 2, 1))) void squares(__global int *to) { to[0] = 1; }
    __kernel void takes_room(__global int *to)
    {
      __local int room[64];
      room[get_local_id(0) % 64] = 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      to[get_global_id(0)] = room[0];
    }`;
  const program = await new Program(context, source).build();
  const kernel = program.kernel("eights");
  const shape = launchShape(device, 100, { kernel, forms: ["single"] });
  expect(shape).toMatchObject({ local: 8, global: 104 });
  const sizes = DeviceBuffer.from(context, new Int32Array(100));
  kernel.launch(queue, shape, 100, sizes);
  expect(await queue.read(sizes, Int32Array)).toEqual(new Int32Array(100).fill(8));

  expect(() => ask({ kernel: program.kernel("squares") })).toThrow(outOfRange("options.kernel"));
  const roomy = program.kernel("takes_room");
  const { local } = launchShape(device, 100_000, { kernel: roomy, localBytesPerWorkItem: 16, forms: ["single"] });
  const { workGroupSize, localMemSize } = roomy.workGroup(device);
  expect(local).toBeLessThanOrEqual(workGroupSize);
  expect(local * 16 + localMemSize).toBeLessThanOrEqual(device.localMemSize);
});

test.each<readonly [Error, () => unknown]>([
  [wrongType("device"), () => launchShape({} as never, 1)],
  [outOfRange("n"), () => launchShape(device, -1)],
  [outOfRange("n"), () => launchShape(device, 1.5)],
  [wrongType("n"), () => launchShape(device, "1" as never)],
  [outOfRange("options.kind"), () => ask({ kind: "sort" })],
  [outOfRange("options.forms"), () => ask({ forms: ["loop"] })],
  [outOfRange("options.forms"), () => ask({ forms: [] })],
  [wrongType("options.forms"), () => ask({ forms: "chunk" })],
  [outOfRange("options.itemSize"), () => ask({ itemSize: 0 })],
  [outOfRange("options.vectorWidth"), () => ask({ vectorWidth: 3 })],
  [outOfRange("options.maxWorkGroupSize"), () => ask({ maxWorkGroupSize: 0 })],
  [outOfRange("options.maxGroups"), () => ask({ maxGroups: 0 })],
  [wrongType("options.kernel"), () => ask({ kernel: "add" })],
  [outOfRange("options.localBytesPerWorkItem"), () => ask({ localBytesPerWorkItem: -4 })],
  [outOfRange("options.localBytesPerWorkItem"), () => ask({ localBytesPerWorkItem: device.localMemSize + 1 })],
  [outOfRange("options.type"), () => shapedSource({ type: "unsigned int" })],
  [outOfRange("options.type"), () => shapedSource({ type: "int x; }" })],
  [outOfRange("options.vectorWidth"), () => shapedSource({ vectorWidth: 0 })],
])("rejects an invalid argument with %s (%#)", (error, run) => {
  expect(run).toThrow(error);
});

function ask(options: object): LaunchShape {
  return launchShape(device, 100, options);
}
