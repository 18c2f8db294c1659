/** Tuning of lists between merged kernels and the launches of their members. */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";

import { type DeviceBuffer, DeviceView, handleCounts, Program } from "@cl/core";
import {
  CopyLauncher,
  FillLauncher,
  HostLauncher,
  KernelLauncher,
  ListLauncher,
  type LauncherTuning,
} from "@cl/launcher";
import { expect, test } from "vitest";

import { useCacheFolder } from "./support/cache-folder.js";
import { context, ints, queue, read } from "./support/device.js";
import { wrongState, wrongType } from "@cl/testing/error-like";

const { results } = useCacheFolder();

/** Short measurements; their duration is not tested here. */
const short = { seconds: 0.02, resident: true } as const;
const program = new Program(
  context,
  `__kernel void add(__global int *x, int a) { x[get_global_id(0)] += a; }
  __kernel void swap_with(__global int *x, __global int *y) {
    const int i = get_global_id(0), value = x[i];
    x[i] = y[i];
    y[i] = value;
  }`,
).buildSync();

const add = (name: string, x: DeviceBuffer, a: number): KernelLauncher =>
  new KernelLauncher(name, program, { kernel: "add", args: [x, a], global: 4 });
const formOf = ({ best }: LauncherTuning): unknown => best.parameters["form"];

/** Makes the other form the best one in the only cached result. */
async function swapBest(): Promise<void> {
  const [file] = await results();
  const [, body = ""] = (await readFile(file as string, "utf8")).split("\n");
  const content = JSON.parse(body) as { result: { best: { parameters: { form: string } } } };
  const { parameters } = content.result.best;
  parameters.form = parameters.form === "resident" ? "launches" : "resident";
  const changed = JSON.stringify(content);
  const sum = createHash("sha256").update(changed).digest("hex");
  await writeFile(file as string, `${sum}\n${changed}\n`);
}

test("each group is merged if that was faster, and the decision is cached", async () => {
  const x = ints(1, 2, 3, 4);
  const list = new ListLauncher("list").push(
    add("one", x, 1),
    add("two", x, 2),
    new HostLauncher("host", () => undefined),
    add("three", x, 3),
  );
  const first = await list.tune(queue, short);
  expect(first.map(({ launcher, source, possible }) => [launcher, source, possible])).toEqual([
    ["one, then two", "measured", 2],
  ]);
  const [result] = first as [LauncherTuning];
  const tried = new Set(result.candidates.map(({ config }) => config.parameters["form"]));
  expect(tried).toEqual(new Set(["launches", "resident"]));
  expect(list.residencies[0]?.resident).toBe(formOf(result) === "resident");
  const medians = result.candidates.map(({ medianNs = Infinity }) => medianNs);
  expect(Math.min(...medians)).toBe(result.candidates.find(({ config }) => config === result.best)?.medianNs);

  const slower = "its members are faster with their own launches";
  for (let round = 0; round < 3; round++) {
    const isResident = list.residencies[0]?.resident;
    await swapBest();
    const [cached] = (await list.tune(queue, short)) as [LauncherTuning];
    expect([formOf(cached), cached.source]).toEqual([isResident ? "launches" : "resident", "cache"]);
    expect(list.residencies[0]?.resident).toBe(!isResident);
    expect(list.residencies[0]?.apart).toBe(isResident ? slower : undefined);
  }
  list.launch(queue);
  expect(await read(x)).toEqual([7, 8, 9, 10]);
  expect((await list.tune(queue, { ...short, cache: false }))[0]?.source).toBe("measured");
  list.release();
});

test("measures with copies of the memory, of all kinds of members and parameters", async () => {
  const [x, y, z] = [ints(1, 2, 3, 4), ints(5, 6, 7, 8), ints(0, 0, 0, 0)];
  const part = new DeviceView(z, { shape: [2, 2] }).slice(":", 1);
  const before = handleCounts();
  const list = new ListLauncher<{ y: DeviceBuffer; a: number }>("list").push(
    add("one", x, 1),
    new FillLauncher("part", { target: part, pattern: 3 }),
    new ListLauncher("inner").push(
      new KernelLauncher("swap", program, { kernel: "swap_with", args: { x }, parameters: ["y"], global: 4 }),
      new CopyLauncher("copy", { source: x, target: z, bytes: 4 }),
    ),
    new CopyLauncher("columns", { source: new DeviceView(x, { shape: [2, 2] }).slice(":", 0), target: part }),
    new FillLauncher("fill", { target: z, pattern: 9, offset: 8, bytes: 4 }),
    new KernelLauncher("add", program, { kernel: "add", args: { x }, parameters: ["a"], global: 4, local: "auto" }),
  );
  await expect(list.tune(queue, short)).rejects.toThrow(wrongState());
  const tuned = await list.tune(queue, { ...short, parameters: { y, a: 5 } });
  expect(tuned.map(({ launcher }) => launcher)).toEqual(["add", "one, then …, then add (7)"]);
  expect(await read(x)).toEqual([1, 2, 3, 4]);
  expect(await read(y)).toEqual([5, 6, 7, 8]);
  expect(await read(z)).toEqual([0, 0, 0, 0]);
  expect(tuned[1]?.candidates.map(({ reason }) => reason)).toEqual([undefined, undefined]);
  list.launch(queue, { y, a: 5 });
  expect(await read(x)).toEqual([10, 11, 12, 13]);
  expect(await read(y)).toEqual([2, 3, 4, 5]);
  expect(await read(z)).toEqual([5, 5, 9, 7]);
  list.release();
  const after = handleCounts();
  expect((after["buffer"] ?? 0) - (before["buffer"] ?? 0)).toBeLessThanOrEqual(0);
});

test("without the option, and for members that cannot be merged, nothing changes", async () => {
  const x = ints(1, 2, 3, 4);
  const list = new ListLauncher("list").push(add("one", x, 1), add("two", x, 2));
  expect(await list.tune(queue, { seconds: 0.02 })).toEqual([]);
  expect(list.residencies).toEqual([]);
  const single = new ListLauncher("single").push(add("one", x, 1));
  expect(await single.tune(queue, short)).toEqual([]);
  expect(single.residencies).toMatchObject([{ resident: false }]);
  const wrong = list.tune(queue, { resident: 1 } as object);
  await expect(wrong).rejects.toThrow(wrongType("options.resident"));
});
