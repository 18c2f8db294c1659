/** Selection by masks that the kernels of GPUs compute themselves, on any kind of device. */
import { CommandQueue, Context, DeviceType, DisposedError, Kernel, Program } from "@cl/core";
import { type Arrays, arrays, type DeviceArray, type DTypeName } from "@cl/array";
import type { MemoryPool } from "@cl/tools";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pooled } from "../support/pooled.js";

import { errorLike } from "@cl/testing/error-like";
import { queue as sharedQueue } from "../support/device.js";
import { treatAs } from "../support/treat-as.js";

const launches = vi.spyOn(Kernel.prototype, "launch");
const enqueues = vi.spyOn(Kernel.prototype, "enqueue");
const blocking = vi.spyOn(Program.prototype, "buildSync");

let override: Disposable;
let xp: Arrays;
beforeEach(() => {
  override = treatAs(DeviceType.GPU);
  // Its context has no kernels yet.
  xp = arrays(new CommandQueue(new Context([sharedQueue.device])));
  blocking.mockClear();
});
afterEach(() => {
  override[Symbol.dispose]();
});

const integers = (size: number): Int32Array => Int32Array.from({ length: size }, (_, k) => (k * 7919) % 1000);

/** Returns the names of the kernels that a call runs. */
async function kernelsOf(run: () => Promise<unknown>): Promise<readonly string[]> {
  for (const spy of [launches, enqueues]) spy.mockClear();
  await run();
  return [...launches.mock.contexts, ...enqueues.mock.contexts].map((kernel) => (kernel as Kernel).name);
}

/** The kernels that select elements by a mask that they compute. */
const kernels = ["count", "offsets", "write"];

/** Returns an array with a mask. */
type Selection = (a: DeviceArray<"int32">) => readonly [DeviceArray, DeviceArray<"bool">];

/** The whole rows of a matrix of 5 columns. */
function rowsOf(a: DeviceArray<"int32">): DeviceArray<"int32"> {
  return a.slice([0, a.size - (a.size % 5)]).reshape([-1, 5]);
}

function stored<D extends DTypeName>(array: DeviceArray<D>): DeviceArray<D> {
  array.dataSync();
  return array;
}

function masked<D extends DTypeName>(
  array: DeviceArray<D>,
  mask: (array: DeviceArray<D>) => DeviceArray<"bool">,
): readonly [DeviceArray, DeviceArray<"bool">] {
  return [array, mask(array)];
}

