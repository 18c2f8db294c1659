/**
 * N-dimensional arrays in device memory with NumPy's behavior: a dtype that TypeScript knows, a shape, and strides over
 * storage that views share. All operations are enqueued; only reads wait. The methods come from a chain of classes, one
 * for each family: base, views, values, operators, reductions.
 */
import { isContiguous, type Layout, wrongValue } from "@cl/base";
import {
  type BufferArgument,
  type CommandQueue,
  DeviceView,
  type KernelArgument,
  kernelArgument,
  SvmPointer,
} from "@cl/core";
import type { Storage } from "../storage/storage.js";
import type { DTypeName, HostArrayOf, TypedDType } from "../types/dtype-name.js";
import { ArrayLinear } from "../linear-algebra/array-linear.js";

/** Contiguous arrays can be passed to kernels. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the class has the member, marked as internal
export interface DeviceArray<D extends DTypeName = DTypeName> extends KernelArgument, BufferArgument<HostArrayOf<D>> {
  /** The element type. */
  readonly dtype: TypedDType<D>;
}

/**
 * An N-dimensional array of one dtype in device memory; made by `arrays()`.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * const a = xp.array([[1, 2, 3], [4, 5, 6]]);
 * console.log(await a.slice(":", "::-2").mul(10).toNested()); // [ [ 30, 10 ], [ 60, 40 ] ]
 * ```
 */
export class DeviceArray<D extends DTypeName = DTypeName> extends ArrayLinear<D> {
  /** @internal */
  override view<E extends DTypeName>(dtype: TypedDType<E>, layout: Layout, readonly = false): DeviceArray<E> {
    return new DeviceArray(this.xp, this.operand().storage, dtype, layout, this.readonly || readonly);
  }

  /**
   * Returns a view of the array whose commands are enqueued on another queue of the context; see `Arrays.withQueue`.
   */
  withQueue(queue: CommandQueue): DeviceArray<D> {
    const { storage, layout } = this.operand();
    return new DeviceArray(this.xp.withQueue(queue), storage, this.dtype, layout, this.readonly);
  }

  /**
   * Returns a `DeviceView` of `@cl/core` over the same buffer, without a copy. Commands that use it are not ordered
   * with those of arrays: enqueue them on the same in-order queue, or call `finish()` before and after. Throws if the
   * array is in shared virtual memory.
   */
  asDeviceView(): DeviceView {
    const { storage, layout } = this.operand();
    const memory = storage.show();
    if (memory instanceof SvmPointer) {
      throw wrongValue(`asDeviceView() needs an array in a buffer; ${String(this)} is in shared virtual memory`);
    }
    const { shape, strides, offset } = layout;
    return new DeviceView(memory, { dtype: this.dtype, shape, strides, offset, readonly: this.readonly });
  }

  /** @internal What a kernel gets. */
  [kernelArgument](): { readonly memory: Storage["memory"]; readonly byteOffset: number } {
    const { storage, layout } = this.operand();
    if (!isContiguous(layout, this.itemSize) && !isContiguous(layout, this.itemSize, "F")) {
      throw wrongValue(
        `a kernel argument must be contiguous, received an array with strides [${layout.strides.join()}]; pass copy()`,
      );
    }
    storage.show();
    return { memory: storage.memory, byteOffset: layout.offset };
  }
}
