/** The operators as methods: `a.add(b)`. They are generated from the tables in expression/operators.ts. */
import {
  type binary,
  type binaryAliases,
  type BinaryName,
  binaryNames,
  type unary,
  type unaryAliases,
  type UnaryName,
  unaryNames,
} from "../../expression/operators.js";
import type { DTypeName } from "../../types/dtype-name.js";
import type { Results, ResultWith } from "../../types/results.js";
import { applyToAny, withArrays } from "../../creation/operand-lists.js";
import { apply } from "../../elementwise/elementwise.js";
import { applySimilar } from "../../elementwise/dense.js";
import { clip, round } from "../../elementwise/operators.js";
import type { AnyArray } from "../../storage/array-ref.js";
import { isHostList } from "../../storage/check-array.js";
import { asDeviceArray, DeviceArray } from "../../array/arrays.js";
import { ArrayMethods } from "../../array/array-methods.js";
import type { OperandOrList, OutOptions } from "../../storage/operand-like.js";
import { addOperators } from "../../array/add-methods.js";

type UnaryMethod<D extends DTypeName, N extends UnaryName> = (
  options?: OutOptions,
) => DeviceArray<Results<D>[(typeof unary)[N]]>;
type BinaryMethod<D extends DTypeName, N extends BinaryName> = <const V extends OperandOrList>(
  other: V,
  options?: OutOptions,
) => DeviceArray<ResultWith<(typeof binary)[N], D, V>>;

/** The unary operators, as methods of arrays with dtype `D`. */
export type UnaryMethods<D extends DTypeName> = { [K in keyof typeof unary]: UnaryMethod<D, K> } & {
  [K in keyof typeof unaryAliases]: UnaryMethod<D, (typeof unaryAliases)[K]>;
};

/** The binary operators, as methods of arrays with dtype `D`. */
export type BinaryMethods<D extends DTypeName> = { [K in keyof typeof binary]: BinaryMethod<D, K> } & {
  [K in keyof typeof binaryAliases]: BinaryMethod<D, (typeof binaryAliases)[K]>;
};

/** Methods for element-wise operators. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the methods are made of the tables, below
interface OperatorMethods<D extends DTypeName = DTypeName> extends UnaryMethods<D>, BinaryMethods<D> {}
class OperatorMethods<D extends DTypeName> extends ArrayMethods<D> {
  /** Returns the values limited to [low, high]; one of the bounds may be `null`. NaN stays NaN. */
  clip<const L extends OperandOrList | null | undefined, const H extends OperandOrList | null | undefined = undefined>(
    low: L,
    high?: H,
    options?: OutOptions,
  ): DeviceArray<Clipped<Clipped<D, L>, H>> {
    if (!isHostList(low) && !isHostList(high)) return asDeviceArray(clip(this, low, high, options));
    const bounds = Object.entries({ low, high }).filter(([, bound]) => bound !== null && bound !== undefined);
    const names = bounds.map(([name]) => name);
    const operands = [this, ...bounds.map(([, bound]) => bound as OperandOrList)];
    const clipped = withArrays(undefined, operands, ["this", ...names], ([, ...given]) =>
      clip<Clipped<Clipped<D, L>, H>>(this, given[names.indexOf("low")], given[names.indexOf("high")], options),
    );
    return asDeviceArray(clipped);
  }

  /**
   * Returns the values rounded to `decimals` decimals, or to the left of the decimal point if negative. Halves are
   * rounded to even. Integers stay integers.
   */
  round(decimals = 0, options?: OutOptions): DeviceArray<D> {
    return asDeviceArray(round(this, decimals, options));
  }
}

declare module "../../array/arrays.js" {
  interface DeviceArray<D extends DTypeName> extends OperatorMethods<D> {}
}

type Clipped<D extends DTypeName, B> = B extends null | undefined ? D : ResultWith<"same", D, B>;

const names = ["this", "other"] as const;

function method(name: string, value: (this: AnyArray, ...args: never[]) => unknown): void {
  Object.defineProperty(value, "name", { value: name });
  Object.defineProperty(OperatorMethods.prototype, name, { value, configurable: true, writable: true });
}
for (const [name, operator] of unaryNames) {
  method(name, function (this: AnyArray, options?: OutOptions) {
    return apply(operator, [this], options);
  });
}
for (const [name, operator] of binaryNames) {
  method(name, function (this: AnyArray, other: OperandOrList, options?: OutOptions) {
    const similar = options === undefined ? applySimilar(operator, this, other) : undefined;
    return similar ?? applyToAny(undefined, operator, [this, other], options, names);
  });
}
addOperators(DeviceArray, OperatorMethods);