describe("at", () => {
  const selections: readonly (readonly [mask: string, isComputed: boolean, selection: Selection])[] = [
    ["the array", true, (a) => [a, a.less(500)]],
    ["all elements", true, (a) => [a, a.less(2000)]],
    ["no elements", true, (a) => [a, a.less(-1)]],
    ["several operators", true, (a) => [a, a.mul(3).sub(7).bitwiseAnd(4).notEqual(0).logicalAnd(a.less(700))]],
    ["a view", true, (a) => [a.slice("1:"), a.slice("1:").less(500)]],
    ["a view with another offset", true, (a) => [a.slice("1:"), a.slice(":-1").less(500)]],
    ["its first element", true, (a) => [a, a.greater(a.slice([0, 1]))]],
    ["complex numbers", true, (a) => masked(stored(a.astype("complex64")), (z) => z.notEqual(0))],
    ["small integers", true, (a) => masked(stored(a.astype("int8")), (z) => z.less(0))],
    ["rows", true, (a) => [rowsOf(a), rowsOf(a).less(500)]],
    ["an element", true, (a) => [a, a.less(a.max())]],
    ["halves", true, (a) => masked(stored(a.astype("float16")), (z) => z.less(300.5))],
    ["bytes", true, (a) => [a, stored(a.remainder(3).astype("uint8")).equal(1)]],
    ["booleans", true, (a) => [a, stored(a.less(500)).logicalAnd(stored(a.remainder(2).equal(0)))]],
    ["another array of wide elements", false, (a) => [a, stored(a.astype("float32")).less(500.5)]],
    ["reversed elements", false, (a) => [a, a.slice("::-1").less(500)]],
    ["columns", false, (a) => [rowsOf(a).T, rowsOf(a).T.less(500)]],
    ["a broadcast row", false, (a) => [rowsOf(a), rowsOf(a).less(stored(a.slice(":5").mul(2)))]],
    ["an expensive operator", false, (a) => [a, a.power(2).less(25_000)]],
  ];
  test.each(selections)("selects elements by a mask of %s", { tags: "full" }, async (_, isComputed, selection) => {
    const eager = arrays(xp.queue, { eager: true });
    for (const size of [15, 4097, 10_000]) {
      const [same, flags] = selection(eager.fromHost(integers(size)));
      const expected = same.atSync(flags).dataSync();
      const a = xp.fromHost(integers(size));
      await xp.prepare(() => {
        const [array, mask] = selection(a);
        return array.at(mask);
      });
      const [array, mask] = selection(a);
      const names = await kernelsOf(async () => {
        expect(await array.at(mask).then((one) => one.data())).toEqual(expected);
      });
      if (isComputed) expect(names).toEqual(kernels);
      else expect(names).toContain("elementwise");
      // The second time, the mask is stored.
      expect(array.atSync(mask).dataSync()).toEqual(expected);
      expect(await mask.data()).toEqual(await flags.data());
      expect(array.at(selection(a)[1], { size: 3, fill: 7 }).dataSync()).toEqual(
        same.at(flags, { size: 3, fill: 7 }).dataSync(),
      );
    }
  });

  test("computes a pending array once", async () => {
    const a = xp.fromHost(integers(5000));
    const select = (): Promise<DeviceArray> => {
      const doubled = a.mul(2);
      return doubled.at(doubled.less(500));
    };
    await xp.prepare(select);
    expect(await kernelsOf(select)).toEqual(["elementwise", ...kernels]);
    const selected = integers(5000)
      .map((one) => 2 * one)
      .filter((one) => one < 500);
    expect(await select().then((one) => one.data())).toEqual(selected);
  });

  describe("with memory of its own", () => {
    const size = 2 ** 16;
    const bytes = size * Int32Array.BYTES_PER_ELEMENT;

    /** Returns an array of which a limit of 20 selects a fiftieth, and its pool. */
    function limited(maxBytes: number): { readonly pool: MemoryPool; readonly a: DeviceArray<"int32"> } {
      const { pool, xp: own } = pooled(xp.queue, maxBytes);
      return { pool, a: own.fromHost(integers(size)) };
    }

    test("counts first if not all elements have room", async () => {
      const { a } = limited(1.5 * bytes);
      const expected = integers(size).filter((one) => one < 20);
      expect(await a.at(a.less(20)).then((one) => one.data())).toEqual(expected);
      expect(a.atSync(a.less(20)).dataSync()).toEqual(expected);
    });

    test("gives back what most of would be wasted", async () => {
      const { pool, a } = limited(4 * bytes);
      const before = pool.activeBytes;
      const few = await a.at(a.less(20));
      expect(pool.activeBytes - before).toBeLessThan(bytes / 4);
      few.release();
      expect(pool.activeBytes).toBe(before);
      const half = await a.at(a.less(500));
      expect(pool.activeBytes - before).toBe(bytes);
      half.release();
      expect(pool.activeBytes).toBe(before);
    });

    test("gives back all if the array has been released", async () => {
      const { pool, a } = limited(4 * bytes);
      const mask = a.less(20).eval();
      a.release();
      await expect(a.at(mask)).rejects.toThrow(errorLike(DisposedError, "ERR_CL_DISPOSED"));
      mask.release();
      expect(pool.activeBytes).toBe(0);
    });
  });

  test("does not wait for the compiler at the first use", async () => {
    const a = xp.fromHost(integers(5000));
    expect(await a.at(a.less(500)).then((one) => one.data())).toEqual(integers(5000).filter((one) => one < 500));
    expect(blocking).not.toHaveBeenCalled();
  });

  test("uses kernels of single operators if only these are built", async () => {
    const a = xp.fromHost(integers(5000));
    const select = (factor: number): Promise<DeviceArray> => a.at(a.mul(factor).less(500));
    await xp.prepare(() => a.at(a.mul(2).eval().less(500).eval()));
    const selected = integers(5000).filter((one) => 2 * one < 500);
    expect(await select(2).then((one) => one.data())).toEqual(selected);
    expect(await select(2).then((one) => one.data())).toEqual(selected);
  });
});

describe("a mask has its values before changes", () => {
  const size = 5000;
  const selected = integers(size).filter((one) => one < 500);

  /** An array, and another one with the same values, of which masks are computed. */
  async function arraysOf(): Promise<readonly [DeviceArray<"int32">, DeviceArray<"uint8">]> {
    const bytes = Uint8Array.from(integers(size), (one) => Number(one < 500));
    const made = [xp.fromHost(integers(size)), xp.fromHost(bytes)] as const;
    const [a, flags] = made;
    await xp.prepare(async () => {
      flags.copy().assign(0);
      // The other elements, in memory that may be used again.
      await Promise.all([a.at(flags.equal(0)), a.at(flags.mul(1).equal(0))]);
    });
    return made;
  }

  test("of its operands", async () => {
    const [a, flags] = await arraysOf();
    const result = a.at(flags.equal(1));
    flags.assign(0);
    expect(await result.then((one) => one.data())).toEqual(selected);
  });

  test("of its operands that are enqueued later", async () => {
    const [a, flags] = await arraysOf();
    const result = a.at(flags.equal(1));
    blocking.mockClear();
    // Its kernel is not built.
    flags.add(1, { out: flags });
    expect(await result.then((one) => one.data())).toEqual(selected);
    expect(blocking).not.toHaveBeenCalled();
  });

  test("of operands of an operand that is stored meanwhile", async () => {
    const [a, flags] = await arraysOf();
    const product = flags.mul(1);
    const result = a.at(product.equal(1));
    product.eval();
    flags.assign(0);
    expect(await result.then((one) => one.data())).toEqual(selected);
  });

  test("of arrays that are released", async () => {
    const [a, flags] = await arraysOf();
    const mask = flags.equal(1);
    const result = a.at(mask);
    for (const one of [mask, flags, a]) one.release();
    expect(await result.then((one) => one.data())).toEqual(selected);
  });
});
