// Cumulative sums.
import { sized } from "../array/rig.mjs";
import { expectNear } from "./expect.mjs";

/** @param {import("../array/rig.mjs").Rig} rig */
export function scanJobs(rig) {
  return sized(rig, "cumsum", (size) => {
    const { a, out } = rig.operands(size);
    a.cumsum({ out });
    const [last] = out.slice("-1:").dataSync();
    const [sum] = a.sum().dataSync();
    expectNear(last, sum, 1e-5, "cumsum");
    return () => a.cumsum({ out });
  });
}
