import {
  DisposedError,
  CommandQueue,
  Context,
  type Device,
  dtype,
  GlobalMemoryType,
  Program,
  structType,
} from "@cl/core";
import { clearFirstArgCaches, FirstArgCache, memoizeByFirstArg } from "@cl/tools";
import { anything, array, assert, property } from "fast-check";
import { expect, test, vi } from "vitest";

import { collectUntil } from "@cl/base/testing";
import { errorLike, wrongType } from "@cl/testing/error-like";

const context = Context.create();
const [device] = context.devices as [Device];

/** A memoized function, and how often it was computed. */
function counted(): { get: (first: Context | Device | CommandQueue, ...rest: unknown[]) => number; calls(): number } {
  let calls = 0;
  const get = memoizeByFirstArg<[Context | Device | CommandQueue, ...unknown[]], number>(() => ++calls);
  return { get, calls: () => calls };
}

test("a result is computed once per function, object and list of arguments", () => {
  const { get, calls } = counted();
  expect(get(context, 1)).toBe(get(context, 1));
  expect(get(context, 2)).not.toBe(get(context, 1));
  expect(get(device, 1)).not.toBe(get(context, 1));
  expect(calls()).toBe(3);
  const other = counted();
  other.get(context, 1);
  expect([calls(), other.calls()]).toEqual([3, 1]);
});

test("all wrappers of an OpenCL object share results, which live as long as one of them", () => {
  const { get } = counted();
  const first = new Context(device);
  const second = Context.fromPointer(first.pointer);
  const result = get(first);
  expect(get(second)).toBe(result);
  first.release();
  expect(get(second)).toBe(result);
  const third = Context.fromPointer(second.pointer);
  expect(get(third)).toBe(result);
  second.release();
  expect(get(third)).toBe(result);
  third.release();
});

test("a released object is rejected", () => {
  const { get } = counted();
  const queue = new CommandQueue(context);
  queue.release();
  expect(() => get(queue)).toThrow(errorLike(DisposedError, "ERR_CL_DISPOSED"));
});

test("a result that references its context does not keep either alive", async () => {
  const build = memoizeByFirstArg(
    (owner: Context) => new Program(owner, "__kernel void nothing(__global int *x) { x[0] = 0; }"),
  );
  let collected = 0;
  // In a separate function, so that no stack frame references them.
  const use = (): void => {
    for (let i = 0; i < 3; i++) {
      const owner = new Context(device);
      owner.onReleased(() => collected++);
      expect(build(owner) === build(owner)).toBe(true);
    }
  };
  use();
  expect(await collectUntil(() => collected === 3)).toBe(true);
});

test("clear removes the results of one function, clearFirstArgCaches those of all", () => {
  const memoized = memoizeByFirstArg<[Context], object>(() => ({}));
  const other = memoizeByFirstArg<[Context], object>(() => ({}));
  const [a, b] = [memoized(context), other(context)];
  memoized.clear();
  expect(memoized(context)).not.toBe(a);
  expect(other(context)).toBe(b);
  clearFirstArgCaches();
  expect(other(context)).not.toBe(b);
});

