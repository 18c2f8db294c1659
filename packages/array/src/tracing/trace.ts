/**
 * Tracing of a function of arrays: its operators receive placeholders, and each returns a placeholder that has the
 * expression of its result.
 */
import { checkOptions, wrongState, wrongValue } from "@cl/base";
import { isArray } from "../storage/check-array.js";
import { operation, type Term } from "../expression/build.js";
import {
  cast,
  type Expression,
  input,
  nodesOf,
  type ScalarValue,
  scalar,
  withLeaves,
} from "../expression/expression.js";
import { checkComputable } from "../types/capabilities.js";
import { checkArrayType, type DTypeName, type TypedDType, typeNamed } from "../types/dtype-name.js";
import { type Casting, checkCast } from "../types/promote.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";
import type { OperandLike } from "../storage/operand-like.js";
import type {
  ArrayReduction,
  ArrayScan,
  InitialOptions,
  ReduceOptions,
  ScanOptions,
  WhereOptions,
} from "../expression/passes.js";

/** Where an input of a trace comes from: an argument's position, or an array that the function itself knows. */
export type Source = number | AnyArray;

/** The methods that can be traced: they do nothing but apply operators and reduce. */
export type Methods = (name: string) => unknown;

/** A reduction of what a function computes. */
export interface TracedReduction {
  readonly what: ArrayReduction;
  /** What is reduced, by the inputs of the trace. */
  readonly value: Expression;
  readonly options: ReduceOptions;
}

/** A scan of what a function computes. */
export interface TracedScan {
  readonly scan: ArrayScan;
  /** What is scanned, by the inputs of the trace. */
  readonly value: Expression;
  readonly options: ScanOptions;
}

/** What a conversion may do. */
interface CastOptions {
  readonly casting?: Casting;
}

/** One run of a function with stand-ins. */
export class Trace {
  readonly xp: ArraySource;
  /** Where the inputs come from, in the order of their first use. */
  readonly sources: Source[] = [];
  readonly scalars: ScalarValue[] = [];
  readonly #methods: Methods;
  /** Nodes whose types the device can compute with. */
  readonly #checked = new Set<Expression>();
  #ended = false;

  constructor(xp: ArraySource, methods: Methods) {
    this.xp = xp;
    this.#methods = methods;
  }

  /** The stand-in for an argument. */
  argument(position: number, dtype: TypedDType<DTypeName>): AnyArray {
    return this.#standIn(dtype, () => this.#input(position, dtype.name));
  }

