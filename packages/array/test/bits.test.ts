/** Packed bits compared with NumPy. */
import { expect, test } from "vitest";

import { outOfRange, wrongType } from "@cl/testing/error-like";
import { sample } from "@cl/testing/level";
import { xp } from "./support/device.js";
import { casesOf, counted, countedText, type EvalCase, evalDifferences, needsNumPy } from "./support/numpy-eval.js";

const orders = ["big", "little"] as const;

test("bits are packed as by NumPy", async (run) => {
  needsNumPy(run);
  const cases = sample([[9], [0], [1], [8], [17], [3, 10], [2, 0], [2, 3, 5]], 1).flatMap((shape) =>
    orders.flatMap((bitOrder) => {
      const bits = counted(shape, "int32").remainder(3);
      return casesOf({ a: `${countedText(shape, "int32")} % 3`, order: `"${bitOrder}"` }, [
        ["np.packbits(a, bitorder=order)", () => xp.packbits(bits, { bitOrder })],
        ["np.packbits(a.T != 0, bitorder=order)", () => xp.packbits(bits.T.notEqual(0), { bitOrder })],
        ...shape.map(
          (_, axis) => [`np.packbits(a, ${axis}, order)`, () => xp.packbits(bits, { axis, bitOrder })] as const,
        ),
      ]);
    }),
  );
  expect(await evalDifferences(cases)).toEqual([]);
});

test("bits are unpacked as by NumPy", { tags: "ci" }, async (run) => {
  needsNumPy(run);
  const cases = sample([[5], [0], [1], [2, 3]], 2).flatMap((shape): EvalCase[] =>
    orders.flatMap((bitOrder) =>
      [undefined, ...shape.keys()].flatMap((axis) =>
        [undefined, 0, 3, 50, -2].flatMap((count) => {
          const extent = axis === undefined ? shape.reduce((a, b) => a * b, 1) : (shape[axis] as number);
          // NumPy returns uninitialized memory for a positive count of no bytes.
          if (count !== undefined && (-count > 8 * extent || (extent === 0 && count > 0))) return [];
          const rest = `axis=${axis ?? "None"}, count=${count ?? "None"}, bitorder="${bitOrder}"`;
          return {
            ours: () => xp.unpackbits(counted(shape, "uint8").mul(57), { axis, count, bitOrder }),
            theirs: `np.unpackbits(${countedText(shape, "uint8")} * np.uint8(57), ${rest})`,
          };
        }),
      ),
    ),
  );
  expect(await evalDifferences(cases)).toEqual([]);
});

test("missing bits are 0", async () => {
  expect(await xp.unpackbits(counted([0], "uint8"), { count: 3 }).toNested()).toEqual([0, 0, 0]);
});

test("wrong arguments are rejected by name", () => {
  const bytes = xp.array(Uint8Array.of(1, 2));
  expect(() => xp.packbits(xp.zeros([2], { dtype: "float32" }))).toThrow(wrongType("packbits"));
  expect(() => xp.unpackbits(xp.zeros([2], { dtype: "int8" }) as never)).toThrow(wrongType("unpackbits"));
  expect(() => xp.packbits(bytes, { bitOrder: "middle" as never })).toThrow(outOfRange("options.bitOrder"));
  expect(() => xp.packbits(bytes, { axis: 1 })).toThrow(outOfRange("options.axis"));
  expect(() => xp.unpackbits(bytes, { count: 0.5 })).toThrow(outOfRange("options.count"));
  expect(() => xp.unpackbits(bytes, { count: -17 })).toThrow(outOfRange("options.count"));
});
