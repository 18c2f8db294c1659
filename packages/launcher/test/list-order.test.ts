/** Order of list members: all orders give the sequential results where that is guaranteed. */
import { array, assert, asyncProperty, constantFrom, integer, nat, record, type Arbitrary } from "fast-check";
import { type DeviceBuffer, DeviceView } from "@cl/core";
import {
  CopyLauncher,
  FillLauncher,
  HostLauncher,
  IterativeLauncher,
  KernelLauncher,
  type Launcher,
  ListLauncher,
} from "@cl/launcher";
import { caseCount } from "@cl/testing/level";
import { describe, expect, test } from "vitest";

import { plus } from "./support/launchers.js";
import { ints, outOfOrder, program, queue, read } from "./support/device.js";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";

type Ints = DeviceBuffer<Int32Array>;

/** Description of a random member: its kind, which two of four buffers it uses, and a value. */
const step = record({
  kind: constantFrom(
    "add",
    "multiply",
    "mixing",
    "varying",
    "sweep",
    "memory sweep",
    "columns",
    "view fill",
    "copy",
    "host copy",
    "fill",
    "host",
    "list",
  ),
  to: nat(3),
  from: nat(3),
  a: integer({ min: -3, max: 3 }),
  order: constantFrom("sequential", "graph" as const),
});
type Step = typeof step extends Arbitrary<infer S> ? S : never;

const numbers = Array.from({ length: 20 }, (_, i) => i);
/** Returns a non-contiguous view of the first and third elements. */
const columnsOf = (buffer: Ints): DeviceView => new DeviceView(buffer, { dtype: "int32", shape: [2], strides: [8] });

const mix = program.kernel("mixing");

function launcherOf({ kind, to, from, a, order }: Step, buffers: readonly Ints[]): Launcher {
  const [target, source] = [buffers[to] as Ints, buffers[from === to ? (from + 1) % 4 : from] as Ints];
  switch (kind) {
    case "add":
    case "multiply":
      return new KernelLauncher(kind, program.kernel(kind), { args: [target, a], global: 4 });
    case "mixing":
      return new KernelLauncher(kind, mix, { args: [source, target, a], global: 4 });
    case "varying":
      return new KernelLauncher(kind, mix, { args: [source, target, a], global: () => 4 });
    case "sweep":
      return new IterativeLauncher(kind, mix, {
        args: [source, target],
        parameters: ["a"],
        iterate: { a: numbers },
        global: 4,
      });
    case "memory sweep":
      return new IterativeLauncher(kind, mix, {
        args: [target],
        parameters: ["x", "a"],
        iterate: { x: [source, source], a: numbers },
        global: 4,
      });
    case "columns":
      return new CopyLauncher(kind, { source: columnsOf(source), target: columnsOf(target) });
    case "view fill":
      return new FillLauncher(kind, { target: columnsOf(target), pattern: a });
    case "host copy": {
      const memory = new Int32Array(4);
      const inner = new ListLauncher(kind, { order });
      inner.pushCopyDeviceToHost("read", source, memory);
      return inner.pushCopyHostToDevice("write", memory, target);
    }
    case "copy":
      return new CopyLauncher(kind, { source, target, sourceOffset: 4, targetOffset: 8, bytes: 8 });
    case "fill":
      return new FillLauncher(kind, { target, pattern: a, offset: 4, bytes: 8 });
    case "host":
      return new HostLauncher(kind, () => undefined);
    case "list":
      return new ListLauncher(kind, { order }).push(
        launcherOf({ kind: "mixing", to, from, a, order }, buffers),
        launcherOf({ kind: "add", to: from, from: to, a, order }, buffers),
      );
    default:
      return kind satisfies never;
  }
}

describe("a list on an out-of-order queue gives the same results as on an in-order queue", () => {
  test.each(["sequential", "graph"] as const)("if it is %s", async (order) => {
    await assert(
      asyncProperty(array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const run = async (target: typeof queue): Promise<number[][]> => {
          const buffers = [1, 2, 3, 4].map((i) => ints(i, i + 1, i + 2, i + 3));
          const list = new ListLauncher("list", { order });
          for (const one of steps) list.push(launcherOf(one, buffers));
          for (let launch = 0; launch < 3; launch++) list.launch(target);
          await list.enqueue(target).wait();
          list.release();
          return Promise.all(buffers.map(read));
        };
        expect(await run(outOfOrder)).toEqual(await run(queue));
      }),
      { numRuns: caseCount(40) },
    );
  });
});

describe("the combinations of an iterative launcher on an out-of-order queue", () => {
  const n = 1 << 14;
  const count = 600;
  let expected = 0;
  for (let a = 0; a < count; a++) expected = (Math.imul(3, expected) + a) | 0;
  const ones = ints(...Array.from({ length: n }, () => 1));
  const countWrongElements = async (make: (sweep: IterativeLauncher) => Launcher): Promise<number> => {
    const x = ints(...new Int32Array(n));
    const sweep = new IterativeLauncher("sweep", mix, {
      args: [ones, x],
      parameters: ["a"],
      iterate: { a: () => Array.from({ length: count }, (_, a) => a) },
      global: n,
    });
    await make(sweep).enqueue(outOfOrder).wait();
    return (await read(x)).filter((value) => value !== expected).length;
  };

  test("run sequentially in sequential and graph lists", async () => {
    expect(await countWrongElements((sweep) => new ListLauncher("list").push(sweep))).toBe(0);
    expect(await countWrongElements((sweep) => new ListLauncher("list", { order: "graph" }).push(sweep))).toBe(0);
  });

  test("run sequentially if not all values are numbers", async () => {
    const x = ints(...new Int32Array(n));
    const sweep = new IterativeLauncher("sweep", mix, {
      args: [x],
      parameters: ["x", "a"],
      iterate: { x: [ones], a: () => Array.from({ length: count }, (_, a) => a) },
      global: n,
    });
    await new ListLauncher("list").push(sweep).enqueue(outOfOrder).wait();
    expect((await read(x)).filter((value) => value !== expected)).toEqual([]);
  });
});

describe("a graph", () => {
  test("validates the reads and writes that launchers declare", () => {
    const [x, y] = [ints(1), ints(2)];
    const kernel = program.kernel("mixing");
    const make = (options: object) => () => new KernelLauncher("k", kernel, { args: [x, y, 1], global: 1, ...options });
    expect(make({ reads: ["nobody"] })).toThrow(outOfRange("options.reads[0]"));
    expect(make({ writes: [2] })).toThrow(wrongValue("options.writes[0]"));
    expect(make({ writes: 1 })).toThrow(wrongType("options.writes"));
    make({ reads: ["x"], writes: [1] })().launch(queue);
  });
});

test("a list of 2,000 members completes on an out-of-order queue", async () => {
  const x = ints(0);
  const list = new ListLauncher("long");
  const one = plus(x);
  for (let i = 0; i < 2000; i++) list.push(one);
  await list.enqueue(outOfOrder).wait();
  expect(await read(x)).toEqual([2000]);
});
