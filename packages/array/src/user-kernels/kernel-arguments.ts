/** Checks the arguments of user kernels. */
import { checkInstance, typeError, wrongState, wrongType, wrongValue } from "@cl/base";
import {
  CommandQueue,
  type DType,
  type DTypeValue,
  kernelArgument,
  type KernelArgument,
  type KernelArgumentValue,
  NotSupportedError,
  TypedValue,
} from "@cl/core";
import { checkElementBytes } from "@cl/core/internal";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";
import { checkArray, checkWritable, isArray } from "../storage/check-array.js";
import { RecordArray } from "../array/record-array.js";
import { isTypedArray } from "../types/default-type.js";
import type { Parameter } from "./kernel-parameter.js";
import type { ArrayArgument } from "./launch-plan.js";

/** Arguments, checked: the arrays in their order, and what the kernel gets for values. */
export interface CheckedArguments {
  readonly arrays: readonly ArrayArgument[];
  readonly values: ReadonlyMap<Parameter, KernelArgument>;
}

/** An array of any elements, as its memory. */
export interface PlacedArray {
  readonly dtype: DType;
  readonly readonly: boolean;
  readonly storage: ArrayArgument["storage"];
  readonly layout: ArrayArgument["layout"];
}

/** What made the first array among the arguments. */
export function arraysOf(args: readonly unknown[]): ArraySource | undefined {
  return args.find((one) => one instanceof RecordArray || isArray(one))?.xp;
}

/** What made the first array among the arguments, and the queue: its own, if no other is said. */
export function placeOf(
  parameters: readonly Parameter[],
  args: readonly unknown[],
  given: CommandQueue | undefined,
): { readonly xp: ArraySource; readonly queue: CommandQueue } {
  const xp = arraysOf(args);
  if (xp === undefined) {
    const first = parameters.findIndex(({ isArray }) => isArray);
    throw typeError(`argument "${parameters[first]?.name}"`, "a DeviceArray", args[first]);
  }
  const queue = given === undefined ? xp.queue : checkInstance(given, CommandQueue, "options.queue");
  if (queue.context.equals(xp.queue.context)) return { xp, queue };
  throw wrongValue("options.queue must belong to the context of the arrays");
}

/** One argument for each parameter, of its type. */
export function checkArguments(
  parameters: readonly Parameter[],
  args: readonly unknown[],
  xp: ArraySource,
  owner: string,
): CheckedArguments {
  if (args.length !== parameters.length) {
    throw wrongValue(
      `${owner} takes ${parameters.length} argument${parameters.length === 1 ? "" : "s"} (${parameters.map((one) => said(one)).join(", ")}), received ${args.length}`,
    );
  }
  const arrays: ArrayArgument[] = [];
  const values = new Map<Parameter, KernelArgument>();
  for (const [k, parameter] of parameters.entries()) {
    if (parameter.isArray) arrays.push(arrayArgument(parameter, args[k], xp));
    else values.set(parameter, valueArgument(parameter, args[k]));
  }
  return { arrays, values };
}

/** Throws where a device lacks a type of the parameters. */
export function checkDevice({ device }: CommandQueue, parameters: readonly Parameter[], owner: string): void {
  if (device.doubleFpConfig !== 0) return;
  const double = parameters.find(({ dtype }) => dtype.base.name === "float64");
  if (double === undefined) return;
  throw new NotSupportedError(
    "@cl/array",
    `${owner} needs float64 for "${double.name}", which '${device.name}' does not support`,
  );
}

function said({ name, cType, isArray: pointer, writes }: Parameter): string {
  return `${pointer && !writes ? "const " : ""}${cType} ${pointer ? "*" : ""}${name}`;
}

function arrayArgument(parameter: Parameter, value: unknown, xp: ArraySource): ArrayArgument {
  const what = `argument "${parameter.name}"`;
  const array = placed(value, xp, what);
  if (!takes(parameter, array.dtype)) {
    throw wrongType(
      `${what} must be an array of ${parameter.dtype.name} (declared as ${said(parameter)}), received an array of ${array.dtype.name}`,
    );
  }
  if (parameter.writes && array.readonly) {
    throw wrongState(
      `${what} is read-only because several of its elements share memory; declare it as const if the operation does not write it`,
    );
  }
  if (parameter.writes) checkWritable(value instanceof RecordArray ? value.units : (value as AnyArray));
  const { storage, layout, dtype } = array;
  if ([layout.offset, ...layout.strides].some((distance) => distance % dtype.itemSize !== 0)) {
    throw wrongValue(
      `${what} must have strides and an offset that are multiples of ${dtype.itemSize} bytes, received strides [${layout.strides.join()}] and offset ${layout.offset}; pass copy()`,
    );
  }
  return { parameter, storage, layout, itemSize: dtype.itemSize };
}

/** Where the elements of an array, or of one of structs or vectors, are. */
export function placed(value: unknown, xp: ArraySource, what: string): PlacedArray {
  if (!(value instanceof RecordArray)) {
    const array = checkArray(value, xp, what);
    const { storage, layout } = array.operand();
    return { dtype: array.dtype, readonly: array.readonly, storage, layout };
  }
  const { storage, layout } = checkArray(value.units, xp, what).operand();
  const [shape, strides] = [layout.shape.slice(0, -1), layout.strides.slice(0, -1)];
  return { dtype: value.dtype, readonly: value.readonly, storage, layout: { ...layout, shape, strides } };
}

/** The type itself, or one that C does not tell from it. */
function takes({ dtype, cType }: Parameter, type: DType): boolean {
  if (type.equals(dtype)) return true;
  if (type.name === "bool") return cType === "uchar" && dtype.name === "uint8";
  return type.kind === "complex" && dtype.kind === "vector" && type.cName === dtype.cName;
}

function valueArgument({ name, dtype }: Parameter, value: unknown): KernelArgument {
  const what = `argument "${name}"`;
  if (value instanceof TypedValue) {
    if (value.dtype.equals(dtype)) return value;
    throw wrongType(`${what} must be of type ${dtype.name}, received a value of type ${value.dtype.name}`);
  }
  const bytes = checkElementBytes(dtype, plain(dtype, value), what);
  if (dtype.name !== "float16") return new ElementArgument(bytes, dtype);
  return new TypedValue("float32", dtype.get(new DataView(bytes.buffer), 0));
}

/** Vectors may come as typed arrays, and complex numbers as real ones. */
function plain(dtype: DType, value: unknown): DTypeValue {
  if (isTypedArray(value)) return Array.from(value as Float64Array);
  if (dtype.kind === "complex" && typeof value === "number") return { re: value, im: 0 };
  return value as DTypeValue;
}

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the method is below; declarations cannot name it
interface ElementArgument extends KernelArgument {}
class ElementArgument {
  readonly #value: KernelArgumentValue;

  constructor(bytes: Uint8Array, dtype: DType) {
    this.#value = { bytes, dtype };
  }

  [kernelArgument](): KernelArgumentValue {
    return this.#value;
  }
}
