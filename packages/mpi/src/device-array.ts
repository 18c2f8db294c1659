/** Arrays on devices as operands: their elements go through host memory. */
import { typeError, wrongValue } from "@cl/base";
import type { DType } from "@cl/core";

import type { HostArray } from "./native.js";

/** An array on a device, as this package uses it; a `DeviceArray` of `@cl/array` is one. */
export interface DeviceArrayLike {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly size: number;
  readonly readonly: boolean;
  /** Creates arrays on the same device. */
  readonly xp: object;
  data(): Promise<HostArray | object>;
  dataSync(): HostArray | object;
  assign(source: never): unknown;
  release(): void;
}

/** A typed array, or an array on a device. */
export type DataArray = HostArray | DeviceArrayLike;

interface Factory {
  fromHost(values: HostArray, options: { readonly dtype: DType; readonly shape: readonly number[] }): DeviceArrayLike;
}

/** Whether a value is an array on a device. */
export function isDeviceArray(value: unknown): value is DeviceArrayLike {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return false;
  const { data, dataSync, assign, xp } = value as Partial<DeviceArrayLike>;
  const canCreate = typeof xp === "object" && "fromHost" in xp;
  return canCreate && [data, dataSync, assign].every((method) => typeof method === "function");
}

/** Reads the elements, if they are on a device. */
export async function hostOf(data: DataArray): Promise<HostArray> {
  return isDeviceArray(data) ? ((await data.data()) as HostArray) : data;
}

/** Like {@link hostOf}, blocking. */
export function hostOfSync(data: DataArray): HostArray {
  return isDeviceArray(data) ? (data.dataSync() as HostArray) : data;
}

/** Returns host memory for the elements of an array. */
export function hostFor(array: DataArray, name: string): HostArray {
  if (!isDeviceArray(array)) return array;
  if (array.readonly) throw wrongValue(`${name} must not be read-only`);
  const type = array.dtype.arrayType as unknown as {
    readonly BYTES_PER_ELEMENT: number;
    new (length: number): HostArray;
  };
  return new type((array.size * array.dtype.itemSize) / type.BYTES_PER_ELEMENT);
}

/** Stores elements in an array on a device. Does nothing if they are in the array already. */
export function store(array: DataArray, values: HostArray): void {
  if (!isDeviceArray(array)) return;
  const copy = onDevice(values, array);
  array.assign(copy as never);
  copy.release();
}

/** Returns elements as an array of the same kind as another: of its shape, or with one axis if it has another size. */
export function returned<T extends DataArray>(values: HostArray, like: T): T {
  return (isDeviceArray(like) ? onDevice(values, like) : values) as T;
}

function onDevice(values: HostArray, { xp, dtype, shape, size }: DeviceArrayLike): DeviceArrayLike {
  const count = values.byteLength / dtype.itemSize;
  return (xp as Factory).fromHost(values, { dtype, shape: count === size ? shape : [count] });
}

/** Throws if a reduction of the elements in host memory is not one of the device's elements. */
export function checkReducible(data: DataArray, operation: string): void {
  if (!isDeviceArray(data)) return;
  const { kind, name } = data.dtype;
  const isNumber = kind === "int" || kind === "uint" || (kind === "float" && name !== "float16");
  if (isNumber || (kind === "complex" && operation === "sum")) return;
  throw typeError("data", `an array of a dtype that "${operation}" can combine`, data);
}

/** Returns the elements of each array. */
export function hostsOf(parts: readonly DataArray[] | DataArray): Promise<readonly HostArray[] | HostArray> {
  return isList(parts) ? Promise.all(parts.map((part) => hostOf(part))) : hostOf(parts);
}

/** Like {@link hostsOf}, blocking. */
export function hostsOfSync(parts: readonly DataArray[] | DataArray): readonly HostArray[] | HostArray {
  return isList(parts) ? parts.map((part) => hostOfSync(part)) : hostOfSync(parts);
}

/** Returns the first of several arrays. */
export function firstOf<T extends DataArray>(parts: readonly T[] | T): T {
  return isList(parts) ? (parts[0] as T) : parts;
}

function isList<T extends DataArray>(parts: readonly T[] | T): parts is readonly T[] {
  return Array.isArray(parts);
}

/** Returns an array after checking that it is in host memory. */
export function checkHost(array: DataArray | undefined, name: string): HostArray | undefined {
  if (isDeviceArray(array)) throw typeError(name, "a typed array, as the data", array);
  return array;
}

/** Returns an array for the result of a reduction after checking it. */
export function checkLike(into: DataArray, data: DeviceArrayLike): DataArray {
  const isLike = isDeviceArray(into) && into.dtype.equals(data.dtype) && String(into.shape) === String(data.shape);
  if (isLike && !into.readonly) return into;
  throw typeError("into", `a writable array on the device, of ${data.dtype.name}[${data.shape.join(", ")}]`, into);
}

/** Stores a result in the array that was given for it, or returns a new one. */
export function stored(into: DataArray | undefined, values: HostArray, like: DataArray): DataArray {
  if (into === undefined) return returned(values, like);
  store(into, values);
  return into;
}
