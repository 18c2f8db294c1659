/**
 * Queries program binaries while kernels run. PoCL 3.1 can abort the process then, so each test runs in a child process.
 *
 * @module-tag ci
 */
import { expect, test } from "vitest";

import { isFull } from "@cl/testing/level";
import { lastResult, runModule } from "@cl/testing/run-module";

/** Launches that take some milliseconds each, of a new program with a fixed work-group size. */
const program = `
import { writeSync } from "node:fs";
import { subscribe } from "node:diagnostics_channel";
import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
const context = Context.create();
const [device] = context.devices;
const queue = new CommandQueue(context);
const x = DeviceBuffer.empty(context, Float32Array, 1 << 14);
const sourceOf = () => \`#define LAST() \\\\
  x[get_global_id(0)] = s + \${Math.random()}f
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void f(__global float *x) {
  float s = x[0];
  for (int i = 0; i < 3000; i++) s = s * 1.0001f + i;
  LAST();
}\`;
const end = (result) => writeSync(1, "\\n" + JSON.stringify(result) + "\\n");
const launchAll = (kernel) => {
  const events = [64, 2, 40, 4, 100, 16].map((groups) => kernel.enqueue(queue, { global: 64 * groups, local: 64 }, x));
  queue.flush();
  return events;
};
`;

test("binaries, their sizes and raw queries can be read while kernels run", async () => {
  const source = `${program}
let bytes = 0;
for (let round = 0; round < ${isFull ? 12 : 3}; round++) {
  const source = sourceOf();
  const program = await new Program(context, source).build({ cache: false });
  const other = await new Program(context, source).build({ cache: false });
  for (const one of [other, program]) {
    const events = launchAll(program.kernel("f"));
    // Another moment each time: the driver is compiling or running the kernel.
    if (round > 0) await events[round % events.length].wait();
    if (round % 3 === 0) bytes = one.binaries.get(device).length;
    if (round % 3 === 1) bytes = (await one.fetchBinaries()).get(device).length;
    if (round % 3 === 2) bytes = one.binarySizes.get(device);
    await queue.finish();
    if (bytes === 0) throw new Error("an empty binary");
  }
  if (round === 2) {
    const again = await Program.fromBinaries(context, program.binaries).build();
    launchAll(again.kernel("f"));
    await queue.finish();
  }
}
end({ bytes });
`;
  const { bytes } = lastResult(await runModule({ source })) as { bytes: number };
  expect(bytes).toBeGreaterThan(0);
});

test("the cache stores binaries some time after the first launches", async () => {
  const source = `${program}
process.env.CL_CACHE_DIR = process.env.FAULT_FOLDER + "/cache";
const events = [];
subscribe("cl:cache", ({ event }) => event === "miss" || events.push(event));
const kernels = [];
for (let i = 0; i < 3; i++) kernels.push((await new Program(context, sourceOf()).build({ cache: true })).kernel("f"));
// PoCL compiles another variant when a launch has more groups than any before.
let groups = 0;
while (events.length < kernels.length) {
  groups = groups % 256 + 1;
  for (const kernel of kernels) kernel.launch(queue, { global: 64 * groups, local: 64 }, x);
  await queue.finish();
}
end({ events });
`;
  const end = await runModule({ source, env: { CL_NO_CACHE: undefined } });
  const { events } = lastResult(end) as { events: string[] };
  expect(events).toEqual(Array(3).fill("store"));
});
