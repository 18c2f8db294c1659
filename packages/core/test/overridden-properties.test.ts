/** Arrays with an overridden `buffer`, `byteLength` and other properties: the engine's own values apply. */
import { describe, expect, test } from "vitest";
import {
  DeviceBuffer,
  DeviceView,
  ElementArray,
  Image,
  ImageFormat,
  NotSupportedError,
  Svm,
  SvmAllocation,
} from "@cl/core";

import { lastResult, runModule } from "@cl/testing/run-module";
import { hasSvm, needsCoarse } from "@cl/testing/svm";
import { needs } from "@cl/base/testing";
import { context, device, queue, resizable } from "./support/kernels.js";

const size = 4096;

function derived(prototype: object, properties: PropertyDescriptorMap): object {
  return Object.create(prototype, properties) as object;
}

/** Each returns an array over a resizable ArrayBuffer that appears to have a fixed length. */
const disguises: Readonly<Record<string, () => Uint8Array>> = {
  "an own property `buffer`": () =>
    Object.defineProperty(new Uint8Array(resizable(size)), "buffer", { value: new ArrayBuffer(size) }),
  "a getter `buffer` of a subclass": () => {
    class Disguised extends Uint8Array<ArrayBuffer> {
      override get buffer(): ArrayBuffer {
        return new ArrayBuffer(8);
      }
    }
    return new Disguised(resizable(size));
  },
  "an own property `resizable` of the ArrayBuffer": () =>
    new Uint8Array(Object.defineProperty(resizable(size), "resizable", { value: false })),
  "another prototype of the ArrayBuffer": () => {
    const memory = resizable(size);
    const array = new Uint8Array(memory);
    Object.setPrototypeOf(memory, derived(ArrayBuffer.prototype, { resizable: { value: false } }));
    return array;
  },
  "another prototype of the array": () => {
    const array = new Uint8Array(resizable(size));
    Object.setPrototypeOf(array, derived(Uint8Array.prototype, { buffer: { value: new ArrayBuffer(size) } }));
    return array;
  },
};

const typeError = expect.objectContaining({ name: "TypeError", code: "ERR_INVALID_ARG_TYPE" }) as Error;

describe.each(Object.keys(disguises))("a resizable ArrayBuffer behind %s is rejected", (name) => {
  const make = disguises[name] as () => Uint8Array;
  const buffer = new DeviceBuffer(context, size);

  test("by asynchronous reads and writes", async () => {
    await expect(queue.write(buffer, make())).rejects.toEqual(typeError);
    await expect(queue.read(buffer, { into: make() })).rejects.toEqual(typeError);
    expect(() => queue.enqueueCopy(buffer, make())).toThrow(typeError);
    expect(() => queue.enqueueCopy(make(), buffer)).toThrow(typeError);
    expect(() => queue.enqueueCopy(make(), buffer, { region: [64, 2] })).toThrow(typeError);
    const view = DeviceView.empty(context, [size], Uint8Array);
    await expect(view.write(queue, make())).rejects.toEqual(typeError);
    await expect(view.read(queue, { into: make() })).rejects.toEqual(typeError);
  });

  test("as the memory of a buffer, a view or an image", () => {
    const host = make();
    expect(() => new DeviceBuffer(context, { host, hostPointer: "use" })).toThrow(typeError);
    expect(() => DeviceView.fromHost(context, host, { hostPointer: "use" })).toThrow(typeError);
    if (!device.imageSupport) return;
    const format = new ImageFormat("RGBA", "UNSIGNED_INT8");
    expect(() => new Image(context, { format, shape: [8, 8], host, hostPointer: "use" })).toThrow(typeError);
    const image = Image.empty(context, format, [32, 32]);
    expect(() => queue.enqueueCopy(image, make())).toThrow(typeError);
  });
});

test("a transfer has the engine's length of the array, whatever `byteLength` and `length` return", async () => {
  class Forged extends Uint8Array {
    override get byteLength(): number {
      return 2 ** 30;
    }
    override get length(): number {
      return 2 ** 30;
    }
    override get byteOffset(): number {
      return 1;
    }
    override get BYTES_PER_ELEMENT(): number {
      return 64;
    }
  }
  const buffer = new DeviceBuffer(context, 16);
  const array = new Forged(16);
  Uint8Array.prototype.fill.call(array, 5);
  queue.writeSync(buffer, array);
  await queue.write(buffer, array);
  expect(queue.readSync(buffer, Uint8Array)).toEqual(new Uint8Array(16).fill(5));
  const into = new Forged(8);
  await queue.read(buffer, { into, offset: 8 });
  expect(Uint8Array.prototype.at.call(into, 7)).toBe(5);
  expect(DeviceBuffer.from(context, array).size).toBe(16);
  expect(new ElementArray("float32", array).length).toBe(4);
});

test("a part of shared memory starts at the engine's offset of the array", (run) => {
  needsCoarse(run);
  const owner = new SvmAllocation(context, 64);
  const mapped = owner.mapSync(queue, Uint8Array);
  const plain = mapped.data.subarray(16, 32);
  const forged = mapped.data.subarray(16, 32);
  for (const [name, value] of Object.entries({ byteOffset: 2 ** 40, byteLength: 2 ** 40, length: 2 ** 40 })) {
    Object.defineProperty(forged, name, { value });
  }
  const part = new Svm(context, forged);
  expect([part.size, part.pointer]).toEqual([16, new Svm(context, plain).pointer]);
  const foreignArray = Object.defineProperty(new Uint8Array(16), "buffer", { value: mapped.data.buffer });
  if (!hasSvm("FINE_GRAIN_SYSTEM")) expect(() => new Svm(context, foreignArray)).toThrow(NotSupportedError);
  mapped.unmap();
  owner.release();
});