  /** The stand-ins for the results of an operation. */
  record(
    what: string,
    operands: readonly OperandLike[],
    build: (terms: readonly Term[], scalars: ScalarValue[]) => readonly Expression[],
  ): AnyArray[] {
    const terms = operands.map((operand): Term => this.#term(operand));
    return build(terms, this.scalars).map((expression) => {
      for (const { dtype } of nodesOf([expression], this.#checked)) checkComputable(this.xp.queue.device, dtype, what);
      return this.#standIn(typeNamed(expression.dtype), () => expression);
    });
  }

  /** The stand-in for a reduction, with which the function can do nothing but return it. */
  reduce(what: ArrayReduction, options: ReduceOptions & WhereOptions & InitialOptions): AnyArray {
    const { name } = what.reduction;
    if (options.out !== undefined) throw noOut();
    for (const one of ["where", "initial"] as const) {
      if (options[one] !== undefined) {
        throw wrongState(`options.${one} of ${name} is not supported in a fused function`);
      }
    }
    const dtype = typeNamed(what.dtype ?? what.reduction.result);
    const own = { axis: options.axis, keepDims: options.keepDims };
    return this.#last(name, dtype, { what, value: this.#valueOf(what), options: own });
  }

  /** The same for a scan. */
  scan(what: ArrayScan, { axis, exclusive, reverse, starts, out }: ScanOptions): AnyArray {
    const { name, result } = what.reduction;
    if (out !== undefined) throw noOut();
    if (starts !== undefined) throw wrongState(`options.starts of cum${name} is not supported in a fused function`);
    const value = this.#valueOf(what);
    return this.#last(name, typeNamed(result), { scan: what, value, options: { axis, exclusive, reverse } });
  }

  /** What is reduced or scanned, by the inputs of the trace. */
  #valueOf({ inputs, value, scalars }: Pick<ArrayReduction, "inputs" | "value" | "scalars">): Expression {
    const terms = inputs.map((one) => this.#term(one) as Expression);
    const [own] = withLeaves([value], (leaf) => {
      if (leaf.kind === "input") return terms[leaf.index] as Expression;
      return scalar(this.scalars.push(scalars?.[leaf.index] as ScalarValue) - 1, leaf.dtype);
    }) as [Expression];
    return own;
  }

  #last(name: string, dtype: TypedDType<DTypeName>, traced: TracedReduction | TracedScan): AnyArray {
    const nothing = (): never => {
      throw wrongState(`a fused function must return the result of ${name} and cannot compute with it`);
    };
    return this.#standIn(dtype, nothing, traced);
  }

  /** What comes out where the function returned this: a stand-in, an argument, or an array that it knows. */
  resultOf(value: AnyArray): Expression | TracedReduction | TracedScan {
    return (isStandIn(value) ? value.reduction : undefined) ?? (this.#term(value) as Expression);
  }

  /** Ends the trace: operations on its stand-ins throw from now on. */
  end(): void {
    this.#ended = true;
  }

  #term(operand: OperandLike): Term {
    if (typeof operand !== "object") return operand;
    if (!isStandIn(operand)) return isArray(operand) ? this.#input(operand, operand.dtype.name) : operand;
    if (this.#ended) throw wrongState("a value of a fused function cannot be used after the function has returned");
    if (operand.trace !== this) {
      throw wrongValue("a fused function cannot use a value of another one that is being traced");
    }
    return operand.expression();
  }

  #input(source: Source, dtype: DTypeName): Expression {
    const known = this.sources.indexOf(source);
    return input(known < 0 ? this.sources.push(source) - 1 : known, dtype);
  }

  #standIn(
    dtype: TypedDType<DTypeName>,
    expression: () => Expression,
    reduction?: TracedReduction | TracedScan,
  ): AnyArray {
    const target = new StandIn(this, dtype, expression, reduction);
    return new Proxy(target, { get: (_, name) => this.#member(target, name) }) as unknown as AnyArray;
  }

  /** What a function finds when it asks a stand-in for something. */
  #member(target: StandIn, name: string | symbol): unknown {
    if (name in target) return Reflect.get(target, name);
    if (name === "astype") return (type: DTypeName, options?: CastOptions) => this.#converted(target, type, options);
    if (name === "real" || name === "imag") return this.#part(target, name);
    if (typeof name === "symbol" || name === "then") return undefined;
    const method = this.#methods(name);
    if (method !== undefined) return method;
    throw notTraceable(name);
  }

  #part(target: StandIn, name: "real" | "imag"): AnyArray {
    const part = operation(name, [target.expression()], this.scalars);
    return this.#standIn(typeNamed(part.dtype), () => part);
  }

  #converted(target: StandIn, type: DTypeName, options?: CastOptions): AnyArray {
    const dtype = checkArrayType(type, "dtype");
    checkCast(target.dtype.name, dtype.name, checkOptions(options, ["casting"]).casting ?? "safe");
    return this.#standIn(dtype, () => cast(target.expression(), dtype.name));
  }
}

/**
 * The stand-ins for the results of an operation, if one of its operands is a stand-in: then nothing is computed. Undefined
 * for arrays.
 */
export function trace(
  what: string,
  operands: readonly OperandLike[],
  out: readonly unknown[],
  build: (terms: readonly Term[], scalars: ScalarValue[]) => readonly Expression[],
): AnyArray[] | undefined {
  const standIn = operands.find((operand) => isStandIn(operand));
  if (standIn === undefined) return undefined;
  if (out.every((one) => one === undefined)) return standIn.trace.record(what, operands, build);
  throw noOut();
}

function noOut(): Error {
  return wrongState("options.out is not supported inside a fused function; pass it to the fused function");
}

/** Returns the error for what depends on shapes or values. */
export function notTraceable(name: string): Error {
  return wrongState(
    `${name} is not supported in a fused function, which is traced once for arrays of all shapes and values`,
  );
}

/** True for what a function that is traced gets instead of an array. */
export function isStandIn(value: unknown): value is StandIn {
  return value instanceof StandIn;
}

/** What a function gets instead of an array. */
export class StandIn {
  readonly trace: Trace;
  readonly dtype: TypedDType<DTypeName>;
  readonly expression: () => Expression;
  readonly reduction: TracedReduction | TracedScan | undefined;
  /** False, since it has no elements. */
  readonly isDense: boolean = false;

  constructor(
    trace: Trace,
    dtype: TypedDType<DTypeName>,
    expression: () => Expression,
    reduction: TracedReduction | TracedScan | undefined,
  ) {
    this.reduction = reduction;
    this.trace = trace;
    this.dtype = dtype;
    this.expression = expression;
  }

  get xp(): ArraySource {
    return this.trace.xp;
  }

  /** It passes for an array, but has no memory. */
  operand(): never {
    throw wrongState("a value of a fused function can only be used with operators");
  }

  /** JavaScript's operators convert operands to numbers, which do not exist yet. */
  [Symbol.toPrimitive](): never {
    throw wrongState("a fused function cannot convert an array to a number; use a.add(b) instead of a + b");
  }
}
