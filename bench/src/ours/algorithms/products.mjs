// Products of square float32 matrices, by extent.
import { timed } from "../array/rig.mjs";
import { expectNear } from "./expect.mjs";

/** @param {import("../array/rig.mjs").Rig} rig */
export function productJobs(rig) {
  const { operands } = rig;
  /** @param {number} extent */
  const prepare = (extent) => {
    const own = operands(extent * extent);
    const [a, b, out] = [own.a, own.b, own.out].map((array) => array.reshape([extent, extent]));
    if (a === undefined || b === undefined || out === undefined) throw new Error("missing operand");
    a.matmul(b, { out });
    // Check some elements of the first and last row.
    for (const i of [0, -1]) {
      for (const j of [0, extent / 2, -1]) {
        const [row, column] = [a.slice(i).dataSync(), b.slice(":", j).dataSync()];
        const sum = row.reduce((total, value, k) => total + value * (column[k] ?? NaN), 0);
        expectNear(out.slice(i, j).dataSync()[0] ?? NaN, sum, 1e-5, "matmul");
      }
    }
    return () => {
      a.matmul(b, { out });
    };
  };
  /** @param {number} extent */
  const job = (extent) => {
    /** @type {(() => void) | undefined} */
    let run;
    return (/** @type {number} */ count) => timed(rig, count, (run ??= prepare(extent)), 1);
  };
  return { "matmul-1024": job(1024), "matmul-2048": job(2048), "matmul-4096": job(4096), "matmul-8192": job(8192) };
}
