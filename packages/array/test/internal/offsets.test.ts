/** Converts counts to offsets, for any number of counts, with CPU and GPU kernels. */
import { CommandQueue, Context } from "@cl/core";
import { arrays } from "@cl/array";
import { expect, test } from "vitest";

import { countsToOffsets } from "../../src/scan/offsets.js";
import { kinds, treatAs } from "../support/treat-as.js";

test.each(kinds)("counts become offsets on %s", { timeout: 240_000 }, (_, type) => {
  using _override = treatAs(type);
  // A separate context, because built kernels are cached per context.
  const xp = arrays(new CommandQueue(Context.create()));
  for (const dtype of ["int32", "int64"] as const) {
    for (const count of [1, 2, 64, 65, 1000, 2 ** 15, 2 ** 15 + 1, 100_003]) {
      const host = Int32Array.from({ length: count + 1 }, (_one, i) => (i * 7) % 11);
      const counts = xp.fromHost(host).astype(dtype);
      countsToOffsets(xp, counts.operand(), count);
      let sum = 0;
      const right = Array.from({ length: count + 1 }, (_one, i) => (sum += i === 0 ? 0 : (host[i - 1] as number)));
      const wrong = Array.from(counts.dataSync(), Number).findIndex((value, i) => value !== right[i]);
      expect(wrong, `${dtype} ${count}`).toBe(-1);
    }
  }
});
