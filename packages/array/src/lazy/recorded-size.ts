/** Sizes of recorded operations with all that they depend on. */
import { leavesOut } from "../storage/attempt.js";
import type { Operand } from "../storage/operand.js";
import { isTooLarge, maxOperations, type RecordedSize } from "./limits.js";
import type { Operation } from "./operation.js";
import { indexOf, nextWalk, RecordedValue } from "./recorded-value.js";

/** Returns the size of an operation. If it is too large, computes its operands first. */
export function limitedSize(operation: Operation): RecordedSize {
  const { xp, shape, operands } = operation;
  const bounds = sizeBounds(operation);
  if (!isTooLarge(bounds, xp, shape.length)) return bounds;
  const { isChain } = bounds;
  if (!leavesOut() && !(isChain && bounds.operations > maxOperations)) {
    const size = exactSize(operation, isChain);
    if (!isTooLarge(size, xp, shape.length)) return size;
  }
  for (const { storage } of operands) storage.compute();
  return ownSize(operation, isChain);
}

/** Returns the size of an operation whose operands are in memory. */
function ownSize({ operands, scalars }: Operation, isChain: boolean): RecordedSize {
  let bytes = 0;
  for (const { storage } of operands) bytes += storage.bytes;
  return { operations: 1, operands: operands.length, scalars: scalars.length, bytes, isChain };
}

/** Returns the size of an operation with all that it depends on. What is used twice may count twice. */
function sizeBounds({ scalars: own, operands: all }: Operation): RecordedSize {
  let operations = 1;
  let operands = 0;
  let scalars = own.length;
  let bytes = 0;
  let pendingCount = 0;
  let isChain = true;
  for (const operand of all) {
    const { storage } = operand;
    const { pending } = storage;
    if (pending instanceof RecordedValue) {
      const { size } = pending;
      operations += size.operations;
      operands += size.operands;
      scalars += size.scalars;
      bytes += size.bytes;
      isChain = ++pendingCount === 1 && size.isChain;
    } else if (!isOperandOfAny(operand, all)) {
      operands++;
      bytes += storage.bytes;
    }
  }
  return { operations, operands, scalars, bytes, isChain };
}

/** Returns whether an operand is also one of the pending values among others, as those of accumulators often are. */
function isOperandOfAny(operand: Operand, others: readonly Operand[]): boolean {
  for (const { storage } of others) {
    const { pending } = storage;
    if (!(pending instanceof RecordedValue)) continue;
    for (const one of pending.operation.operands) if (one === operand) return true;
  }
  return false;
}

/** Returns the size of an operation with all that it depends on. */
function exactSize(root: Operation, isChain: boolean): RecordedSize {
  const operands: Operand[] = [];
  let [operations, scalars, bytes] = [0, 0, 0];
  const walk = nextWalk();
  const visit = (operation: Operation): void => {
    operations++;
    scalars += operation.scalars.length;
    for (const operand of operation.operands) {
      const { storage } = operand;
      const { pending } = storage;
      if (!(pending instanceof RecordedValue)) {
        const count = operands.length;
        if (indexOf(operand, operands) < count) continue;
        const isOtherView = operands.findIndex((one) => one.storage === storage) < count;
        if (!isOtherView) bytes += storage.bytes;
      } else if (pending.walk !== walk) {
        pending.walk = walk;
        visit(pending.operation);
      }
    }
  };
  visit(root);
  return { operations, operands: operands.length, scalars, bytes, isChain };
}
