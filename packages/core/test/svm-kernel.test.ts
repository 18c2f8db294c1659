/** Shared virtual memory in kernels: as arguments, from an offset, and through pointers. */
import { beforeEach, describe, expect, test } from "vitest";
import {
  Context,
  DeviceBuffer,
  DisposedError,
  type Kernel,
  type KernelArgument,
  kernelArgument,
  LaunchList,
  NotSupportedError,
  Program,
  Svm,
  SvmAllocation,
} from "@cl/core";

import { hasSvm, needsCoarse, needsFine } from "@cl/testing/svm";
import { disposed, notSupported } from "@cl/testing/core-errors";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { context, queue } from "./support/kernels.js";

const program = new Program(
  context,
  `
  __kernel void add(__global float *x, float a) { x[get_global_id(0)] += a; }

  // Each node is the value that it adds and the address of the next one.
  typedef struct node { ulong value; __global struct node *next; } node;
  __kernel void sum(__global const node *first, __global ulong *result) {
    ulong total = 0;
    for (__global const node *one = first; one; one = one->next) total += one->value;
    *result = total;
  }
  `,
).buildSync();
const add = program.kernel("add");

beforeEach((run) => needsCoarse(run));

const floats = (...values: readonly number[]): SvmAllocation => {
  const memory = new SvmAllocation(context, 4 * values.length);
  queue.writeSync(memory, Float32Array.from(values));
  return memory;
};
const contents = (memory: SvmAllocation): number[] => [...queue.readSync(memory, Float32Array)];

describe("SVM as an argument", () => {
  test("is accepted by launches, and by setArg for later ones", () => {
    using memory = floats(1, 2, 3);
    add.launch(queue, { global: 3 }, memory, 1);
    add.setArgs(memory, 10).launchWithSetArgs(queue, { global: 2 });
    add.setArg("a", 100).enqueueWithSetArgs(queue, { global: 1 }).waitSync();
    expect(contents(memory)).toEqual([112, 13, 4]);
  });

  test("can be replaced by a buffer, in a launch and in lists, while other arguments stay unchanged", () => {
    using memory = floats(1, 2, 3);
    using buffer = DeviceBuffer.from(context, Float32Array.of(10, 20, 30));
    add.launch(queue, { global: 3 }, memory, 1);
    add.launch(queue, { global: 3 }, buffer, 1);
    add.setArgs(memory, 5);
    add.setArg("x", buffer).launchWithSetArgs(queue, { global: 3 });
    add.setArg("x", memory).launchWithSetArgs(queue, { global: 3 });
    expect(contents(memory)).toEqual([7, 8, 9]);
    expect([...queue.readSync(buffer, Float32Array)]).toEqual([16, 26, 36]);

    using bound = add.bind({ global: 3 }, memory, 100);
    const list = new LaunchList(context).push(bound);
    list.enqueue(queue);
    bound.setArg("x", buffer);
    list.enqueue(queue);
    expect(contents(memory)).toEqual([107, 108, 109]);
    expect([...queue.readSync(buffer, Float32Array)]).toEqual([116, 126, 136]);
  });

  test("starts at the offset of a part", () => {
    using memory = floats(1, 2, 3, 4);
    add.launch(queue, { global: 2 }, memory.part(8), 1);
    add.launch(queue, { global: 1 }, memory.part(4).part(4), 10);
    // The same handle at another offset must not be mistaken for the previous argument.
    add.launchAndFinishSync(queue, { global: 1 }, memory, 100);
    expect(contents(memory)).toEqual([101, 2, 14, 5]);
  });

  test("can be provided by an object of the argument protocol, with an offset", () => {
    using memory = floats(1, 2, 3);
    const view: KernelArgument = { [kernelArgument]: () => ({ memory, byteOffset: 4 }) };
    const untyped = add.clone() as unknown as Kernel;
    untyped.launchAndFinishSync(queue, { global: 1 }, view, 10);
    expect(contents(memory)).toEqual([1, 12, 3]);
    const beyond: KernelArgument = { [kernelArgument]: () => ({ memory, byteOffset: 13 }) };
    expect(() => untyped.launch(queue, { global: 1 }, beyond, 1)).toThrow(outOfRange());
  });

  test("is a null pointer for zero bytes", () => {
    using empty = new SvmAllocation(context, 0);
    const kernel = new Program(context, "__kernel void isNull(__global int *p, __global int *r) { *r = p == 0; }")
      .buildSync()
      .kernel("isNull");
    using result = new SvmAllocation(context, 4);
    kernel.launchAndFinishSync(queue, { global: 1 }, empty, result);
    expect([...queue.readSync(result, Int32Array)]).toEqual([1]);
  });

  test("is rejected if the element types differ, like a buffer", () => {
    using memory = floats(1);
    const integers = memory.part(0, 4, Int32Array);
    // @ts-expect-error: the compiler rejects it, too.
    expect(() => add.launch(queue, { global: 1 }, integers, 1)).toThrow(wrongType());
  });

  test("is rejected at launch once released, however it was set", () => {
    const memory = floats(1, 2);
    const part = memory.part(4);
    const kernel = add.clone().setArgs(memory, 1);
    const bound = add.bind({ global: 1 }, memory, 1);
    const ofPart = add.bind({ global: 1 }, part, 1);
    const list = new LaunchList(context).push(bound);
    memory.release();
    expect(part.released).toBe(true);
    expect(() => add.launch(queue, { global: 1 }, memory, 1)).toThrow(DisposedError);
    expect(() => add.launch(queue, { global: 1 }, part, 1)).toThrow(DisposedError);
    expect(() => kernel.launchWithSetArgs(queue, { global: 1 })).toThrow(DisposedError);
    expect(() => bound.launch(queue)).toThrow(DisposedError);
    expect(() => ofPart.launch(queue)).toThrow(DisposedError);
    expect(() => list.launch(queue)).toThrow(disposed());
  });

  test("is accepted by kernels without argument types from the runtime", () => {
    using memory = floats(1);
    const binary = Program.fromBinaries(context, program.binaries).buildSync();
    const kernel = binary.kernel("add");
    // Some drivers also report the types of kernels from binaries.
    const two = kernel.argTypes.every((type) => type === "(unknown type)") ? Float32Array.of(2) : 2;
    kernel.launchAndFinishSync(queue, { global: 1 }, memory, two);
    expect(contents(memory)).toEqual([3]);
  });
});

