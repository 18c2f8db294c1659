/**
 * Wrong arguments, generated from one valid call of each method, must throw one of our errors before anything is
 * enqueued and must not leak memory. "Nothing is silently truncated, reinterpreted or dropped."
 *
 * Runs on the fake driver, which compiles nothing, because the kernels of valid calls took nearly all the time. If it
 * tests every case, runs on the machine's own devices.
 */
import { BoundKernel, CommandQueue, Context, DisposedError, Kernel } from "@cl/core";
import {
  type AnyArray,
  Arrays,
  arrays,
  DeviceArray,
  FourierTransforms,
  RandomGenerator,
  SpecialFunctions,
} from "@cl/array";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { pooled } from "../support/pooled.js";

import { errorLike, outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";
import { LinearAlgebra } from "../../src/face/linear-algebra.js";
import {
  apart,
  type Arguments,
  fourierCalls,
  functionCalls,
  generatorCalls,
  linalgCalls,
  methodCalls,
  selfOf,
  specialCalls,
  specialTables,
  type Stage,
} from "./right-calls.js";
import { placeOfOptions } from "./place-of-options.js";

// Must run before the imports, because one of them creates a context.
await vi.hoisted(async () => {
  const { testsEveryCase } = await import("@cl/testing/level");
  if (testsEveryCase) return;
  const { buildFakeOpenCL } = await import("@cl/testing/fake-opencl/build");
  const { clearSelectors } = await import("@cl/testing/child-environment");
  clearSelectors();
  process.env["CL_LIBRARY_PATH"] = await buildFakeOpenCL();
});

const { pool, xp } = pooled();
const stage = stageOf(xp);
const foreignStage = stageOf(arrays(new CommandQueue(Context.create())));
let commands = 0;

/** Values that no parameter accepts. */
const bad: Readonly<Record<string, unknown>> = {
  null: null,
  NaN: NaN,
  "-1.5": -1.5,
  "2 ** 53": 2 ** 53,
  "a string": "a string",
  "a symbol": Symbol("s"),
  "a function": () => 1,
  "an object": { no: "option" },
  "a date": new Date(0),
  "a list of texts": ["a", "b"],
  "an array of another context": foreignStage.a,
};

beforeAll(() => {
  for (const { prototype } of [Kernel, BoundKernel, CommandQueue]) {
    const methods = prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (typeof value !== "function" || !/^(?:launch|enqueue|read|write|fill|copy)/u.test(name)) continue;
      const original = value as (...args: unknown[]) => unknown;
      methods[name] = function counted(this: unknown, ...args: unknown[]): unknown {
        commands++;
        return original.apply(this, args);
      };
    }
  }
});

function stageOf(xp: Arrays): Stage {
  const line = xp.array(Float32Array.of(0, 1, 2, 3, 4, 5));
  return {
    xp,
    line,
    a: line.reshape([2, 3]),
    ints: line.reshape([2, 3]).astype("int32"),
    indices: xp.array([0, 1], { dtype: "int32" }),
    mask: xp.array([true, false]),
    square: xp.eye(2, { dtype: "float32" }),
    out: xp.zeros([2, 3], { dtype: "float32" }),
  };
}

/** Returns the error of a call, or `undefined`. */
async function outcome(call: () => unknown): Promise<Error | undefined> {
  try {
    release(await call());
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** Returns the fault that kernels of accepted calls noted, such as a singular matrix, or `undefined`. */
function noted(): Promise<Error | undefined> {
  return outcome(() => stage.xp.check());
}

/** Calls a function that must throw before anything is enqueued or allocated. */
async function attempt(call: () => unknown): Promise<unknown> {
  await stage.xp.check();
  const [before, memory] = [commands, pool.activeBytes];
  try {
    return await call();
  } finally {
    expect([commands - before, pool.activeBytes - memory]).toEqual([0, 0]);
  }
}

const fixtures: ReadonlySet<unknown> = new Set([...Object.values(stage), ...Object.values(foreignStage)]);

function release(value: unknown): void {
  if (Array.isArray(value)) for (const one of value) release(one);
  else if (value instanceof DeviceArray && !fixtures.has(value)) value.release();
}

/** Methods that upload the value into temporary memory before they check the indices. */
const valueFirst: ReadonlySet<string> = new Set(
  "setAt put putAlongAxis addAt subtractAt multiplyAt maximumAt minimumAt".split(" "),
);

/** Whether an error has one of our codes or classes. */
function isOurs(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: string };
  return code?.startsWith("ERR_") === true || ["NotSupportedError", "DisposedError", "AbortError"].includes(error.name);
}

/** Returns the same call with one argument changed, or one option of the last argument. */
function changes(args: readonly unknown[]): readonly (readonly [label: string, args: readonly unknown[]])[] {
  return args.flatMap((argument, k) =>
    Object.entries(bad).flatMap(([label, value]) => {
      const changed: (readonly [string, readonly unknown[]])[] = [
        [`argument ${k} = ${label}`, args.map((one, at) => (at === k ? value : one))],
      ];
      if (typeof argument === "object" && argument !== null && Object.getPrototypeOf(argument) === Object.prototype) {
        for (const option of [...Object.keys(argument), "out"]) {
          const options = { ...argument, [option]: value };
          changed.push([`${option} = ${label}`, args.map((one, at) => (at === k ? options : one))]);
        }
      }
      return changed;
    }),
  );
}

type Methods = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;

/** Every valid call, with its receiver. */
function allCalls(): readonly { readonly name: string; readonly args: Arguments; readonly self: object }[] {
  const on = (
    table: Readonly<Record<string, Arguments>>,
    selfFor: (name: string) => object,
  ): ReturnType<typeof allCalls> => Object.entries(table).map(([name, args]) => ({ name, args, self: selfFor(name) }));
  const generator = xp.random(1);
  return [
    ...on(methodCalls, (name) => selfOf(name, stage)),
    ...on(functionCalls, () => xp),
    ...on(fourierCalls, () => xp.fft),
    ...on(linalgCalls, () => xp.linalg),
    ...on(generatorCalls, () => generator),
    ...on(specialCalls, () => xp.special),
  ];
}

function publicNames(type: { readonly prototype: object }): readonly string[] {
  const names: string[] = [];
  for (let at = type.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at) as object) {
    const own = Object.entries(Object.getOwnPropertyDescriptors(at));
    names.push(
      ...own.flatMap(([name, { value }]) => (typeof value === "function" && name !== "constructor" ? [name] : [])),
    );
  }
  return names;
}

