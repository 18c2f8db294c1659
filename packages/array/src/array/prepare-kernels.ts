/** Builds of kernels before they are needed. */
import { runWhenBuilt } from "../lazy/run-when-built.js";
import { preparing } from "../storage/attempt.js";
import type { ArraySource } from "../storage/array-ref.js";
import { isArray } from "../storage/check-array.js";
import { computeOutstanding } from "../storage/outstanding-calls.js";
import { arrayScopes, heldWithin } from "./array-scope.js";

/** Calls a function, and resolves when the kernels that it uses are built. Releases the arrays that it makes. */
export function prepareKernels(xp: ArraySource, run: () => unknown): Promise<void> {
  return preparing(() =>
    arrayScopes.run(xp.allocator, async () => {
      const results = heldWithin(await run());
      await runWhenBuilt(() => {
        for (const one of results) if (isArray(one)) one.operand().storage.compute();
        computeOutstanding(xp);
      });
    }),
  );
}
