/** Random numbers as arrays: new ones or memory that is there already, of numbers, complex numbers or vectors. */
import { checkInstance, checkShape, type Layout, outOfRange, wrongType } from "@cl/base";
import { type DType, type DTypeLike, dtype as typeOf, type Shape } from "@cl/core";
import type { AnyArray } from "../array/any-array.js";
import type { Arrays } from "../array/arrays.js";
import { checkArray, checkWritable } from "../array/check-array.js";
import { DeviceArray } from "../array/device-array.js";
import { filled } from "../array/filled.js";
import { RecordArray } from "../records/record-array.js";
import { checkComputable } from "../types/capabilities.js";
import { type DTypeName, type TypedDType, typeNamed } from "../types/dtype-name.js";
import { kindOf, realOf } from "../types/promote.js";
import { alignedTo, type Drawn, fillRandom, wordsOf } from "./fill.js";
import type { StreamState } from "./random-state.js";

/** Where numbers go, and what they are. */
export interface DrawOptions<D extends DTypeName> {
  /** The type of the elements; that of `out`, or else what the function says. */
  readonly dtype?: D | TypedDType<D>;
  /** The array that gets the numbers, of the shape that was given: any view. */
  readonly out?: DeviceArray<D>;
}

type Lanes = 2 | 3 | 4 | 8 | 16;

/** The names of OpenCL's vectors: `"float4"`, or with NumPy's names `"float32x4"`. */
export type VectorName =
  | `${"half" | "float" | "double" | "char" | "uchar" | "short" | "ushort" | "int" | "uint" | "long" | "ulong"}${Lanes}`
  | `${"float16" | "float32" | "float64" | `${"u" | ""}int${8 | 16 | 32 | 64}`}x${Lanes}`;

/** The same for vectors, each component of which is a number of its own. */
export interface VectorDrawOptions {
  /** The type of the vectors. */
  readonly dtype: VectorName | DType;
  /** The records that get them. */
  readonly out?: RecordArray;
}

/** What functions are given, checked by {@link checkDraw}. */
export interface AnyDrawOptions {
  readonly dtype?: DTypeLike | undefined;
  readonly out?: DeviceArray | RecordArray | undefined;
}

/** Which elements a distribution has. */
export interface Allowed {
  readonly of: (dtype: DTypeName) => boolean;
  /** In a sentence. */
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

/** What is to be made, checked. */
export interface Draw {
  readonly shape: readonly number[];
  /** Of the array, or of the components of vectors. */
  readonly dtype: DTypeName;
  readonly type: DType;
  readonly out: DeviceArray | RecordArray | undefined;
}

/** Checks where numbers go and what they are. */
export function checkDraw(xp: Arrays, shape: Shape, options: AnyDrawOptions, allowed: Allowed, what: string): Draw {
  const own = checkShape(shape, "shape");
  const { out, dtype } = options;
  const units = out instanceof RecordArray ? out.units : out;
  if (units !== undefined) checkWritable(checkArray(units, xp, "options.out"));
  const type = dtype === undefined ? (out?.dtype ?? typeNamed(allowed.missing)) : typeOf(dtype);
  const name = (type.kind === "vector" ? type.base : type).name as DTypeName;
  if (type.kind === "struct" || !allowed.of(name)) {
    throw wrongType(`${what} are ${allowed.text}, which ${type.name} is not`);
  }
  checkComputable(xp.queue.device, name, what);
  if (out !== undefined) {
    if (!out.dtype.equals(type)) throw wrongType(`options.out is ${out.dtype.name}, but options.dtype is ${type.name}`);
    if (out.shape.length !== own.length || String(out.shape) !== String(own)) {
      throw outOfRange(
        `options.out has the shape [${out.shape.join()}], but the shape that was given is [${own.join()}]`,
      );
    }
  }
  return { shape: own, dtype: name, type, out };
}

/** The array for the numbers, filled; the stream is then behind them. */
export function draw(
  xp: Arrays,
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
  let result = out;
  if (result === undefined) {
    result = type.kind === "vector" ? xp.records(type, shape) : xp.empty(shape, { dtype });
    filled(result, fill);
  } else fill(result);
  return { result, position: start + BigInt(count) * BigInt(words) };
}

/** The numbers that elements are made of, parts of complex numbers or components of vectors, along a last axis. */
function partsOf(array: DeviceArray | RecordArray): AnyArray | undefined {
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

/** An array of integers or whatever, checked to be one of ours. */
export function checkSource(value: unknown, xp: Arrays, name: string): DeviceArray {
  const array = checkArray(value, xp, name);
  return checkInstance(array, DeviceArray, name);
}
