import { markAsUntransferable } from "node:worker_threads";

import * as fc from "fast-check";
import { beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import { needsCoarse } from "@cl/testing/svm";
import { needs } from "@cl/base/testing";
import {
  CommandQueue,
  Context,
  DeviceBuffer,
  DisposedError,
  type MappedBuffer,
  UserEvent,
  CommandType,
  Image,
  ImageFormat,
  SvmAllocation,
} from "@cl/core";

import { collectGarbage, collectUntil } from "@cl/base/testing";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { context, queue } from "./support/kernels.js";

const counting = Int32Array.from({ length: 64 }, (_, i) => i);

/** For calls that TypeScript would reject. */
const loose = queue as unknown as {
  map(...args: unknown[]): Promise<MappedBuffer>;
  mapSync(...args: unknown[]): MappedBuffer;
};

describe("a mapped buffer", () => {
  test("shows the buffer's elements and writes changes back", async () => {
    const buffer = DeviceBuffer.from(context, counting);
    const mapped = await queue.map(buffer);
    expectTypeOf(mapped.data).toEqualTypeOf<Int32Array<ArrayBuffer>>();
    expect(mapped.data).toEqual(counting);
    expect(mapped.buffer).toBe(buffer);
    expect(String(mapped)).toBe("MappedBuffer { Int32Array × 64 }");
    mapped.data[3] = -3;
    await mapped.unmap().wait();
    expect((await queue.read(buffer))[3]).toBe(-3);
  });

  test("shows the range given by offset and length, as any type", async () => {
    const buffer = DeviceBuffer.from(context, counting);
    await fc.assert(
      fc.asyncProperty(fc.nat(63), fc.nat(63), fc.boolean(), async (offset, more, blocking) => {
        const length = 1 + (more % (64 - offset));
        const options = { offset, length, access: "read" } as const;
        const mapped = blocking ? queue.mapSync(buffer, options) : await queue.map(buffer, options);
        expect(mapped.data).toEqual(counting.slice(offset, offset + length));
        await mapped.unmap().wait();
      }),
      { numRuns: 40 },
    );
    const bytes = queue.mapSync(buffer, Uint8Array, { offset: 4, length: 4, access: "read" });
    expect([...bytes.data]).toEqual([1, 0, 0, 0]);
    bytes.release();
  });

  test("can overlap other maps if all are read-only", async () => {
    const buffer = DeviceBuffer.from(context, counting);
    const maps = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => queue.map(buffer, { offset: i, length: 32, access: "read" })),
    );
    expect(buffer.mapCount).toBe(8);
    expect(maps.map(({ data }) => data[0])).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    for (const mapped of maps) await mapped.unmap().wait();
    // Drivers may update the count later: the specification calls the value stale.
    await expect.poll(() => buffer.mapCount).toBe(0);
  });

  test("of a temporary sub-buffer works, and keeps it alive", async () => {
    const start = queue.device.memBaseAddrAlign / 8 / 4;
    const buffer = DeviceBuffer.from(
      context,
      Int32Array.from({ length: 2 * start }, (_, i) => i),
    );
    const mapped = await queue.map(buffer.slice(start), { access: "read" });
    await collectGarbage();
    expect(mapped.data[0]).toBe(start);
    await mapped.unmap().wait();
  });
});

/** Memory of every kind with the numbers 0 to 63, and how it is mapped. */
const memories = {
  buffer() {
    const owner = DeviceBuffer.from(context, counting);
    return { owner, map: (on: CommandQueue) => on.mapSync(owner) };
  },
  image() {
    const format = new ImageFormat("RGBA", "SIGNED_INT32");
    const owner = new Image(context, { format, shape: [4, 4], host: counting, hostPointer: "copy" });
    return { owner, map: (on: CommandQueue) => on.mapSync(owner) };
  },
  svm() {
    const owner = new SvmAllocation(context, 256);
    queue.writeSync(owner, counting);
    return { owner, map: (on: CommandQueue) => owner.mapSync(on, Int32Array) };
  },
};

