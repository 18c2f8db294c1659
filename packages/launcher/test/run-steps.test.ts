import { CommandQueue, OpenCLError, UserEvent } from "@cl/core";
import {
  FillLauncher,
  HostLauncher,
  IterativeLauncher,
  iterateSteps,
  ListLauncher,
  RunControl,
  Profiler,
  type RunResult,
  runSteps,
  StepError,
} from "@cl/launcher";
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";

import { context, ints, needsUserEvents, profiled, program, queue, read, readNow, targets } from "./support/device.js";
import { adding } from "./support/launchers.js";
import { disposed } from "@cl/testing/core-errors";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";

/** Gives a run enough turns of the event loop to launch as many steps as it can. */
const manyTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await macrotask();
};
const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Creates a list that adds `a` in each step with the given number of kernels. */
function stepOf(kernels = 1): { x: ReturnType<typeof ints>; list: ListLauncher<{ readonly a: number }> } {
  const x = ints(0);
  const add = adding(x);
  return { x, list: new ListLauncher("step").push(...Array.from({ length: kernels }, () => add)) as never };
}

/** Runs steps on a queue whose commands wait, and returns how many were launched meanwhile. */
async function pendingSteps(
  launcher: ListLauncher<{ readonly a: number }>,
  steps: number,
  depth?: number,
): Promise<number> {
  const own = new CommandQueue(context);
  const gate = new UserEvent(context);
  own.enqueueWaitForEvents(gate);
  let launched = 0;
  const parameters = (): { a: number } => {
    launched++;
    return (launcher.parameters.has("a") ? { a: 1 } : {}) as { a: number };
  };
  const running = runSteps(launcher, { queue: own, steps, parameters, ...(depth !== undefined && { depth }) });
  // The event loop is not blocked meanwhile.
  await manyTurns();
  const pending = launched;
  gate.complete();
  await running;
  expect(launched).toBe(steps);
  return pending;
}

/** Options of a run that adds one in each step. */
const ones = { queue, parameters: { a: 1 } } as const;

async function failureOf(running: Promise<unknown>): Promise<StepError> {
  const error = await running.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StepError);
  return error as StepError;
}

describe("a run", () => {
  test.each(targets)("launches all steps with their parameters on %s", async (_, target) => {
    const { x, list } = stepOf(3);
    const result = await runSteps(list, { queue: target, steps: 200, parameters: (a) => ({ a }) });
    expect(result).toMatchObject({ steps: 200, stopped: "done" });
    expect(result.rate).toBeCloseTo(200 / result.seconds);
    expect(await readNow(x)).toEqual([3 * ((199 * 200) / 2)]);
  });

  test("accepts a table whose numbers are set before each step", async () => {
    const { x, list } = stepOf(2);
    const table = list.parameterTable();
    const parameters = (step: number): void => {
      table.values[0] = step;
    };
    expect(await runSteps(table, { queue, steps: 100, parameters })).toMatchObject({ steps: 100 });
    expect(await readNow(x)).toEqual([99 * 100]);
    table.values[0] = 1;
    for await (const step of iterateSteps(table, { queue, steps: 4, every: 2 })) {
      expect(await readNow(x)).toEqual([9900 + 2 * step]);
    }
    const error = await failureOf(
      runSteps(table, { queue, steps: 3, parameters: (n) => void (table.values[0] = n / 2) }),
    );
    expect(error.step).toBe(1);
  });

  test("of zero steps does nothing", async () => {
    const { x, list } = stepOf();
    const run = vi.fn<() => void>();
    expect(await runSteps(list, { ...ones, steps: 0, every: [{ steps: 1, run }] })).toEqual({
      steps: 0,
      seconds: expect.any(Number) as number,
      rate: 0,
      stopped: "done",
    } satisfies RunResult);
    expect(run).not.toHaveBeenCalled();
    expect(await readNow(x)).toEqual([0]);
  });

  test("counts steps from the number in `firstStep`", async () => {
    const { list } = stepOf();
    const requestedSteps: number[] = [];
    const seen: number[] = [];
    const parameters = (step: number): { a: number } => ({ a: requestedSteps.push(step) });
    const every = [{ steps: 5, run: ({ step }: { step: number }) => seen.push(step) }];
    const result = await runSteps(list, { queue, firstStep: 95, steps: 10, parameters, every });
    expect(result.steps).toBe(10);
    expect(requestedSteps).toEqual([95, 96, 97, 98, 99, 100, 101, 102, 103, 104]);
    expect(seen).toEqual([100, 105]);
  });

  test("ends before the step for which until returns true", async () => {
    const { x, list } = stepOf();
    const options = { ...ones, until: (step: number) => step === 37 };
    expect(await runSteps(list, options)).toMatchObject({ steps: 37, stopped: "until" });
    expect(await runSteps(list, { ...options, steps: 10 })).toMatchObject({ steps: 10, stopped: "done" });
    expect(await readNow(x)).toEqual([47]);
  });

  test("computes seconds and rate from the given clock", async () => {
    const { list } = stepOf();
    let time = 5000;
    const every = [{ steps: 4, run: () => (time += 2000) }];
    const result = await runSteps(list, { ...ones, steps: 8, every, now: () => time });
    expect(result).toEqual({ steps: 8, seconds: 4, rate: 2, stopped: "done" });
  });
});

