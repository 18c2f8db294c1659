/** Types of the arguments of user kernels, inferred from a literal declaration or from objects. */
import type { Complex, Declaration, DeclaredParameters, DTypeValue, TypedArray, TypedValue } from "@cl/core";
import type { DeviceArray } from "../array/arrays.js";
import type { RecordArray } from "../array/record-array.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { KernelParameter } from "./kernel-parameter.js";
import type { AnyArray } from "../storage/array-ref.js";

/** Anything that a user kernel accepts as an argument. */
export type UserArgument = AnyArray | RecordArray | OpenValue;

/** Values of types that TypeScript does not know: vectors may be typed arrays. */
type OpenValue = DTypeValue | TypedArray | TypedValue;

/** The arguments of parameters, as a tuple; any arguments if the parameters are not literals. */
export type UserArguments<P extends string | readonly KernelParameter[]> = P extends string
  ? [DeclaredParameters<P>] extends [never]
    ? UserArgument[]
    : DeclaredArguments<DeclaredParameters<P>>
  : P extends readonly KernelParameter[]
    ? number extends P["length"]
      ? UserArgument[]
      : { -readonly [K in keyof P]: ObjectArgument<P[K]> }
    : never;

type DeclaredArguments<All extends readonly Declaration[]> = {
  -readonly [K in keyof All]: All[K] extends Declaration<string, infer Type, infer Shape>
    ? Shape extends "value"
      ? CValue<Type>
      : ArrayOf<Type>
    : never;
};

/** The dtypes of C's scalar types. A `uchar` may be a bool. */
interface CNames {
  char: "int8";
  uchar: "uint8" | "bool";
  short: "int16";
  ushort: "uint16";
  int: "int32";
  uint: "uint32";
  long: "int64";
  ulong: "uint64";
  half: "float16";
  float: "float32";
  double: "float64";
}

type ArrayOf<Type> = Type extends keyof CNames ? ArrayNamed<CNames[Type]> : AnyArray | RecordArray;

/** Distributes over unions: a union of names becomes a union of arrays. */
type ArrayNamed<Name> = Name extends DTypeName ? DeviceArray<Name> : never;

type CValue<Type> = Type extends "long" | "ulong" ? number | bigint : Type extends keyof CNames ? number : OpenValue;

type ObjectArgument<One> = One extends { readonly array: string; readonly dtype: infer Name }
  ? Name extends DTypeName
    ? DeviceArray<Name>
    : AnyArray | RecordArray
  : One extends { readonly value: string; readonly dtype: infer Name }
    ? Name extends "int64" | "uint64"
      ? number | bigint
      : Name extends "bool"
        ? boolean
        : Name extends "complex64" | "complex128"
          ? Complex
          : Name extends DTypeName
            ? number
            : OpenValue
    : UserArgument;