describe.each(Object.keys(memories) as (keyof typeof memories)[])("a map of a %s", (kind) => {
  beforeEach((run) => {
    if (kind === "image") needs(run, queue.device.imageSupport, `'${queue.device.name}' has no images`);
    if (kind === "svm") needsCoarse(run);
  });

  test("detaches all its views and throws once it is unmapped", async () => {
    const mapped = memories[kind]().map(queue);
    const { data } = mapped;
    const other = new Uint8Array(data.buffer, 4, 4);
    const event = mapped.unmap();
    expect([data.length, other.length, mapped.released]).toEqual([0, 0, true]);
    data[0] = 1;
    expect(data[0]).toBeUndefined();
    for (const use of [() => mapped.data, () => mapped.unmap()]) expect(use).toThrow(DisposedError);
    mapped.release();
    await event.wait();
    expect(event.commandType).toBe(kind === "svm" ? CommandType.SVM_UNMAP : CommandType.UNMAP_MEM_OBJECT);
  });

  test("outlives the release of its memory and queue", () => {
    const { owner, map } = memories[kind]();
    const own = new CommandQueue(context);
    const mapped = map(own);
    owner.release();
    own.release();
    // One of these would reuse freed memory.
    for (let i = 0; i < 20; i++) memories[kind]().map(queue).release();
    expect(mapped.data[5]).toBe(5);
    mapped.release();
  });

  test("is unmapped by garbage collection, but not while a view is reachable", async (run) => {
    needs(run, kind !== "svm", "drivers count no maps of shared virtual memory");
    const { owner, map } = memories[kind]();
    const views = [map(queue).data];
    await collectGarbage();
    await collectGarbage();
    expect(views[0]?.[7]).toBe(7);
    expect((owner as DeviceBuffer).mapCount).toBe(1);
    views.length = 0;
    const unmapped = (): boolean => {
      queue.finishSync();
      return (owner as DeviceBuffer).mapCount === 0;
    };
    expect(await collectUntil(unmapped)).toBe(true);
  });
});

describe("unmapping", () => {
  test("rejects a wait list of other values without unmapping", async () => {
    const mapped = await queue.map(DeviceBuffer.from(context, counting));
    expect(() => mapped.unmap({ waitFor: 1 as unknown as UserEvent })).toThrow(wrongType("waitFor"));
    expect(() => mapped.unmap({ waitFor: new UserEvent(Context.create()) })).toThrow(wrongValue());
    expect(mapped.data[1]).toBe(1);
    await mapped.unmap().wait();
  });
});

describe("the mapped memory", () => {
  test("is unmapped, or throws without ending the process, if it was marked as untransferable a second time", async () => {
    const mapped = await queue.map(DeviceBuffer.from(context, counting));
    markAsUntransferable(mapped.data.buffer);
    try {
      await mapped.unmap().wait();
      expect(mapped.released).toBe(true);
    } catch (error) {
      // Node.js 24 and later cannot detach marked memory.
      expect(String(error)).toContain("marked as untransferable");
      expect(mapped.data[1]).toBe(1);
    }
  });

  test("stays mapped if an engine transfers it regardless, and unmapping throws", async () => {
    const buffer = DeviceBuffer.from(context, counting);
    const mapped = await queue.map(buffer);
    const memory = mapped.data.buffer as ArrayBuffer & { transfer?: () => ArrayBuffer };
    if (memory.transfer === undefined) {
      // Node.js before 22 has no way to transfer it.
      await mapped.unmap().wait();
      return;
    }
    const moved = new Int32Array(memory.transfer());
    expect(() => mapped.unmap()).toThrow("was transferred and cannot be detached");
    expect(mapped.released).toBe(true);
    moved[0] = 9;
    expect(moved[1]).toBe(1);
  });
});

describe("a map is rejected", () => {
  const buffer = DeviceBuffer.from(context, counting);
  const cases: [what: string, args: unknown[], message: Error | string][] = [
    ["of untyped bytes without a type", [new DeviceBuffer(context, 8)], wrongType("type")],
    ["of zero length", [buffer, { length: 0 }], outOfRange("options.length")],
    ["with a length beyond the end", [buffer, { length: 65 }], outOfRange()],
    ["from an offset beyond the end", [buffer, { offset: 65 }], outOfRange("options.offset")],
    ["with a method name as access", [buffer, { access: "valueOf" }], wrongType("options.access")],
  ];
  test.each(cases)("%s", async (_, args, message) => {
    await expect(loose.map(...args)).rejects.toThrow(message);
    expect(() => loose.mapSync(...args)).toThrow(message);
  });
});
