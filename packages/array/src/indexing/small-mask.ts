/**
 * Elements of a small array where a mask is true, on CPUs: one work-item copies and counts them, in one command that also computes a
 * pending mask. Larger arrays are counted first, then memory is allocated, and then elements are copied.
 */
import { isContiguous } from "@cl/base";
import type { CommandEvent } from "@cl/core";
import { type Expression, input, type ScalarValue } from "../expression/expression.js";
import { exactOptions } from "../kernels/exact-options.js";
import type { GeneratedKernel } from "../kernels/generated-program.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { denseLoopSource } from "../kernels/processor-source.js";
import { operandParameters } from "../kernels/strided-source.js";
import type { Operation } from "../lazy/operation.js";
import { runCombined } from "../lazy/pending-value.js";
import { divideInParts } from "../scan/parts.js";
import { ArrayLayout } from "../storage/array-layout.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import { checkFilled } from "../storage/attempt.js";
import type { Operand } from "../storage/operand.js";
import { ordered, Storage } from "../storage/storage.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { carrierOf } from "./carrier.js";
import { type CompactPlan, writeSource } from "./compact-source.js";
import { CountWord } from "./count-word.js";
import { firstElements } from "./first-elements.js";

/** An element of the mask. */
const flag = input(0, "bool");

/** Maximum number of elements. 1e5 float32 take one work-item 20 µs with AVX2, and three launches 50 µs more than one. */
const maxElements = 2 ** 17;

/** Returns whether {@link SmallSelection} can read an array where a mask of its shape is true. */
export function isSmallMask(array: AnyArray, mask: AnyArray): boolean {
  return (
    array.size <= maxElements &&
    array.isDense &&
    mask.isDense &&
    divideInParts(array.xp.queue.device, array.size).parts === "chunks"
  );
}

/** Selected elements, whose number the host does not know yet. */
export class SmallSelection<D extends DTypeName> implements Disposable {
  readonly #array: ArrayRef<D>;
  readonly #storage: Storage;
  readonly #count: CountWord;
  readonly #event: CommandEvent | undefined;
  readonly #unlock: readonly (() => void)[];

  /** Enqueues the copy. */
  constructor(array: ArrayRef<D>, mask: AnyArray) {
    this.#array = array;
    this.#storage = new Storage(array.xp.allocator, array.nbytes);
    this.#storage.retain();
    this.#count = new CountWord(array.xp.queue);
    try {
      this.#event = this.#enqueue(mask);
    } catch (error) {
      this.#storage.release();
      throw error;
    }
    this.#unlock = [array, mask].map((one) => one.operand().storage.ordering.promise());
  }

  /** Resolves to the elements. */
  async result(signal: AbortSignal | undefined): Promise<ArrayRef<D>> {
    return firstElements(this.#array, this.#storage, await this.#count.read(this.#counting, signal));
  }

  /** Returns the elements; blocks. */
  resultSync(): ArrayRef<D> {
    return firstElements(this.#array, this.#storage, this.#count.readSync(this.#counting));
  }

  [Symbol.dispose](): void {
    for (const unlock of this.#unlock) unlock();
    this.#storage.release();
  }

  /** The command that copies and counts. Throws if it was left out. */
  get #counting(): CommandEvent {
    checkFilled(this.#storage.serial);
    return this.#event as CommandEvent;
  }

  /** Enqueues one command. It also computes the elements of a pending mask if their operands are dense. */
  #enqueue(mask: AnyArray): CommandEvent | undefined {
    const { xp, shape } = this.#array;
    const given = mask.operand();
    const operation = { xp, expressions: [flag], scalars: [], operands: [given], shape };
    return runCombined(operation, (whole): CommandEvent | undefined => {
      if (whole.expressions[0] === flag || !whole.operands.every(isDense)) {
        given.storage.compute();
        return this.#launch(this.#kernelOf(), given.storage, [given.storage], []);
      }
      const flags = new Storage(xp.allocator, this.#array.size);
      flags.retain();
      try {
        const inputs = whole.operands.map(({ storage }) => storage);
        return this.#launch(this.#kernelOf(whole), flags, inputs, whole.scalars);
      } finally {
        flags.release();
      }
    });
  }

  /** Launches a kernel with the memory of flags, which it computes from inputs and scalars or reads. */
  #launch(
    kernel: GeneratedKernel,
    flags: Storage,
    inputs: readonly Storage[],
    scalars: readonly ScalarValue[],
  ): CommandEvent | undefined {
    const { xp, size } = this.#array;
    const source = this.#array.operand().storage;
    const count = this.#count.storage;
    const computes = !inputs.includes(flags);
    const writes = [this.#storage, count, ...(computes ? [flags] : [])];
    return ordered(xp.queue, [...new Set([...inputs, source])], writes, (waitFor) => {
      const computed = computes ? [...inputs.map(({ memory }) => memory), ...scalars.map(({ value }) => value)] : [];
      const args = [...computed, flags.memory, count.memory, source.memory, this.#storage.memory, 0, partsOf(size)];
      return kernel.ready()?.enqueue(xp.queue, { global: 1, local: 1, waitFor }, ...args);
    });
  }

  /** Returns the kernel that copies and counts. It first computes the flags of an operation, if any. */
  #kernelOf(operation?: Operation): GeneratedKernel {
    const { xp, itemSize } = this.#array;
    const { context } = xp.queue;
    if (operation === undefined) {
      return kernelOf(context, `write alone ${itemSize}`, "write", () => writeSource(planOf(itemSize)));
    }
    const [value] = operation.expressions as readonly [Expression];
    const source = (): string => selectSource(operation, itemSize);
    return kernelOf(context, `select ${itemSize} ${value.id}`, "select", source, () => exactOptions(context));
  }
}

let lastParts = Int32Array.of();

/** Returns the kernel's `Parts`: one part with all elements, of which none is left out. Reading the buffer of a new array takes 0.3 µs. */
function partsOf(size: number): Int32Array {
  if (lastParts[0] !== size) lastParts = Int32Array.of(size, size, 0, size, 0, 0, 0, 0, 0);
  return lastParts;
}

function isDense({ layout, dtype }: Operand): boolean {
  if (layout instanceof ArrayLayout) return layout.isDense;
  return layout.offset === 0 && isContiguous(layout, typeNamed(dtype).itemSize);
}

/** Returns the program of `select`, which computes flags and then copies elements where they are true. */
function selectSource({ expressions, operands, scalars }: Operation, itemSize: number): string {
  const inputs = operands.map(({ dtype }) => dtype);
  const types = scalars.map(({ dtype }) => dtype);
  const names = [...inputs.map((_, k) => `in${k}`), "mask", ...types.map((_, k) => `s${k}`)];
  const parameters = operandParameters({ outputs: [], inputs, scalars: types });
  const { type } = carrierOf(itemSize);
  return `${denseLoopSource({ outputs: expressions, inputs, scalars: types })}
${writeSource(planOf(itemSize))}
__kernel void select(${parameters.map((one) => `${one}, `).join("")}__global uchar *const mask, __global place_t *const counts,
                     __global const ${type} *const source, __global ${type} *const target, const int at, const Parts parts) {
  elementwise(${names.join(", ")}, parts.size);
  write(mask, counts, source, target, at, parts);
}
`;
}

function planOf(itemSize: number): CompactPlan {
  return {
    parts: "chunks",
    kind: "values",
    itemSize,
    rank: 0,
    exact: false,
    short: true,
    aligned: true,
    countsItself: true,
  };
}
