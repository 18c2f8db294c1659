import { DeviceBuffer, Program } from "@cl/core";
import { HostLauncher, KernelLauncher, ListLauncher } from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { context, floats, ints, program, queue, read, targets } from "./support/device.js";
import { adding } from "./support/launchers.js";
import { disposed } from "@cl/testing/core-errors";
import { outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";

const add = program.kernel("add");
const axpy = program.kernel("axpy");

test.each(targets)("a table passes its numbers to a list on %s at each launch", async (_, target) => {
  const [x, y] = [floats(1, 2), floats(0, 0)];
  const z = ints(0, 0);
  const list = new ListLauncher("step", { queue: target })
    .push(new KernelLauncher("y", axpy, { args: { x, y }, parameters: ["a", "n"], global: 2 }))
    .push(new KernelLauncher("z", add, { args: [z], parameters: { k: "a" }, global: 2 }))
    .push(new KernelLauncher("z again", add, { args: [z], parameters: { k: "a" }, global: 2 }));
  const table = list.parameterTable();
  expect(table.names).toEqual(["a", "n", "k"]);
  expect(table.indexOf("n")).toBe(1);
  expect(table.indexOf("nobody")).toBe(-1);
  for (let step = 1; step <= 5; step++) {
    table.values.set([step, 2, 10 * step]);
    if (step % 2 === 0) table.launch();
    else await table.enqueue(target).wait();
  }
  await target.finish();
  expect(await read(y)).toEqual([15, 30]);
  expect(await read(z)).toEqual([300, 300]);
  // Launches with named values and with tables can alternate.
  list.launch(target, { a: 1, n: 1, k: -1 });
  table.values.set([0, 0, 1]);
  table.launch(target);
  await target.finish();
  expect(await read(y)).toEqual([16, 30]);
  expect(await read(z)).toEqual([300, 300]);
});

test("members with parameters other than numbers receive their values", async () => {
  const [x, y] = [ints(0), ints(0)];
  const seen: number[] = [];
  const list = new ListLauncher("mixed")
    .push(adding(x, "add"))
    .push(new HostLauncher("note", ({ t }) => seen.push(t), { parameters: { t: "number" } }));
  const table = list.parameterTable();
  for (let step = 1; step <= 3; step++) {
    table.values.set([step, step / 2]);
    table.launch(queue);
  }
  await queue.finish();
  expect([await read(x), seen]).toEqual([[6], [0.5, 1, 1.5]]);
  const buffers = new ListLauncher("buffers").push(
    new KernelLauncher("add", add, { parameters: ["x", "a"], global: 1 }),
  );
  for (const [to, a] of [
    [x, 1],
    [y, 2],
    [x, 3],
  ] as const) {
    buffers.launch(queue, { x: to, a });
  }
  expect([await read(x), await read(y)]).toEqual([[10], [2]]);
});

test("wrong values are rejected, and nothing is launched", async () => {
  const x = ints(0);
  const list = new ListLauncher("step").push(adding(x, "one"));
  const table = list.parameterTable();
  const rangeError = outOfRange();
  expect(() => table.launch(queue)).toThrow(rangeError);
  table.values[0] = 1;
  table.launch(queue);
  table.values[0] = 0.5;
  expect(() => table.launch(queue)).toThrow(rangeError);
  expect(() => list.launch(queue, { a: 0.5 })).toThrow(rangeError);
  expect(() => list.launch(queue, { a: "1" as never })).toThrow(wrongType());
  expect(() => list.launch(queue, { a: 1, b: 2 } as never)).toThrow(wrongValue());
  expect(() => table.launch()).toThrow(wrongState());
  expect(() => table.enqueue(queue, { waitFor: 7 as never })).toThrow(wrongType("waitFor"));
  expect(await read(x)).toEqual([1]);
  structuredClone(table.values.buffer, { transfer: [table.values.buffer as ArrayBuffer] });
  expect(() => table.launch(queue)).toThrow(wrongState());
});

test("a table supports only numbers, and is invalid once its list has other parameters", () => {
  const x = ints(0);
  const list = new ListLauncher("step").push(adding(x, "one"));
  const table = list.parameterTable();
  list.push(new KernelLauncher("two", add, { args: [x], parameters: { b: "a" }, global: 1 }));
  expect(() => table.launch(queue)).toThrow(wrongState());
  list.push(new KernelLauncher("three", add, { parameters: ["x", "a"], global: 1 }));
  expect(() => list.parameterTable()).toThrow(wrongValue());
  list.release();
  expect(() => table.launch(queue)).toThrow(disposed());
});

describe("a 64-bit integer parameter", () => {
  const source = `
    __kernel void note(__global ulong *x, ulong t, long s) { x[get_global_id(0)] = t + (ulong)s; }
    __kernel void count(__global ulong *x, uint t) { x[get_global_id(0)] = t; }` as const;
  const longs = new Program(context, source).buildSync();
  const zeros = (): DeviceBuffer<BigUint64Array> => DeviceBuffer.from(context, new BigUint64Array(1));
  const value = async (x: DeviceBuffer<BigUint64Array>): Promise<bigint | undefined> => (await queue.read(x))[0];
  const noting = (x: DeviceBuffer<BigUint64Array>) =>
    new KernelLauncher("note", longs.kernel("note"), { args: { x }, parameters: ["t", "s"], global: 1 });

  test("has a column in a list's table", async () => {
    const x = zeros();
    const table = new ListLauncher("step").push(noting(x)).parameterTable();
    for (const [t, s, sum] of [
      [1, 2, 3n],
      [2 ** 32, -1, 2n ** 32n - 1n],
      [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0n],
    ] as const) {
      table.values.set([t, s]);
      table.launch(queue);
      expect(await value(x)).toBe(sum);
    }
    for (const wrong of [-1, 0.5, 2 ** 53, NaN]) {
      table.values.set([wrong, 0]);
      expect(() => table.launch(queue)).toThrow(outOfRange());
    }
    table.values.set([0, -(2 ** 53)]);
    expect(() => table.launch(queue)).toThrow(outOfRange());
    expect(await value(x)).toBe(0n);
  });

  test("accepts numbers and bigints alternately", async () => {
    const x = zeros();
    const list = new ListLauncher("step").push(noting(x));
    for (const t of [1, 2n, 2n ** 64n - 1n, 3, 4n, 2 ** 40]) {
      list.launch(queue, { t, s: 0n });
      expect(await value(x)).toBe(BigInt(t));
    }
    expect(() => list.launch(queue, { t: 2n ** 64n, s: 0 })).toThrow(outOfRange());
    expect(() => list.launch(queue, { t: -1n, s: 0 })).toThrow(outOfRange());
    expect(await value(x)).toBe(2n ** 40n);
  });

  test("shares its value with 32-bit integers and host steps, but not with floats", async () => {
    const [x, y] = [zeros(), zeros()];
    const seen: number[] = [];
    const list = new ListLauncher("step").push(
      noting(x),
      new KernelLauncher("count", longs.kernel("count"), { args: { x: y }, parameters: ["t"], global: 1 }),
      new HostLauncher("see", ({ t }) => seen.push(t), { parameters: { t: "number" } }),
    );
    for (let t = 1; t < 4; t++) {
      list.launch(queue, { t, s: 0 });
      expect([await value(x), await value(y)]).toEqual([BigInt(t), BigInt(t)]);
    }
    expect(seen).toEqual([1, 2, 3]);
    expect(() => list.launch(queue, { t: 1n, s: 0 } as never)).toThrow(wrongType());
    const real = new KernelLauncher("real", axpy, {
      args: [floats(0), floats(0), 1],
      parameters: { t: "a" },
      global: 1,
    });
    expect(() => list.push(real)).toThrow(wrongValue());
    const big = new HostLauncher("big", () => undefined, { parameters: { t: "bigint" } });
    expect(() => list.push(big)).toThrow(wrongValue());
    new ListLauncher("bigints").push(noting(x), big).launch(queue, { t: 9n, s: 0 });
    expect(await value(x)).toBe(9n);
  });
});
