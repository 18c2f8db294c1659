/** Operands that are lists of values: they become temporary arrays. So does a scalar if no operand is an array. */
import { checkOptions, typeError, wrongType } from "@cl/base";
import { eachNested, nestedShape } from "@cl/core/internal";
import { apply } from "../elementwise/elementwise.js";
import type { OperatorName } from "../expression/operators.js";
import { type Given, signatureOf } from "../expression/signatures.js";
import { broadcastShapes } from "../shapes/broadcast-shapes.js";
import { checkArray, checkOut, isArray, isHostList } from "../storage/check-array.js";
import { withViews } from "../storage/filled.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import type { OperandLike, OperandOrList, OutOptions } from "../storage/operand-like.js";
import { isStandIn } from "../tracing/trace.js";
import { defaultType } from "../types/default-type.js";
import { type DTypeName, type TypedDType, typeNamed } from "../types/dtype-name.js";
import { type ListOperand, listType } from "../types/list-type.js";
import { checkHostValue, scalarType, type WeakScalar } from "../types/promote.js";
import { scalarElement } from "./number-element.js";

/** Applies an operator to operands of any kind. `xp` creates an array if none of them is one. */
export function applyToAny<R extends DTypeName>(
  xp: ArraySource | undefined,
  operator: OperatorName,
  operands: readonly OperandOrList[],
  options: OutOptions | undefined,
  names: readonly string[],
): ArrayRef<R> {
  return withArrays(xp, operands, names, (arrays) => apply(operator, arrays, options, names), {
    check(source, given, shapes) {
      const { out } = checkOptions(options, ["out"]);
      const { result } = signatureOf(operator, given, names);
      const shape = broadcastShapes(shapes);
      if (out !== undefined) checkOut(out, source, shape, result, operator);
    },
  });
}

/** Checks operands before memory is allocated for lists. */
interface OperandChecks {
  check(xp: ArraySource, given: readonly Given[], shapes: readonly (readonly number[])[]): void;
}

/**
 * Calls a function with operands whose lists have become arrays, which are released afterwards. `xp` creates an array of
 * the first scalar if no operand is an array.
 */
export function withArrays<R>(
  xp: ArraySource | undefined,
  operands: readonly OperandOrList[],
  names: readonly string[],
  use: (operands: readonly OperandLike[]) => R,
  checks?: OperandChecks,
): R {
  if (hasNoList(operands) && (xp === undefined || operands.some(isArray))) return use(operands);
  const source = operands.find(isArray)?.xp ?? xp;
  if (source === undefined) throw typeError(names.join(" or "), "a DeviceArray", operands[0]);
  if (operands.some(isStandIn)) {
    const name = names[operands.findIndex(isHostList)] as string;
    throw wrongType(`${name} cannot be a list in a fused function; pass an array that was created outside of it`);
  }
  const parsed = operands.map((operand, k) => parse(operand, source, names[k] as string));
  if (!parsed.some((one) => one instanceof HostArray || isArray(one))) {
    parsed[0] = HostArray.ofScalar(parsed[0] as WeakScalar, names[0] as string);
  }
  checks?.check(source, parsed.map(givenOf), parsed.map(shapeOf));
  const created = new Map<unknown, ArrayRef>();
  for (const one of parsed) if (one instanceof HostArray) created.set(one, one.create(source));
  return withViews([...created.values()], () =>
    use(parsed.map((one) => (one instanceof HostArray ? (created.get(one) as ArrayRef) : one))),
  );
}

/** An array that has not been created yet. */
class HostArray {
  readonly dtype: TypedDType<DTypeName>;
  readonly shape: readonly number[];
  readonly #bytes: ArrayBufferView;

  constructor(dtype: TypedDType<DTypeName>, shape: readonly number[], bytes: ArrayBufferView) {
    this.dtype = dtype;
    this.shape = shape;
    this.#bytes = bytes;
  }

  static ofList(list: ListOperand, name: string): HostArray {
    if (ArrayBuffer.isView(list)) return new HostArray(defaultType(list, name), [list.length], list);
    const shape = nestedShape(list, typeNamed("bool"), name);
    const values: unknown[] = [];
    eachNested(list, shape, name, (value) => values.push(value));
    return HostArray.#ofValues(values as WeakScalar[], listType(values, name), shape);
  }

  static ofScalar(value: WeakScalar, name: string): HostArray {
    return HostArray.#ofValues([value], scalarType(value, name), []);
  }

  static #ofValues(values: readonly WeakScalar[], name: DTypeName, shape: readonly number[]): HostArray {
    const dtype = typeNamed(name);
    const view = new DataView(new ArrayBuffer(values.length * dtype.itemSize));
    for (const [i, value] of values.entries()) dtype.set(view, i * dtype.itemSize, scalarElement(name, value));
    return new HostArray(dtype, shape, new Uint8Array(view.buffer));
  }

  create(xp: ArraySource): ArrayRef {
    return xp.fromHost(this.#bytes, { dtype: this.dtype, shape: this.shape });
  }
}

type Parsed = AnyArray | WeakScalar | HostArray;

function parse(operand: OperandOrList, xp: ArraySource, name: string): Parsed {
  if (isArray(operand)) return checkArray(operand, xp, name);
  return isHostList(operand) ? HostArray.ofList(operand, name) : checkHostValue(operand, name);
}

function hasNoList(operands: readonly OperandOrList[]): operands is readonly OperandLike[] {
  return !operands.some(isHostList);
}

function givenOf(operand: Parsed): Given {
  return operand instanceof HostArray || isArray(operand) ? { dtype: operand.dtype.name } : operand;
}

function shapeOf(operand: Parsed): readonly number[] {
  return operand instanceof HostArray || isArray(operand) ? operand.shape : [];
}
