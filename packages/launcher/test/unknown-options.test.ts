/** Unknown options, such as misspelled ones, are rejected by name. */
import { Program } from "@cl/core";
import {
  CopyLauncher,
  ElementwiseLauncher,
  FillLauncher,
  HostLauncher,
  IterativeLauncher,
  KernelLauncher,
  ListLauncher,
  Profiler,
  ProgressBar,
  runSteps,
  Tracer,
  tune,
} from "@cl/launcher";
import { expect, test } from "vitest";

import { context, ints, queue } from "./support/device.js";

const x = ints(1, 2);
const source = "__kernel void twice(__global int *x) { x[get_global_id(0)] *= 2; }";
const kernel = new Program(context, source).buildSync().kernel("twice");
const sizes = { args: [x], global: 2 } as const;
const launcher = new KernelLauncher("twice", kernel, { ...sizes, queue });
const add = { signature: "int *z", body: "z[i] = 0", args: [x] } as const;
const list = new ListLauncher("list", { queue }).push(launcher);

test.each<readonly [string, (unknown: object) => unknown]>([
  ["new KernelLauncher", (unknown) => new KernelLauncher("a", kernel, { ...sizes, ...unknown })],
  ["new IterativeLauncher", (unknown) => new IterativeLauncher("a", kernel, { ...sizes, ...unknown } as never)],
  ["KernelLauncher.enqueue", (unknown) => (launcher as KernelLauncher).enqueue(queue, {}, unknown)],
  ["new ListLauncher", (unknown) => new ListLauncher("a", unknown)],
  ["ListLauncher.enqueue", (unknown) => (list as ListLauncher<Record<string, never>>).enqueue(queue, {}, unknown)],
  ["new CopyLauncher", (unknown) => new CopyLauncher("a", { source: x, target: ints(0, 0), ...unknown })],
  ["new FillLauncher", (unknown) => new FillLauncher("a", { target: x, pattern: 0, ...unknown })],
  ["new HostLauncher", (unknown) => new HostLauncher("a", () => undefined, unknown)],
  ["ElementwiseLauncher.create", (unknown) => ElementwiseLauncher.create("a", context, { ...add, ...unknown })],
  ["ElementwiseLauncher.createSync", (unknown) => ElementwiseLauncher.createSync("a", context, { ...add, ...unknown })],
  ["runSteps", (unknown) => runSteps(list, { steps: 1, ...unknown })],
  ["tune", (unknown) => tune(queue, { source, ...sizes, ...unknown })],
  ["new Profiler", (unknown) => new Profiler(unknown)],
  ["new Tracer", (unknown) => new Tracer(() => undefined, unknown)],
  ["new ProgressBar", (unknown) => new ProgressBar(unknown)],
])("%s rejects an unknown option by name", async (_, call) => {
  await expect((async () => call({ noSuchOption: 1 }))()).rejects.toThrow(/options.*noSuchOption/);
});
