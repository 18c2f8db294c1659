/** Host steps whose results are parameters of later members of their list. */
import { CommandQueue, type DeviceBuffer, handleCounts, Program, UserEvent } from "@cl/core";
import {
  HostLauncher,
  IterativeLauncher,
  KernelLauncher,
  ListLauncher,
  Profiler,
  type Pushable,
  runSteps,
  Tracer,
} from "@cl/launcher";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { turns } from "@cl/base/testing";
import {
  context,
  ints,
  needsUserEvents,
  outOfOrder,
  profiled,
  program,
  queue,
  readNow,
  targets,
} from "./support/device.js";
import { adding, plus } from "./support/launchers.js";
import { wrongType, wrongValue } from "@cl/testing/error-like";
import { failureOf, rootOf } from "./support/failures.js";

const add = program.kernel("add");

beforeEach(needsUserEvents);

afterEach(async () => {
  await Promise.all(targets.map(([, target]) => target.finish().catch(() => undefined)));
});

/** A host step that returns nine times the value of x for `a`, and its neighbors in a list that replaces x by 10 x. */
function listMembers(x: DeviceBuffer<Int32Array>, run: (value: number) => unknown = () => undefined) {
  const value = new Int32Array(1);
  const timesNine = async (): Promise<{ a: number }> => {
    await run(value[0] as number);
    return { a: 9 * (value[0] as number) };
  };
  return [
    new ListLauncher("read").pushCopyDeviceToHost("value", x, value),
    new HostLauncher("times nine", timesNine, { results: { a: "number" } }),
    adding(x),
  ] as const;
}

/** A host step that returns `a`. */
const giving = (a: number, signal?: AbortSignal) =>
  new HostLauncher("step", () => ({ a }), { results: { a: "number" }, ...(signal && { signal }) });

const timesTen = (x: DeviceBuffer<Int32Array>, run?: (value: number) => unknown) =>
  new ListLauncher("ten times").push(...listMembers(x, run));

