import { beforeEach, describe, expect, test } from "vitest";
import { DisposedError, MappedSvm, SvmAllocation } from "@cl/core";

import { outOfRange } from "@cl/testing/error-like";
import { needsCoarse } from "@cl/testing/svm";
import { wrongType } from "@cl/testing/error-like";
import { context, queue } from "./support/kernels.js";

beforeEach((run) => needsCoarse(run));

const filled = (): SvmAllocation => {
  const memory = new SvmAllocation(context, 16);
  queue.writeSync(memory, Float32Array.of(1, 2, 3, 4));
  return memory;
};

describe("a map of SVM", () => {
  test("is an array over the memory until it is unmapped by a command with an event", async () => {
    using memory = filled();
    const mapped = await memory.map(queue, Float32Array);
    expect(mapped).toBeInstanceOf(MappedSvm);
    expect(mapped.svm).toBe(memory);
    const { data } = mapped;
    expect([...data]).toEqual([1, 2, 3, 4]);
    data[1] = 9;
    const event = mapped.unmap();
    expect(data.length).toBe(0);
    expect(mapped.released).toBe(true);
    await event.wait();
    expect(() => mapped.data).toThrow(DisposedError);
    expect([...queue.readSync(memory, Float32Array)]).toEqual([1, 9, 3, 4]);
  });

  test("shows a range counted in elements, or in bytes without a type", () => {
    using memory = filled();
    using floats = memory.mapSync(queue, Float32Array, { offset: 1, length: 2 });
    expect([...floats.data]).toEqual([2, 3]);
    using bytes = memory.mapSync(queue);
    expect(bytes.data).toBeInstanceOf(Uint8Array);
    expect(bytes.data.length).toBe(16);
    using part = memory.part(8, 8, Float32Array).mapSync(queue, { offset: 1 });
    expect([...part.data]).toEqual([4]);
  });

  test("has the access mode given by the method's name", async () => {
    using memory = filled();
    for (const map of [
      await memory.mapRead(queue, Float32Array),
      memory.mapReadSync(queue, Float32Array, { length: 4 }),
      await memory.mapReadWrite(queue, Float32Array),
      memory.mapReadWriteSync(queue, Float32Array),
      await memory.mapWrite(queue, Float32Array),
      memory.mapWriteSync(queue, Float32Array),
    ]) {
      expect([...map.data]).toEqual([1, 2, 3, 4]);
      map.release();
    }
    const twice = { access: "read" } as object;
    expect(() => memory.mapReadSync(queue, Float32Array, twice)).toThrow(wrongType("options.access"));
  });

  test("is unmapped at the end of its block, and waits for that", async () => {
    using memory = filled();
    {
      await using mapped = await memory.mapReadWrite(queue, Float32Array);
      mapped.data.fill(5);
    }
    {
      using mapped = memory.mapReadSync(queue, Float32Array);
      expect([...mapped.data]).toEqual([5, 5, 5, 5]);
    }
    const mapped = memory.mapReadSync(queue, Float32Array);
    mapped.release();
    await mapped[Symbol.asyncDispose]();
    expect(mapped.released).toBe(true);
  });

  test("is rejected if it is empty or ends beyond the memory", () => {
    using memory = filled();
    expect(() => memory.mapSync(queue, { length: 0 })).toThrow(outOfRange("options.length"));
    expect(() => memory.mapSync(queue, Float32Array, { length: 5 })).toThrow(/exceed the memory's 16 bytes/);
  });
});
