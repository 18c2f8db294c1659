/**
 * A cache of the expressions of kernels that compute several operations. Programs repeat the same operations, so the expressions are
 * found by how the operations are connected, without building them again. Keys are numbers: strings take ten times as long.
 */
import { memoizePerObject } from "@cl/base";
import { type Expression, input, scalar, withLeaves } from "../expression/expression.js";
import type { ArraySource } from "../storage/array-ref.js";
import type { Operand } from "../storage/operand.js";
import type { Operation } from "./operation.js";

/**
 * How operations are connected: for each, after those that it needs, its expressions, its numbers of scalars and operands, and for
 * each operand the number of an input, or -1 less the number of an operation.
 */
export class Connections {
  #numbers = new Int32Array(512);
  #length = 0;
  #hash = 0;

  clear(): void {
    this.#length = 0;
    this.#hash = 0;
  }

  /** Adds an operation. Its operands follow. */
  addOperation({ expressions, scalars, operands }: Operation): void {
    for (let k = 0; k < expressions.length; k++) this.add((expressions[k] as Expression).id);
    this.add(scalars.length);
    this.add(operands.length);
  }

  add(number: number): void {
    if (this.#length === this.#numbers.length) {
      const longer = new Int32Array(2 * this.#length);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.#length++] = number;
    this.#hash = (Math.imul(this.#hash, 31) + number) | 0;
  }

  get hash(): number {
    return this.#hash;
  }

  /** Returns a copy of the numbers. */
  copy(): Int32Array {
    return this.#numbers.slice(0, this.#length);
  }

  equals(numbers: Int32Array): boolean {
    if (numbers.length !== this.#length) return false;
    for (let k = 0; k < numbers.length; k++) if (numbers[k] !== this.#numbers[k]) return false;
    return true;
  }
}

/** A value that another operation computes. */
interface Recorded {
  readonly operation: Operation;
}

interface Known {
  readonly connections: Int32Array;
  readonly expressions: readonly Expression[];
  /** The next with the same hash. */
  readonly next: Known | undefined;
}

/** Capacity; the cache is cleared when full. */
const maxKnown = 1024;

/** The expressions of one factory. */
class Structures {
  readonly #known = new Map<number, Known>();
  #count = 0;

  find(
    connections: Connections,
    values: readonly Recorded[],
    root: Operation,
    inputs: readonly Operand[],
  ): readonly Expression[] {
    const { hash } = connections;
    for (let known = this.#known.get(hash); known !== undefined; known = known.next) {
      if (connections.equals(known.connections)) return known.expressions;
    }
    const numbers = connections.copy();
    const expressions = joined(numbers, [...values.map(({ operation }) => operation), root], inputs);
    if (this.#count++ === maxKnown) {
      this.#known.clear();
      this.#count = 1;
    }
    this.#known.set(hash, { connections: numbers, expressions, next: this.#known.get(hash) });
    return expressions;
  }
}

const structuresOf = memoizePerObject<ArraySource, Structures>(() => new Structures());

/** Returns the expressions of an operation with those of the recorded values that it is connected with. */
export function expressionsOf(
  connections: Connections,
  values: readonly Recorded[],
  root: Operation,
  inputs: readonly Operand[],
): readonly Expression[] {
  return structuresOf(root.xp).find(connections, values, root, inputs);
}

function joined(
  connections: Int32Array,
  parts: readonly Operation[],
  inputs: readonly Operand[],
): readonly Expression[] {
  const made: (readonly Expression[])[] = [];
  let [place, firstScalar] = [0, 0];
  for (const { expressions, operands, scalars } of parts) {
    const start = place + expressions.length + 2;
    place = start + operands.length;
    const leaves = Array.from(connections.subarray(start, place), (source) =>
      source < 0 ? (made[-1 - source]?.[0] as Expression) : input(source, (inputs[source] as Operand).dtype),
    );
    const first = firstScalar;
    firstScalar += scalars.length;
    made.push(
      withLeaves(expressions, (leaf) =>
        leaf.kind === "input" ? (leaves[leaf.index] as Expression) : scalar(first + leaf.index, leaf.dtype),
      ),
    );
  }
  return made.at(-1) as readonly Expression[];
}
