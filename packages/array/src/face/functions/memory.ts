/** Arrays over existing memory, launches of user kernels on arrays in the order of commands, and scopes. */
import { checkFunction, checkInstance, checkOptions, type LayoutOptions, planLayout, wrongValue } from "@cl/base";
import {
  type BufferArgument,
  DeviceBuffer,
  DeviceView,
  Kernel,
  type KernelArgument,
  kernelArgument,
  type KernelArgumentValue,
  type LaunchSizes,
  type Nested,
  SvmPointer,
  type TypedArray,
} from "@cl/core";
import { evaluate } from "../../lazy/evaluate.js";
import { ordered, type Storage } from "../../storage/storage.js";
import { type ArrayScope, arrayScopes } from "../../array/array-scope.js";
import { prepareKernels } from "../../array/prepare-kernels.js";
import { RecordArray } from "../../array/record-array.js";
import { checkArrayType, type DTypeName, type TypedDType } from "../../types/dtype-name.js";
import { checkArray, checkWritable, isArray } from "../../storage/check-array.js";
import type { DefaultType } from "../../types/default-type.js";
import { overMemory } from "../../storage/over-memory.js";
import type { AnyArray, DTypeOptions } from "../../storage/array-ref.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { addMethods } from "../../array/add-methods.js";

/** The layout and dtype of an array over existing memory, as for `DeviceView` of `@cl/core`. */
export interface AdoptOptions<D extends DTypeName> extends LayoutOptions, DTypeOptions<D> {}

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the class has the member, marked as internal
export interface ReadOnlyArgument extends KernelArgument, BufferArgument {}

/** A wrapper that marks a kernel argument as read-only; made by `Arrays.readOnly`. */
export class ReadOnlyArgument {
  /** The wrapped array. */
  readonly array: AnyArray;

  /** @internal */
  constructor(array: AnyArray) {
    this.array = array;
  }

  /** @internal */
  [kernelArgument](): KernelArgumentValue {
    return (this.array as DeviceArray)[kernelArgument]();
  }
}

/** Functions that wrap existing memory, launch user kernels and release arrays. */
class MemoryFunctions {
  /**
   * Returns an array over a buffer, shared virtual memory or a device view, without a copy; the memory stays owned by
   * the caller. Arrays of this context are returned unchanged, and other values are copied into a new array.
   */
  asArray<D extends DTypeName>(this: Arrays, array: DeviceArray<D>): DeviceArray<D>;
  asArray<T extends TypedArray>(
    this: Arrays,
    memory: DeviceBuffer<T> | SvmPointer<T> | DeviceView<T>,
    options?: LayoutOptions & { readonly dtype?: undefined },
  ): DeviceArray<DefaultType<T>>;
  asArray<D extends DTypeName>(
    this: Arrays,
    memory: DeviceBuffer | SvmPointer | DeviceView,
    options: AdoptOptions<D>,
  ): DeviceArray<D>;
  asArray<V extends Nested | TypedArray>(this: Arrays, values: V): DeviceArray<DefaultType<V>>;
  asArray(
    this: Arrays,
    source: unknown,
    options?: LayoutOptions & { readonly dtype?: DTypeName | TypedDType<DTypeName> | undefined },
  ): DeviceArray {
    const given = checkOptions(options, ["shape", "strides", "order", "offset", "dtype"]);
    if (isArray(source)) return checkArray(source, this, "source") as DeviceArray;
    if (source instanceof DeviceView) return overView(this, source as DeviceView, given);
    if (!(source instanceof DeviceBuffer) && !(source instanceof SvmPointer)) return this.array(source as Nested);
    const { dtype = source.type ?? "uint8", ...place } = given;
    const type = checkArrayType(dtype, "options.dtype");
    return asDeviceArray(
      overMemory(this, source, type, planLayout(place, type.itemSize, source.size, "the memory"), false),
    );
  }

