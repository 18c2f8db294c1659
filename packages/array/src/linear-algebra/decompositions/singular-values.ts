/** Singular value decompositions, by QR and one-sided Jacobi rotations. */
import { realOf } from "../../types/promote.js";
import type { RealOf } from "../../types/results.js";
import { adjoint } from "./cholesky.js";
import { turnRows } from "./jacobi.js";
import { MatrixBlock } from "./matrix-block.js";
import type { SolverType } from "./number-source.js";
import { QrStack } from "./qr-stack.js";
import { Scope } from "./scope.js";
import { countOf, identities, leading, solverType, stackOf } from "./stacks.js";
import type { ArrayRef } from "../../storage/array-ref.js";
import { where, operators } from "../../elementwise/operators.js";
import { triangle } from "../../creation/bands.js";
import * as reductions from "../../reductions/reduce.js";
import { realParts } from "../../elementwise/complex-parts.js";

/** U, singular values and the adjoint of V. */
export interface Singular {
  readonly u: ArrayRef<SolverType>;
  readonly s: ArrayRef<RealOf<SolverType>>;
  readonly vh: ArrayRef<SolverType>;
}

type Stack = ArrayRef<SolverType>;

/** All of it; the longer of `u` and `vh` is square if `full`. */
export function singular(a: ArrayRef, full: boolean): Singular {
  const dtype = solverType("svd", a);
  const shape = leading(a);
  const [rows = 0, columns = 0] = a.shape.slice(-2);
  using scope = new Scope();
  const isTall = rows >= columns;
  // Of the adjoint, U and V are each other's.
  const { long, values, short } = ofTall(scope, isTall ? scope.keep(a.slice()) : scope.keep(adjoint(a)), dtype, full);
  const u = isTall ? long : scope.keep(adjoint(short));
  const vh = isTall ? short : scope.keep(adjoint(long));
  const reshaped = [u, vh].map((one) => scope.keep(one.reshape([...shape, ...one.shape.slice(-2)])));
  const s = scope.keep(values.reshape([...shape, Math.min(rows, columns)]));
  for (const one of [...reshaped, s]) scope.give(one);
  const [first, last] = reshaped as [Stack, Stack];
  return { u: first, s, vh: last };
}

/** The singular values alone. */
export function singularValues(a: ArrayRef): ArrayRef<RealOf<SolverType>> {
  const dtype = solverType("svd", a);
  const steps = Math.min(...a.shape.slice(-2));
  using scope = new Scope();
  const [rows = 0, columns = 0] = a.shape.slice(-2);
  const source = scope.keep(rows >= columns ? a.slice() : adjoint(a));
  const { core, largest } = coreOf(scope, source, dtype);
  if (core.size === 0) return a.xp.zeros([...leading(a), steps], { dtype: realOf(dtype) as RealOf<SolverType> });
  using turned = turnRows(core, "svd", a.ndim > 2, false);
  using values = operators.multiply(turned.lengths, largest) as unknown as ArrayRef<RealOf<SolverType>>;
  return values.reshape([...leading(a), steps]);
}

/** What is turned: a square stack of few rows, none of whose elements is larger than 1. */
interface Core {
  /** The columns of it, as rows. */
  readonly core: Stack;
  /** The reflections before, where there were more rows than columns. */
  readonly reflections: QrStack | undefined;
  /** What it was divided by: `[matrices, 1]`. */
  readonly largest: ArrayRef<RealOf<SolverType>>;
}

