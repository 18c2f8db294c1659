import { inspect } from "node:util";

import { DeviceBuffer, handleCount, Kernel, LocalMemory, type NamedArguments } from "@cl/core";
import { KernelLauncher, Launcher, ListLauncher } from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { context, floats, ints, outOfOrder, program, queue, read, singleProgram } from "./support/device.js";
import { disposed } from "@cl/testing/core-errors";
import { outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";

const add = program.kernel("add");
const axpy = program.kernel("axpy");

describe("a kernel launcher", () => {
  test("has a name, a kernel, ordered arguments, and no parameters if all arguments are fixed", async () => {
    const x = ints(1, 2);
    const launcher = new KernelLauncher("add three", add, { args: [x, 3], global: 2 });
    expect(launcher).toBeInstanceOf(Launcher);
    expect(launcher.name).toBe("add three");
    expect(launcher.kernel.name).toBe("add");
    expect(launcher.args).toEqual([x, 3]);
    expect(launcher.parameters.size).toBe(0);
    expect(String(launcher)).toBe('KernelLauncher "add three"');
    expect(inspect(launcher)).toBe('KernelLauncher "add three"');
    expect(launcher.launch(queue)).toBeUndefined();
    await launcher.enqueue(queue).wait();
    expect(await read(x)).toEqual([7, 8]);
    const list = launcher.asList("listed");
    expect([list.name, list.length]).toEqual(["listed", 1]);
    await list.enqueue(queue).wait();
    expect(await read(x)).toEqual([10, 11]);
  });

  test("accepts arguments by position or by name", async () => {
    const x = ints(0);
    new KernelLauncher("by position", add, { args: { 1: 3, 0: x }, global: 1 }).launch(queue);
    new KernelLauncher("by name", add, { args: { a: 4, x }, global: 1 }).launch(queue);
    new KernelLauncher("by both", add, { args: { 1: 5, x }, global: 1 }).launch(queue);
    expect(await read(x)).toEqual([12]);
  });

  test("creates the only or the named kernel of a program", async () => {
    const x = ints(1);
    const only = new KernelLauncher("only", singleProgram, { args: [x, 3], global: 1 });
    only.launch(queue);
    expect(only.kernel).not.toBe(singleProgram.kernel("only"));
    new KernelLauncher("multiply", program, { kernel: "multiply", args: [x, 3], global: 1 }).launch(queue);
    expect(await read(x)).toEqual([12]);
    expect(() => new KernelLauncher("which", program, { args: [], global: 1 })).toThrow(wrongValue("options.kernel"));
    expect(() => new KernelLauncher("which", program, { kernel: "divide", global: 1 })).toThrow(
      outOfRange("options.kernel"),
    );
  });

  test("does not share arguments with its kernel or other launchers of the kernel", async () => {
    const [x, y, z] = [ints(0), ints(0), ints(0)];
    const kernel = new Kernel(program, "add");
    kernel.setArgs(z, 100);
    const first = new KernelLauncher("first", kernel, { args: [x], parameters: ["a"], global: 1 });
    const second = new KernelLauncher("second", kernel, { args: [y], parameters: ["a"], global: 1 });
    first.launch(queue, { a: 1 });
    second.launch(queue, { a: 2 });
    kernel.launchWithSetArgs(queue, { global: 1 });
    first.launch(queue, { a: 10 });
    second.launch(queue, { a: 20 });
    kernel.release();
    first.launch(queue, { a: 10 });
    expect([await read(x), await read(y), await read(z)]).toEqual([[21], [22], [100]]);
  });

  test("launches on its default queue if no queue is given", async () => {
    const x = ints(0);
    const launcher = new KernelLauncher("own", add, { args: [x, 1], global: 1, queue });
    expect([launcher.queueConfigured, launcher.defaultQueue]).toEqual([true, queue]);
    launcher.launch();
    await launcher.enqueue(outOfOrder, {}, { waitFor: launcher.enqueue() }).wait();
    expect(await read(x)).toEqual([3]);
    const without = new KernelLauncher("without", add, { args: [x, 1], global: 1 });
    expect([without.queueConfigured, without.defaultQueue]).toEqual([false, undefined]);
    expect(() => without.launch()).toThrow(wrongState());
  });

  test("cannot be pushed after its release", () => {
    const launcher = new KernelLauncher("short", add, { args: [ints(0), 1], global: 1 });
    launcher[Symbol.dispose]();
    expect(() => new ListLauncher("list").push(launcher)).toThrow(disposed());
  });
});

describe("parameters of a kernel launcher", () => {
  test("are passed by name, and are listed with types and launchers", async () => {
    const [x, y] = [floats(1, 1), floats(0, 0)];
    const launcher = new KernelLauncher("axpy", axpy, { args: [x, y, 2], parameters: ["a"], global: 2 });
    expect([...launcher.parameters]).toEqual([["a", { type: "float", launchers: ["axpy"] }]]);
    expect([...launcher.parameterPositions]).toEqual([["a", 0]]);
    expect(launcher.args).toEqual([undefined, x, y, 2]);
    for (const a of [1, 1, 2, -0, 0.5]) launcher.launch(queue, { a });
    expect(launcher.args[0]).toBe(0.5);
    expect(await read(y)).toEqual([4.5, 4.5]);
  });

  test("can rename arguments given by position or name", async () => {
    const [x, y] = [floats(1), floats(0)];
    const launcher = new KernelLauncher("axpy", axpy, {
      args: { y, n: 1 },
      parameters: { dt: 0, input: "x" },
      global: 1,
    });
    launcher.launch(queue, { dt: 3, input: x });
    launcher.launch(queue, { dt: 1, input: floats(100) });
    expect(await read(y)).toEqual([103]);
    expect(launcher.parameters.get("input")?.launchers).toEqual(["axpy"]);
  });

  test("of a wrong type are rejected, and nothing is launched", async () => {
    const [x, y] = [floats(1), floats(0)];
    const launcher = new KernelLauncher("axpy", axpy, { args: [x, y], parameters: ["a", "n"], global: 1 });
    const launch = (values: unknown): unknown => Reflect.apply(launcher.launch, launcher, [queue, values]);
    expect(() => launch({ a: "x", n: 1 })).toThrow(wrongType());
    expect(() => launch({ a: 1, n: 1.5 })).toThrow(outOfRange());
    expect(() => launch({ a: 1, n: -1 })).toThrow(outOfRange());
    launcher.launch(queue, { a: 2, n: 1 });
    expect(() => launch({ a: 1, n: 2 ** 32 })).toThrow(outOfRange());
    launcher.launch(queue, { a: 2, n: 1 });
    expect(await read(y)).toEqual([4]);
  });
});

describe("sizes of a kernel launcher", () => {
  const out = DeviceBuffer.from(context, new Uint32Array(3));
  const sizes = program.kernel("sizes");
  const shown = async (): Promise<number[]> => [...(await queue.read(out))];

  test("can be functions or names of parameters", async () => {
    const byFunction = new KernelLauncher("f", sizes, {
      args: [out],
      parameters: { count: "n" },
      global: ({ count }: NamedArguments) => Number(count) * 4,
      local: 2,
    });
    byFunction.launch(queue, { count: 3 });
    expect(await shown()).toEqual([12, 2, 3]);
    byFunction.launch(queue, { count: 5 });
    expect(await shown()).toEqual([20, 2, 5]);
    const byName = new KernelLauncher("n", sizes, {
      args: [out],
      parameters: { count: "n" },
      global: ["count"],
      local: 1,
    });
    byName.launch(queue, { count: 7 });
    expect(await shown()).toEqual([7, 1, 7]);
    await new ListLauncher("in a list").push(byName, byFunction).enqueue(queue, { count: 6 }).wait();
    expect(await shown()).toEqual([24, 2, 6]);
  });

  test("can be overridden by launch() and enqueue()", async () => {
    const launcher = new KernelLauncher("s", sizes, { args: [out], parameters: ["n"], global: 8, local: 4 });
    launcher.launch(queue, { n: 1 }, { global: 6, local: 3 });
    expect(await shown()).toEqual([6, 3, 1]);
    await launcher.enqueue(queue, { n: 2 }, { local: 2 }).wait();
    expect(await shown()).toEqual([8, 2, 2]);
    launcher.launch(queue, { n: 3 });
    expect(await shown()).toEqual([8, 4, 3]);
  });

  test("must be given by each launch if the launcher has none", async () => {
    const launcher = new KernelLauncher("none", sizes, { args: [out], parameters: ["n"] });
    expect(launcher.globalSizeConfigured).toBe(false);
    expect(() => launcher.launch(queue, { n: 1 })).toThrow(wrongState());
    launcher.launch(queue, { n: 9 }, { global: 2, local: 1 });
    expect(await shown()).toEqual([2, 1, 9]);
    expect(() => new ListLauncher("list").push(launcher)).toThrow(wrongValue());
  });

  test("default to the kernel's default sizes", async () => {
    const kernel = new Kernel(program, "sizes");
    kernel.defaultSizes = { global: "n", local: 1 };
    const launcher = new KernelLauncher("default", kernel, { args: [out, 5] });
    expect(launcher.globalSizeConfigured).toBe(true);
    launcher.launch(queue);
    expect(await shown()).toEqual([5, 1, 5]);
  });
});

describe("the kernel launcher constructor rejects", () => {
  const x = ints(0);
  const make = (...args: unknown[]): unknown => Reflect.construct(KernelLauncher, args);
  test.each<[string, unknown[], Error]>([
    ["a name that is not a string", [7, add, {}], wrongType("name")],
    ["an empty name", ["", add, {}], wrongValue("name")],
    ["a kernel of a wrong type", ["k", "add", {}], wrongType("kernel")],
    ["options that are not an object", ["k", add, 7], wrongType("options")],
  ])("%s", (_, args, message) => {
    expect(() => make(...args)).toThrow(message);
  });

  test.each<[string, object, Error]>([
    ["a queue of a wrong type", { queue: 7 }, wrongType("options.queue")],
    ["too few arguments", { args: [x] }, wrongValue("options.args")],
    ["no arguments", {}, wrongValue("options.args")],
    ["an argument of a wrong type", { args: [x, 1.5] }, outOfRange()],
    ["local memory for a value argument", { args: [x, new LocalMemory(4)] }, wrongType()],
    ["a missing argument", { args: { x } }, wrongValue("options.args")],
    ["an unknown argument", { args: { x, b: 1 } }, outOfRange("options.args.b")],
    ["a position out of range", { args: { 0: x, 2: 1 } }, outOfRange("options.args.2")],
    ["a duplicate argument", { args: { 0: x, x, a: 1 } }, wrongValue()],
    ["an argument that is also a parameter", { args: { x, a: 1 }, parameters: ["a"] }, wrongValue("options.args.a")],
    ["a parameter that is not an argument", { args: [x], parameters: ["b"] }, outOfRange("options.parameters.b")],
    ["two parameters for one argument", { args: [x], parameters: { a: 1, b: "a" } }, wrongValue("options.parameters")],
    ["parameters of a wrong type", { args: [x, 1], parameters: 7 }, wrongType("options.parameters")],
    ["an invalid global size", { args: [x, 1], global: "7" }, outOfRange("sizes.global")],
    ["a name other than that of the kernel", { args: [x, 1], kernel: "multiply" }, outOfRange("options.kernel")],
  ])("%s", (_, options, message) => {
    expect(() => make("k", add, options)).toThrow(message);
  });

  test("invalid options without leaking handles", () => {
    const before = handleCount();
    for (const options of [{ args: [x] }, { args: [x, 0.5] }, { args: [x, 1], global: "7" }]) {
      expect(() => make("k", add, options)).toThrow(/^launcher "k"/);
    }
    expect(handleCount()).toBe(before);
  });
});
