/** `xp.linalg`: what decomposes matrices and solves with them, with NumPy's and SciPy's names. */
import { checkBoolean, checkOptions, outOfRange, rangeError } from "@cl/base";
import type { AnyArray } from "../array/any-array.js";
import type { Arrays } from "../array/arrays.js";
import { checkArray } from "../array/check-array.js";
import type { DeviceArray } from "../array/device-array.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { Divided, Promote } from "../types/promote.js";
import type { RealOf } from "../types/results.js";
import { cholesky } from "./decompositions/cholesky.js";
import { leastSquares, qr, type QrMode } from "./decompositions/qr.js";
import { determinant, signAndLogarithm } from "./decompositions/determinant.js";
import { lu, LuFactors } from "./decompositions/lu.js";
import { eigen } from "./decompositions/eigenvalues.js";
import { singular, singularValues } from "./decompositions/singular-values.js";
import {
  condition,
  type MatrixNormOptions,
  type MatrixOrder,
  norm,
  power,
  pseudoInverse,
  rank,
} from "./decompositions/norms.js";
import { inverse, solve, solveTriangular, type TriangularOptions } from "./decompositions/solve.js";
import { checkMatrices, checkSquare } from "./decompositions/stacks.js";

/** Which triangle. */
export interface CholeskyOptions {
  /** True for the upper triangle, of what is on and above the diagonal; the lower one if not said. */
  readonly upper?: boolean;
}

/** What of a QR decomposition is wanted. */
export interface QrOptions<M extends QrMode = QrMode> {
  /**
   * `"reduced"`, if not said, for as many columns of Q as there are columns or rows; `"complete"` for a square Q; `"r"` for R
   * alone.
   */
  readonly mode?: M;
}

/** What of a singular value decomposition is wanted. */
export interface SvdOptions {
  /** False for as many columns of U and rows of V^H as there are singular values; both are square if not said. */
  readonly fullMatrices?: boolean;
  /** False for the singular values alone. */
  readonly computeUv?: boolean;
}

/** Which triangle of a Hermitian matrix is read. */
export interface EighOptions {
  /** The lower one (`"L"`, if not said) or the upper one. */
  readonly uplo?: "L" | "U";
}

/** Which singular values count as 0. */
export interface MatrixRankOptions {
  /** Those that are not larger than this times the largest; the larger extent times the type's precision if not said. */
  readonly rtol?: number;
}

/** Elements of two arrays together. */
type Solved<D extends DTypeName, E extends DTypeName> = Promote<Divided<D>, Divided<E>>;

/**
 * Linear algebra of matrices and of stacks of them: all axes before the last two. Elements are float32, float64 or complex;
 * integers count as float64. Nothing waits. What only the device can see, such as a singular matrix, is a {@link LinAlgError}
 * of whatever waits next.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * const a = xp.array([[4, 1], [2, 3]], { dtype: "float32" });
 * console.log(await xp.linalg.solve(a, xp.array([1, 8], { dtype: "float32" })).data()); // Float32Array(2) [-0.5, 3]
 * ```
 */
export class LinearAlgebra {
  readonly #xp: Pick<Arrays, "queue">;

  /** @internal */
  constructor(xp: Pick<Arrays, "queue">) {
    this.#xp = xp;
  }

