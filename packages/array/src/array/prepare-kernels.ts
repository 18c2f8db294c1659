/** Builds of kernels before they are needed. */
import { itemsWithin } from "@cl/base";
import { attempt, preparing, whenBuilt } from "../storage/attempt.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";
import { isArray } from "../storage/check-array.js";
import { computeOutstanding } from "../storage/outstanding-calls.js";
import { arrayScopes } from "./array-scope.js";

/** Calls a function, and resolves when the kernels that it uses are built. Releases the arrays that it makes. */
export function prepareKernels(xp: ArraySource, run: () => unknown): Promise<void> {
  return preparing(() =>
    arrayScopes.run(xp.allocator, async () => {
      const arrays = arraysWithin(await run());
      const compute = (): void => {
        for (const array of arrays) array.operand().storage.compute();
        computeOutstanding(xp);
      };
      const { missing } = attempt(compute);
      if (missing.size > 0) await whenBuilt(missing, compute);
    }),
  );
}

function arraysWithin(value: unknown): Iterable<AnyArray> {
  return itemsWithin(value, (one) => (isArray(one) ? [one] : []));
}