describe("memory that an options getter transfers", () => {
  const transfer = (array: Uint8Array): void =>
    void structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
  const detachedError = expect.objectContaining({ name: "TypeError", code: "ERR_INVALID_ARG_VALUE" }) as Error;
  /** Returns options where reading the given property transfers the array. */
  function transferOnRead(array: Uint8Array, name: string, value: unknown, rest: object = {}): object {
    const get = (): unknown => {
      transfer(array);
      return value;
    };
    return Object.defineProperty({ ...rest }, name, { get, enumerable: true });
  }

  test.each(["offset", "length", "view", "waitFor"])("through `%s` makes a read or write throw", async (name) => {
    const buffer = new DeviceBuffer(context, 64);
    const arrays = Array.from({ length: 5 }, () => new Uint8Array(64));
    const [a, b, c, d, e] = arrays as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    const into = (array: Uint8Array): { into: Uint8Array } =>
      transferOnRead(array, name, undefined, { into: array }) as { into: Uint8Array };
    expect(() => queue.readSync(buffer, into(a))).toThrow(detachedError);
    await expect(queue.read(buffer, into(b))).rejects.toEqual(detachedError);
    if (name === "length" || name === "view") return;
    expect(() => queue.writeSync(buffer, c, transferOnRead(c, name, undefined))).toThrow(detachedError);
    await expect(queue.write(buffer, d, transferOnRead(d, name, undefined))).rejects.toEqual(detachedError);
    const option = name === "offset" ? "sourceOffset" : name;
    expect(() => queue.copySync(buffer, e, transferOnRead(e, option, undefined))).toThrow(detachedError);
  });

  test("through a wait list makes a write throw", () => {
    const buffer = new DeviceBuffer(context, 64);
    const array = new Uint8Array(64);
    const event = queue.enqueueMarker();
    const waitFor = new Proxy([event], {
      get(target, key) {
        if (array.length > 0) transfer(array);
        return Reflect.get(target, key) as unknown;
      },
    });
    expect(() => queue.writeSync(buffer, array, { waitFor })).toThrow(detachedError);
  });

  test("makes transfers of images throw", async (run) => {
    needs(run, device.imageSupport, `'${device.name}' has no images`);
    const image = Image.empty(context, new ImageFormat("RGBA", "UNSIGNED_INT8"), [4, 4]);
    for (const name of ["waitFor", "origin", "pitches"]) {
      const arrays = Array.from({ length: 4 }, () => new Uint8Array(64));
      const options = (i: number): object => transferOnRead(arrays[i] as Uint8Array, name, undefined);
      expect(() => queue.writeSync(image, arrays[0] as Uint8Array, options(0))).toThrow(detachedError);
      await expect(queue.write(image, arrays[1] as Uint8Array, options(1))).rejects.toEqual(detachedError);
      const into = (i: number): { into: Uint8Array } =>
        transferOnRead(arrays[i] as Uint8Array, name, undefined, { into: arrays[i] }) as { into: Uint8Array };
      expect(() => queue.readSync(image, into(2))).toThrow(detachedError);
      await expect(queue.read(image, into(3))).rejects.toEqual(detachedError);
    }
  });
});

test("an argument with throwing properties is still described in the error", () => {
  const fail = (): never => {
    throw new Error("not this one");
  };
  const throwing = new Proxy({}, { get: fail, ownKeys: fail });
  const array = Object.defineProperty(new Uint8Array(4), "constructor", { get: fail });
  for (const value of [throwing, array]) {
    expect(() => queue.enqueueMarker(value as never)).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_ARG_TYPE" }),
    );
  }
});

describe("built-ins replaced before the package is loaded", () => {
  test("do not hide that memory is resizable", async () => {
    const end = await runModule({
      source: `
        Object.defineProperty(ArrayBuffer.prototype, "resizable", { get: () => false, configurable: true });
        const { Context, CommandQueue, DeviceBuffer, UserEvent } = await import("@cl/core");
        const context = Context.create(), queue = new CommandQueue(context), size = 1 << 22;
        const buffer = new DeviceBuffer(context, size), codes = [];
        const make = () => new Uint8Array(new ArrayBuffer(size, { maxByteLength: size }));
        const calls = [
          (array, waitFor) => queue.write(buffer, array, { waitFor }),
          (into, waitFor) => queue.read(buffer, { into, waitFor }),
          async (array, waitFor) => queue.enqueueCopy(buffer, array, { waitFor }).wait(),
          async (host) => new DeviceBuffer(context, { host, hostPointer: "use" }),
        ];
        for (const call of calls) {
          const gate = new UserEvent(context), array = make();
          const result = call(array, gate).then(() => "done", (error) => error.code);
          array.buffer.resize(0);
          gate.complete();
          codes.push(await result);
        }
        console.log(JSON.stringify({ codes }));`,
    });
    expect(lastResult(end)).toEqual({ codes: Array.from({ length: 4 }, () => "ERR_INVALID_ARG_VALUE") });
  });

  test("do not keep an unmapped ArrayBuffer reachable", async () => {
    const end = await runModule({
      source: `
        const { Context, CommandQueue, DeviceBuffer } = await import("@cl/core");
        ArrayBuffer.prototype.transfer = function () { return this; };
        const context = Context.create(), queue = new CommandQueue(context);
        const mapped = queue.mapSync(new DeviceBuffer(context, 4096), Uint8Array);
        const { data } = mapped;
        mapped.unmap();
        console.log(JSON.stringify({ length: data.length }));`,
    });
    expect(lastResult(end)).toEqual({ length: 0 });
  });
});