  /**
   * What a square matrix makes `b` of: the solutions of `a x = b`, by LU with exchanged rows. A `b` of one axis is one column;
   * else its last two axes are rows and columns.
   */
  solve<D extends DTypeName, E extends DTypeName>(a: DeviceArray<D>, b: DeviceArray<E>): DeviceArray<Solved<D, E>> {
    checkSquare(a, this.#xp, "a", "solve");
    checkArray(b, this.#xp, "b");
    return solve(a, b) as DeviceArray<Solved<D, E>>;
  }

  /** The same with one triangle of `a`, by substitution. */
  solveTriangular<D extends DTypeName, E extends DTypeName>(
    a: DeviceArray<D>,
    b: DeviceArray<E>,
    options?: TriangularOptions,
  ): DeviceArray<Solved<D, E>> {
    checkSquare(a, this.#xp, "a", "solveTriangular");
    checkArray(b, this.#xp, "b");
    const { lower, trans = "N", unitDiagonal } = checkOptions(options, ["lower", "trans", "unitDiagonal"]);
    if (!["N", "T", "C"].includes(trans)) throw rangeError("options.trans", '"N", "T" or "C"', trans);
    return solveTriangular(a, b, {
      lower: checkBoolean(lower, "options.lower", false),
      trans,
      unitDiagonal: checkBoolean(unitDiagonal, "options.unitDiagonal", false),
    }) as DeviceArray<Solved<D, E>>;
  }

  /**
   * Square matrices decomposed once, to solve with again and again.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * using factors = xp.linalg.luFactor(xp.array([[4, 1], [2, 3]], { dtype: "float32" }));
   * console.log(await factors.solve(xp.array([1, 8], { dtype: "float32" })).data()); // Float32Array(2) [-0.5, 3]
   * console.log(await factors.solve(xp.array([5, 5], { dtype: "float32" })).data()); // Float32Array(2) [1, 1]
   * ```
   */
  luFactor<D extends DTypeName>(a: DeviceArray<D>): LuFactors<D> {
    return new LuFactors(checkSquare(a, this.#xp, "a", "luFactor") as DeviceArray<D>);
  }

  /** A permutation, a lower triangle with ones on its diagonal, and an upper one, whose product a matrix is. */
  lu<D extends DTypeName>(
    a: DeviceArray<D>,
  ): [p: DeviceArray<RealOf<Divided<D>>>, l: DeviceArray<Divided<D>>, u: DeviceArray<Divided<D>>] {
    return [...lu(checkMatrices(a, this.#xp, "a", "lu"))] as AnyArray[] as [
      DeviceArray<RealOf<Divided<D>>>,
      DeviceArray<Divided<D>>,
      DeviceArray<Divided<D>>,
    ];
  }

  /** The inverse of square matrices. To solve equations, {@link solve} is faster and loses fewer digits. */
  inv<D extends DTypeName>(a: DeviceArray<D>): DeviceArray<Divided<D>> {
    return inverse(checkSquare(a, this.#xp, "a", "inv")) as AnyArray as DeviceArray<Divided<D>>;
  }

  /** The determinant of square matrices. */
  det<D extends DTypeName>(a: DeviceArray<D>): DeviceArray<Divided<D>> {
    return determinant(checkSquare(a, this.#xp, "a", "det")) as AnyArray as DeviceArray<Divided<D>>;
  }

  /** The determinant's sign, or direction where it is complex, and the logarithm of its size, which does not overflow. */
  slogdet<D extends DTypeName>(
    a: DeviceArray<D>,
  ): [sign: DeviceArray<Divided<D>>, logarithm: DeviceArray<RealOf<Divided<D>>>] {
    return [...signAndLogarithm(checkSquare(a, this.#xp, "a", "slogdet"))] as AnyArray[] as [
      DeviceArray<Divided<D>>,
      DeviceArray<RealOf<Divided<D>>>,
    ];
  }

  /**
   * The lower triangle whose product with its adjoint a Hermitian, positive definite matrix is. Only what is on and below the
   * diagonal is read; with `upper`, what is on and above it.
   */
  cholesky<D extends DTypeName>(a: DeviceArray<D>, options?: CholeskyOptions): DeviceArray<Divided<D>> {
    const upper = checkBoolean(checkOptions(options, ["upper"]).upper, "options.upper", false);
    return cholesky(checkSquare(a, this.#xp, "a", "cholesky"), upper) as AnyArray as DeviceArray<Divided<D>>;
  }

  /** Q, whose columns are orthonormal, and the upper triangle R, whose product a matrix is; signs are LAPACK's. */
  qr<D extends DTypeName>(
    a: DeviceArray<D>,
    options?: QrOptions<"reduced" | "complete">,
  ): [q: DeviceArray<Divided<D>>, r: DeviceArray<Divided<D>>];
  /** R alone. */
  qr<D extends DTypeName>(a: DeviceArray<D>, options: QrOptions<"r">): DeviceArray<Divided<D>>;
  qr(a: DeviceArray, options?: QrOptions): unknown {
    const { mode = "reduced" } = checkOptions(options, ["mode"]);
    if (!["reduced", "complete", "r"].includes(mode)) {
      throw rangeError("options.mode", '"reduced", "complete" or "r"', mode);
    }
    const [q, r] = qr(checkMatrices(a, this.#xp, "a", "qr"), mode);
    return q === undefined ? r : [q, r];
  }

  /**
   * The `x` for which `a x` is as near to `b` as can be, and the sums of squares of what is left; where there are fewer rows
   * than columns, the shortest of all solutions. By QR: a matrix whose columns (or rows, if they are fewer) depend on each
   * other is an error, where NumPy gives the shortest solution.
   */
  lstsq<D extends DTypeName, E extends DTypeName>(
    a: DeviceArray<D>,
    b: DeviceArray<E>,
  ): [x: DeviceArray<Solved<D, E>>, residuals: DeviceArray<RealOf<Solved<D, E>>>] {
    checkMatrices(a, this.#xp, "a", "lstsq");
    checkArray(b, this.#xp, "b");
    return [...leastSquares(a, b)] as AnyArray[] as [DeviceArray<Solved<D, E>>, DeviceArray<RealOf<Solved<D, E>>>];
  }

  /**
   * U, the singular values in descending order, and the adjoint of V, such that `u s vh` is the matrix. By rotations, which
   * suits small and medium matrices, and stacks of them.
   */
  svd<D extends DTypeName>(
    a: DeviceArray<D>,
    options?: SvdOptions & { readonly computeUv?: true },
  ): [u: DeviceArray<Divided<D>>, s: DeviceArray<RealOf<Divided<D>>>, vh: DeviceArray<Divided<D>>];
  /** The singular values alone. */
  svd<D extends DTypeName>(
    a: DeviceArray<D>,
    options: SvdOptions & { readonly computeUv: false },
  ): DeviceArray<RealOf<Divided<D>>>;
  svd(a: DeviceArray, options?: SvdOptions): unknown {
    const { fullMatrices, computeUv } = checkOptions(options, ["fullMatrices", "computeUv"]);
    const full = checkBoolean(fullMatrices, "options.fullMatrices", true);
    const array = checkMatrices(a, this.#xp, "a", "svd");
    if (!checkBoolean(computeUv, "options.computeUv", true)) return singularValues(array);
    const { u, s, vh } = singular(array, full);
    return [u, s, vh];
  }

  /** The eigenvalues of Hermitian matrices in ascending order, and eigenvectors of length 1 in columns, by rotations. */
  eigh<D extends DTypeName>(
    a: DeviceArray<D>,
    options?: EighOptions,
  ): [w: DeviceArray<RealOf<Divided<D>>>, v: DeviceArray<Divided<D>>] {
    const upper = isUpper(options);
    return [...eigen(checkSquare(a, this.#xp, "a", "eigh"), upper)] as AnyArray[] as [
      DeviceArray<RealOf<Divided<D>>>,
      DeviceArray<Divided<D>>,
    ];
  }

  /** The eigenvalues alone. */
  eigvalsh<D extends DTypeName>(a: DeviceArray<D>, options?: EighOptions): DeviceArray<RealOf<Divided<D>>> {
    const [w, v] = eigen(checkSquare(a, this.#xp, "a", "eigvalsh"), isUpper(options));
    v.release();
    return w as AnyArray as DeviceArray<RealOf<Divided<D>>>;
  }

  /** The norm of vectors or matrices: `axis` says which, and `ord` of which sort. */
  norm<D extends DTypeName>(x: DeviceArray<D>, options?: MatrixNormOptions): DeviceArray<RealOf<Divided<D>>> {
    const array = checkArray(x, this.#xp, "x") as DeviceArray;
    return norm(array, checkOptions(options, ["ord", "axis", "keepDims"])) as AnyArray as DeviceArray<
      RealOf<Divided<D>>
    >;
  }

  /**
   * How much solutions depend on errors: the largest singular value by the smallest, or the norm of the matrix by that of its
   * inverse with another `ord` than 2 and -2.
   */
  cond<D extends DTypeName>(
    a: DeviceArray<D>,
    options?: { readonly ord?: MatrixOrder },
  ): DeviceArray<RealOf<Divided<D>>> {
    const { ord } = checkOptions(options, ["ord"]);
    const array = checkMatrices(a, this.#xp, "a", "cond");
    if (array.shape.slice(-2).includes(0)) {
      throw outOfRange(`cond is not defined of matrices without elements, but a has the shape [${array.shape.join()}]`);
    }
    return condition(array, ord) as AnyArray as DeviceArray<RealOf<Divided<D>>>;
  }

  /** How many rows of a matrix do not depend on each other: its singular values that are not 0 beside the largest. */
  matrixRank(a: AnyArray, options?: MatrixRankOptions): DeviceArray<"int64"> {
    return rank(checkMatrices(a, this.#xp, "a", "matrixRank"), checkOptions(options, ["rtol"]).rtol);
  }

  /** The pseudo-inverse of Moore and Penrose, by singular values, of those that are not 0 beside the largest. */
  pinv<D extends DTypeName>(a: DeviceArray<D>, options?: MatrixRankOptions): DeviceArray<Divided<D>> {
    const { rtol } = checkOptions(options, ["rtol"]);
    return pseudoInverse(checkMatrices(a, this.#xp, "a", "pinv"), rtol) as AnyArray as DeviceArray<Divided<D>>;
  }

  /** A square matrix multiplied by itself; the inverse if `exponent` is negative. Integers stay integers from 0 on. */
  matrixPower<D extends DTypeName>(a: DeviceArray<D>, exponent: number): DeviceArray<D | Divided<D>> {
    return power(checkSquare(a, this.#xp, "a", "matrixPower"), exponent) as AnyArray as DeviceArray<D | Divided<D>>;
  }
}

function isUpper(options: EighOptions | undefined): boolean {
  const { uplo = "L" } = checkOptions(options, ["uplo"]);
  if (uplo !== "L" && uplo !== "U") throw rangeError("options.uplo", '"L" or "U"', uplo);
  return uplo === "U";
}
