/** Solves A x = b for a symmetric and positive matrix, of which only products with vectors are known. */
import { type DeviceArray, fuse } from "@cl/array";

type Floats = DeviceArray<"float32">;

/** What was found. */
export interface Solution {
  readonly x: Floats;
  readonly steps: number;
  /** |b - A x| / |b|, as the recursion has it; rounding errors may have made the true one larger. */
  readonly residual: number;
}

/** When it is good enough. */
export interface SolveOptions {
  readonly tolerance?: number;
  readonly maxSteps?: number;
}

const addScaled = fuse((to: Floats, scale: Floats, by: Floats): Floats => to.add(scale.mul(by)));
const subScaled = fuse((from: Floats, scale: Floats, by: Floats): Floats => from.sub(scale.mul(by)));

/** Below this, nothing is left to divide by: the solution is exact, and steps that are 0 leave it as it is. */
const least = 2 ** -126;

/**
 * The method of conjugate gradients (Hestenes and Stiefel 1952), from x = 0. All numbers stay on the device, scale factors,
 * too: an array without axes is as good as a number. So the host runs ahead, and looks at the residual only now and then.
 */
export async function conjugateGradients(
  times: (x: Floats) => Floats,
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
    const ap = times(p);
    const length = squares.div(p.dot(ap).maximum(least));
    addScaled(x, length, p, { out: x });
    subScaled(r, length, ap, { out: r });
    const next: Floats = r.dot(r);
    addScaled(r, next.div(squares.maximum(least)), p, { out: p });
    squares = next;
  }
}
