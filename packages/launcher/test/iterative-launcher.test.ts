import { CommandEvent, UserEvent } from "@cl/core";
import { IterativeLauncher, ParameterYielder } from "@cl/launcher";

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { context, ints, outOfOrder, program, queue, read, readNow } from "./support/device.js";

const digits = program.kernel("digits");
const mark = program.kernel("mark");
const zeros = (count: number): ReturnType<typeof ints> => ints(...Array.from<number>({ length: count }).fill(0));

describe("an iterative launcher", () => {
  test("runs every combination at each launch, the last parameter fastest", async () => {
    const x = ints(0);
    let generators = 0;
    const launcher = new IterativeLauncher("sweep", digits, {
      args: [x],
      parameters: ["i", "j"],
      iterate: {
        i: [1, 2],
        j: new ParameterYielder(function* () {
          generators++;
          yield* [3, 4];
        }),
      },
      global: 1,
    });
    expect(launcher.parameters.size).toBe(0);
    launcher.launch(queue);
    expect(await read(x)).toEqual([13_142_324]);
    expect(generators).toBe(2);
    await queue.write(x, Int32Array.of(0));
    await launcher.enqueue(queue).wait();
    expect(await read(x)).toEqual([13_142_324]);
    expect([...launcher.iterParameters()]).toEqual([
      { i: 1, j: 3 },
      { i: 1, j: 4 },
      { i: 2, j: 3 },
      { i: 2, j: 4 },
    ]);
  });

  test("receives its other parameters from the launch, and passes them to the value functions", async () => {
    const x = zeros(100);
    const launcher = new IterativeLauncher("sweep", mark, {
      args: [x],
      parameters: ["i", "j", "base"],
      iterate: {
        i: ({ base }) => [Number(base) / 1000],
        j: function* () {
          for (let j = 0; j < 3; j++) yield j;
        },
      },
      global: 1,
    });
    expect([...launcher.parameters.keys()]).toEqual(["base"]);
    for (const target of [queue, outOfOrder]) {
      await launcher.enqueue(target, { base: 1000 }).wait();
      await launcher.enqueue(target, { base: 2000 }).wait();
      const found = await read(x);
      expect(found.filter((value) => value !== 0)).toEqual([1010, 1011, 1012, 2020, 2021, 2022]);
    }
    expect((): unknown => Reflect.apply(launcher.launch, launcher, [queue, { base: 1, i: 1 }])).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
    );
    expect([...launcher.iterParameters({ base: 3000 })]).toHaveLength(3);
  });

  test("runs the full product of the values, including empty ones", async () => {
    const x = zeros(100);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 0, max: 9 })),
        fc.uniqueArray(fc.integer({ min: 0, max: 9 })),
        async (i, j) => {
          await queue.enqueueFill(x, 0).wait();
          const launcher = new IterativeLauncher("sweep", mark, {
            args: { x, base: 1 },
            parameters: ["i", "j"],
            iterate: { i, j: () => j },
            global: 1,
          });
          await launcher.enqueue(outOfOrder).wait();
          launcher.release();
          const expected = i.flatMap((one) => j.map((other) => one * 10 + other));
          const found = (await read(x)).flatMap((value, at) => (value === 0 ? [] : [at]));
          expect(found).toEqual(expected.toSorted((a, b) => a - b));
        },
      ),
      { numRuns: 25 },
    );
  });

  test("defers all combinations until the events in waitFor have completed", async (run) => {
    needs(run, !context.devices.some(({ name }) => name.startsWith("basic")), "the device has no user events");
    for (const target of [queue, outOfOrder]) {
      for (const barrier of [true, false]) {
        const x = zeros(100);
        const launcher = new IterativeLauncher("sweep", mark, {
          args: { x, j: 0, base: 1 },
          parameters: ["i"],
          iterate: { i: [0, 1, 2] },
          barrier,
          global: 1,
        });
        const gate = new UserEvent(context);
        const event = launcher.enqueue(target, {}, { waitFor: gate });
        expect(event).toBeInstanceOf(CommandEvent);
        target.flush();
        expect((await readNow(x)).every((value) => value === 0)).toBe(true);
        gate.complete();
        await event.wait();
        expect((await readNow(x)).filter((value) => value !== 0)).toEqual([1, 11, 21]);
      }
    }
  });

  test("closes unfinished generators after a failure, and can be launched again", async () => {
    const x = ints(0);
    let ended = 0;
    let bad: unknown = 1.5;
    const launcher = new IterativeLauncher("sweep", digits, {
      args: [x],
      parameters: ["i", "j"],
      iterate: {
        i: function* () {
          try {
            yield* [1, bad, 3];
          } finally {
            ended++;
          }
        },
        j: [0],
      },
      global: 1,
    });
    expect(() => launcher.launch(queue)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
    expect(ended).toBe(1);
    bad = 2;
    await queue.write(x, Int32Array.of(0));
    launcher.launch(queue);
    expect(await read(x)).toEqual([102_030]);
  });
});

describe("a parameter yielder", () => {
  test("returns a new iterator each time, from any kind of iterable", () => {
    const kinds = [
      () => [1, 2],
      () => new Set([1, 2]),
      () => [1, 2].values(),
      function* () {
        yield* [1, 2];
      },
    ];
    for (const make of kinds) {
      const yielder = new ParameterYielder<number>(make);
      expect([...yielder]).toEqual([1, 2]);
      const [first, second] = [yielder.newGenerator(), yielder.newGenerator()];
      expect([first.next().value, first.next().value, second.next().value]).toEqual([1, 2, 1]);
    }
    const bare = { at: 0, next: (): IteratorResult<number> => ({ done: bare.at === 2, value: bare.at++ }) };
    expect([...new ParameterYielder(() => bare)]).toEqual([0, 1]);
  });

  test("rejects values that are not functions, and results that are not iterators", () => {
    expect(() => new ParameterYielder([1] as never)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "make"));
    expect(() => new ParameterYielder(() => 7 as never).newGenerator()).toThrow(
      /^the result of make\(\) must be an iterator or an iterable, received number 7$/,
    );
  });
});

test.each<[string, object, Error | RegExp]>([
  ["no iterated arguments", {}, errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.iterate")],
  [
    "an iterated name that is not an argument",
    { iterate: { a: [1] } },
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.iterate.a"),
  ],
  [
    "an iterator, which can be used only once",
    { iterate: { i: [1].values() } },
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.iterate.i"),
  ],
  ["a number as values", { iterate: { i: 3 } }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.iterate.i")],
  [
    "a barrier that is not a boolean",
    { iterate: { i: [1] }, barrier: 1 },
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.barrier"),
  ],
  ["no global size", { iterate: { i: [1] }, global: undefined }, errorLike(TypeError, "ERR_INVALID_ARG_VALUE")],
])("an iterative launcher rejects %s", (_, options, message) => {
  const all = { args: [ints(0)], parameters: ["i", "j"], global: 1, ...options };
  expect((): unknown => Reflect.construct(IterativeLauncher, ["sweep", digits, all])).toThrow(message);
});
