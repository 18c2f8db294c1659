/** The public face of `@cl/array`. */
export type { AnyArray } from "./array/any-array.js";
export {
  arrays,
  Arrays,
  type ArraysOptions,
  type FromHostOptions,
  type NewOptions,
  type TypeOptions,
} from "./array/arrays.js";
export type { DefaultType } from "./array/default-type.js";
export { DeviceArray, type NestedValues, type OperandLike, type OutOptions } from "./array/device-array.js";
export type { ReadOptions } from "./array/read.js";
export type { DTypeName, HostArrayOf, TypedDType, ValueOf } from "./types/dtype-name.js";
export type { Divided, Floating, Promote, PromoteScalar, WeakScalar } from "./types/promote.js";
