/** Operations that compute the pending values among their operands themselves, so that one kernel computes all. */
import type { ScalarValue } from "../expression/expression.js";
import { leavesOut } from "../storage/attempt.js";
import type { Operand } from "../storage/operand.js";
import type { Storage } from "../storage/storage.js";
import { isTooLarge } from "./limits.js";
import type { Operation } from "./operation.js";
import { indexOf, nextWalk, RecordedValue } from "./recorded-value.js";
import { Connections, expressionsOf } from "./structures.js";

/** An operation that computes pending values itself. */
export interface Combination {
  readonly whole: Operation;
  readonly values: readonly RecordedValue[];
}

/**
 * Returns an operation that computes its pending operands itself as far as one kernel can. Other pending operands are computed
 * first.
 */
export function combine(root: Operation): Combination {
  for (;;) {
    let found = new Walk(root);
    if (found.outside.length > 0) {
      // They may use the same memory as the values, which is released when they are computed.
      for (const storage of found.outside) storage.compute();
      found = new Walk(root);
      if (found.outside.length > 0 && !leavesOut()) continue;
    }
    const { values, operands, scalars } = found;
    if (values.length === 0) break;
    const size = { operations: values.length + 1, operands: operands.length, scalars: scalars.length, bytes: 0 };
    if (!isTooLarge(size, root.xp, root.shape.length)) {
      const expressions = expressionsOf(connections, values, root, operands);
      return { whole: { xp: root.xp, expressions, scalars, operands, shape: root.shape }, values };
    }
    for (const { storage } of root.operands) storage.compute();
    if (leavesOut()) break;
  }
  return { whole: root, values: [] };
}

/** The connections that the last walk found. */
const connections = new Connections();

/** What a walk through the pending values that an operation can compute itself has found. */
class Walk {
  /** The values, each after those that it needs. */
  readonly values: RecordedValue[] = [];
  /** Other pending operands. */
  readonly outside: Storage[] = [];
  /** The operands of all that are not among the values. */
  readonly operands: Operand[] = [];
  readonly scalars: ScalarValue[] = [];

  constructor(root: Operation) {
    const walk = nextWalk();
    connections.clear();
    const path: RecordedValue[] = [];
    const next: number[] = [0];
    for (;;) {
      const depth = path.length;
      const operation = depth === 0 ? root : (path[depth - 1] as RecordedValue).operation;
      const operand = operation.operands[(next[depth] as number)++];
      if (operand === undefined) {
        this.#add(operation);
        const value = path.pop();
        if (value === undefined) return;
        value.position = this.values.push(value) - 1;
        continue;
      }
      if (operand.storage.pending === undefined) continue;
      const value = inlinable(operand, operation);
      if (value === undefined) {
        this.outside.push(operand.storage);
      } else if (value.walk !== walk) {
        value.walk = walk;
        path.push(value);
        next[depth + 1] = 0;
      }
    }
  }

  #add(operation: Operation): void {
    connections.addOperation(operation);
    for (const operand of operation.operands) {
      const value = inlinable(operand, operation);
      connections.add(value === undefined ? indexOf(operand, this.operands) : -1 - value.position);
    }
    for (const one of operation.scalars) this.scalars.push(one);
  }
}

/** Returns the pending value of an operand if an operation can compute its elements itself. */
function inlinable({ storage, layout, dtype }: Operand, { xp, shape }: Operation): RecordedValue | undefined {
  const { pending } = storage;
  if (!(pending instanceof RecordedValue) || pending.wasInlined) return undefined;
  const own = pending.operation;
  if (own.xp !== xp || pending.dtype.name !== dtype) return undefined;
  if (layout === pending.layout) return pending;
  if (layout.offset !== 0 || shape.length !== own.shape.length) return undefined;
  for (let axis = 0; axis < shape.length; axis++) {
    const extent = shape[axis];
    if (extent !== own.shape[axis]) return undefined;
    if (extent !== 1 && pending.layout.strides[axis] !== layout.strides[axis]) return undefined;
  }
  return pending;
}
