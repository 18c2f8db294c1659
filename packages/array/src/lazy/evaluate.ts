/** Computations that are enqueued before their results are needed. */
import { attempt, whenBuilt } from "../storage/attempt.js";
import type { AnyArray } from "../storage/array-ref.js";
import { addOutstanding, areTooMany } from "../storage/outstanding-calls.js";

/** Enqueues the computation of pending elements, immediately or when their kernels are built. */
export function evaluate(array: AnyArray): void {
  const { storage } = array.operand();
  const compute = (): void => storage.compute();
  if (areTooMany()) {
    compute();
    return;
  }
  const { missing } = attempt(compute);
  if (missing.size === 0) return;
  const remove = addOutstanding({ xp: array.xp, serial: storage.serial, compute });
  // Reading the elements throws the error again.
  whenBuilt(missing, compute).then(remove, remove);
}
