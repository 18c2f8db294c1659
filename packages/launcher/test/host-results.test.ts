/** Host steps whose results are parameters of later members of their list. */
import { CommandQueue, type DeviceBuffer, handleCounts, type OpenCLError, Program, UserEvent } from "@cl/core";
import {
  HostLauncher,
  IterativeLauncher,
  KernelLauncher,
  ListLauncher,
  Profiler,
  type Pushable,
  runSteps,
  StepError,
  Tracer,
} from "@cl/launcher";
import { afterEach, describe, expect, test } from "vitest";

import { needs, turns } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { context, ints, outOfOrder, profiled, program, queue, readNow } from "./support/device.js";

const add = program.kernel("add");
const hasUserEvents = !context.devices.some(({ name }) => name.startsWith("basic"));
const targets = [
  ["an in-order queue", queue],
  ["an out-of-order queue", outOfOrder],
] as const;

afterEach(async () => {
  await Promise.all(targets.map(([, target]) => target.finish().catch(() => undefined)));
});

/** A list that replaces x by 10 x, by adding 9 x, which the host computes. */
function timesTen(x: DeviceBuffer<Int32Array>, run: (value: number) => unknown = () => undefined) {
  const value = new Int32Array(1);
  return new ListLauncher("ten times").pushCopyDeviceToHost("value", x, value).push(
    new HostLauncher(
      "times nine",
      async () => {
        await run(value[0] as number);
        return { a: 9 * (value[0] as number) };
      },
      { results: { a: "number" } },
    ),
    new KernelLauncher("add", add, { args: { x }, parameters: ["a"], global: 1 }),
  );
}

