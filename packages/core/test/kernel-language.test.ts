/**
 * What a driver's compiler must do with any kernel: print, number the work-items, and refuse what it cannot link.
 *
 * @module-tag ci
 */
import { runModule } from "@cl/testing/run-module";
import { DeviceBuffer, Program } from "@cl/core";
import { expect, test } from "vitest";

import { context, kernelOf, queue } from "./support/kernels.js";

test("kernels print", async () => {
  const source = `
    import { CommandQueue, Context, Program } from "@cl/core";
    const context = Context.create();
    const queue = new CommandQueue(context);
    const text = String.raw\`__kernel void say(const int x) { printf("%d and %s\\n", x, "text"); }\`;
    const say = (await new Program(context, text).build({ cache: false })).kernel("say");
    say.launch(queue, { global: 2 }, 7);
    await queue.finish();`;
  const end = await runModule({ source, from: new URL(".", import.meta.url) });
  expect(end).toMatchObject({ stderr: "", stdout: "7 and text\n7 and text\n" });
});

test("work-item functions can be asked for the axes in a loop", async () => {
  const expected = {
    get_global_id: [3, 5, 6],
    get_local_id: [1, 2, 0],
    get_group_id: [0, 1, 1],
    get_global_size: [4, 6, 2],
    get_local_size: [2, 3, 1],
    get_num_groups: [2, 2, 2],
    get_global_offset: [2, 0, 5],
  };
  const lines = Object.keys(expected).map((name, k) => `out[${3 * k} + d] = ${name}(d);`);
  const kernel = kernelOf(`__kernel void ask(__global int *out) {
    const bool chosen = get_global_id(0) == 3 && get_global_id(1) == 5 && get_global_id(2) == 6;
    for (int d = 0; d < 3; d++) if (chosen) { ${lines.join(" ")} }
  }`);
  const out = DeviceBuffer.from(context, new Int32Array(3 * lines.length));
  kernel.launch(queue, { global: [4, 6, 2], local: [2, 3, 1], offset: [2, 0, 5] }, out);
  expect([...(await queue.read(out))]).toEqual(Object.values(expected).flat());

  const alone = kernelOf(`__kernel void ask(__global int *out) { for (int d = 0; d < 3; d++) { ${lines.join(" ")} } }`);
  alone.launch(queue, { global: [1, 1, 1], local: [1, 1, 1], offset: [3, 5, 6] }, out);
  const [offset, zeros, ones] = [
    [3, 5, 6],
    [0, 0, 0],
    [1, 1, 1],
  ];
  expect([...(await queue.read(out))]).toEqual([offset, zeros, zeros, ones, ones, ones, offset].flat());
});

test("a kernel that calls a missing function never runs as another one", async () => {
  const out = DeviceBuffer.from(context, new Int32Array(1));
  kernelOf("__kernel void same(__global int *out) { out[0] += 1; }").launch(queue, { global: 1 }, out);
  await queue.finish();
  const broken = async (): Promise<void> => {
    const text = "int missing(int); __kernel void same(__global int *out) { out[0] = missing(2); }";
    const program = await new Program(context, text).build({ cache: false });
    program.kernel("same").launch(queue, { global: 1 }, out);
    await queue.finish();
  };
  await expect(broken()).rejects.toThrow(/CL_/);
  expect([...(await queue.read(out, Int32Array))]).toEqual([1]);
});
