/** Views of the real and imaginary parts of complex arrays. */
import type { Layout } from "@cl/base";
import type { ArrayRef } from "../storage/array-ref.js";
import { type DTypeName, type TypedDType, typeNamed } from "../types/dtype-name.js";
import { kindOf, realOf } from "../types/promote.js";
import type { RealOf } from "../types/results.js";

/** Returns a view of the real parts; of the array itself if it is real. */
export function realParts<D extends DTypeName>(array: ArrayRef<D>): ArrayRef<RealOf<D>> {
  return array.view(partType(array), array.operand().layout);
}

/** Returns a view of the imaginary parts; read-only zeros if the array is real. */
export function imaginaryParts<D extends DTypeName>(array: ArrayRef<D>): ArrayRef<RealOf<D>> {
  const type = partType(array);
  if (kindOf(array.dtype.name) === 4) {
    const { layout } = array.operand();
    return array.view(type, { ...layout, offset: layout.offset + type.itemSize });
  }
  using zero = array.xp.zeros([], { dtype: type });
  const layout: Layout = { shape: array.shape, strides: array.shape.map(() => 0), offset: 0 };
  return zero.view(type, layout, true);
}

function partType<D extends DTypeName>({ dtype }: ArrayRef<D>): TypedDType<RealOf<D>> {
  return typeNamed(realOf(dtype.name)) as TypedDType<RealOf<D>>;
}