describe.each(targets)("on %s", (_, target) => {
  test("each launch computes its own results, in the order of the launches", async (run) => {
    needs(run, hasUserEvents, "the device has no user events");
    const x = ints(1);
    const list = timesTen(x, () => turns());
    expect([...list.parameters.keys()]).toEqual([]);
    const increment = new ListLauncher("increment").push(new KernelLauncher("one", add, { args: [x, 1], global: 1 }));
    list.launch(target);
    increment.launch(target);
    list.launch(target);
    await list.enqueue(target).wait();
    expect(await readNow(x)).toEqual([1100]);
    list.launch(target);
    await target.finish();
    expect(await readNow(x)).toEqual([11000]);
  });

  test("launches wait for events, and their event completes with the last member", async (run) => {
    needs(run, hasUserEvents, "the device has no user events");
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

  test("several host steps have results, which host functions, sizes and nested lists receive", async (run) => {
    needs(run, hasUserEvents, "the device has no user events");
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

  test("a nested list keeps its results to itself", async (run) => {
    needs(run, hasUserEvents, "the device has no user events");
    const x = ints(1);
    const outer = new ListLauncher("outer").push(
      timesTen(x),
      new KernelLauncher("add", program, { kernel: "add", args: { x }, parameters: ["a"], global: 1 }),
      timesTen(x),
    );
    expect([...outer.parameters.keys()]).toEqual(["a"]);
    const table = outer.parameterTable();
    table.values[0] = 5;
    outer.launch(target, { a: 1 });
    table.launch(target);
    await target.finish();
    expect(await readNow(x)).toEqual([(110 * 10 + 5) * 10]);
  });

  test("values of the launch reach later members, also if the object changes meanwhile", async (run) => {
    needs(run, hasUserEvents, "the device has no user events");
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

  test("if the function fails, later members do not run, and the event fails with the cause", async (run) => {
    needs(run, hasUserEvents, "the device has no user events");
    const x = ints(1);
    let fails = true;
    const list = timesTen(x, () => {
      if (fails) throw new RangeError("no step");
    });
    const error = await failure(list.enqueue(target));
    expect(rootOf(error)).toEqual(new RangeError("no step"));
    expect(await readNow(x)).toEqual([1]);
    await target.finish().catch(() => undefined);
    fails = false;
    await list.enqueue(target).wait();
    expect(await readNow(x)).toEqual([10]);
  });

  test("a failure of an earlier or later host step fails the launch", async (run) => {
    needs(run, hasUserEvents, "the device has no user events");
    const x = ints(1);
    const bad = new HostLauncher("bad", () => {
      throw new RangeError("bad");
    });
    for (const list of [
      new ListLauncher("before").push(bad, timesTen(x)),
      new ListLauncher("around").push(bad).push(...listMembers(x)),
      new ListLauncher("after").push(
        ...listMembers(ints(1)),
        bad,
        new KernelLauncher("add", add, { args: [x, 1], global: 1 }),
      ),
    ]) {
      expect(rootOf(await failure(list.enqueue(target)))).toEqual(new RangeError("bad"));
      await target.finish().catch(() => undefined);
    }
    expect(await readNow(x)).toEqual([1]);
  });

  test("a canceled step fails the launch", async (run) => {
    needs(run, hasUserEvents, "the device has no user events");
    const x = ints(1);
    const abort = new AbortController();
    const list = new ListLauncher("list").push(
      new HostLauncher("a", () => ({ a: 1 }), { results: { a: "number" }, signal: abort.signal }),
      new KernelLauncher("add", add, { args: { x }, parameters: ["a"], global: 1 }),
    );
    const gate = new UserEvent(context);
    const end = failure(list.enqueue(target, {}, { waitFor: gate }));
    abort.abort(new Error("enough"));
    gate.complete();
    expect(rootOf(await end)).toEqual(new Error("enough"));
    expect(await readNow(x)).toEqual([1]);
  });

  test("a list, its members and their program can be released while launches are pending", async (run) => {
    needs(run, hasUserEvents, "the device has no user events");
    const x = ints(1);
    const own = new Program(
      context,
      "__kernel void add(__global int *x, int a) { x[get_global_id(0)] += a; }",
    ).buildSync();
    const kernels = (): number => handleCounts()["kernel"] ?? 0;
    const before = kernels();
    const plus = (name: string) => new KernelLauncher(name, own, { args: { x }, parameters: ["a"], global: 1 });
    const [one, two] = [plus("one"), plus("two")];
    const step = new HostLauncher("a", () => ({ a: 10 }), { results: { a: "number" } });
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

  test("a resident list has the same results", async (run) => {
    needs(run, hasUserEvents, "the device has no user events");
    const results: unknown[] = [];
    for (const isResident of [false, true]) {
      const x = ints(1);
      const one = (): KernelLauncher => new KernelLauncher("one", program, { kernel: "add", args: [x, 1], global: 1 });
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

test("members after the step wait for it in a list of any order", async (run) => {
  needs(run, hasUserEvents, "the device has no user events");
  for (const order of ["parallel", "graph"] as const) {
    const x = ints(1);
    const list = new ListLauncher("list", { order }).push(...listMembers(x, () => turns()));
    list.launch(outOfOrder);
    await list.enqueue(outOfOrder).wait();
    expect(await readNow(x)).toEqual([100]);
  }
});

test("runSteps runs such lists and names the failed step", async (run) => {
  needs(run, hasUserEvents, "the device has no user events");
  const x = ints(1);
  await runSteps(timesTen(x), { queue, steps: 5 });
  expect(await readNow(x)).toEqual([100_000]);
  let step = 0;
  const failing = timesTen(ints(1), () => {
    if (step++ === 2) throw new RangeError("third");
  });
  const error: unknown = await runSteps(failing, { queue, steps: 5 }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StepError);
  expect((error as StepError).step).toBe(2);
  await queue.finish().catch(() => undefined);
});

test("a run has at most `depth` commands of all stages in flight", async (run) => {
  needs(run, hasUserEvents, "the device has no user events");
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

test("launches complete after the release of their queue", async (run) => {
  needs(run, hasUserEvents, "the device has no user events");
  const x = ints(1);
  const own = new CommandQueue(context);
  const list = timesTen(x, () => turns());
  list.launch(own);
  const end = list.enqueue(own);
  own.release();
  await end.wait();
  expect(await readNow(x)).toEqual([100]);
});

test("statistics and tracers see all members, with the results", async (run) => {
  needs(run, hasUserEvents, "the device has no user events");
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
  const step = new HostLauncher("step", () => ({ a: 1 }), { results: { a: "number" } });
  const plus = new KernelLauncher("plus", add, { args: [ints(0)], parameters: ["a"], global: 1 });
  const push =
    (...members: readonly Pushable[]) =>
    () =>
      new ListLauncher("list").push(...members);

  test("a result that earlier members or the step itself take as a parameter", () => {
    expect(push(plus, step)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE", '"a"'));
    const same = new HostLauncher("same", ({ a }) => ({ a }), {
      parameters: { a: "number" },
      results: { a: "number" },
    });
    expect(push(same, plus)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE", '"a"'));
  });

  test("two steps with the same result", () => {
    expect(push(step, plus, step)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE", '"a"'));
  });

  test("results of types that later members do not take", () => {
    const big = new HostLauncher("big", () => ({ a: 1n }), { results: { a: "bigint" } });
    expect(push(big, plus)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE", '"a"'));
    const text = (): unknown => Reflect.construct(HostLauncher, ["step", () => ({}), { results: { a: "string" } }]);
    expect(text).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.results.a"));
  });

  test("a launch that passes a result, or lacks a parameter of later members", () => {
    const list = new ListLauncher("list").push(
      step,
      plus,
      new KernelLauncher("digits", program.kernel("digits"), {
        args: { x: ints(0), i: 1 },
        parameters: ["j"],
        global: 1,
      }),
    );
    const launch = (values: object) => (): unknown => Reflect.apply(list.launch, list, [queue, values]);
    expect(launch({ a: 1, j: 1 })).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE", '"a"'));
    expect(launch({})).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE", '"j"'));
    expect(launch({ j: "1" })).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "j"));
  });

  test.for([
    ["nothing", undefined],
    ["an object without it", { b: 1 }],
    ["another type", { a: "1" }],
  ] as const)("a function that returns %s", async ([, answer], run) => {
    needs(run, hasUserEvents, "the device has no user events");
    const x = ints(1);
    const list = new ListLauncher("list").push(
      new HostLauncher("step", () => answer as unknown as { a: number }, { results: { a: "number" } }),
      new KernelLauncher("plus", add, { args: { x }, parameters: ["a"], global: 1 }),
    );
    expect((await failure(list.enqueue(queue))).message).toContain('the result "a"');
    expect(await readNow(x)).toEqual([1]);
  });
});

/** The members of {@link timesTen}. */
function listMembers(x: DeviceBuffer<Int32Array>, run: () => unknown = () => undefined) {
  const value = new Int32Array(1);
  return [
    new ListLauncher("read").pushCopyDeviceToHost("value", x, value),
    new HostLauncher(
      "times nine",
      async () => {
        await run();
        return { a: 9 * (value[0] as number) };
      },
      { results: { a: "number" } },
    ),
    new KernelLauncher("add", add, { args: { x }, parameters: ["a"], global: 1 }),
  ] as const;
}

/** Returns the error of an event. */
async function failure(event: { wait(): Promise<void> }): Promise<OpenCLError> {
  return event.wait().then(
    () => expect.unreachable("the event should have failed"),
    (error: unknown) => error as OpenCLError,
  );
}

function rootOf(error: unknown): unknown {
  let root = error;
  while (root instanceof Error && root.cause !== undefined) root = root.cause;
  return root;
}
