/** Solves A x = b for a symmetric positive definite matrix, using only matrix-vector products. */
import { type DeviceArray, fuse } from "@cl/array";

type Floats = DeviceArray<"float32">;

/** Result of {@link conjugateGradients}. */
export interface Solution {
  readonly x: Floats;
  readonly steps: number;
  /** |b - A x| / |b| by the recursion. Due to rounding, the true residual may be larger. */
  readonly residual: number;
}

/** Options of {@link conjugateGradients}. */
export interface SolveOptions {
  /** Residual at which to stop. @defaultValue 1e-5 */
  readonly tolerance?: number;
  /** Maximum number of steps. @defaultValue 10000 */
  readonly maxSteps?: number;
}

const addScaled = fuse((to: Floats, scale: Floats, by: Floats): Floats => to.add(scale.mul(by)));
const subScaled = fuse((from: Floats, scale: Floats, by: Floats): Floats => from.sub(scale.mul(by)));

/** Lower bound of divisors. If the residual is 0, further steps are 0 and do not change the solution. */
const minDivisor = 2 ** -126;

/**
 * The method of conjugate gradients (Hestenes and Stiefel 1952), starting at x = 0. Scalars stay on the device as
 * zero-dimensional arrays, so the host runs ahead and waits for the residual only every tenth step.
 */
export async function conjugateGradients(
  multiply: (x: Floats) => Floats,
  b: Floats,
  { tolerance = 1e-5, maxSteps = 10_000 }: SolveOptions = {},
): Promise<Solution> {
  const x = b.mul(0);
  const r = b.copy();
  const p = b.copy();
  let squares: Floats = r.dot(r);
  const start = await squares.item();
  for (let steps = 0; ; steps++) {
    if (steps % 10 === 0 || steps === maxSteps) {
      const residual = start === 0 ? 0 : Math.sqrt((await squares.item()) / start);
      if (residual <= tolerance || steps === maxSteps) return { x, steps, residual };
    }
    const ap = multiply(p);
    const length = squares.div(p.dot(ap).maximum(minDivisor));
    addScaled(x, length, p, { out: x });
    subScaled(r, length, ap, { out: r });
    const next: Floats = r.dot(r);
    addScaled(r, next.div(squares.maximum(minDivisor)), p, { out: p });
    squares = next;
  }
}
