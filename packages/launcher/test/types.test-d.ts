/** Types of launchers; only type-checked, never run. */
import type { Context, DeviceBuffer, KernelArgumentLike } from "@cl/core";
import { Program } from "@cl/core";
import {
  ElementwiseLauncher,
  HostLauncher,
  IterativeLauncher,
  iterateSteps,
  KernelLauncher,
  ListLauncher,
  type ParametersOf,
  runSteps,
} from "@cl/launcher";
import { expectTypeOf, test } from "vitest";

declare const context: Context;
declare const floats: DeviceBuffer<Float32Array>;
declare const integers: DeviceBuffer<Int32Array>;
declare const text: string;

const program = new Program(
  context,
  "__kernel void axpy(float a, __global const float *x, __global float *y, ulong n) {}",
);
const axpy = program.kernel("axpy");
const untyped = new Program(context, text).kernel("axpy");

test("parameters have the types of the kernel's arguments", () => {
  const byName = new KernelLauncher("axpy", axpy, { args: [floats, floats], parameters: ["a", "n"], global: 1 });
  expectTypeOf<ParametersOf<typeof byName>>().toEqualTypeOf<{ readonly a: number; readonly n: number | bigint }>();
  const byPlace = new KernelLauncher("axpy", axpy, {
    args: { x: floats, y: floats },
    parameters: { dt: 0, count: "n" },
    global: ({ count }) => Number(count),
  });
  expectTypeOf<ParametersOf<typeof byPlace>>().toEqualTypeOf<{
    readonly dt: number;
    readonly count: number | bigint;
  }>();
  const none = new KernelLauncher("axpy", axpy, { args: [1, floats, floats, 4n], global: 1 });
  expectTypeOf(none.launch).parameter(1).toEqualTypeOf<{} | undefined>();

  none.launch();
  byName.launch(undefined, { a: 1, n: 1n });
  byName.enqueue(undefined, { a: 1, n: 1n }, { global: 2 });
  // @ts-expect-error: n is missing.
  byName.launch(undefined, { a: 1 });
  // @ts-expect-error: all of them are missing.
  byName.launch();
  byName.launch(undefined, { a: 1, n: 1 });
  // @ts-expect-error: n is an integer.
  byName.launch(undefined, { a: 1, n: "1" });
});

test("fixed arguments are checked", () => {
  const right = new KernelLauncher("axpy", axpy, { args: { x: floats, y: null, n: 4n }, parameters: ["a"], global: 1 });
  expectTypeOf<ParametersOf<typeof right>>().toEqualTypeOf<{ readonly a: number }>();
  const wrong = [
    // @ts-expect-error: x points to floats.
    new KernelLauncher("axpy", axpy, { args: [1, integers, floats, 4n], global: 1 }),
    // @ts-expect-error: there is no argument b.
    new KernelLauncher("axpy", axpy, { args: [floats, floats, 4n], parameters: ["b"], global: 1 }),
    // @ts-expect-error: an argument is missing.
    new KernelLauncher("axpy", axpy, { args: [floats, 4n], parameters: ["a"], global: 1 }),
    // @ts-expect-error: y is not a bigint.
    new KernelLauncher("axpy", axpy, { args: { x: floats, y: 4n, n: 4n }, parameters: ["a"], global: 1 }),
    // @ts-expect-error: n is missing.
    new KernelLauncher("axpy", axpy, { args: { x: floats, y: floats }, parameters: ["a"], global: 1 }),
    // @ts-expect-error: a is missing.
    new KernelLauncher("axpy", axpy, { args: { x: floats, 2: floats, n: 4n }, global: ({ n }) => Number(n) }),
    // @ts-expect-error: a is also a parameter.
    new KernelLauncher("axpy", axpy, { args: { a: 1, x: floats, y: floats, n: 4n }, parameters: ["a"], global: 1 }),
    // @ts-expect-error: there is no argument b.
    new KernelLauncher("axpy", axpy, { args: { b: 1, x: floats, y: floats, n: 4n }, parameters: ["a"], global: 1 }),
    // @ts-expect-error: n is missing.
    new IterativeLauncher("axpy", axpy, { args: { x: floats, y: floats }, iterate: { a: [1] }, global: 1 }),
    // @ts-expect-error: n is missing.
    new IterativeLauncher("axpy", axpy, { args: [floats, floats], iterate: { a: [1] }, global: 1 }),
  ];
  expectTypeOf(wrong).toBeArray();
});