test.each<[string, unknown, unknown, boolean]>([
  ["0 and -0", 0, -0, false],
  ["NaN and NaN", NaN, NaN, true],
  ["1 and the string 1", 1, "1", false],
  ["1n and the string 1n", 1n, "1n", false],
  ["null and undefined", [null], [undefined], false],
  ["a comma in a string", ["a,b"], ["a", "b"], false],
  ["nested lists", [[1], 2], [[1, 2]], false],
  ["the order of properties", { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ["different properties", { a: 1 }, { b: 1 }, false],
  ["a list and an object", [1], { 0: 1 }, false],
  ["a type by two names", dtype("float"), dtype("f4"), true],
  ["a type and its name", dtype("float32"), "float32", false],
  ["structs of one layout", structType("p", { x: "float" }), structType("p", { x: "f4" }), true],
  ["structs of two layouts", structType("p", { x: "float" }), structType("p", { x: "int" }), false],
  ["equal descriptors", new GlobalMemoryType("float"), new GlobalMemoryType("f4"), true],
  ["wrappers of one object", context, Context.fromPointer(context.pointer), true],
  ["an object and its device", context, device, false],
])("arguments are compared by value: %s", (_, one, other, same) => {
  const { get } = counted();
  expect(get(context, one) === get(context, other)).toBe(same);
});

test("trailing undefined arguments are ignored", () => {
  const { get } = counted();
  expect(get(context, 1, undefined, undefined)).toBe(get(context, 1));
  expect(get(context, undefined, 1)).not.toBe(get(context, 1));
});

test("only equal lists of arguments share a result", () => {
  const value = anything({ withBigInt: true, maxDepth: 3, withObjectString: true });
  assert(
    property(array(value, { maxLength: 3 }), array(value, { maxLength: 3 }), (one, other) => {
      const { get } = counted();
      try {
        const same = get(context, ...structuredClone(one)) === get(context, ...structuredClone(other));
        if (same) expect(trimmed(one)).toEqual(trimmed(other));
        expect(get(context, ...one)).toBe(get(context, ...structuredClone(one)));
      } catch (error) {
        if ((error as { code?: string }).code !== "ERR_INVALID_ARG_TYPE") throw error;
      }
    }),
  );
});

function trimmed(values: unknown[]): unknown[] {
  const all = [...values];
  while (all.length > 0 && all.at(-1) === undefined) all.pop();
  return all;
}

const circle: unknown[] = [];
circle.push(circle);

test("values that cannot be compared are rejected before the computation", () => {
  const { get, calls } = counted();
  const wrong = [() => 0, Symbol("s"), new Map(), new Date(), new Float32Array(1), circle, { [Symbol("s")]: 1 }];
  for (const value of wrong) expect(() => get(context, 0, { deep: [value] })).toThrow(wrongType());
  expect(calls()).toBe(0);
});

test("options.key determines the cache key", () => {
  const compute = vi.fn<(owner: Context, write: (text: string) => string) => string>((_owner, write) => write("x"));
  const memoized = memoizeByFirstArg(compute, { key: (_owner, write) => [write("")] });
  expect(memoized(context, (text) => `<${text}>`)).toBe("<x>");
  expect(memoized(context, (text) => `<${text}>`)).toBe("<x>");
  expect(memoized(context, (text) => `(${text})`)).toBe("(x)");
  expect(compute).toHaveBeenCalledTimes(2);
});

test("a call that throws is not cached", () => {
  const compute = vi
    .fn<(owner: Context) => number>(() => 1)
    .mockImplementationOnce(() => {
      throw new Error("no");
    });
  const memoized = memoizeByFirstArg(compute);
  expect(() => memoized(context)).toThrow("no");
  expect(memoized(context)).toBe(1);
});

test("a promise is shared while pending and cached unless it rejects", async () => {
  const compute = vi.fn<(owner: Context, fails: boolean) => Promise<object>>(async (_owner, fails) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (fails) throw new Error("no");
    return {};
  });
  const memoized = memoizeByFirstArg(compute);
  const [a, b] = [memoized(context, false), memoized(context, false)];
  expect(a).toBe(b);
  expect(await memoized(context, false)).toBe(await a);
  const [c, d] = [memoized(context, true), memoized(context, true)];
  expect(c).toBe(d);
  await expect(c).rejects.toThrow("no");
  expect(memoized(context, true)).not.toBe(c);
  await expect(memoized(context, true)).rejects.toThrow("no");
  expect(compute).toHaveBeenCalledTimes(3);
});

test("a rejection after clear does not remove newer results", async () => {
  const rejects: ((error: Error) => void)[] = [];
  const memoized = memoizeByFirstArg<[Context], unknown>(() => new Promise((_resolve, reject) => rejects.push(reject)));
  const first = memoized(context);
  memoized.clear();
  const second = memoized(context);
  rejects[0]?.(new Error("late"));
  await expect(first).rejects.toThrow("late");
  expect(memoized(context)).toBe(second);
  rejects[1]?.(new Error("end"));
  await expect(second).rejects.toThrow("end");
});

test("a released result is computed again, also if it was in a promise", async () => {
  const queueOf = memoizeByFirstArg((owner: Context) => new CommandQueue(owner));
  const first = queueOf(context);
  first.release();
  const second = queueOf(context);
  expect(second.released).toBe(false);
  expect(queueOf(context)).toBe(second);
  second.release();
  const later = memoizeByFirstArg(async (owner: Context) => new CommandQueue(owner));
  (await later(context)).release();
  const next = await later(context);
  expect(next.released).toBe(false);
  next.release();
});

test("a function may call itself recursively; a call with the same arguments throws", () => {
  const factorial = memoizeByFirstArg((owner: Context, n: number): number => (n < 2 ? 1 : n * factorial(owner, n - 1)));
  expect(factorial(context, 10)).toBe(3628800);
  const endless = memoizeByFirstArg((owner: Context): number => endless(owner) + 1);
  for (let i = 0; i < 2; i++) expect(() => endless(context)).toThrow(/cannot depend on itself/);
});

test("FirstArgCache caches values computed at the call site", () => {
  const cache = new FirstArgCache<object>();
  const get = (value: number): object => cache.get(context, ["a", value], () => ({}));
  const first = get(1);
  expect([get(1) === first, get(2) === first]).toEqual([true, false]);
  cache.clear();
  expect(get(1)).not.toBe(first);
});

test("errors name the wrong argument", () => {
  const cache = new FirstArgCache<number>();
  const { get } = counted();
  expect(() => memoizeByFirstArg(1 as never)).toThrow(wrongType("compute"));
  expect(() => memoizeByFirstArg(() => 0, 1 as never)).toThrow(wrongType("options"));
  expect(() => memoizeByFirstArg(() => 0, { key: 1 as never })).toThrow(wrongType("options.key"));
  expect(() => memoizeByFirstArg<[Context], number>(() => 0, { key: () => 1 as never })(context)).toThrow(
    wrongType("values"),
  );
  for (const first of [undefined, null, 1, {}, "context"]) {
    expect(() => get(first as never)).toThrow(wrongType("first"));
    expect(() => cache.get(first as never, [], () => 0)).toThrow(wrongType("first"));
  }
  expect(() => cache.get(context, 1 as never, () => 0)).toThrow(wrongType("values"));
  expect(() => cache.get(context, [], 1 as never)).toThrow(wrongType("compute"));
});