describe("SVM behind pointers", () => {
  const nodeBytes = 16;

  /** Creates a linked list with each node in a separate allocation; the nodes contain each other's addresses. */
  function chain(values: readonly bigint[]): SvmAllocation[] {
    const nodes = values.map(() => new SvmAllocation(context, nodeBytes));
    for (const [i, node] of nodes.entries()) {
      queue.writeSync(node, BigUint64Array.of(values[i] as bigint, nodes[i + 1]?.pointer ?? 0n));
    }
    return nodes;
  }

  test("is accessible to kernels that declare it with setSvmPointers", () => {
    const kernel = program.kernel("sum").clone();
    const nodes = chain([1n, 20n, 300n]);
    using result = new SvmAllocation(context, 8);
    kernel.setSvmPointers(nodes.slice(1));
    kernel.launchAndFinishSync(queue, { global: 1 }, nodes[0] as SvmAllocation, result);
    expect([...queue.readSync(result, BigUint64Array)]).toEqual([321n]);
    const bound = kernel.bind({ global: 1 }, nodes[1] as SvmAllocation, result);
    new LaunchList(context).push(bound).enqueue(queue).waitSync();
    expect([...queue.readSync(result, BigUint64Array)]).toEqual([320n]);
    for (const node of nodes) node.release();
  });

  test("stays alive as long as such kernels may use it, even if it is released", () => {
    const kernel = program.kernel("sum").clone();
    const [first, ...others] = chain([1n, 20n, 300n]) as [SvmAllocation, ...SvmAllocation[]];
    using result = new SvmAllocation(context, 8);
    kernel.setSvmPointers(others);
    const bound = kernel.bind({ global: 1 }, first, result);
    kernel.release();
    for (const node of others) node.release();
    // One of these would reuse freed memory.
    const takers = Array.from({ length: 20 }, () => new SvmAllocation(context, nodeBytes));
    for (const taker of takers) queue.enqueueSvmFill(taker, Uint8Array.of(0));
    bound.launchAndFinishSync(queue);
    expect([...queue.readSync(result, BigUint64Array)]).toEqual([321n]);
    for (const one of [first, bound, ...takers]) one.release();
  });

  test("may be any memory of the process only if the device has system SVM", () => {
    const kernel = program.kernel("sum").clone();
    if (hasSvm("FINE_GRAIN_SYSTEM")) {
      expect(kernel.setSvmFineGrainSystem(true)).toBe(kernel);
    } else {
      expect(() => kernel.setSvmFineGrainSystem(true)).toThrow(NotSupportedError);
      expect(() => kernel.setSvmFineGrainSystem(true)).toThrow(notSupported());
    }
    expect(() => kernel.setSvmFineGrainSystem(1 as unknown as boolean)).toThrow(wrongType("reachesAll"));
  });
});