describe.each(targets)("on %s", (_, target) => {
  test("each launch computes its own results, in the order of the launches", async () => {
    const x = ints(1);
    const list = timesTen(x, () => turns());
    expect([...list.parameters.keys()]).toEqual([]);
    const increment = plus(x).asList("increment");
    list.launch(target);
    increment.launch(target);
    list.launch(target);
    await list.enqueue(target).wait();
    expect(await readNow(x)).toEqual([1100]);
    list.launch(target);
    await target.finish();
    expect(await readNow(x)).toEqual([11000]);
  });

  test("launches wait for events, and their event completes with the last member", async () => {
    const x = ints(1);
    const order: string[] = [];
    const list = timesTen(x, () => order.push("host")).push(
      new HostLauncher("last", async () => {
        await turns();
        order.push("last");
      }),
    );
    const gate = new UserEvent(context);
    const end = list.enqueue(target, {}, { waitFor: gate });
    await turns();
    expect(order).toEqual([]);
    gate.complete();
    await end.wait();
    expect(order).toEqual(["host", "last"]);
    expect(await readNow(x)).toEqual([10]);
  });

  test("several host steps have results, which host functions, sizes and nested lists receive", async () => {
    const x = ints(0, 0, 0, 0, 0, 0);
    const seen: unknown[] = [];
    const first = new HostLauncher("first", ({ start }) => ({ a: start, n: 3 }), {
      parameters: { start: "number" },
      results: { a: "number", n: "number" },
    });
    const second = new HostLauncher(
      "second",
      ({ a, n }) => {
        seen.push([a, n]);
        return { j: a + n, big: 4n };
      },
      { parameters: { a: "number", n: "number" }, results: { j: "number", big: "bigint" } },
    );
    const list = new ListLauncher("list").push(
      first,
      new KernelLauncher("add", add, { args: { x }, parameters: ["a"], global: 6 }),
      second,
      new ListLauncher("inner").push(
        new KernelLauncher("more", program, { kernel: "add", args: { x }, parameters: { j: "a" }, global: [2] }),
        new IterativeLauncher("digits", program.kernel("digits"), {
          args: { x },
          parameters: ["j"],
          iterate: { i: [1, 2] },
          global: 1,
        }),
      ),
      new HostLauncher("note", (values) => void seen.push(values), {
        parameters: { j: "number", big: "bigint", end: "string" },
      }),
    );
    expect([...list.parameters.keys()]).toEqual(["start", "end"]);
    const events = [1, 2].map((start) => list.enqueue(target, { start, end: `end ${start}` }));
    await Promise.all(events.map((event) => event.wait()));
    expect(seen).toEqual([[1, 3], { j: 4, big: 4n, end: "end 1" }, [2, 3], { j: 5, big: 4n, end: "end 2" }]);
    expect((await readNow(x)).slice(1)).toEqual([12, 3, 3, 3, 3]);
  });

  test("a nested list keeps its results to itself", async () => {
    const x = ints(1);
    const outer = new ListLauncher("outer").push(timesTen(x), adding(x), timesTen(x));
    expect([...outer.parameters.keys()]).toEqual(["a"]);
    const table = outer.parameterTable();
    table.values[0] = 5;
    outer.launch(target, { a: 1 });
    table.launch(target);
    await target.finish();
    expect(await readNow(x)).toEqual([(110 * 10 + 5) * 10]);
  });

  test("values of the launch reach later members, also if the object changes meanwhile", async () => {
    const x = ints(0);
    const list = new ListLauncher("list").push(
      new HostLauncher("factor", () => ({ j: 2 }), { results: { j: "number" } }),
      new KernelLauncher("digits", program.kernel("digits"), { args: { x }, parameters: ["i", "j"], global: 1 }),
    );
    const values = { i: 1 };
    list.launch(target, values);
    values.i = 3;
    await list.enqueue(target, values).wait();
    expect(await readNow(x)).toEqual([1232]);
    const table = list.parameterTable();
    expect(table.names).toEqual(["i"]);
    table.values[0] = 4;
    table.launch(target);
    table.values[0] = 5;
    await target.finish();
    expect(await readNow(x)).toEqual([123242]);
  });

  test("if the function fails, later members do not run, and the event fails with the cause", async () => {
    const x = ints(1);
    let fails = true;
    const list = timesTen(x, () => {
      if (fails) throw new RangeError("no step");
    });
    const error = await failureOf(list.enqueue(target));
    expect(rootOf(error)).toEqual(new RangeError("no step"));
    expect(await readNow(x)).toEqual([1]);
    await target.finish().catch(() => undefined);
    fails = false;
    await list.enqueue(target).wait();
    expect(await readNow(x)).toEqual([10]);
  });

  test("a failure of an earlier or later host step fails the launch", async () => {
    const x = ints(1);
    const bad = new HostLauncher("bad", () => {
      throw new RangeError("bad");
    });
    for (const list of [
      new ListLauncher("before").push(bad, timesTen(x)),
      new ListLauncher("around").push(bad).push(...listMembers(x)),
      new ListLauncher("after").push(...listMembers(ints(1)), bad, plus(x)),
    ]) {
      expect(rootOf(await failureOf(list.enqueue(target)))).toEqual(new RangeError("bad"));
      await target.finish().catch(() => undefined);
    }
    expect(await readNow(x)).toEqual([1]);
  });

  test("a canceled step fails the launch", async () => {
    const x = ints(1);
    const abort = new AbortController();
    const list = new ListLauncher("list").push(giving(1, abort.signal), adding(x));
    const gate = new UserEvent(context);
    const end = failureOf(list.enqueue(target, {}, { waitFor: gate }));
    abort.abort(new Error("enough"));
    gate.complete();
    expect(rootOf(await end)).toEqual(new Error("enough"));
    expect(await readNow(x)).toEqual([1]);
  });

  test("a list, its members and their program can be released while launches are pending", async () => {
    const x = ints(1);
    const own = new Program(
      context,
      "__kernel void add(__global int *x, int a) { x[get_global_id(0)] += a; }",
    ).buildSync();
    const kernels = (): number => handleCounts()["kernel"] ?? 0;
    const before = kernels();
    const summing = (name: string) => new KernelLauncher(name, own, { args: { x }, parameters: ["a"], global: 1 });
    const [one, two] = [summing("one"), summing("two")];
    const step = giving(10);
    const inner = new ListLauncher("inner").push(two);
    const list = new ListLauncher("list").push(step, one, inner);
    const gate = new UserEvent(context);
    const events = [1, 2].map(() => list.enqueue(target, {}, { waitFor: gate }));
    for (const resource of [list, step, one, two, inner, own]) resource.release();
    expect(kernels()).toBeGreaterThan(before);
    gate.complete();
    for (const event of events) await event.wait();
    expect(await readNow(x)).toEqual([41]);
    expect(kernels()).toBeLessThanOrEqual(before);
  });

  test("a resident list has the same results", async () => {
    const results: unknown[] = [];
    for (const isResident of [false, true]) {
      const x = ints(1);
      const one = (): KernelLauncher => plus(x);
      const list = new ListLauncher("list").push(one(), one(), ...listMembers(x), one(), one());
      if (isResident) {
        const residencies = await list.resident();
        expect(residencies.map(({ members, resident }) => [members.length, resident])).toEqual([
          [2, true],
          [1, false],
          [1, false],
          [3, true],
        ]);
      }
      for (let launch = 0; launch < 3; launch++) list.launch(target);
      // Members that are replaced stay until pending launches have run them.
      if (isResident) list.residentSync();
      list.launch(target);
      await target.finish();
      results.push(await readNow(x));
      list.release();
    }
    expect(results[1]).toEqual(results[0]);
  });
});

