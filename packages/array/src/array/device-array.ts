/**
 * Arrays of device memory with NumPy's behaviour: an element type that TypeScript knows, extents, and distances over storage
 * that views share. Everything is enqueued; nothing waits but what gives values to the host. Its methods come from a chain
 * of classes, one for each family: base, views, values, operators, reductions.
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

/** Arrays are what kernels take, where their elements are side by side. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the class has the member, marked as internal
export interface DeviceArray<D extends DTypeName = DTypeName> extends KernelArgument, BufferArgument<HostArrayOf<D>> {
  /** What the elements are. */
  readonly dtype: TypedDType<D>;
}

/**
 * Elements of one type in device memory, by as many indices as there are axes. `arrays()` makes them.
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

  /** The same elements with their commands on another queue of the context; see `Arrays.withQueue`. */
  withQueue(queue: CommandQueue): DeviceArray<D> {
    const { storage, layout } = this.operand();
    return new DeviceArray(this.xp.withQueue(queue), storage, this.dtype, layout, this.readonly);
  }

  /**
   * A view of `@cl/core` over the same buffer, without a copy. What is done through it is not known to arrays: do it on the
   * same in-order queue, or `finish()` before and after.
   */
  asDeviceView(): DeviceView {
    const { storage, layout } = this.operand();
    const memory = storage.show();
    if (memory instanceof SvmPointer) {
      throw wrongValue(`${String(this)} lies in shared virtual memory, and device views are of buffers`);
    }
    const { shape, strides, offset } = layout;
    return new DeviceView(memory, { dtype: this.dtype, shape, strides, offset, readonly: this.readonly });
  }

  /** @internal What a kernel gets. */
  [kernelArgument](): { readonly memory: Storage["memory"]; readonly byteOffset: number } {
    const { storage, layout } = this.operand();
    if (!isContiguous(layout, this.itemSize) && !isContiguous(layout, this.itemSize, "F")) {
      throw wrongValue(
        `a kernel would take the gaps of this array (strides [${layout.strides.join()}]) for elements: pass copy()`,
      );
    }
    storage.show();
    return { memory: storage.memory, byteOffset: layout.offset };
  }
}