test("arguments can be tuples of names and values", () => {
  const n = ["n", 4n] as const;
  const x = ["x", floats] as const;
  const y = ["y", floats] as const;
  const right = new KernelLauncher("axpy", axpy, {
    args: [y, ["n", 4n], ["x", floats]],
    parameters: ["a"],
    global: (args) => Number(args["n"]),
  });
  expectTypeOf<ParametersOf<typeof right>>().toEqualTypeOf<{ readonly a: number }>();
  const sweep = new IterativeLauncher("axpy", axpy, { args: [y, x], parameters: ["n"], iterate: { a: [1, 2] } });
  sweep.launch(undefined, { n: 4n });
  const loose = new KernelLauncher("axpy", untyped, { args: [["x", floats]], parameters: ["b"] });
  expectTypeOf<ParametersOf<typeof loose>>().toEqualTypeOf<{ readonly b: KernelArgumentLike }>();
  const wrong = [
    // @ts-expect-error: n is missing.
    new KernelLauncher("axpy", axpy, { args: [x, y], parameters: ["a"] }),
    // @ts-expect-error: a is also a parameter.
    new KernelLauncher("axpy", axpy, { args: [x, y, n, ["a", 1]], parameters: ["a"] }),
    // @ts-expect-error: y points to floats.
    new KernelLauncher("axpy", axpy, { args: [x, ["y", integers], n], parameters: ["a"] }),
    // @ts-expect-error: there is no argument z.
    new KernelLauncher("axpy", axpy, { args: [x, y, n, ["z", 1]], parameters: ["a"] }),
  ];
  expectTypeOf(wrong).toBeArray();
});

test("iterated arguments are not parameters of a launch", () => {
  const sweep = new IterativeLauncher("sweep", axpy, {
    args: { x: floats, y: floats },
    parameters: { dt: "a" },
    iterate: { n: [1n, 2n] },
    global: 1,
  });
  expectTypeOf<ParametersOf<typeof sweep>>().toEqualTypeOf<{ readonly dt: number }>();
  const all = new IterativeLauncher("all", axpy, { args: [floats, floats], iterate: { a: [1], n: [1n] }, global: 1 });
  expectTypeOf(all.launch).parameter(1).toEqualTypeOf<{} | undefined>();
  all.launch();
});

test("a kernel of unknown type accepts any arguments", () => {
  const loose = new KernelLauncher("axpy", untyped, { args: [floats, 1, text], parameters: ["b"], global: 1 });
  expectTypeOf<ParametersOf<typeof loose>>().toEqualTypeOf<{ readonly b: KernelArgumentLike }>();
  new KernelLauncher("axpy", program, { args: [7], parameters: { dt: 3 } }).launch(undefined, { dt: floats });
});

test("a list has the parameters of all its members", () => {
  const first = new KernelLauncher("one", axpy, { args: [floats, floats, 4n], parameters: ["a"], global: 1 });
  const host = new HostLauncher("host", ({ t }) => t.toFixed(), { parameters: { t: "number" } });
  const sweep = new IterativeLauncher("sweep", axpy, {
    args: [floats, floats],
    parameters: ["a", "n"],
    iterate: { n: [1n, 2n] },
    global: 1,
  });
  expectTypeOf<ParametersOf<typeof sweep>>().toEqualTypeOf<{ readonly a: number }>();
  const list = new ListLauncher("list").push(first, undefined, host).push(sweep, null);
  list.launch(undefined, { a: 1, t: 2 });
  list.pushCopyDeviceToHost("out", floats, new Float32Array(1)).launch(undefined, { a: 1, t: 2 });
  // @ts-expect-error: t is missing.
  list.launch(undefined, { a: 1 });
  new ListLauncher("outer").push(list).enqueue(undefined, { a: 1, t: 2 }, { waitFor: null });
  new ListLauncher("empty").launch();
  new ListLauncher<{ dt: number }>("said").launch(undefined, { dt: 1 });
});

