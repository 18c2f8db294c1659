/** `xp.linalg`: matrix decompositions and solvers, with the names of NumPy and SciPy. */
import { checkBoolean, checkOptions, outOfRange, rangeError } from "@cl/base";
import { deferMethods } from "../array/add-methods.js";
import { type Arrays, asDeviceArray, type DeviceArray } from "../array/arrays.js";
import { checkArray } from "../storage/check-array.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { Promote, QuotientDType } from "../types/promote.js";
import type { ComplexOf, RealOf } from "../types/results.js";
import { cholesky } from "../linear-algebra/decompositions/cholesky.js";
import { leastSquares, qr, type QrMode } from "../linear-algebra/decompositions/qr.js";
import { determinant, signAndLogarithm } from "../linear-algebra/decompositions/determinant.js";
import { lu } from "../linear-algebra/decompositions/lu.js";
import { LuFactors } from "./lu-factors.js";
import { eigen } from "../linear-algebra/decompositions/eigenvalues.js";
import { eigenvalues, generalEigen } from "../linear-algebra/decompositions/general-eigenvalues.js";
import { singular, singularValues } from "../linear-algebra/decompositions/singular-values.js";
import {
  condition,
  type MatrixNormOptions,
  type MatrixOrder,
  norm,
  power,
  pseudoInverse,
  rank,
} from "../linear-algebra/decompositions/norms.js";
import { inverse, solve, solveTriangular, type TriangularOptions } from "../linear-algebra/decompositions/solve.js";
import { checkMatrices, checkSquare } from "../linear-algebra/decompositions/stacks.js";
import type { AnyArray } from "../storage/array-ref.js";

/** Options of `cholesky`. */
export interface CholeskyOptions {
  /**
   * Whether to return the upper triangle, and read only the elements on and above the diagonal.
   * @defaultValue false
   */
  readonly upper?: boolean;
}

/** Options of `qr`. */
export interface QrOptions<M extends QrMode = QrMode> {
  /**
   * Shapes of the factors: `"reduced"` for min(rows, columns) columns of Q, `"complete"` for a square Q, `"r"` for R
   * alone.
   * @defaultValue "reduced"
   */
  readonly mode?: M;
}

/** Options of `svd`. */
export interface SvdOptions {
  /**
   * Whether U and V^H are square; if false, they have as many columns and rows as there are singular values.
   * @defaultValue true
   */
  readonly fullMatrices?: boolean;
  /**
   * If false, returns only the singular values.
   * @defaultValue true
   */
  readonly computeUv?: boolean;
}

/** Options of `eigh` and `eigvalsh`. */
export interface EighOptions {
  /**
   * Triangle of the Hermitian matrix to read: the lower (`"L"`) or the upper one (`"U"`).
   * @defaultValue "L"
   */
  readonly uplo?: "L" | "U";
}

/** Options of `matrixRank` and `pinv`. */
export interface MatrixRankOptions {
  /**
   * Singular values not larger than this times the largest count as 0.
   * @defaultValue the larger extent times the machine epsilon of the dtype
   */
  readonly rtol?: number;
}

/** Dtype of a solution, from the dtypes of both arrays. */
type Solved<D extends DTypeName, E extends DTypeName> = Promote<QuotientDType<D>, QuotientDType<E>>;

/**
 * Linear algebra of matrices and stacks of matrices, which are in the last two axes. Elements are float32, float64 or
 * complex; integers are converted to float64. No function waits. What only the device can detect, such as a singular
 * matrix, is thrown as a {@link LinAlgError} by the next operation that waits.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * const a = xp.array([[4, 1], [2, 3]], { dtype: "float32" });
 * console.log(await xp.linalg.solve(a, xp.array([1, 8], { dtype: "float32" })).data()); // Float32Array(2) [-0.5, 3]
 * ```
 */
export class LinearAlgebra {
  /** @internal */
  readonly xp: Arrays;

  /** @internal */
  constructor(xp: Arrays) {
    this.xp = xp;
  }

