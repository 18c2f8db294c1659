/** Forms of fixed arguments, and which arguments become parameters. */
import { IterativeLauncher, KernelLauncher } from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { ints, program, queue, read } from "./support/device.js";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";

const mix = program.kernel("mixing");
const digits = program.kernel("digits");

describe("arguments as tuples of names and values", () => {
  test("can be in any order", async () => {
    const [x, y] = [ints(5), ints(1)];
    const launcher = new KernelLauncher("mix", mix, {
      args: [
        ["a", 2],
        ["y", y],
        ["x", x],
      ],
      global: 1,
    });
    launcher.launch(queue);
    expect(await read(y)).toEqual([13]);
    expect(launcher.args).toEqual([x, y, 2]);
  });

  test("omit the parameters", async () => {
    const [x, y] = [ints(5), ints(1)];
    const args = [
      ["y", y],
      ["x", x],
    ] as const;
    new KernelLauncher("mix", mix, { args, parameters: ["a"], global: 1 }).launch(queue, { a: 3 });
    expect(await read(y)).toEqual([18]);
    new IterativeLauncher("mix", mix, { args, iterate: { a: [0, 0] }, global: 1 }).launch(queue);
    expect(await read(y)).toEqual([162]);
  });

  test.each<[string, readonly unknown[], Error | string]>([
    ["a missing argument", [["x", ints(1)]], wrongValue()],
    ["an unknown name", [["x", ints(1)], ["y", ints(1)], ["b", 1]], outOfRange("options.args.b")], // prettier-ignore
    ["a duplicate name", [["x", ints(1)], ["y", ints(1)], ["x", ints(1)], ["a", 1]], wrongValue()], // prettier-ignore
    ["a value that is not in a tuple", [["x", ints(1)], ints(1), ["a", 1]], wrongType("options.args[1]")],
    [
      "a tuple of three elements",
      [
        ["x", ints(1)],
        ["y", ints(1), 2],
        ["a", 1],
      ],
      wrongType("options.args[1]"),
    ],
  ])("are rejected with %s", (_, args, name) => {
    expect(() => new KernelLauncher("mix", mix, { args, global: 1 } as never)).toThrow(name);
  });
});

describe("an iterated argument", () => {
  test("does not have to be listed as a parameter", async () => {
    const x = ints(0);
    const launcher = new IterativeLauncher("sweep", digits, {
      args: [x],
      iterate: { i: [1, 2], j: [3, 4] },
      global: 1,
    });
    expect(launcher.parameters.size).toBe(0);
    launcher.launch(queue);
    expect(await read(x)).toEqual([13_142_324]);
  });

  test("must be an argument or a listed parameter", () => {
    const options = { args: [ints(0)], parameters: { first: "i" }, global: 1 } as const;
    const make = (iterate: object) => () => new IterativeLauncher("sweep", digits, { ...options, iterate } as never);
    expect(make({ b: [1], j: [1] })).toThrow(RangeError);
    expect(make({ b: [1], j: [1] })).toThrow(outOfRange("options.iterate.b"));
    // i already belongs to the listed parameter `first`.
    expect(make({ i: [1], j: [1] })).toThrow(wrongValue("options.parameters"));
  });
});