describe("a wrapped array", () => {
  test("refers to the allocation that contains it", (run) => {
    needsFine(run);
    using memory = new SvmAllocation(context, 16, { kind: "fine-buffer" });
    const array = memory.array(Float32Array, { offset: 1 });
    array.set([1, 2, 3]);
    const svm = new Svm(context, array.subarray(1));
    expect(svm.mem).toEqual(Float32Array.of(2, 3));
    expect([svm.byteOffset, svm.size, svm.type, svm.kind]).toEqual([8, 8, Float32Array, "fine-buffer"]);
    expect(svm.pointer).toBe(memory.pointer + 8n);
    add.launchAndFinishSync(queue, { global: 2 }, svm, 10);
    expect([...array]).toEqual([1, 12, 13]);
    // It does not own the memory.
    svm.release();
    expect(memory.released).toBe(false);
    expect(array.length).toBe(3);
  });

  test("of other memory requires a device with system SVM", () => {
    const array = Float32Array.of(1, 2, 3);
    if (!hasSvm("FINE_GRAIN_SYSTEM")) {
      expect(() => new Svm(context, array)).toThrow(NotSupportedError);
      expect(() => new Svm(context, array)).toThrow(notSupported());
      return;
    }
    const svm = new Svm(context, array);
    expect(svm.kind).toBe("fine-system");
    add.launchAndFinishSync(queue, { global: 3 }, svm, 1);
    expect([...array]).toEqual([2, 3, 4]);
    svm.release();
  });

  test("must be an array in memory of the context that is not detached", (run) => {
    needsFine(run);
    expect(() => new Svm(context, [1] as unknown as Float32Array)).toThrow(wrongType("array"));
    const memory = new SvmAllocation(context, 16, { kind: "fine-buffer" });
    const array = memory.array(Float32Array);
    const elsewhere = new Context(context.devices);
    expect(() => new Svm(elsewhere, array)).toThrow(wrongType("context"));
    memory.release();
    expect(() => new Svm(context, array)).toThrow(wrongValue("array"));
  });
});

describe("a part of an allocation", () => {
  test("must be within its bounds, in whole elements", () => {
    using memory = floats(1, 2, 3);
    const part = memory.part(4, 8, Float32Array);
    expect([part.byteOffset, part.size, part.type, part.mem]).toEqual([4, 8, Float32Array, undefined]);
    expect(part.pointer).toBe(memory.pointer + 4n);
    expect([part.part(0).type, part.part(0, 6, null).type]).toEqual([Float32Array, undefined]);
    expect(() => memory.part(13)).toThrow(outOfRange("byteOffset"));
    expect(() => memory.part(4, 9)).toThrow(outOfRange("bytes"));
    expect(() => memory.part(0, 6, Float32Array)).toThrow(outOfRange());
    expect(() => memory.part(2, 4, Float32Array)).toThrow(outOfRange("byteOffset"));
    memory.release();
    expect(() => memory.part(0)).toThrow(DisposedError);
    expect(() => part.part(0)).toThrow(DisposedError);
  });
});