  /**
   * Returns the solutions x of `a x = b` for square `a`, by LU decomposition with partial pivoting. A `b` of one axis
   * is one column; otherwise its last two axes are rows and columns.
   */
  solve<D extends DTypeName, E extends DTypeName>(a: DeviceArray<D>, b: DeviceArray<E>): DeviceArray<Solved<D, E>> {
    checkSquare(a, this.xp, "a", "solve");
    checkArray(b, this.xp, "b");
    return asDeviceArray(solve(a, b));
  }

  /** Returns the solutions x of `a x = b` for triangular `a`, by substitution. */
  solveTriangular<D extends DTypeName, E extends DTypeName>(
    a: DeviceArray<D>,
    b: DeviceArray<E>,
    options?: TriangularOptions,
  ): DeviceArray<Solved<D, E>> {
    checkSquare(a, this.xp, "a", "solveTriangular");
    checkArray(b, this.xp, "b");
    const { lower, trans = "N", unitDiagonal } = checkOptions(options, ["lower", "trans", "unitDiagonal"]);
    if (!["N", "T", "C"].includes(trans)) throw rangeError("options.trans", '"N", "T" or "C"', trans);
    const solution = solveTriangular(a, b, {
      lower: checkBoolean(lower, "options.lower", false),
      trans,
      unitDiagonal: checkBoolean(unitDiagonal, "options.unitDiagonal", false),
    });
    return asDeviceArray(solution);
  }

  /**
   * Returns the LU factors of square matrices, to solve with repeatedly.
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
    checkSquare(a, this.xp, "a", "luFactor");
    return new LuFactors(a);
  }

  /**
   * Returns the LU decomposition `[p, l, u]`: a permutation, a lower triangle with a unit diagonal, and an upper
   * triangle, whose product is the matrix.
   */
  lu<D extends DTypeName>(
    a: DeviceArray<D>,
  ): [p: DeviceArray<RealOf<QuotientDType<D>>>, l: DeviceArray<QuotientDType<D>>, u: DeviceArray<QuotientDType<D>>] {
    checkMatrices(a, this.xp, "a", "lu");
    const [p, l, u] = lu(a);
    return [asDeviceArray(p), asDeviceArray(l), asDeviceArray(u)];
  }

  /** Returns the inverse of square matrices. To solve equations, {@link solve} is faster and more accurate. */
  inv<D extends DTypeName>(a: DeviceArray<D>): DeviceArray<QuotientDType<D>> {
    checkSquare(a, this.xp, "a", "inv");
    return asDeviceArray(inverse(a));
  }

  /** Returns the determinant of square matrices. */
  det<D extends DTypeName>(a: DeviceArray<D>): DeviceArray<QuotientDType<D>> {
    checkSquare(a, this.xp, "a", "det");
    return asDeviceArray(determinant(a));
  }

  /**
   * Returns the sign of the determinant (or its phase, if complex) and the logarithm of its absolute value, which does
   * not overflow.
   */
  slogdet<D extends DTypeName>(
    a: DeviceArray<D>,
  ): [sign: DeviceArray<QuotientDType<D>>, logarithm: DeviceArray<RealOf<QuotientDType<D>>>] {
    checkSquare(a, this.xp, "a", "slogdet");
    const [sign, logarithm] = signAndLogarithm(a);
    return [asDeviceArray(sign), asDeviceArray(logarithm)];
  }

  /**
   * Returns the Cholesky factor L of Hermitian, positive-definite matrices, with L L^H = a. Only the elements on and
   * below the diagonal are read; with `upper`, those on and above it, and the result is L^H.
   */
  cholesky<D extends DTypeName>(a: DeviceArray<D>, options?: CholeskyOptions): DeviceArray<QuotientDType<D>> {
    const upper = checkBoolean(checkOptions(options, ["upper"]).upper, "options.upper", false);
    checkSquare(a, this.xp, "a", "cholesky");
    return asDeviceArray(cholesky(a, upper));
  }

