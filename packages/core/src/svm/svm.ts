/** Typed arrays and parts of allocations as shared virtual memory. */
import { byteLengthOf, checkInstance, checkInteger, rangeError, typeError } from "@cl/base";

import { Context } from "../platform/context.js";
import { native } from "../binding/native.js";
import { forget, handleOf } from "../binding/resource.js";
import { checkElementType, checkTypedArray, type ElementType, elementTypeOf, hostBytes } from "../dtype/host-array.js";
import { checkWholeElements } from "../memory/buffer-options.js";
import type { TypedArray } from "../typed/index.js";
import { placeOfView } from "./svm-host.js";
import { ownsPart } from "./svm-base.js";
import { SvmPointer } from "./svm-pointer.js";
import { listenForReleases } from "../memory/svm-reaper.js";
import { requireSvm } from "../platform/svm-support.js";

/** Constructor argument for a part of an allocation. */
class Part<T extends TypedArray> {
  readonly owner: SvmPointer;
  readonly byteOffset: number;
  readonly size: number;
  readonly type: ElementType<T> | undefined;

  constructor(owner: SvmPointer, byteOffset: number, size: number, type: ElementType<T> | undefined) {
    this.owner = owner;
    this.byteOffset = byteOffset;
    this.size = size;
    this.type = type;
  }
}

/**
 * Wraps a typed array in shared virtual memory, so that kernels and copies use its memory instead of passing it by
 * value. The array must be in an allocation that is fine-grained or mapped. On devices with fine-grained system SVM it
 * may be any array, which stays pinned until this is released. The parts returned by `allocation.part()` are
 * `Svm`s, too.
 *
 * An `Svm` does not own the memory of an allocation and becomes invalid when that is released.
 *
 * @example
 * ```ts
 * const array = allocation.array(Float32Array);
 * program.kernel("saxpy").launch(queue, { global: 64 }, 2, x, new Svm(context, array));
 * ```
 */
export class Svm<T extends TypedArray = TypedArray> extends SvmPointer<T> {
  readonly #mem: T | undefined;
  readonly #owner: SvmPointer | undefined;

  constructor(context: Context, array: T);
  /** @internal */
  constructor(context: Context, part: Part<T>);
  constructor(context: Context, array: T | Part<T>) {
    checkInstance(context, Context, "context");
    const part = array instanceof Part ? array : partOf(context, array);
    if (part !== undefined) {
      const { owner, byteOffset, size, type } = part;
      super(handleOf(owner), owner.context, owner.kind, size, byteOffset, type, owner.label, false);
      this.#owner = owner;
      this.#mem = array instanceof Part ? undefined : array;
      owner[ownsPart](this);
    } else {
      const mem = array as T;
      const host = hostBytes(mem, "array", false);
      requireSvm(context, "clSetKernelArgSVMPointer", "fine-system");
      listenForReleases();
      const handle = native.wrapSvm(handleOf(context), host);
      super(handle, context, "fine-system", byteLengthOf(host), 0, elementTypeOf(mem), undefined, true);
      this.#mem = mem;
    }
  }

  /** The typed array; `undefined` for a part created without one. */
  get mem(): T | undefined {
    return this.#mem;
  }

  /** Whether this, or the allocation that it is a part of, has been released. */
  override get released(): boolean {
    return super.released || (this.#owner?.released ?? false);
  }

  /** @internal */
  get owner(): SvmPointer {
    return this.#owner ?? this;
  }

  /** Returns a part of this memory. */
  part<U extends TypedArray = T>(byteOffset: number, bytes?: number, type?: ElementType<U> | null): Svm<U> {
    return partFrom(this, byteOffset, bytes, type);
  }

  /** Releases a host array once no command uses it. For a part of an allocation, only invalidates this object. */
  override release(): void {
    if (this.#owner !== undefined) {
      forget(this);
    } else if (!this.released) {
      native.releaseSvm(handleOf(this), undefined);
      forget(this);
    }
  }
}

/** Returns the part of an allocation that an array covers; `undefined` for an array in other memory. */
function partOf<T extends TypedArray>(context: Context, array: T): Part<T> | undefined {
  checkTypedArray(array, "array");
  const place = placeOfView(array);
  if (place === undefined) return undefined;
  const { svm, byteOffset } = place;
  if (!svm.context.equals(context)) throw typeError("context", "the context of the array's memory", context);
  const bytes = byteLengthOf(array);
  if (bytes === 0 && svm.size > 0) hostBytes(array, "array", false);
  return new Part(svm.owner, svm.byteOffset + byteOffset, bytes, elementTypeOf(array));
}

/** @internal Returns a part; see {@link SvmPointer.part}. */
export function partFrom<U extends TypedArray>(
  svm: SvmPointer,
  byteOffset: number,
  bytes: number | undefined,
  type: ElementType<U> | null | undefined,
): Svm<U> {
  handleOf(svm);
  checkInteger(byteOffset, "byteOffset", 0, svm.size);
  const size = checkInteger(bytes ?? svm.size - byteOffset, "bytes", 0, svm.size - byteOffset);
  const elements = elementsOf(svm, type);
  if (elements !== undefined) {
    checkWholeElements(size, elements, "the part");
    if (byteOffset % elements.BYTES_PER_ELEMENT !== 0) {
      throw rangeError("byteOffset", `a multiple of the element size, ${elements.BYTES_PER_ELEMENT} bytes`, byteOffset);
    }
  }
  return new Svm<U>(svm.context, new Part<U>(svm.owner, svm.byteOffset + byteOffset, size, elements));
}

function elementsOf<U extends TypedArray>(
  svm: SvmPointer,
  type: ElementType<U> | null | undefined,
): ElementType<U> | undefined {
  if (type === null) return undefined;
  return type === undefined ? (svm.type as ElementType<U> | undefined) : checkElementType(type, "type");
}
