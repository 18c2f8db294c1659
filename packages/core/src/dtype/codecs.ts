/** How the values of scalars, booleans, vectors and complex numbers lie in memory. */
import { type ScalarType, scalarTypes, typeError, wrongType } from "@cl/base";

import type { Codec, Complex } from "./dtype.js";
import { fitsScalar, loadScalar, scalarError, storeScalar } from "./scalar-value.js";

function takeScalar(scalar: ScalarType, value: unknown, name: string, into: (number | bigint)[]): void {
  if (!fitsScalar(scalar, value)) throw scalarError(scalar, name, value);
  into.push(value);
}

/** Stores so many scalars, one behind the other. */
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

/** A number, or a bigint for integers of 64 bits. */
export function scalarCodec(scalar: ScalarType): Codec {
  return {
    take: (value, name, into) => takeScalar(scalar, value, name, into),
    write: (view, at, scalars, next) => writeScalars(scalar, 1, view, at, scalars, next),
    read: (view, at) => loadScalar(view, scalar.name, at),
  };
}

/** True or false, as a byte; any byte but 0 is true, as it is to C. */
export const booleanCodec: Codec = {
  take(value, name, into) {
    if (typeof value !== "boolean") throw typeError(name, "true or false", value);
    into.push(value ? 1 : 0);
  },
  write: (view, at, scalars, next) => writeScalars(scalarTypes.uchar, 1, view, at, scalars, next),
  read: (view, at) => view.getUint8(at) !== 0,
};

/** An array with one number for each component; a typed array will do, too. */
export function vectorCodec(scalar: ScalarType, width: number): Codec {
  return {
    take(value, name, into) {
      const list = listOf(value, name, width);
      for (let i = 0; i < width; i++) takeScalar(scalar, list[i], `${name}[${i}]`, into);
    },
    write: (view, at, scalars, next) => writeScalars(scalar, width, view, at, scalars, next),
    read: (view, at) => Array.from({ length: width }, (_, i) => loadScalar(view, scalar.name, at + i * scalar.bytes)),
  };
}

/** An object with `re` and `im`; a plain number is a complex one, too. */
export function complexCodec(scalar: ScalarType): Codec {
  return {
    take(value, name, into) {
      if (typeof value === "number") {
        takeScalar(scalar, value, name, into);
        into.push(0);
        return;
      }
      if (typeof value !== "object" || value === null || !("re" in value) || !("im" in value)) {
        throw typeError(name, "a complex number such as { re: 1, im: 0 }, or a number", value);
      }
      takeScalar(scalar, value.re, `${name}.re`, into);
      takeScalar(scalar, value.im, `${name}.im`, into);
    },
    write: (view, at, scalars, next) => writeScalars(scalar, 2, view, at, scalars, next),
    read: (view, at): Complex => ({
      re: loadScalar(view, scalar.name, at) as number,
      im: loadScalar(view, scalar.name, at + scalar.bytes) as number,
    }),
  };
}

/** An array, or a typed array, of so many elements. */
export function listOf(value: unknown, name: string, length: number): readonly unknown[] {
  const isArray = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
  if (!isArray) throw typeError(name, `an array of ${length}`, value);
  const list = value as unknown as readonly unknown[];
  if (list.length !== length) {
    throw wrongType(`${name} must be an array of ${length}, received one of ${list.length}`);
  }
  return list;
}
