/**
 * Functions of arrays compiled into one kernel: traced for the dtypes of their arguments, and then launched without
 * running again.
 */
import { checkFunction, checkOptions, typeError, wrongType } from "@cl/base";
import { traceable } from "./traceable.js";
import type { DeviceArray } from "../array/arrays.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";
import { isArray } from "../storage/check-array.js";
import type { Expression } from "../expression/expression.js";
import { checkHostValue, isComplexValue, type WeakScalar } from "../types/promote.js";
import { FusedTrace, type FuseResult } from "./fused-trace.js";
import { isStandIn, Trace, type TracedReduction } from "../tracing/trace.js";
import type { OperandLike } from "../storage/operand-like.js";

/** A parameter without a type, which can be used as an array or as a number. */
export type FuseParameter = DeviceArray & number;

/** Where a fused function stores its results. */
export interface FuseOptions<R extends FuseResult> {
  /**
   * Existing arrays to store the results in, in the structure of the function's result; `undefined` allocates a new
   * array. They may be arguments.
   */
  readonly out?: R extends AnyArray ? AnyArray : { readonly [K in keyof R]?: AnyArray | undefined };
}

/** A function that runs as one kernel. */
export type Fused<A extends readonly unknown[], R extends FuseResult> = (
  ...args: [...args: A, options?: FuseOptions<R>]
) => R;

/**
 * Compiles a function of arrays into one kernel. The function is traced with placeholder arguments, once for each
 * combination of argument dtypes, and again when a number has changed; its operators are then computed in one pass over
 * memory. Numbers become kernel arguments, so new values need no new build.
 *
 * The function must only apply operators, and may reduce or scan at the end. It must depend only on its arguments and
 * on constants.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * const step = fuse((u: DeviceArray<"float32">, v: DeviceArray<"float32">, dt: number) => u.add(v.mul(dt)));
 * const u = xp.ones([3], { dtype: "float32" });
 * step(u, u, 0.5, { out: u });
 * console.log(await u.data()); // Float32Array(3) [1.5, 1.5, 1.5]
 * ```
 */
export function fuse<R extends FuseResult>(
  fn: (...args: FuseParameter[]) => R,
): (...args: (OperandLike | FuseOptions<R>)[]) => R;
export function fuse<A extends readonly OperandLike[], R extends FuseResult>(fn: (...args: A) => R): Fused<A, R>;
export function fuse(fn: (...args: never[]) => FuseResult): (...args: unknown[]) => FuseResult {
  checkFunction(fn, "fn");
  const traces = new Map<string, FusedTrace>();
  let last: FusedTrace | undefined;
  return (...args) => {
    const { length } = args;
    const given = isOptions(args[length - 1]) ? (args[length - 1] as FuseOptions<FuseResult>) : undefined;
    const options = given && checkOptions(given, ["out"]);
    const count = options === undefined ? length : length - 1;
    if (last === undefined || !last.fits(args, count)) last = traceFor(args.slice(0, count));
    return last.run(args as OperandLike[], options?.out);
  };

  /** The trace of arguments of these types and numbers. */
  function traceFor(args: readonly unknown[]): FusedTrace {
    const xp = checkArguments(args);
    const key = args.map((arg) => (isArray(arg) ? arg.dtype.name : typeof arg)).join();
    const known = traces.get(key);
    if (known?.fits(args, args.length) === true) return known;
    const trace = traced(fn as (...given: readonly unknown[]) => unknown, xp, args);
    traces.set(key, trace);
    return trace;
  }
}

/** The last argument, if it is neither an array nor a value. */
function isOptions(arg: unknown): boolean {
  return typeof arg === "object" && arg !== null && !isArray(arg) && !isComplexValue(arg);
}

function checkArguments(args: readonly unknown[]): ArraySource {
  let xp: ArraySource | undefined;
  for (const [k, arg] of args.entries()) {
    if (isArray(arg)) xp ??= arg.xp;
    else checkHostValue(arg as WeakScalar, `argument ${k} of a fused function`);
  }
  if (xp === undefined) throw wrongType("a fused function needs at least one array argument");
  return xp;
}

/** Runs the function with stand-ins. */
function traced(fn: (...args: readonly unknown[]) => unknown, xp: ArraySource, args: readonly unknown[]): FusedTrace {
  const trace = new Trace(xp, traceable);
  try {
    const result = fn(...args.map((arg, k) => (isArray(arg) ? trace.argument(k, arg.dtype) : arg)));
    return new FusedTrace(trace, args, result);
  } finally {
    trace.end();
  }
}

/** What a function computes of stand-ins for arrays, for kernels that are not launched as a fused function. */
export function traceFunction(
  fn: (...args: never[]) => unknown,
  xp: ArraySource,
  args: readonly AnyArray[],
): { readonly trace: Trace; readonly result: Expression | TracedReduction } {
  const trace = new Trace(xp, traceable);
  try {
    const made = (fn as (...given: readonly unknown[]) => unknown)(
      ...args.map((arg, k) => trace.argument(k, arg.dtype)),
    );
    if (!isStandIn(made) && !isArray(made)) throw typeError("the function's result", "an array", made);
    const result = trace.resultOf(made as AnyArray);
    if ("scan" in result) {
      throw wrongType("the function must only apply operators; scans are not supported in predicates");
    }
    return { trace, result };
  } finally {
    trace.end();
  }
}