describe("host steps of a run", () => {
  test("see the results of finished steps, and the run waits for them", async () => {
    const { x, list } = stepOf();
    const seen: unknown[] = [];
    const run = async ({ step, queue: stepQueue }: { step: number; queue: CommandQueue }): Promise<void> => {
      const before = await readNow(x);
      await macrotask();
      seen.push([step, ...before, ...(await readNow(x)), stepQueue === queue]);
    };
    await runSteps(list, { ...ones, steps: 10, every: [{ steps: 5, first: true, last: true, run }] });
    expect(seen).toEqual([0, 5, 10].map((n) => [n, n, n, true]));
  });

  test("run at the interval of `seconds`", async () => {
    const { list } = stepOf();
    let time = 0;
    const seen: number[] = [];
    const parameters = (): { a: number } => ({ a: (time += 1000) && 1 });
    const every = [{ seconds: 5, run: ({ step }: { step: number }) => seen.push(step) }];
    await runSteps(list, { queue, steps: 12, parameters, now: () => time, every });
    expect(seen).toEqual([5, 10]);
  });

  test("can stop the run", async () => {
    const { x, list } = stepOf();
    const every = [{ steps: 10, run: ({ step, stop }: { step: number; stop: () => void }) => step === 30 && stop() }];
    const result = await runSteps(list, { ...ones, every });
    expect(result).toMatchObject({ steps: 30, stopped: "until" });
    expect(await readNow(x)).toEqual([30]);
  });

  test("are counted by a profiler and included in its trace", async () => {
    const profiler = new Profiler();
    const { list } = stepOf();
    const fail = (): never => {
      throw new Error("no");
    };
    const every = [
      { steps: 3, name: "output", run: macrotask },
      { last: true, run: () => 1 },
    ];
    await runSteps(list, { ...ones, queue: profiled, steps: 10, profiler, every });
    await failureOf(runSteps(list, { ...ones, steps: 1, profiler, every: [{ first: true, name: "bad", run: fail }] }));
    const rows = profiler.rows().map(({ name, kind, count, failed }) => [name, kind, count, failed]);
    expect(rows).toHaveLength(3);
    expect(rows).toEqual(
      expect.arrayContaining([
        ["output", "host", 3, 0],
        ["options.every[1]", "host", 1, 0],
        ["bad", "host", 0, 1],
      ]),
    );
    expect(profiler.trace().hostSpans.map(({ name }) => name)).toEqual(expect.arrayContaining(["output", "output"]));
  });

  test("run at multiples of their periods, in any combination", async () => {
    const period = fc.integer({ min: 1, max: 7 });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 25 }),
        fc.integer({ min: 0, max: 9 }),
        period,
        period,
        async (...all) => {
          const [steps, from, one, other] = all;
          const { x, list } = stepOf();
          const seen: [number, number, number][] = [];
          const at = (period_: number) => ({
            steps: period_,
            run: async ({ step }: { step: number }) => seen.push([period_, step, ...((await readNow(x)) as [number])]),
          });
          await runSteps(list, { queue, firstStep: from, steps, parameters: { a: 1 }, every: [at(one), at(other)] });
          const expected: [number, number, number][] = [];
          for (let step = from + 1; step <= from + steps; step++) {
            for (const p of [one, other]) if (step % p === 0) expected.push([p, step, step - from]);
          }
          expect(seen).toEqual(expected);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("the depth of a run", () => {
  test.for([
    [1, 8, 8],
    [2, 8, 4],
    [3, 8, 2],
    [20, 8, 1],
    [1, 1, 1],
  ] as const)("for %i commands per step, %i, allows %i pending steps", async ([kernels, depth, ahead], run) => {
    needsUserEvents(run);
    const { x, list } = stepOf(kernels);
    expect(await pendingSteps(list, 100, depth)).toBe(ahead);
    expect(await readNow(x)).toEqual([100 * kernels]);
  });

  test("counts the members of nested lists, including fills and copies", async (run) => {
    needsUserEvents(run);
    const { x, list: inner } = stepOf(2);
    const list = new ListLauncher("outer")
      .push(inner, new ListLauncher("deeper").push(inner))
      .push(new FillLauncher("clear", { target: ints(0), pattern: 1 }))
      .pushCopyDeviceToDevice("keep", x, ints(0));
    expect(await pendingSteps(list, 10, 12)).toBe(2);
    expect(await readNow(x)).toEqual([40]);
  });

  test("allows one pending step if the number of its commands is unknown before the launch", async (run) => {
    needsUserEvents(run);
    const x = ints(0);
    const many = new IterativeLauncher("many", program.kernel("add"), {
      args: [x],
      parameters: ["a"],
      iterate: { a: [1, 2, 3] },
      global: 1,
    });
    expect(await pendingSteps(new ListLauncher("step").push(many) as never, 10)).toBe(1);
    expect(await readNow(x)).toEqual([60]);
  });
});

describe("a run ends", () => {
  test("by an AbortSignal, after the launched steps and the final host steps", async () => {
    const { x, list } = stepOf();
    const abort = new AbortController();
    const ends: unknown[] = [];
    let launched = 0;
    const result = await runSteps(list, {
      queue,
      parameters: (step) => {
        if (step === 20) abort.abort(new Error("enough"));
        launched++;
        return { a: 1 };
      },
      signal: abort.signal,
      every: [{ last: true, run: async ({ step, signal }) => ends.push(step, signal.aborted, ...(await readNow(x))) }],
    });
    expect(result).toMatchObject({ steps: 21, stopped: "aborted", reason: new Error("enough") });
    expect(launched).toBe(21);
    expect(ends).toEqual([21, true, 21]);
  });

  test("before its first step if the signal is already aborted", async () => {
    const { x, list } = stepOf();
    const signal = AbortSignal.abort("no");
    const result = await runSteps(list, { ...ones, steps: 5, signal });
    expect(result).toMatchObject({ steps: 0, stopped: "aborted", reason: "no" });
    expect(await readNow(x)).toEqual([0]);
  });

  test("by its control, which can also pause and resume it", async () => {
    const { x, list } = stepOf();
    const control = new RunControl();
    let launched = 0;
    const parameters = (step: number): { a: number } => {
      if (step === 10 || step === 20) control.pause();
      if (step === 30) control.stop("button");
      launched++;
      return { a: 1 };
    };
    const running = runSteps(list, { queue, parameters, control });
    for (const paused of [11, 21]) {
      while (!control.paused) await macrotask();
      await queue.finish();
      await manyTurns();
      expect([launched, ...(await readNow(x))]).toEqual([paused, paused]);
      control.resume();
      expect(control.paused).toBe(false);
    }
    expect(await running).toMatchObject({ steps: 31, stopped: "aborted", reason: "button" });
    expect(control.signal.reason).toBe("button");
    expect(await runSteps(list, { queue, parameters: { a: 1 }, control })).toMatchObject({ steps: 0 });
  });

  test("by an AbortSignal while it is paused", async () => {
    const { list } = stepOf();
    const control = new RunControl();
    control.pause();
    const abort = new AbortController();
    const running = runSteps(list, { ...ones, steps: 5, control, signal: abort.signal });
    await macrotask();
    abort.abort("later");
    expect(await running).toMatchObject({ steps: 0, stopped: "aborted", reason: "later" });
  });
});

describe("operating system signals", () => {
  const counts = (): number[] =>
    (["SIGINT", "SIGTERM", "SIGUSR2", "SIGTSTP"] as const).map((s) => process.listenerCount(s));

  test("stop a run only with the option, and have no listeners afterwards", async () => {
    const { list } = stepOf();
    const before = counts();
    await runSteps(list, { ...ones, steps: 1, every: [{ steps: 1, run: () => expect(counts()).toEqual(before) }] });
    const after: number[][] = [];
    const parameters = (step: number): { a: number } => {
      if (step === 5) {
        after.push(counts());
        process.emit("SIGINT", "SIGINT");
        after.push(counts());
      }
      return { a: 1 };
    };
    const result = await runSteps(list, { queue, parameters, signals: true });
    expect(result).toMatchObject({ steps: 6, stopped: "aborted", reason: "SIGINT" });
    const more = (by: readonly number[]): number[] => before.map((count, i) => count + (by[i] as number));
    expect(after).toEqual(process.platform === "win32" ? after : [more([1, 1, 1, 1]), more([0, 0, 1, 1])]);
    expect(counts()).toEqual(before);
  });

  test("pause and resume a run", async () => {
    const { x, list } = stepOf();
    const parameters = (step: number): { a: number } => {
      if (step === 5) process.emit("SIGHUP", "SIGHUP");
      return { a: 1 };
    };
    const running = runSteps(list, { queue, steps: 10, parameters, signals: { pause: ["SIGHUP"] } });
    await manyTurns();
    await queue.finish();
    await manyTurns();
    expect(await readNow(x)).toEqual([6]);
    process.emit("SIGHUP", "SIGHUP");
    expect(await running).toMatchObject({ steps: 10, stopped: "done" });
  });

  test("suspend the process once the queue is empty", async () => {
    const { x, list } = stepOf();
    let time = 0;
    const sums: unknown[] = [];
    const kill = vi.spyOn(process, "kill").mockImplementation((pid, name) => {
      sums.push(pid === process.pid, name, queue.readSync(x)[0]);
      time += 3_600_000;
      return true;
    });
    try {
      const parameters = (step: number): { a: number } => {
        if (step === 5) process.emit("SIGTSTP" as "SIGINT", "SIGTSTP" as "SIGINT");
        time += 1000;
        return { a: 1 };
      };
      const signals = { suspend: ["SIGTSTP"] } as const;
      const result = await runSteps(list, { queue, steps: 10, parameters, signals, now: () => time });
      expect(result).toEqual({ steps: 10, seconds: 10, rate: 1, stopped: "done" });
      expect(sums).toEqual([true, "SIGSTOP", 6]);
    } finally {
      kill.mockRestore();
    }
  });
});

describe("an error", () => {
  test("in the parameters or the launch names the step, after earlier steps have finished", async () => {
    const { x, list } = stepOf();
    const parameters = (step: number): { a: number } => ({ a: step === 12 ? 0.5 : 1 });
    const error = await failureOf(runSteps(list, { queue, parameters }));
    expect([error.step, error.lastStep]).toEqual([12, 12]);
    expect(error.cause).toEqual(outOfRange());
    expect(await readNow(x)).toEqual([12]);
    const throwing = (step: number): { a: number } => {
      if (step === 3) throw new RangeError("no more");
      return { a: 1 };
    };
    const thrown = await failureOf(runSteps(list, { queue, parameters: throwing }));
    expect([thrown.step, thrown.cause]).toEqual([3, new RangeError("no more")]);
    expect(await readNow(x)).toEqual([15]);
  });

  test("in until names the step", async () => {
    const { list } = stepOf();
    const until = ((step: number) => (step < 4 ? false : undefined)) as (step: number) => boolean;
    const error = await failureOf(runSteps(list, { ...ones, until }));
    expect([error.step, error.cause]).toEqual([4, wrongType("options.until")]);
  });

  test("in a host step between steps names the step and the host step", async () => {
    const { list } = stepOf();
    const fail = (): never => {
      throw new Error("disk full");
    };
    const run = { ...ones, steps: 9 };
    const error = await failureOf(runSteps(list, { ...run, every: [{ steps: 5, name: "checkpoint", run: fail }] }));
    expect([error.step, error.cause]).toEqual([5, new Error("disk full")]);
    expect(error.message).toContain('"checkpoint"');
    const unnamed = await failureOf(runSteps(list, { ...run, every: [{ first: true, run: fail }] }));
    expect(unnamed.step).toBe(0);
    expect(unnamed.message).toContain("options.every[0]");
  });

  test("in a host member names its step even if later steps were launched", async (run) => {
    needsUserEvents(run);
    const { list } = stepOf();
    let calls = 0;
    const check = new HostLauncher("check", () => {
      if (calls++ === 6) throw new Error("not a number");
    });
    const own = new CommandQueue(context);
    const error = await failureOf(runSteps(list.push(check), { queue: own, steps: 50, parameters: { a: 1 } }));
    expect([error.step, error.lastStep]).toEqual([6, 6]);
    expect(error.cause).toBeInstanceOf(OpenCLError);
    // The queue remains usable.
    const { x, list: fresh } = stepOf();
    expect(await runSteps(fresh, { queue: own, steps: 2, parameters: { a: 1 } })).toMatchObject({ steps: 2 });
    expect(await readNow(x)).toEqual([2]);
  });

  test("due to a list or queue released during the run names the step", async () => {
    const { x, list } = stepOf();
    const until = (step: number): boolean => step === 9 && (list.release(), false);
    const released = await failureOf(runSteps(list, { ...ones, until }));
    expect([released.step, released.cause]).toEqual([9, disposed()]);
    expect(await readNow(x)).toEqual([9]);
    const own = new CommandQueue(context);
    const every = [{ steps: 4, run: () => own.release() }];
    const gone = await failureOf(runSteps(stepOf().list, { ...ones, queue: own, every }));
    expect([gone.step, gone.cause]).toEqual([4, disposed()]);
  });

  test("in the options is thrown before any launch", async () => {
    const { x, list } = stepOf();
    const right = { ...ones, steps: 1 };
    const wrong: [object, Error][] = [
      [{ queue: undefined }, wrongType("options.queue")],
      [{ queue: 7 }, wrongType("options.queue")],
      [{ steps: -1 }, outOfRange("options.steps")],
      [{ firstStep: 0.5 }, outOfRange("options.firstStep")],
      [{ depth: 0 }, outOfRange("options.depth")],
      [{ until: 7 }, wrongType("options.until")],
      [{ parameters: 7 }, wrongType("options.parameters")],
      [{ progress: 7 }, wrongType("options.progress")],
      [{ progress: { lineInterval: 0 } }, wrongType("options.progress.lineInterval")],
      [{ progress: { stream: {} } }, wrongType("options.progress.stream")],
      [{ signal: {} }, wrongType("signal")],
      [{ control: {} }, wrongType("options.control")],
      [{ signals: { stop: "SIGINT" } }, wrongType("options.signals.stop")],
      [{ signals: { halt: [] } }, wrongType("options.signals")],
      [{ now: 7 }, wrongType("options.now")],
      [{ profiler: {} }, wrongType("options.profiler")],
      [{ step: 7 }, wrongType("options")],
      [{ every: {} }, wrongType("options.every")],
      [{ every: [{ steps: 1 }] }, wrongType("options.every[0].run")],
      [{ every: [{ run: () => 1 }] }, wrongValue()],
      [{ every: [{ steps: 0, run: () => 1 }] }, outOfRange("options.every[0].steps")],
      [{ every: [{ seconds: -1, run: () => 1 }] }, wrongType("options.every[0].seconds")],
      [{ every: [{ often: 1, run: () => 1 }] }, wrongType("options.every[0]")],
    ];
    for (const [change, message] of wrong) {
      await expect(runSteps(list, { ...right, ...change })).rejects.toThrow(message);
    }
    await expect(runSteps(queue as never, right as never)).rejects.toThrow(wrongType("launcher"));
    expect(await readNow(x)).toEqual([0]);
  });
});

describe("a loop over steps", () => {
  test("sees the results of finished steps at the interval of `every`", async () => {
    const { x, list } = stepOf();
    const seen: number[][] = [];
    for await (const step of iterateSteps(list, { queue, steps: 10, every: 4, parameters: { a: 1 } })) {
      seen.push([step, ...(await readNow(x))]);
    }
    expect(seen).toEqual([
      [4, 4],
      [8, 8],
      [10, 10],
    ]);
  });

  test("ends the run on break, with an empty queue and without listeners", async () => {
    const { x, list } = stepOf();
    const before = process.listenerCount("SIGINT");
    for await (const step of iterateSteps(list, { queue, parameters: { a: 1 }, signals: true })) {
      expect(process.listenerCount("SIGINT")).toBe(before + 1);
      if (step === 3) break;
    }
    expect(process.listenerCount("SIGINT")).toBe(before);
    expect(await read(x)).toEqual([3]);
  });

  test("returns the run's result, and throws its errors", async () => {
    const { list } = stepOf();
    const abort = new AbortController();
    const steps = iterateSteps(list, { queue, parameters: { a: 1 }, signal: abort.signal });
    expect(await steps.next()).toEqual({ done: false, value: 1 });
    abort.abort();
    expect(await steps.next()).toMatchObject({ done: true, value: { steps: 1, stopped: "aborted" } });
    const failing = iterateSteps(list, { queue, parameters: (step) => ({ a: step === 2 ? "x" : 1 }) as { a: number } });
    const seen: number[] = [];
    const loop = async (): Promise<void> => {
      for await (const step of failing) seen.push(step);
    };
    expect((await failureOf(loop())).step).toBe(2);
    expect(seen).toEqual([1, 2]);
    const wrong = iterateSteps(list, { queue, parameters: { a: 1 }, every: 0 });
    await expect(wrong.next()).rejects.toThrow(outOfRange("options.every"));
  });
});
