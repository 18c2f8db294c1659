/** Values of the host as bytes for a view: typed arrays, host views, numbers and nested arrays of them. */
import { byteLengthOf, completeShape, outOfRange, type Shape, sizeOf, typeError, withArticle } from "@cl/base";

import type { DType } from "../dtype/dtype.js";
import { checkDType, type DTypeLike } from "../dtype/registry.js";
import { elementTypeName, elementTypeOf, hostBytes, type HostMemory, isHostMemory } from "../dtype/host-array.js";
import type { TypedArray } from "../typed/index.js";
import { HostView } from "../host-view/host-view.js";
import type { Nested } from "../host-view/nested.js";

/** What a view can be made from, or be written with. */
export type HostValues = HostMemory | HostView | Nested;

/** Elements side by side in C order. */
export interface PackedValues {
  readonly type: DType;
  readonly itemSize: number;
  readonly shape: readonly number[];
  readonly bytes: TypedArray;
  /** True if `bytes` are the caller's own memory. */
  readonly own: boolean;
}

/** Values with their type, which is the array's if nobody says one, float64 for numbers and int64 for bigints. */
export function packValues(
  values: HostValues,
  like: DTypeLike | undefined,
  shape: Shape | undefined,
  name: string,
  blocking: boolean,
): PackedValues {
  if (values instanceof HostView) return packView(values, like, shape, name);
  if (isHostMemory(values)) return packMemory(values, like, shape, name, blocking);
  const type = checkDType(like ?? guess(values, name), "options.dtype");
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
    own: false,
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
      `${name} has ${size} bytes, which is no whole number of ${type.name} elements of ${itemSize} bytes`,
    );
  }
  return { type, itemSize, shape: shaped(shape, [size / itemSize], name), bytes, own: true };
}

/** Arrays of other elements would be reinterpreted. Bytes say nothing about elements, so they always pass. */
export function checkElements(memory: HostMemory, type: DType, name: string): void {
  const elements = elementTypeOf(memory);
  if (elements === undefined || elements === Uint8Array || elements === type.arrayType) return;
  const other = checkDType(elements, name);
  // Halves come as their bits, too, and bytes may be clamped.
  if (other === checkDType(type.arrayType, name) || (type.base.name === "float16" && elements === Uint16Array)) return;
  throw typeError(
    name,
    `${withArticle(elementTypeName(type.arrayType))}, since the elements are ${type.name} (or their bytes in a Uint8Array)`,
    memory,
  );
}

function shaped(shape: Shape | undefined, own: readonly number[], name: string): readonly number[] {
  return shape === undefined || shape === null ? own : completeShape(shape, sizeOf(own), "options.shape", name);
}

/** The type that holds such values exactly. */
function guess(values: Nested, name: string): DTypeLike {
  let first: unknown = values;
  while (Array.isArray(first)) first = (first as readonly unknown[])[0];
  if (typeof first === "number") return "float64";
  if (typeof first === "bigint") return "int64";
  const silent = first === undefined ? Array.isArray(values) : typeof first === "object" && first !== null;
  if (silent || typeof first === "boolean") {
    throw typeError("options.dtype", `given, since ${name} does not say what its elements are`, undefined);
  }
  throw typeError(name, "host memory, a HostView, a number, or nested arrays of them", values);
}
