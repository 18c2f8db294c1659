/** Whether memory is what a descriptor of `__global` or `__constant` memory says: type, shape and strides. */
import { describe, scalarByName, scalarTypes, typeError, wrongType } from "@cl/base";

import type { DeviceMemoryType, StrideRule } from "./device-memory-type.js";
import { product } from "./memory-type.js";
import { wrapHost } from "./wrap-host.js";
import { DType } from "../dtype/dtype.js";
import { ElementArray } from "../dtype/element-array.js";
import { standIn, standsForOther } from "../argument/argument-stand-in.js";
import { DeviceBuffer } from "../memory/buffer.js";
import { elementScalars, isHostMemory } from "../dtype/host-array.js";
import { handleOf } from "../binding/resource.js";

/** What views and arrays say of themselves. */
interface Layout {
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** In bytes. */
  readonly strides: readonly number[];
}

/** The buffer that a kernel gets for a value; `name` is for errors. */
export function acceptMemory(type: DeviceMemoryType, value: unknown, name: string): DeviceBuffer {
  if (isBuffer(value)) return checkBuffer(type, value, name);
  if (standsForOther(value)) {
    const layout = layoutOf(value);
    if (layout !== undefined) checkLayout(type, layout, name);
    const memory = standIn(value, name);
    if (!isBuffer(memory)) throw wrong(type, name, value);
    return layout === undefined ? checkBuffer(type, memory, name) : memory;
  }
  const elements = value instanceof ElementArray ? value : undefined;
  const host = elements === undefined ? value : elements.array;
  if (!isHostMemory(host)) throw wrong(type, name, value);
  if (type.context === undefined) {
    throw typeError(name, `${String(type)} on a device (host memory needs a descriptor with a context)`, value);
  }
  if (elements !== undefined && type.dtype !== undefined && !type.dtype.equals(elements.dtype)) {
    throw mismatch(type, name, `elements of type ${elements.dtype.name}`);
  }
  return checkBuffer(type, wrapHost(type.context, host, type.isConst, name), name);
}

function isBuffer(value: unknown): value is DeviceBuffer {
  return value instanceof DeviceBuffer;
}

function wrong(type: DeviceMemoryType, name: string, value: unknown): TypeError {
  return typeError(name, `memory that fits ${String(type)}`, value);
}

function mismatch(wanted: DeviceMemoryType | string, name: string, came: string): TypeError {
  return wrongType(`${name} must be ${String(wanted)}, received ${came}`);
}

/** The layout of anything that has one; undefined for other objects that stand for memory, which are bytes. */
function layoutOf(value: object): Layout | undefined {
  const { dtype, shape, strides } = value as Partial<Record<"dtype" | "shape" | "strides", unknown>>;
  const complete = dtype instanceof DType && Array.isArray(shape) && Array.isArray(strides);
  return complete ? { dtype, shape: shape as number[], strides: strides as number[] } : undefined;
}

function checkLayout(type: DeviceMemoryType, { dtype, shape, strides }: Layout, name: string): void {
  if (type.dtype !== undefined && !type.dtype.equals(dtype)) {
    throw mismatch(type, name, `elements of type ${dtype.name}`);
  }
  if (type.flat) {
    if (type.size !== undefined && product(shape) !== type.size) {
      throw mismatch(type, name, `${product(shape)} elements`);
    }
  } else {
    if (type.ndim !== undefined && shape.length !== type.ndim) throw mismatch(type, name, `${shape.length} axes`);
    if (type.shape !== undefined && type.shape.join() !== shape.join()) {
      throw mismatch(type, name, `shape [${shape.join()}]`);
    }
  }
  if (!stridesFit(type.strides, shape, strides, dtype.itemSize)) {
    const wanted =
      typeof type.strides === "string" ? "without gaps in C's order" : `[${type.strides.join()}] bytes apart`;
    throw mismatch(`${String(type)} with elements ${wanted}`, name, `strides [${strides.join()}]`);
  }
}

/** Distances along axes with one element at most are never gone. */
function stridesFit(rule: StrideRule, shape: readonly number[], strides: readonly number[], itemSize: number): boolean {
  if (rule === "any" || product(shape) === 0) return true;
  let contiguous = itemSize;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const extent = shape[axis] as number;
    const wanted = typeof rule === "string" ? contiguous : rule[axis];
    if (extent > 1 && strides[axis] !== wanted) return false;
    contiguous *= extent;
  }
  return true;
}

/** A buffer is one axis of its elements; one without a type is bytes, which may be anything. A released one throws. */
function checkBuffer(type: DeviceMemoryType, buffer: DeviceBuffer, name: string): DeviceBuffer {
  const { dtype } = type;
  handleOf(buffer);
  if (dtype !== undefined && buffer.type !== undefined && !holds(buffer.type, dtype)) {
    const came = elementScalars.get(buffer.type)?.numpy ?? describe(buffer.type);
    throw mismatch(type, name, `a buffer of ${came}`);
  }
  const itemSize = dtype?.itemSize ?? buffer.type?.BYTES_PER_ELEMENT ?? 1;
  if (buffer.size % itemSize !== 0) {
    throw mismatch(type, name, `a buffer of ${buffer.size} bytes, which is no whole number of elements,`);
  }
  const count = buffer.size / itemSize;
  if (!type.flat && type.ndim !== undefined && type.ndim !== 1) {
    throw mismatch(type, name, "a buffer, which has 1 axis unless the type is flat,");
  }
  if (type.size !== undefined && count !== type.size) throw mismatch(type, name, `a buffer of ${count} elements`);
  if (typeof type.strides !== "string" && count > 1 && type.strides[0] !== itemSize) {
    throw mismatch(type, name, `a buffer, whose elements are ${itemSize} bytes apart,`);
  }
  return buffer;
}

/** True if a typed array can hold the scalars of a type; structs are bytes. */
function holds(elements: unknown, dtype: DType): boolean {
  const has = elementScalars.get(elements);
  const wants = dtype.kind === "struct" ? scalarTypes.uchar : scalarByName(dtype.base.cName);
  // Halves lie in Uint16Arrays where there is no Float16Array.
  return has === wants || (wants === scalarTypes.half && has === scalarTypes.ushort);
}