  /**
   * Returns the QR decomposition: Q with orthonormal columns and the upper triangle R, whose product is the matrix; the
   * signs are LAPACK's.
   */
  qr<D extends DTypeName>(
    a: DeviceArray<D>,
    options?: QrOptions<"reduced" | "complete">,
  ): [q: DeviceArray<QuotientDType<D>>, r: DeviceArray<QuotientDType<D>>];
  /** Returns R alone. */
  qr<D extends DTypeName>(a: DeviceArray<D>, options: QrOptions<"r">): DeviceArray<QuotientDType<D>>;
  qr(a: DeviceArray, options?: QrOptions): unknown {
    const { mode = "reduced" } = checkOptions(options, ["mode"]);
    if (!["reduced", "complete", "r"].includes(mode)) {
      throw rangeError("options.mode", '"reduced", "complete" or "r"', mode);
    }
    const [q, r] = qr(checkMatrices(a, this.xp, "a", "qr"), mode);
    return q === undefined ? r : [q, r];
  }

  /**
   * Returns the least-squares solutions x of `a x = b`, and the sums of squared residuals; for underdetermined systems,
   * the solutions of minimum norm. Computed by QR: a rank-deficient matrix is an error, where NumPy returns the
   * minimum-norm solution.
   */
  lstsq<D extends DTypeName, E extends DTypeName>(
    a: DeviceArray<D>,
    b: DeviceArray<E>,
  ): [x: DeviceArray<Solved<D, E>>, residuals: DeviceArray<RealOf<Solved<D, E>>>] {
    checkMatrices(a, this.xp, "a", "lstsq");
    checkArray(b, this.xp, "b");
    const [x, residuals] = leastSquares(a, b);
    return [asDeviceArray(x), asDeviceArray(residuals)];
  }

  /**
   * Returns the singular value decomposition: U, the singular values in descending order, and V^H, whose product `u s
   * vh` is the matrix. Computed by Jacobi rotations, which suit small and medium matrices, and stacks of them.
   */
  svd<D extends DTypeName>(
    a: DeviceArray<D>,
    options?: SvdOptions & { readonly computeUv?: true },
  ): [u: DeviceArray<QuotientDType<D>>, s: DeviceArray<RealOf<QuotientDType<D>>>, vh: DeviceArray<QuotientDType<D>>];
  /** Returns the singular values alone. */
  svd<D extends DTypeName>(
    a: DeviceArray<D>,
    options: SvdOptions & { readonly computeUv: false },
  ): DeviceArray<RealOf<QuotientDType<D>>>;
  svd(a: DeviceArray, options?: SvdOptions): unknown {
    const { fullMatrices, computeUv } = checkOptions(options, ["fullMatrices", "computeUv"]);
    const full = checkBoolean(fullMatrices, "options.fullMatrices", true);
    const array = checkMatrices(a, this.xp, "a", "svd");
    if (!checkBoolean(computeUv, "options.computeUv", true)) return singularValues(array);
    const { u, s, vh } = singular(array, full);
    return [u, s, vh];
  }

  /**
   * Returns the eigenvalues of Hermitian matrices in ascending order, and normalized eigenvectors in columns. Computed
   * by Jacobi rotations.
   */
  eigh<D extends DTypeName>(
    a: DeviceArray<D>,
    options?: EighOptions,
  ): [w: DeviceArray<RealOf<QuotientDType<D>>>, v: DeviceArray<QuotientDType<D>>] {
    const upper = isUpper(options);
    checkSquare(a, this.xp, "a", "eigh");
    const [w, v] = eigen(a, upper);
    return [asDeviceArray(w), asDeviceArray(v)];
  }

  /** Returns the eigenvalues of Hermitian matrices in ascending order. */
  eigvalsh<D extends DTypeName>(a: DeviceArray<D>, options?: EighOptions): DeviceArray<RealOf<QuotientDType<D>>> {
    checkSquare(a, this.xp, "a", "eigvalsh");
    const [w, v] = eigen(a, isUpper(options));
    v.release();
    return asDeviceArray(w);
  }

