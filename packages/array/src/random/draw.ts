/** Random numbers as arrays: in new or existing memory, of numbers, complex numbers or vectors. */
import { checkShape, type Layout, outOfRange, wrongType } from "@cl/base";
import { type DType, type DTypeLike, dtype as typeOf, type Shape } from "@cl/core";
import { checkArray, checkWritable } from "../storage/check-array.js";
import { filled } from "../storage/filled.js";
import { RecordArray, emptyRecords } from "../array/record-array.js";
import { checkComputable } from "../types/capabilities.js";
import { type DTypeName, type TypedDType, typeNamed } from "../types/dtype-name.js";
import { kindOf, realOf } from "../types/promote.js";
import { alignedTo, type Drawn, fillRandom, wordsOf } from "./fill.js";
import type { StreamState } from "./random-state.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import { type DeviceArray, asDeviceArray } from "../array/arrays.js";

/** Options of random arrays. */
export interface DrawOptions<D extends DTypeName> {
  /**
   * Dtype of the elements.
   * @defaultValue that of `out`, or the default of the function
   */
  readonly dtype?: D | TypedDType<D>;
  /**
   * An existing array of the given shape to store the numbers in; any view.
   * @defaultValue a new array
   */
  readonly out?: ArrayRef<D>;
}

type Lanes = 2 | 3 | 4 | 8 | 16;

/** Names of OpenCL vector types: `"float4"`, or with NumPy's names `"float32x4"`. */
export type VectorName =
  | `${"half" | "float" | "double" | "char" | "uchar" | "short" | "ushort" | "int" | "uint" | "long" | "ulong"}${Lanes}`
  | `${"float16" | "float32" | "float64" | `${"u" | ""}int${8 | 16 | 32 | 64}`}x${Lanes}`;

/** Options of random vectors; each component is an independent number. */
export interface VectorDrawOptions {
  /** The vector type. */
  readonly dtype: VectorName | DType;
  /**
   * Existing records to store the vectors in.
   * @defaultValue new records
   */
  readonly out?: RecordArray;
}

/** The options of both kinds, checked by {@link checkDraw}. */
export interface AnyDrawOptions {
  readonly dtype?: DTypeLike | undefined;
  readonly out?: ArrayRef | RecordArray | undefined;
}

/** The dtypes that a distribution supports. */
export interface Allowed {
  readonly of: (dtype: DTypeName) => boolean;
  /** Description for error messages. */
  readonly text: string;
  readonly missing: DTypeName;
}

export const floats: Allowed = {
  of: (dtype) => kindOf(dtype) === 3,
  text: "floating-point numbers",
  missing: "float64",
};
export const floatsAndComplex: Allowed = {
  of: (dtype) => kindOf(dtype) > 2,
  text: "floating-point or complex numbers",
  missing: "float64",
};
export const counts: Allowed = {
  of: (dtype) => kindOf(dtype) > 0 && kindOf(dtype) < 4,
  text: "integers or floating-point numbers",
  missing: "int64",
};
export const integers: Allowed = { of: (dtype) => kindOf(dtype) < 3, text: "integers", missing: "int64" };

/** A validated request for random numbers. */
export interface Draw {
  readonly shape: readonly number[];
  /** Dtype of the array, or of the components of vectors. */
  readonly dtype: DTypeName;
  readonly type: DType;
  readonly out: ArrayRef | RecordArray | undefined;
}

/** Checks where numbers go and what they are. */
export function checkDraw(
  xp: ArraySource,
  shape: Shape,
  options: AnyDrawOptions,
  allowed: Allowed,
  what: string,
): Draw {
  const own = checkShape(shape, "shape");
  const { out, dtype } = options;
  const units = out instanceof RecordArray ? out.units : out;
  if (units !== undefined) checkWritable(checkArray(units, xp, "options.out"));
  const type = dtype === undefined ? (out?.dtype ?? typeNamed(allowed.missing)) : typeOf(dtype);
  const name = (type.kind === "vector" ? type.base : type).name as DTypeName;
  if (type.kind === "struct" || !allowed.of(name)) {
    throw wrongType(`options.dtype must be a type of ${allowed.text} for ${what}, received ${type.name}`);
  }
  checkComputable(xp.queue.device, name, what);
  if (out !== undefined) {
    if (!out.dtype.equals(type)) {
      throw wrongType(`options.out must be ${type.name}, as options.dtype, received ${out.dtype.name}`);
    }
    if (out.shape.length !== own.length || String(out.shape) !== String(own)) {
      throw outOfRange(`options.out must have the given shape [${own.join()}], received [${out.shape.join()}]`);
    }
  }
  return { shape: own, dtype: name, type, out };
}

/** The array for the numbers, filled; the stream is then behind them. */
export function draw(
  xp: ArraySource,
  { shape, dtype, type, out }: Draw,
  state: StreamState,
  drawn: Drawn,
): { readonly result: DeviceArray | RecordArray; readonly position: bigint } {
  const real = realOf(dtype);
  const words = wordsOf(drawn, real);
  const start = alignedTo(state.position, words);
  const place = { ...state, position: start };
  let count = 0;
  const fill = (array: DeviceArray | RecordArray): void => {
    using parts = partsOf(array);
    const numbers = parts ?? (array as DeviceArray);
    count = numbers.size;
    fillRandom(numbers, place, drawn);
  };
  let result: DeviceArray | RecordArray | undefined = out instanceof RecordArray ? out : out && asDeviceArray(out);
  if (result === undefined) {
    result = type.kind === "vector" ? emptyRecords(xp, type, shape) : asDeviceArray(xp.empty(shape, { dtype }));
    filled(result, fill);
  } else fill(result);
  return { result, position: start + BigInt(count) * BigInt(words) };
}

/** The numbers that elements are made of, parts of complex numbers or components of vectors, along a last axis. */
function partsOf(array: ArrayRef | RecordArray): AnyArray | undefined {
  if (array instanceof RecordArray) return array.components;
  const { dtype, layout } = array.operand();
  if (kindOf(dtype) !== 4) return undefined;
  const real = typeNamed(realOf(dtype));
  const inner: Layout = {
    shape: [...layout.shape, 2],
    strides: [...layout.strides, real.itemSize],
    offset: layout.offset,
  };
  return array.view(real, inner);
}

/** Checks that a value is an array of this context. */
export function checkSource(value: unknown, xp: ArraySource, name: string): DeviceArray {
  const array = checkArray(value, xp, name);
  return asDeviceArray(array);
}
