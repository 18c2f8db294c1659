/** Checks that memory matches a descriptor of `__global` or `__constant` memory: type, shape and strides. */
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

/** The layout of a view or an array. */
interface Layout {
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** In bytes. */
  readonly strides: readonly number[];
}

/** Returns the buffer to pass to a kernel for a value. Throws if it does not match. `name` is for errors. */
export function acceptMemory(type: DeviceMemoryType, value: unknown, name: string): DeviceBuffer {
  if (isBuffer(value)) return checkBuffer(type, value, name);
  if (standsForOther(value)) {
    const layout = layoutOf(value);
    if (layout !== undefined) checkLayout(type, layout, name);
    const memory = standIn(value, () => name);
    if (!isBuffer(memory)) throw notMemory(type, name, value);
    return layout === undefined ? checkBuffer(type, memory, name) : memory;
  }
  const elements = value instanceof ElementArray ? value : undefined;
  const host = elements === undefined ? value : elements.array;
  if (!isHostMemory(host)) throw notMemory(type, name, value);
  if (type.context === undefined) {
    throw typeError(name, `${String(type)} on a device (host memory requires a descriptor with a context)`, value);
  }
  if (elements !== undefined && type.dtype !== undefined && !type.dtype.equals(elements.dtype)) {
    throw mismatch(type, name, `elements of type ${elements.dtype.name}`);
  }
  return checkBuffer(type, wrapHost(type.context, host, type.isConst, name), name);
}

function isBuffer(value: unknown): value is DeviceBuffer {
  return value instanceof DeviceBuffer;
}

function notMemory(type: DeviceMemoryType, name: string, value: unknown): TypeError {
  return typeError(name, `memory that matches ${String(type)}`, value);
}

function mismatch(expected: DeviceMemoryType | string, name: string, received: string): TypeError {
  return wrongType(`${name} must be ${String(expected)}, received ${received}`);
}

/** Returns the layout of an object; `undefined` for objects without one, which are treated as bytes. */
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
    const expected =
      typeof type.strides === "string" ? "that is contiguous in C order" : `with strides [${type.strides.join()}]`;
    throw mismatch(`${String(type)} ${expected}`, name, `strides [${strides.join()}]`);
  }
}

/** Returns whether strides match the rule. Strides of axes with at most one element are ignored. */
function stridesFit(rule: StrideRule, shape: readonly number[], strides: readonly number[], itemSize: number): boolean {
  if (rule === "any" || product(shape) === 0) return true;
  let contiguous = itemSize;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const extent = shape[axis] as number;
    const expected = typeof rule === "string" ? contiguous : rule[axis];
    if (extent > 1 && strides[axis] !== expected) return false;
    contiguous *= extent;
  }
  return true;
}

/**
 * Checks a buffer, which counts as a one-dimensional array of its elements. A buffer without a type matches any type.
 * Throws if the buffer was released.
 */
function checkBuffer(type: DeviceMemoryType, buffer: DeviceBuffer, name: string): DeviceBuffer {
  const { dtype } = type;
  handleOf(buffer);
  if (dtype !== undefined && buffer.type !== undefined && !canHold(buffer.type, dtype)) {
    const elementName = elementScalars.get(buffer.type)?.numpy ?? describe(buffer.type);
    throw mismatch(type, name, `a buffer of ${elementName}`);
  }
  const itemSize = dtype?.itemSize ?? buffer.type?.BYTES_PER_ELEMENT ?? 1;
  if (buffer.size % itemSize !== 0) {
    throw mismatch(
      type,
      name,
      `a buffer of ${buffer.size} bytes, not a multiple of the element size of ${itemSize} bytes`,
    );
  }
  const count = buffer.size / itemSize;
  if (!type.flat && type.ndim !== undefined && type.ndim !== 1) {
    throw mismatch(type, name, "a buffer, which has 1 axis; use { flat: true } to ignore the shape");
  }
  if (type.size !== undefined && count !== type.size) throw mismatch(type, name, `a buffer of ${count} elements`);
  if (typeof type.strides !== "string" && count > 1 && type.strides[0] !== itemSize) {
    throw mismatch(type, name, `a buffer, which has a stride of ${itemSize} bytes`);
  }
  return buffer;
}

/** Returns whether a typed array class can store the scalars of a type; structs are stored as bytes. */
function canHold(elementType: unknown, dtype: DType): boolean {
  const actual = elementScalars.get(elementType);
  const expected = dtype.kind === "struct" ? scalarTypes.uchar : scalarByName(dtype.base.cName);
  // Engines without Float16Array store halves in a Uint16Array.
  return actual === expected || (expected === scalarTypes.half && actual === scalarTypes.ushort);
}
