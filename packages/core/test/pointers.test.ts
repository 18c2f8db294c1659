import { expect, test } from "vitest";
import {
  CommandEvent,
  CommandQueue,
  Context,
  Device,
  DeviceBuffer,
  DeviceType,
  Image,
  ImageFormat,
  Kernel,
  Platform,
  Program,
  type Resource,
  Sampler,
  SvmAllocation,
  UserEvent,
} from "@cl/core";

import { lastResult, runModule } from "@cl/testing/run-module";
import { needs } from "@cl/base/testing";
import { context, hasSvm } from "@cl/testing/svm";
import { wrongType, wrongValue } from "@cl/testing/error-like";

const other = Context.create();
const queue = new CommandQueue(context, { profiling: true });
const [device] = context.devices as [Device];

const program = new Program(context, "__kernel void f(__global int *x) { x[0] = 1; }").buildSync();
const buffer = new DeviceBuffer(context, 1024);
const images: [string, (pointer: bigint) => Resource, Resource][] = device.imageSupport
  ? [
      [
        "Image",
        (pointer) => Image.fromPointer(context, pointer),
        new Image(context, { format: new ImageFormat("RGBA", "UNORM_INT8"), shape: [4, 4] }),
      ],
      ["Sampler", (pointer) => Sampler.fromPointer(context, pointer), new Sampler(context)],
    ]
  : [];

/** Each class with its `fromPointer` and an object. */
const kinds: [string, (pointer: bigint) => Resource, Resource][] = [
  ["Platform", (pointer) => Platform.fromPointer(pointer), context.platform],
  ["Device", (pointer) => Device.fromPointer(pointer), device],
  ["Context", (pointer) => Context.fromPointer(pointer), context],
  ["CommandQueue", (pointer) => CommandQueue.fromPointer(context, pointer), queue],
  ["CommandEvent", (pointer) => CommandEvent.fromPointer(context, pointer), queue.enqueueMarker()],
  ["DeviceBuffer", (pointer) => DeviceBuffer.fromPointer(context, pointer), buffer],
  ["Program", (pointer) => Program.fromPointer(context, pointer), program],
  ["Kernel", (pointer) => Kernel.fromPointer(program, pointer), program.kernel("f")],
  ...images,
];

test.each(kinds)("a %s from its own address is the same OpenCL object", (_, from, object) => {
  expect(object.pointer).toBeTypeOf("bigint");
  expect(object.pointer).toBeGreaterThan(0n);
  const sameObject = from(object.pointer);
  expect(sameObject).toBeInstanceOf(object.constructor);
  expect(sameObject.equals(object)).toBe(true);
  expect(object.equals(sameObject)).toBe(true);
  expect(sameObject.pointer).toBe(object.pointer);
});

test.each(kinds)("rejects wrong addresses of a %s without ending the process", (_, from, object) => {
  const inside = [1n, 8n, 16n].map((offset) => object.pointer + offset);
  const nothing = [0n, 1n, 8n, 0x1000n, 0x7fff_ffff_f000n, 2n ** 47n, 2n ** 64n - 8n, ...inside];
  for (const address of nothing) {
    expect(() => from(address)).toThrow(wrongValue());
  }
});

test.each(kinds)("rejects the address of another kind of object for a %s", (name, from) => {
  for (const [kind, , object] of kinds.filter(([other]) => other !== name)) {
    expect(() => from(object.pointer), kind).toThrow(TypeError);
  }
});

/** The classes with reference counts in OpenCL. */
type Counted = Resource & { readonly referenceCount: number };
const counted = kinds.filter(([name]) => name !== "Platform" && name !== "Device") as [
  string,
  (pointer: bigint) => Counted,
  Counted,
][];

test.each(counted)("an adopted %s adds one reference, and releases it", (_, from, object) => {
  const before = object.referenceCount;
  const retained = from(object.pointer);
  expect(object.referenceCount).toBe(before + 1);
  retained.release();
  expect(object.referenceCount).toBe(before);
});

const adopters: Readonly<Record<string, (pointer: bigint, retain: boolean) => Resource>> = {
  Context: (pointer, retain) => Context.fromPointer(pointer, { retain }),
  CommandQueue: (pointer, retain) => CommandQueue.fromPointer(context, pointer, { retain }),
  CommandEvent: (pointer, retain) => CommandEvent.fromPointer(context, pointer, { retain }),
  DeviceBuffer: (pointer, retain) => DeviceBuffer.fromPointer(context, pointer, { retain }),
  Image: (pointer, retain) => Image.fromPointer(context, pointer, { retain }),
  Sampler: (pointer, retain) => Sampler.fromPointer(context, pointer, { retain }),
  Program: (pointer, retain) => Program.fromPointer(context, pointer, { retain }),
  Kernel: (pointer, retain) => Kernel.fromPointer(program, pointer, { retain }),
};
const owned = wrongValue("options.retain");