  /**
   * Runs a function. When it returns or its promise settles, all arrays that this factory made in it are released, views
   * included, except those that it returned, alone or in arrays and plain objects, or passed to `scope.keep()`. Arrays of
   * {@link withQueue} count too.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.arange(4, { dtype: "float32" });
   * const norm = xp.scope(() => a.mul(a).sum().sqrt());
   * console.log(await norm.item()); // 3.7416574954986572
   * ```
   */
  scope<R>(this: Arrays, run: (scope: ArrayScope) => R): R {
    return arrayScopes.run(this.allocator, run);
  }

  /** Enqueues the computation of arrays whose elements are pending; see `DeviceArray.eval`. */
  eval(this: Arrays, ...list: readonly AnyArray[]): void {
    for (const [k, array] of list.entries()) evaluate(checkArray(array, this, `list[${k}]`));
  }

  /**
   * Calls a function, and resolves when the kernels that it uses are built, without blocking the event loop. Releases the arrays
   * that the function makes. Arrays that it does not return are not computed, unless it reads them.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.ones([64, 64], { dtype: "float32" });
   * await xp.prepare(() => xp.linalg.solve(a.add(xp.eye(64)), a));
   * ```
   */
  async prepare(this: Arrays, run: () => unknown): Promise<void> {
    checkFunction(run, "run");
    await prepareKernels(this, run);
  }

  /** Marks an array that a kernel passed to {@link launch} only reads. */
  readOnly(this: Arrays, array: AnyArray | RecordArray): ReadOnlyArgument {
    return new ReadOnlyArgument(checkArray(array instanceof RecordArray ? array.units : array, this, "array"));
  }

  /**
   * Launches a user kernel on the queue, ordered with the commands of its arrays on all queues of the context. Array
   * arguments count as written unless wrapped by {@link reading}; they must be contiguous.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.arange(4, { dtype: "float32" });
   * const program = new Program(
   *   context,
   *   "__kernel void twice(__global float *a) { a[get_global_id(0)] *= 2; }",
   * ).buildSync();
   * xp.launch(program.kernel("twice"), { global: 4 }, a);
   * console.log(await a.data()); // Float32Array(4) [0, 2, 4, 6]
   * ```
   */
  launch<A extends readonly unknown[]>(
    this: Arrays,
    kernel: Kernel<A>,
    sizes: LaunchSizes | null,
    ...args: { [K in keyof A]: A[K] | AnyArray | RecordArray | ReadOnlyArgument }
  ): void {
    checkInstance(kernel as Kernel, Kernel, "kernel");
    const { queue } = this;
    const [reads, writes] = [new Set<Storage>(), new Set<Storage>()];
    for (const [i, argument] of args.entries()) {
      const array = argument instanceof RecordArray ? argument.units : argument;
      if (argument instanceof ReadOnlyArgument) reads.add(argument.array.operand().storage);
      else if (isArray(array)) writes.add(checkWritten(checkArray(array, this, `args[${i}]`)));
    }
    const list = args as readonly unknown[] as A;
    const only = [...reads].filter((storage) => !writes.has(storage));
    ordered(queue, only, [...writes], (waitFor, wantEvent) => {
      if (wantEvent || waitFor.length > 0) {
        const all = [...waitFor, sizes?.waitFor ?? []].flat();
        return kernel.enqueue(queue, { ...sizes, waitFor: all }, ...list);
      }
      kernel.launch(queue, sizes, ...list);
      return undefined;
    });
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends MemoryFunctions {}
}
addMethods(Arrays, MemoryFunctions);

function overView(xp: Arrays, view: DeviceView, options: object): DeviceArray {
  if (Object.keys(options).length > 0) {
    throw wrongValue("options cannot be combined with a device view, which has its own dtype and layout");
  }
  const { shape, strides, offset } = view;
  return asDeviceArray(
    overMemory(xp, view.memory, checkArrayType(view.dtype, "source.dtype"), { shape, strides, offset }, view.readonly),
  );
}

function checkWritten(array: AnyArray): Storage {
  if (array.readonly) {
    throw wrongValue(`${String(array)} is read-only, and a kernel may write to its arguments; pass readOnly(array)`);
  }
  checkWritable(array);
  return array.operand().storage;
}
