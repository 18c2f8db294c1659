/** Conversion of host values (typed arrays, host views, numbers, nested arrays) to bytes for a view. */
import { byteLengthOf, completeShape, outOfRange, type Shape, sizeOf, typeError, withArticle } from "@cl/base";

import type { DType } from "../dtype/dtype.js";
import { checkDType, type DTypeLike } from "../dtype/registry.js";
import { elementTypeName, elementTypeOf, hostBytes, type HostMemory, isHostMemory } from "../dtype/host-array.js";
import type { TypedArray } from "../typed/index.js";
import { HostView } from "../host-view/host-view.js";
import type { Nested } from "../host-view/nested.js";

/** Host values that a view can be created from or written with. */
export type HostValues = HostMemory | HostView | Nested;

/** Contiguous elements in C order. */
export interface PackedValues {
  readonly type: DType;
  readonly itemSize: number;
  readonly shape: readonly number[];
  readonly bytes: TypedArray;
  /** Whether `bytes` is the caller's memory and not a copy. */
  readonly isCallerMemory: boolean;
}

/** Returns values as bytes. The type defaults to the array's, or float64 for numbers and int64 for bigints. */
export function packValues(
  values: HostValues,
  like: DTypeLike | undefined,
  shape: Shape | undefined,
  name: string,
  blocking: boolean,
): PackedValues {
  if (values instanceof HostView) return packView(values, like, shape, name);
  if (isHostMemory(values)) return packMemory(values, like, shape, name, blocking);
  const type = checkDType(like ?? inferType(values, name), "options.dtype");
  return packView(HostView.from(values, type), undefined, shape, name);
}

function packView(view: HostView, like: DTypeLike | undefined, shape: Shape | undefined, name: string): PackedValues {
  const type = like === undefined ? view.dtype : checkDType(like, "options.dtype");
  if (!type.equals(view.dtype)) throw typeError(name, `a view of ${type.name} elements`, view);
  return {
    type,
    itemSize: type.itemSize,
    shape: shaped(shape, view.shape, name),
    bytes: view.toArray(),
    isCallerMemory: false,
  };
}

function packMemory(
  memory: HostMemory,
  like: DTypeLike | undefined,
  shape: Shape | undefined,
  name: string,
  blocking: boolean,
): PackedValues {
  const bytes = hostBytes(memory, name, blocking);
  const size = byteLengthOf(bytes);
  const elements = elementTypeOf(memory);
  const type = checkDType(like ?? elements ?? Uint8Array, "options.dtype");
  checkElements(memory, type, name);
  const { itemSize } = type;
  if (size % itemSize !== 0) {
    throw outOfRange(
      `${name} has ${size} bytes, which is not a multiple of the ${itemSize} bytes of a ${type.name} element`,
    );
  }
  return { type, itemSize, shape: shaped(shape, [size / itemSize], name), bytes, isCallerMemory: true };
}

/** Throws if elements would be reinterpreted as another type. Untyped bytes always pass. */
export function checkElements(memory: HostMemory, type: DType, name: string): void {
  const elements = elementTypeOf(memory);
  if (elements === undefined || elements === Uint8Array || elements === type.arrayType) return;
  const other = checkDType(elements, name);
  // Halves may be passed as bits, and bytes as a Uint8ClampedArray.
  if (other === checkDType(type.arrayType, name) || (type.base.name === "float16" && elements === Uint16Array)) return;
  throw typeError(
    name,
    `${withArticle(elementTypeName(type.arrayType))} for ${type.name} elements, or a Uint8Array of their bytes`,
    memory,
  );
}

function shaped(shape: Shape | undefined, defaultShape: readonly number[], name: string): readonly number[] {
  return shape === undefined || shape === null
    ? defaultShape
    : completeShape(shape, sizeOf(defaultShape), "options.shape", name);
}

/** Returns the type that represents the values exactly. */
function inferType(values: Nested, name: string): DTypeLike {
  let first: unknown = values;
  while (Array.isArray(first)) first = (first as readonly unknown[])[0];
  if (typeof first === "number") return "float64";
  if (typeof first === "bigint") return "int64";
  const isUntyped = first === undefined ? Array.isArray(values) : typeof first === "object" && first !== null;
  if (isUntyped || typeof first === "boolean") {
    throw typeError("options.dtype", `given when ${name} does not determine the element type`, undefined);
  }
  throw typeError(name, "host memory, a HostView, a number or nested arrays of numbers", values);
}