function coreOf(scope: Scope, a: ArrayRef, dtype: SolverType): Core {
  const stack = scope.keep(stackOf(a, dtype));
  const [count = 0, rows = 0, columns = 0] = stack.shape;
  const real = realOf(dtype) as RealOf<SolverType>;
  if (stack.size === 0) {
    return {
      core: scope.keep(a.xp.empty([count, columns, columns], { dtype })),
      reflections: undefined,
      largest: scope.keep(a.xp.ones([count, 1], { dtype: real })),
    };
  }
  const { scaled, largest } = scaledBy(scope, stack);
  if (rows === columns) return { core: turnedCopy(scope, scaled), reflections: undefined, largest };
  const reflections = scope.keep(new QrStack(scaled, dtype));
  const top = scope.keep(reflections.triangle.slice(":", [0, columns]));
  return { core: turnedCopy(scope, scope.keep(triangle(a.xp, top, "upper"))), reflections, largest };
}

/** Matrices divided by their largest elements, so that no square overflows, and those. */
export function scaledBy(
  scope: Scope,
  stack: Stack,
): { readonly scaled: Stack; readonly largest: ArrayRef<RealOf<SolverType>> } {
  const sizes = scope.keep(operators.absolute(stack));
  const most = scope.keep(reductions.max(sizes, { axis: [1, 2], keepDims: true }));
  const some = scope.keep(operators.greater(most, 0));
  const divisor = scope.keep(where(some, most, 1));
  const scaled = scope.keep(operators.divide(stack, divisor)) as unknown as Stack;
  const largest = scope.keep(divisor.reshape([-1, 1])) as unknown as ArrayRef<RealOf<SolverType>>;
  return { scaled, largest };
}

/** Columns as rows, in new memory. */
function turnedCopy(scope: Scope, stack: Stack): Stack {
  return scope.keep(scope.keep(stack.swapaxes(1, 2)).copy());
}

/** Of matrices with at least as many rows as columns. */
function ofTall(
  scope: Scope,
  a: ArrayRef,
  dtype: SolverType,
  full: boolean,
): { readonly long: Stack; readonly values: ArrayRef<RealOf<SolverType>>; readonly short: Stack } {
  const { xp } = a;
  const [rows = 0, columns = 0] = a.shape.slice(-2);
  const count = countOf(a.shape);
  const { core, reflections, largest } = coreOf(scope, a, dtype);
  const long = scope.keep(identities(xp, count, rows, full ? rows : columns, dtype));
  if (core.size === 0) {
    const values = scope.keep(xp.zeros([count, columns], { dtype: realOf(dtype) as RealOf<SolverType> }));
    return { long, values, short: scope.keep(identities(xp, count, columns, columns, dtype)) };
  }
  const turned = turnRows(core, "svd", a.ndim > 2, true);
  const units = scope.keep(turned.units);
  const short = scope.keep(turned.turns);
  const lengths = scope.keep(turned.lengths);
  const values = scope.keep(operators.multiply(lengths, largest)) as unknown as ArrayRef<RealOf<SolverType>>;
  const block = scope.keep(long.slice(":", [0, columns], [0, columns]));
  block.assign(completed(scope, units));
  reflections?.apply(MatrixBlock.of(long), false);
  return { long, values, short };
}

/**
 * A square matrix with orthonormal columns: rows of length 1, and others instead of those that are zeros, since nothing said
 * where they point. The columns of Q are the same but for signs, which R tells.
 */
function completed(scope: Scope, units: Stack): Stack {
  const [count = 0, size = 0] = units.shape;
  const dtype = units.dtype.name;
  const columns = scope.keep(units.swapaxes(1, 2));
  const stack = scope.keep(new QrStack(columns, dtype));
  const q = scope.keep(identities(units.xp, count, size, size, dtype));
  stack.columnsOf(MatrixBlock.of(q));
  const diagonal = scope.keep(stack.triangle.diagonal({ axis1: 1, axis2: 2 }));
  const negative = scope.keep(operators.less(scope.keep(realParts(diagonal)), 0));
  const halves = scope.keep(negative.astype(realOf(dtype)));
  const signs = scope.keep(scope.keep(operators.add(scope.keep(operators.multiply(halves, -2)), 1)).expandDims(1));
  return scope.keep(operators.multiply(q, signs));
}