  /**
   * Returns the eigenvalues of square matrices, in no particular order, and eigenvectors of length 1 in columns. Both are
   * complex, also if all eigenvalues are real. Computed by the QR algorithm; for Hermitian matrices, {@link eigh} is more
   * accurate.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const [w, v] = xp.linalg.eig(xp.array([[0, -1], [1, 0]], { dtype: "float32" }));
   * console.log(w.dtype.name, v.shape); // complex64 [ 2, 2 ]
   * console.log((await w.imag.sort().data()).map(Math.round)); // Float32Array(2) [-1, 1]
   * ```
   */
  eig<D extends DTypeName>(
    a: DeviceArray<D>,
  ): [w: DeviceArray<ComplexOf<QuotientDType<D>>>, v: DeviceArray<ComplexOf<QuotientDType<D>>>] {
    checkSquare(a, this.xp, "a", "eig");
    const [w, v] = generalEigen(a);
    return [asDeviceArray(w), asDeviceArray(v)];
  }

  /** Returns the eigenvalues of square matrices, in no particular order. They are complex, also if all are real. */
  eigvals<D extends DTypeName>(a: DeviceArray<D>): DeviceArray<ComplexOf<QuotientDType<D>>> {
    checkSquare(a, this.xp, "a", "eigvals");
    return asDeviceArray(eigenvalues(a));
  }

  /** Returns the norm of vectors or matrices along `axis`, of order `ord`. */
  norm<D extends DTypeName>(x: DeviceArray<D>, options?: MatrixNormOptions): DeviceArray<RealOf<QuotientDType<D>>> {
    const array = checkArray(x, this.xp, "x") as DeviceArray;
    return norm(array, checkOptions(options, ["ord", "axis", "keepDims"])) as DeviceArray<RealOf<QuotientDType<D>>>;
  }

  /**
   * Returns the condition number: the ratio of the largest to the smallest singular value, or, for an `ord` other than
   * 2 and -2, the norm of the matrix times that of its inverse.
   */
  cond<D extends DTypeName>(
    a: DeviceArray<D>,
    options?: { readonly ord?: MatrixOrder },
  ): DeviceArray<RealOf<QuotientDType<D>>> {
    const { ord } = checkOptions(options, ["ord"]);
    const array = checkMatrices(a, this.xp, "a", "cond");
    if (array.shape.slice(-2).includes(0)) {
      throw outOfRange(`cond needs matrices with at least one element, received shape [${array.shape.join()}]`);
    }
    return condition(array, ord) as DeviceArray<RealOf<QuotientDType<D>>>;
  }

  /** Returns the rank of matrices: the number of singular values that are not negligible. */
  matrixRank(a: AnyArray, options?: MatrixRankOptions): DeviceArray<"int64"> {
    return asDeviceArray(rank(checkMatrices(a, this.xp, "a", "matrixRank"), checkOptions(options, ["rtol"]).rtol));
  }

  /** Returns the Moore-Penrose pseudo-inverse, by the singular values that are not negligible. */
  pinv<D extends DTypeName>(a: DeviceArray<D>, options?: MatrixRankOptions): DeviceArray<QuotientDType<D>> {
    const { rtol } = checkOptions(options, ["rtol"]);
    return pseudoInverse(checkMatrices(a, this.xp, "a", "pinv"), rtol) as DeviceArray<QuotientDType<D>>;
  }

  /**
   * Returns a square matrix raised to an integer power; the inverse is used if `exponent` is negative. Integers stay
   * integers for exponents of at least 0.
   */
  matrixPower<D extends DTypeName>(a: DeviceArray<D>, exponent: number): DeviceArray<D | QuotientDType<D>> {
    return power(checkSquare(a, this.xp, "a", "matrixPower"), exponent) as DeviceArray<D | QuotientDType<D>>;
  }
}

deferMethods(LinearAlgebra);

function isUpper(options: EighOptions | undefined): boolean {
  const { uplo = "L" } = checkOptions(options, ["uplo"]);
  if (uplo !== "L" && uplo !== "U") throw rangeError("options.uplo", '"L" or "U"', uplo);
  return uplo === "U";
}
