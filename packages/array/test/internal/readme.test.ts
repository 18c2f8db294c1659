/**
 * The README's table of NumPy equivalents: each of our lines runs and gives the result of its NumPy line.
 *
 * @module-tag full
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

import { DeviceArray } from "@cl/array";
import { expect, test } from "vitest";

import { xp } from "../support/device.js";
import { largestDifference } from "../support/numbers.js";
import { python } from "@cl/testing/python";
import { needsNumPy } from "../support/numpy.js";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const rows = [...readme.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\|$/gm)]
  .map(([, numpy, ours]) => ({ numpy: numpy as string, ours: ours as string }))
  .filter(({ ours }) => /^(?:xp|a|b)\./u.test(ours));

/** The variable that a line changes, if any: `a` for `a[0] = 7`. */
const changed = ({ numpy }: { readonly numpy: string }): string | undefined =>
  /^(\w+)(?:\[[^=]*\])? [+]?= /u.exec(numpy)?.[1];

const evaluation = `
import json, sys
import numpy as np
results = []
for text, name in json.load(sys.stdin):
    scope = {
        "np": np,
        "a": np.array([[3, 1, 2], [4, 6, 5]], "f4"),
        "b": np.array([10, 20, 30], "f4"),
        "k": np.array([2, 0], "i4"),
    }
    if name is None:
        value = eval(text, scope)
    else:
        exec(text, scope)
        value = scope[name]
    results.append(np.asarray(value).tolist())
print(json.dumps(results))
`;

async function numbers(value: unknown): Promise<number[]> {
  if (value instanceof DeviceArray) return numbers(await value.toNested());
  if (Array.isArray(value)) return (await Promise.all(value.map((one: unknown) => numbers(one)))).flat();
  return [Number(value)];
}

async function ours(row: (typeof rows)[number]): Promise<number[]> {
  const scope: Record<string, unknown> = {
    xp,
    a: xp.array(
      [
        [3, 1, 2],
        [4, 6, 5],
      ],
      { dtype: "float32" },
    ),
    b: xp.array([10, 20, 30], { dtype: "float32" }),
    k: xp.array([2, 0], { dtype: "int32" }),
  };
  // oxlint-disable-next-line typescript/no-implied-eval -- the lines are those of our own README
  const run = new Function(...Object.keys(scope), `return ${row.ours};`) as (...args: unknown[]) => unknown;
  const value = await run(...Object.values(scope));
  const name = changed(row);
  return numbers(name === undefined ? value : scope[name]);
}

test("each of our lines gives the result of its NumPy line", async (run) => {
  needsNumPy(run);
  expect(rows.length).toBeGreaterThan(40);
  const { status, stdout, stderr } = spawnSync(python, ["-c", evaluation], {
    input: JSON.stringify(rows.map((row) => [row.numpy, changed(row) ?? null])),
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  const theirs = JSON.parse(stdout) as unknown[];
  for (const [i, row] of rows.entries()) {
    const difference = largestDifference(await ours(row), await numbers(theirs[i]));
    expect(difference, `${row.ours} compared with ${row.numpy}`).toBeLessThan(1e-5);
  }
});