test.each(counted)("rejects taking over the reference to a %s that this package owns", (name, from, object) => {
  const adopt = adopters[name] as (pointer: bigint, retain: boolean) => Resource;
  const before = object.referenceCount;
  expect(() => adopt(object.pointer, false)).toThrow(owned);
  const retained = from(object.pointer);
  expect(() => adopt(object.pointer, false)).toThrow(owned);
  retained.release();
  expect(object.referenceCount).toBe(before);
});

test("rejects taking over the reference to an object of another thread", async () => {
  const end = await runModule({
    source: `
      const { Worker } = await import("node:worker_threads");
      const { Context, DeviceBuffer } = await import("@cl/core");
      const context = Context.create(), buffer = new DeviceBuffer(context, 64);
      const worker = new Worker(\`
        const { parentPort, workerData } = await import("node:worker_threads");
        const { Context, DeviceBuffer } = await import("@cl/core");
        const context = Context.fromPointer(workerData.context);
        const codes = [];
        const attempt = (run) => { try { run().release(); codes.push("done"); } catch (error) { codes.push(error.code); } };
        attempt(() => DeviceBuffer.fromPointer(context, workerData.buffer, { retain: false }));
        attempt(() => Context.fromPointer(workerData.context, { retain: false }));
        attempt(() => DeviceBuffer.fromPointer(context, workerData.buffer));
        parentPort.postMessage(codes);\`, { eval: true, workerData: { context: context.pointer, buffer: buffer.pointer } });
      const [codes] = await (await import("node:events")).once(worker, "message");
      await worker.terminate();
      console.log(JSON.stringify({ codes, references: buffer.referenceCount }));`,
  });
  expect(lastResult(end)).toEqual({ codes: ["ERR_INVALID_ARG_VALUE", "ERR_INVALID_ARG_VALUE", "done"], references: 1 });
});

/** Returns the bytes of a driver's object, which a kernel on a CPU can read like all memory of the process. */
function contentsOf(object: Resource, bytes: number): Uint8Array {
  const source = `__kernel void peek(ulong from, __global ulong *to) {
    to[get_global_id(0)] = ((__global const ulong *)from)[get_global_id(0)];
  }`;
  const [peek] = new Program(context, source).buildSync().kernels() as [Kernel];
  const copy = new DeviceBuffer(context, bytes);
  peek.launch(queue, { global: bytes / 8 }, object.pointer, copy);
  return queue.readSync(copy, Uint8Array);
}

test("rejects a copy of an object in memory that JavaScript can write", (run) => {
  needs(run, device.type === DeviceType.CPU, "kernels on other devices cannot read this process's memory");
  const real = new DeviceBuffer(context, 64);
  const contents = contentsOf(real, 512);
  const refused = wrongValue();
  const host = new Uint8Array(4096);
  const used = new DeviceBuffer(context, { host, hostPointer: "use" });
  for (const at of [0, 64, 1024]) {
    host.set(contents, at);
    expect(() => DeviceBuffer.fromPointer(context, used.hostPointer + BigInt(at))).toThrow(refused);
  }
  if (hasSvm("COARSE_GRAIN_BUFFER")) {
    const shared = new SvmAllocation(context, 4096);
    const other = new SvmAllocation(context, 64);
    const mapped = shared.mapSync(queue, Uint8Array);
    for (const at of [0, 64, 1024]) {
      mapped.data.set(contents, at);
      expect(() => DeviceBuffer.fromPointer(context, shared.pointer + BigInt(at))).toThrow(refused);
    }
    mapped.unmap();
    other.release();
    expect(() => DeviceBuffer.fromPointer(context, shared.pointer)).toThrow(refused);
    shared.release();
  }
  expect(DeviceBuffer.fromPointer(context, real.pointer).size).toBe(64);
});

test("an invalid label leaves reference counts unchanged", () => {
  const own = new DeviceBuffer(context, 64);
  for (const from of [
    () => DeviceBuffer.fromPointer(context, own.pointer, { retain: false, label: 5 as unknown as string }),
    () => CommandQueue.fromPointer(context, queue.pointer, { retain: false, label: 5 as unknown as string }),
  ]) {
    expect(from).toThrow(wrongType("options.label"));
  }
  expect(own.referenceCount).toBe(1);
});

test("rejects a queue or an event of another context, without changing reference counts", () => {
  const event = queue.enqueueMarker();
  // Drivers may retain running commands.
  queue.finishSync();
  const references = [queue.referenceCount, event.referenceCount];
  expect(() => CommandQueue.fromPointer(other, queue.pointer)).toThrow(wrongType("context"));
  expect(() => CommandEvent.fromPointer(other, event.pointer)).toThrow(wrongType("context"));
  expect([queue.referenceCount, event.referenceCount]).toEqual(references);
});

test("equals returns true only for the same OpenCL object", () => {
  const [one, two] = [new UserEvent(context), new UserEvent(context)];
  expect(one.equals(one)).toBe(true);
  expect(one.equals(two)).toBe(false);
  expect(context.equals(other)).toBe(false);
  for (const stranger of [undefined, null, 5, {}, context.pointer, queue]) expect(context.equals(stranger)).toBe(false);
  two.release();
  expect(one.equals(two)).toBe(false);
  expect(two.equals(one)).toBe(false);
  expect(two.equals(two)).toBe(true);
});
