import { Program } from "@cl/core";
import { IterativeLauncher, KernelLauncher, ListLauncher, tune } from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { useCacheFolder } from "./support/cache-folder.js";
import { resultOfModule } from "./support/child.js";
import { context, ints, outOfOrder, queue, read } from "./support/device.js";
import { disposed } from "@cl/testing/core-errors";
import { outOfRange, wrongState, wrongValue } from "@cl/testing/error-like";

const { results } = useCacheFolder();

/** Short measurements; their duration is not tested here. */
const short = { seconds: 0.02 };
/** Stores the work-group size after the last element. */
const source = `__kernel void show(__global int *x, int a) {
  size_t i = get_global_id(0);
  x[i] += a;
  if (i == 0) x[get_global_size(0)] = (int)get_local_size(0);
}` as const;
const program = new Program(context, source).buildSync();
const show = program.kernel("show");
const zeros = (count: number): ReturnType<typeof ints> => ints(...Array.from<number>({ length: count }).fill(0));
const local = async (x: ReturnType<typeof ints>): Promise<number> => (await read(x)).at(-1) as number;

describe('a launcher with local: "auto"', () => {
  test("uses the driver's work-group size until it is tuned, then the tuned size", async () => {
    const x = zeros(65);
    const launcher = new KernelLauncher("show", show, { args: [x, 1], global: 64, local: "auto" });
    launcher.launch(queue);
    const plain = zeros(65);
    show.launch(queue, { global: 64 }, plain, 1);
    expect(await read(x)).toEqual(await read(plain));
    const { best, source, launcher: name } = await launcher.tune(queue, { ...short, verify: true });
    expect([name, source]).toEqual(["show", "measured"]);
    expect((await read(x)).slice(0, 64)).toEqual(Array.from({ length: 64 }, () => 1));
    for (const target of [queue, outOfOrder]) {
      await launcher.enqueue(target).wait();
      if (best.local !== null) expect(await local(x)).toBe(best.local[0]);
    }
    expect((await read(x)).slice(0, 64)).toEqual(Array.from({ length: 64 }, () => 3));
    expect((await launcher.tune(queue, short)).source).toBe("cache");
    expect((await launcher.tune(queue, { ...short, cache: false })).source).toBe("measured");
  });

  test("uses the cached result of another process without measuring", { tags: "ci" }, async () => {
    const text = (global: number, then: string): string => `
      import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
      import { KernelLauncher } from "@cl/launcher";
      const context = Context.create();
      const queue = new CommandQueue(context);
      const program = await new Program(context, ${JSON.stringify(source)}).build();
      const x = DeviceBuffer.from(context, new Int32Array(${global} + 1));
      const launcher = new KernelLauncher("show", program, { args: [x, 1], global: ${global}, local: "auto" });
      ${then}
      launcher.launch(queue);
      console.log(JSON.stringify({ ran: (await queue.read(x)).at(-1), best }));`;
    const tuning = `const { best } = await launcher.tune(queue, { seconds: 0.02 });`;
    const first = (await resultOfModule(text(64, tuning))) as { ran: number; best: { local: [number] | null } };
    expect(await results()).toHaveLength(1);
    const second = (await resultOfModule(text(64, "const best = null;"))) as { ran: number };
    expect(second.ran).toBe(first.ran);
    if (first.best.local !== null) expect(first.ran).toBe(first.best.local[0]);
  });

  test("can be tuned as a member of lists, which update their recorded launches", async () => {
    const [x, y] = [zeros(65), zeros(33)];
    const inner = new KernelLauncher("inner", show, { args: { x: y }, parameters: ["a"], global: 32, local: "auto" });
    const outer = new KernelLauncher("outer", show, { args: [x], parameters: ["a"], global: 64, local: "auto" });
    const plain = new KernelLauncher("plain", show, { args: [zeros(33)], parameters: ["a"], global: 32 });
    const list = new ListLauncher("list").push(outer, new ListLauncher("inside").push(inner, inner), plain);
    list.launch(queue, { a: 1 });
    list.launch(queue, { a: 2 });
    const table = list.parameterTable();
    table.values[0] = 3;
    table.launch(queue);
    const tunings = await list.tune(queue, { ...short, parameters: { a: 4 } });
    expect(tunings.map(({ launcher }) => launcher)).toEqual(["outer", "inner"]);
    expect((await read(x))[0]).toBe(6);
    for (const [n, target] of [queue, outOfOrder, queue].entries()) {
      await list.enqueue(target, { a: 10 }).wait();
      expect((await read(x))[0]).toBe(6 + 10 * (n + 1));
      expect((await read(y))[31]).toBe(12 + 20 * (n + 1));
    }
    table.launch(queue);
    expect((await read(x)).slice(0, 64)).toEqual(Array.from({ length: 64 }, () => 39));
    const [first, second] = tunings.map(({ best }) => best.local?.[0]);
    if (first !== undefined) expect(await local(x)).toBe(first);
    if (second !== undefined) expect(await local(y)).toBe(second);
    // Members without `local: "auto"` are not tuned.
    expect(await new ListLauncher("none").push(plain).tune(queue, short)).toEqual([]);
  });

  test("has a local size per global size", { tags: "ci" }, async () => {
    const x = zeros(65);
    const sized = `__kernel void sized(__global int *x, int n) {
      if (get_global_id(0) == 0) x[0] = (int)get_local_size(0);
      x[get_global_id(0) + 1] = n;
    }` as const;
    const launcher = new KernelLauncher("sized", new Program(context, sized).buildSync().kernel("sized"), {
      args: [x],
      parameters: ["n"],
      global: ({ n }) => Number(n),
      local: "auto",
    });
    await expect(launcher.tune(queue, short)).rejects.toThrow(wrongState());
    launcher.launch(queue, { n: 63 });
    expect((await read(x))[63]).toBe(63);
    const { best } = await launcher.tune(queue, { ...short, parameters: { n: 64 } });
    launcher.launch(queue, { n: 64 });
    if (best.local !== null) expect((await read(x))[0]).toBe(best.local[0]);
    // The size for 64 does not divide 63, which uses another size or none.
    launcher.launch(queue, { n: 63 });
    expect((await read(x))[63]).toBe(63);
    const open = new KernelLauncher("open", show, { args: [x, 1], local: "auto" });
    await open.enqueue(queue, {}, { global: 63 }).wait();
    open.launch(queue, {}, { global: 64, local: 2 });
    expect((await read(x))[64]).toBe(2);
  });

  test("is tuned with the first combination if it iterates", { tags: "ci" }, async () => {
    const x = zeros(65);
    const sweep = new IterativeLauncher("sweep", show, {
      args: [x],
      parameters: ["a"],
      iterate: { a: [1, 2, 3] },
      global: 64,
      local: "auto",
    });
    sweep.launch(queue);
    const { best } = await sweep.tune(queue, short);
    sweep.launch(queue);
    expect((await read(x))[63]).toBe(12);
    if (best.local !== null) expect(await local(x)).toBe(best.local[0]);
    const [same] = await new ListLauncher("list").push(sweep).tune(queue, short);
    expect(same).toMatchObject({ launcher: "sweep", source: "cache" });
  });

  test("rejects invalid options and states", async () => {
    const x = zeros(65);
    const plain = new KernelLauncher("plain", show, { args: [x, 1], global: 64 });
    await expect(plain.tune(queue)).rejects.toThrow(wrongState());
    expect(
      () => new KernelLauncher("k", show, { args: [x, 1], global: 2, globalInGroups: true, local: "auto" }),
    ).toThrow(wrongValue("options.local"));
    const auto = new KernelLauncher("auto", show, { args: [x, 1], global: 64, local: "auto" });
    await expect(auto.tune()).rejects.toThrow(wrongState());
    await expect(auto.tune(queue, { parameters: { b: 1 } })).rejects.toThrow(wrongValue());
    await expect(auto.tune(queue, { seconds: -1 })).rejects.toThrow(outOfRange("options.seconds"));
    const stop = AbortSignal.abort(new Error("no time"));
    await expect(auto.tune(queue, { signal: stop })).rejects.toThrow(/^no time$/);
    const open = new KernelLauncher("open", show, { args: [x, 1], local: "auto" });
    await expect(open.tune(queue)).rejects.toThrow(wrongState());
    auto.release();
    await expect(auto.tune(queue)).rejects.toThrow(disposed());
    expect(tune).toBeTypeOf("function");
  });
});
