/** Encoding and decoding of scalars, booleans, vectors and complex numbers in memory. */
import { type ScalarType, scalarTypes, typeError, wrongType } from "@cl/base";

import type { Codec, Complex } from "./dtype.js";
import { fitsScalar, loadScalar, scalarError, storeScalar } from "./scalar-value.js";

function encodeScalar(scalar: ScalarType, value: unknown, name: string, into: (number | bigint)[]): void {
  if (!fitsScalar(scalar, value)) throw scalarError(scalar, name, value);
  into.push(value);
}

/** Writes `count` consecutive scalars. Returns the index after the last one. */
function writeScalars(
  scalar: ScalarType,
  count: number,
  view: DataView,
  at: number,
  scalars: readonly (number | bigint)[],
  next: number,
): number {
  for (let i = 0; i < count; i++) {
    storeScalar(view, scalar.name, at + i * scalar.bytes, scalars[next + i] as number | bigint);
  }
  return next + count;
}

/** Returns the codec of a scalar type. Values are numbers, or bigints for 64-bit integers. */
export function scalarCodec(scalar: ScalarType): Codec {
  return {
    encode: (value, name, into) => encodeScalar(scalar, value, name, into),
    write: (view, at, scalars, next) => writeScalars(scalar, 1, view, at, scalars, next),
    read: (view, at) => loadScalar(view, scalar.name, at),
  };
}

/** The codec of booleans, stored as one byte. Any non-zero byte is true, as in C. */
export const booleanCodec: Codec = {
  encode(value, name, into) {
    if (typeof value !== "boolean") throw typeError(name, "true or false", value);
    into.push(value ? 1 : 0);
  },
  write: (view, at, scalars, next) => writeScalars(scalarTypes.uchar, 1, view, at, scalars, next),
  read: (view, at) => view.getUint8(at) !== 0,
};

/** Returns the codec of a vector type. Values are arrays or typed arrays with one number per component. */
export function vectorCodec(scalar: ScalarType, width: number): Codec {
  return {
    encode(value, name, into) {
      const list = listOf(value, name, width);
      for (let i = 0; i < width; i++) encodeScalar(scalar, list[i], `${name}[${i}]`, into);
    },
    write: (view, at, scalars, next) => writeScalars(scalar, width, view, at, scalars, next),
    read: (view, at) => Array.from({ length: width }, (_, i) => loadScalar(view, scalar.name, at + i * scalar.bytes)),
  };
}

/** Returns the codec of a complex type. Values are objects with `re` and `im`, or numbers. */
export function complexCodec(scalar: ScalarType): Codec {
  return {
    encode(value, name, into) {
      if (typeof value === "number") {
        encodeScalar(scalar, value, name, into);
        into.push(0);
        return;
      }
      if (typeof value !== "object" || value === null || !("re" in value) || !("im" in value)) {
        throw typeError(name, "a complex number such as { re: 1, im: 0 }, or a number", value);
      }
      encodeScalar(scalar, value.re, `${name}.re`, into);
      encodeScalar(scalar, value.im, `${name}.im`, into);
    },
    write: (view, at, scalars, next) => writeScalars(scalar, 2, view, at, scalars, next),
    read: (view, at): Complex => ({
      re: loadScalar(view, scalar.name, at) as number,
      im: loadScalar(view, scalar.name, at + scalar.bytes) as number,
    }),
  };
}

/** Checks that a value is an array or typed array of `length` elements. */
export function listOf(value: unknown, name: string, length: number): readonly unknown[] {
  const isArray = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
  if (!isArray) throw typeError(name, `an array of length ${length}`, value);
  const list = value as unknown as readonly unknown[];
  if (list.length !== length) {
    throw wrongType(`${name} must be an array of length ${length}, received length ${list.length}`);
  }
  return list;
}