test("a run requires values for all parameters", () => {
  const free = new ListLauncher("free");
  const bound = new ListLauncher("bound").push(
    new KernelLauncher("axpy", axpy, { args: [floats, floats], parameters: ["a", "n"], global: 1 }),
    new HostLauncher("note", () => undefined, { parameters: { text: "string" } }),
  );
  expectTypeOf(runSteps(free, { steps: 1 })).resolves.toHaveProperty("rate");
  void runSteps(bound, { steps: 1, parameters: { a: 1, n: 1n, text: "" } });
  void runSteps(bound, { parameters: (step) => ({ a: step, n: 1n, text: "" }), every: [{ steps: 1, run: () => 1 }] });
  void iterateSteps(bound, { every: 2, parameters: (step) => ({ a: step, n: 1n, text: "" }) });
  // @ts-expect-error: there are no values.
  void runSteps(bound, { steps: 1 });
  void runSteps(bound, { steps: 1, parameters: { a: 1, n: 1, text: "" } });
  // @ts-expect-error: n is an integer.
  void runSteps(bound, { steps: 1, parameters: { a: 1, n: "1", text: "" } });
  // @ts-expect-error: text is missing.
  void iterateSteps(bound, { parameters: (step) => ({ a: step, n: 1n }) });
});

test("an element-wise launcher has the parameters named in its options", () => {
  const options = { signature: "float *u, float a, float dt", body: "u[i] += a * dt" };
  const one = ElementwiseLauncher.createSync("one", context, { ...options, args: [floats], parameters: ["a", "dt"] });
  expectTypeOf<ParametersOf<typeof one>>().toEqualTypeOf<{
    readonly a: KernelArgumentLike;
    readonly dt: KernelArgumentLike;
  }>();
  const renamed = ElementwiseLauncher.createSync("two", context, {
    ...options,
    args: [floats, 1],
    parameters: { timestep: "dt" },
  });
  renamed.launch(undefined, { timestep: 1 });
  // @ts-expect-error: the parameter is named timestep.
  renamed.launch(undefined, { dt: 1 });
  new ListLauncher("list").push(one, renamed).launch(undefined, { a: 1, dt: 1, timestep: 1 });
  expectTypeOf(
    ElementwiseLauncher.create("three", context, { ...options, args: [floats, 1, 1] }),
  ).resolves.toHaveProperty("length");
});

test("results of host steps are no parameters of a launch", () => {
  const step = new HostLauncher("step", ({ rate }) => ({ dt: 1 / rate, n: 2n }), {
    parameters: { rate: "number" },
    results: { dt: "number", n: "bigint" },
  });
  expectTypeOf<ParametersOf<typeof step>>().toEqualTypeOf<{ readonly rate: number }>();
  const kernel = new KernelLauncher("axpy", axpy, {
    args: { x: floats, y: floats },
    parameters: { dt: "a", n: "n" },
    global: 1,
  });
  const list = new ListLauncher("list").push(step, kernel);
  list.launch(undefined, { rate: 1 });
  // @ts-expect-error: rate is missing.
  list.launch();
  // @ts-expect-error: dt is a result.
  list.launch(undefined, { rate: 1, dt: 2 });
  // Separate pushes.
  const more = new ListLauncher<{ k: number }>("more").push(step).push(kernel).push(kernel);
  more.launch(undefined, { rate: 1, k: 2 });
  const plain: ListLauncher<{ readonly rate: number }> = list;
  new ListLauncher("outer").push(list, kernel).launch(undefined, { rate: 1, dt: 2, n: 3n });
  plain.launch(undefined, { rate: 2 });
  const steps = [
    new HostLauncher("later", async () => ({ dt: 1 }), { results: { dt: "number" } }),
    // @ts-expect-error: dt is missing.
    new HostLauncher("wrong", () => ({}), { results: { dt: "number" } }),
    // @ts-expect-error: dt is a number.
    new HostLauncher("wrong", () => ({ dt: 1n }), { results: { dt: "number" } }),
    // @ts-expect-error: dt cannot be a string.
    new HostLauncher("wrong", () => ({ dt: "1" }), { results: { dt: "string" } }),
    new HostLauncher("none", () => 5),
  ];
  expectTypeOf(steps).toBeArray();
});