test("members after the step wait for it in a list of any order", async () => {
  for (const order of ["parallel", "graph"] as const) {
    const x = ints(1);
    const list = new ListLauncher("list", { order }).push(...listMembers(x, () => turns()));
    list.launch(outOfOrder);
    await list.enqueue(outOfOrder).wait();
    expect(await readNow(x)).toEqual([100]);
  }
});

test("a run has at most `depth` commands of all stages in flight", async () => {
  let ended = 0;
  const ahead: number[] = [];
  const list = timesTen(ints(0), () => void ended++).push(
    new HostLauncher("note", () => undefined, { parameters: { step: "number" } }),
  );
  await runSteps(list, {
    queue,
    steps: 20,
    depth: 8,
    parameters: (step) => {
      ahead.push(step - ended);
      return { step };
    },
  });
  // Four commands per launch: one launch may be in flight when the next one starts.
  expect(Math.max(...ahead)).toBe(1);
});

test("launches complete after the release of their queue", async () => {
  const x = ints(1);
  const own = new CommandQueue(context);
  const list = timesTen(x, () => turns());
  list.launch(own);
  const end = list.enqueue(own);
  own.release();
  await end.wait();
  expect(await readNow(x)).toEqual([100]);
});

test("statistics and tracers see all members, with the results", async () => {
  const traced: string[] = [];
  const profiler = new Profiler();
  const x = ints(1);
  const list = new ListLauncher("list", {
    profiler,
    tracer: new Tracer(({ name, args, lists }) => traced.push([...lists, name, ...args].join(" "))),
  }).push(...listMembers(x));
  list.launch(profiled);
  await list.enqueue(profiled).wait();
  expect(list.statistics.snapshot().count).toBe(6);
  expect(traced.filter((line) => line.includes("add"))).toHaveLength(2);
  expect(traced.find((line) => line.startsWith("list add"))).toContain("a: 9");
  expect(traced.findLast((line) => line.startsWith("list add"))).toContain("a: 90");
});

describe("rejects", () => {
  const step = giving(1);
  const sum = adding(ints(0), "plus");
  const push =
    (...members: readonly Pushable[]) =>
    () =>
      new ListLauncher("list").push(...members);

  test("a result that earlier members or the step itself take as a parameter", () => {
    expect(push(sum, step)).toThrow(wrongValue('"a"'));
    const same = new HostLauncher("same", ({ a }) => ({ a }), {
      parameters: { a: "number" },
      results: { a: "number" },
    });
    expect(push(same, sum)).toThrow(wrongValue('"a"'));
  });

  test("two steps with the same result", () => {
    expect(push(step, sum, step)).toThrow(wrongValue('"a"'));
  });

  test("results of types that later members do not take", () => {
    const big = new HostLauncher("big", () => ({ a: 1n }), { results: { a: "bigint" } });
    expect(push(big, sum)).toThrow(wrongValue('"a"'));
    const text = (): unknown => Reflect.construct(HostLauncher, ["step", () => ({}), { results: { a: "string" } }]);
    expect(text).toThrow(wrongType("options.results.a"));
  });

  test("a launch that passes a result, or lacks a parameter of later members", () => {
    const list = new ListLauncher("list").push(
      step,
      sum,
      new KernelLauncher("digits", program.kernel("digits"), {
        args: { x: ints(0), i: 1 },
        parameters: ["j"],
        global: 1,
      }),
    );
    const launch = (values: object) => (): unknown => Reflect.apply(list.launch, list, [queue, values]);
    expect(launch({ a: 1, j: 1 })).toThrow(wrongValue('"a"'));
    expect(launch({})).toThrow(wrongValue('"j"'));
    expect(launch({ j: "1" })).toThrow(wrongType("j"));
  });

  test.for([
    ["nothing", undefined],
    ["an object without it", { b: 1 }],
    ["another type", { a: "1" }],
  ] as const)("a function that returns %s", async ([, answer]) => {
    const x = ints(1);
    const list = new ListLauncher("list").push(
      new HostLauncher("step", () => answer as unknown as { a: number }, { results: { a: "number" } }),
      adding(x),
    );
    expect((await failureOf(list.enqueue(queue))).message).toContain('the result "a"');
    expect(await readNow(x)).toEqual([1]);
  });
});
