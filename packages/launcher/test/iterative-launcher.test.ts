import { IterativeLauncher, ParameterYielder } from "@cl/launcher";

import { describe, expect, test } from "vitest";

import { ints, outOfOrder, program, queue, read } from "./support/device.js";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";

const digits = program.kernel("digits");
const mark = program.kernel("mark");
const sweepOf = (x: ReturnType<typeof ints>, iterate: object): IterativeLauncher<never> =>
  new IterativeLauncher("sweep", digits, { args: [x], parameters: ["i", "j"], iterate, global: 1 } as never);
const zeros = (count: number): ReturnType<typeof ints> => ints(...Array.from<number>({ length: count }).fill(0));

describe("an iterative launcher", () => {
  test("runs every combination at each launch, the last parameter fastest", async () => {
    const x = ints(0);
    let generators = 0;
    const j = new ParameterYielder(function* () {
      generators++;
      yield* [3, 4];
    });
    const launcher = sweepOf(x, { i: [1, 2], j });
    expect(launcher.parameters.size).toBe(0);
    launcher.launch(queue);
    expect(await read(x)).toEqual([13_142_324]);
    expect(generators).toBe(2);
    await queue.write(x, Int32Array.of(0));
    await launcher.enqueue(queue).wait();
    expect(await read(x)).toEqual([13_142_324]);
    const combinations = [1, 2].flatMap((i) => [3, 4].map((one) => ({ i, j: one })));
    expect([...launcher.iterParameters()]).toEqual(combinations);
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
    expect((): unknown => Reflect.apply(launcher.launch, launcher, [queue, { base: 1, i: 1 }])).toThrow(wrongValue());
    expect([...launcher.iterParameters({ base: 3000 })]).toHaveLength(3);
  });

  test("closes unfinished generators after a failure, and can be launched again", async () => {
    const x = ints(0);
    let ended = 0;
    let bad: unknown = 1.5;
    const i = function* (): Generator {
      try {
        yield* [1, bad, 3];
      } finally {
        ended++;
      }
    };
    const launcher = sweepOf(x, { i, j: [0] });
    expect(() => launcher.launch(queue)).toThrow(outOfRange());
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
    expect(() => new ParameterYielder([1] as never)).toThrow(wrongType("make"));
    expect(() => new ParameterYielder(() => 7 as never).newGenerator()).toThrow(wrongType("make()"));
  });
});

test.each<[string, object, Error]>([
  ["no iterated arguments", {}, wrongValue("options.iterate")],
  ["an iterated name that is not an argument", { iterate: { a: [1] } }, outOfRange("options.iterate.a")],
  ["an iterator, which can be used only once", { iterate: { i: [1].values() } }, wrongType("options.iterate.i")],
  ["a number as values", { iterate: { i: 3 } }, wrongType("options.iterate.i")],
  ["a barrier that is not a boolean", { iterate: { i: [1] }, barrier: 1 }, wrongType("options.barrier")],
  ["no global size", { iterate: { i: [1] }, global: undefined }, wrongValue()],
])("an iterative launcher rejects %s", (_, options, message) => {
  const all = { args: [ints(0)], parameters: ["i", "j"], global: 1, ...options };
  expect((): unknown => Reflect.construct(IterativeLauncher, ["sweep", digits, all])).toThrow(message);
});