test("each method has a valid call or is listed as tested elsewhere", () => {
  for (const [type, table] of [
    [DeviceArray, methodCalls],
    [Arrays, functionCalls],
    [FourierTransforms, fourierCalls],
    [LinearAlgebra, linalgCalls],
    [RandomGenerator, generatorCalls],
    [SpecialFunctions, { ...specialTables, ...specialCalls }],
  ] as const) {
    const names = publicNames(type);
    expect(names.filter((name) => !Object.hasOwn(table, name) && !apart.has(name))).toEqual([]);
    expect(Object.keys(table).filter((name) => !names.includes(name))).toEqual([]);
  }
});

describe("a wrong argument", () => {
  test.each(allCalls())("of $name is rejected or valid", { timeout: 240_000 }, async ({ name, args, self }) => {
    const right = args(stage);
    const call = (list: readonly unknown[]): (() => unknown) => {
      return () => (self as Methods)[name]?.(...list);
    };
    const faults: string[] = [];
    const first = (await outcome(call(right))) ?? (await noted());
    if (first !== undefined && !isOurs(first)) faults.push(`valid call: ${String(first)}`);
    for (const [label, list] of changes(right)) {
      const [before, memory] = [commands, pool.activeBytes];
      const error = await outcome(call(list));
      if (error === undefined) {
        const late = await noted();
        if (late !== undefined && !isOurs(late)) faults.push(`${label}: ${String(late)}`);
        continue;
      }
      if (!isOurs(error)) faults.push(`${label}: ${String(error)}`);
      const made = commands - before;
      if (made > (valueFirst.has(name) ? 1 : 0)) faults.push(`${label}: ${made} commands before ${String(error)}`);
      const left = pool.activeBytes - memory;
      if (left !== 0) faults.push(`${label}: ${left} bytes left after ${String(error)}`);
    }
    expect(faults).toEqual([]);
  });
});

test.each(allCalls())("an unknown option of $name is rejected by name", async ({ name, args, self }) => {
  const method = (self as Methods)[name] as Methods[string];
  const right = [...args(stage)];
  const at = placeOfOptions(method);
  if (at < 0) return;
  right[at] = { ...(right[at] as object | undefined), noSuchOption: 1 };
  await expect(attempt(() => method.apply(self, right))).rejects.toMatchObject({ code: "ERR_OUT_OF_RANGE" });
});

const released = errorLike(DisposedError, "ERR_CL_DISPOSED");
const isReadOnly = wrongState();

describe("an array", () => {
  const { a, ints, out } = stage;
  const gone: AnyArray = xp.zeros([2, 3], { dtype: "float32" });
  gone.release();
  const row = out.slice(0).broadcastTo([2, 3]);

  test.each<[string, () => unknown, Error]>([
    ["of another shape", () => a.add(a.slice(":", ":2")), outOfRange()],
    ["of another shape as output", () => a.add(1, { out: out.slice(0) }), outOfRange("options.out")],
    ["of another shape as source", () => out.slice(0).assign(a), outOfRange()],
    ["of another size", () => a.reshape([4, 2]), outOfRange()],
    ["of integers as output of floats", () => ints.div(2, { out: ints }), wrongType("options.out")],
    ["of integers as output", () => a.add(1, { out: ints }), wrongType("options.out")],
    ["of floats where integers are needed", () => a.bitwiseAnd(1 as never), wrongType("bitwiseAnd")],
    ["that was released as operand", () => a.add(gone), released],
    ["that was released as output", () => a.add(1, { out: gone }), released],
    ["that was released as source", () => a.assign(gone), released],
    ["that was released, of which a view is made", () => gone.slice(0), released],
    ["that was released, which is read", () => gone.data(), released],
    ["of another context as operand", () => a.add(foreignStage.a), wrongValue("other")],
    ["of another context as output", () => a.add(1, { out: foreignStage.out }), wrongValue("options.out")],
    ["of another context as source", () => a.assign(foreignStage.a), wrongValue("source")],
    ["of another context as condition", () => xp.where(foreignStage.mask.reshape([2, 1]), a, 0), wrongValue("x")],
    ["that repeats memory as output", () => a.add(1, { out: row }), isReadOnly],
    ["that repeats memory as target", () => row.assign(1), isReadOnly],
  ])("%s is rejected", async (_name, call, error) => {
    await expect(attempt(call)).rejects.toThrow(error);
  });
});
