// Data movement.
import { now } from "../serve.mjs";
import { sized, sizes } from "./rig.mjs";

const limit = 0.5;
const matrices = new Map([
  [1e3, [25, 40]],
  [1e4, [100, 100]],
  [1e5, [250, 400]],
  [1e6, [1000, 1000]],
  [1e7, [2500, 4000]],
  [1e8, [10_000, 10_000]],
]);

/** @param {import("./rig.mjs").Rig} rig */
export function movementJobs(rig) {
  return {
    ...compactJobs(rig, "compact", (a) => {
      const mask = a.greater(limit);
      const selected = a.at(mask);
      mask.release();
      return selected;
    }),

    ...compactJobs(rig, "compact-mask", (a, mask) => a.at(mask)),

    ...sized(rig, "transpose", (size) => {
      const { a, out } = rig.operands(size);
      const [height, width] = matrices.get(size);
      const source = a.reshape([height, width]).T;
      const target = out.reshape([width, height]);
      return () => target.assign(source);
    }),

    ...sized(rig, "strided-copy", (size) => {
      const { a, out } = rig.operands(size);
      const source = a.slice("::2");
      const target = out.slice(`:${size / 2}`);
      return () => target.assign(source);
    }),
  };
}

/**
 * Each call waits for the size of its result.
 * @param {import("./rig.mjs").Rig} rig
 * @param {string} name
 * @param {(a: import("@cl/array").DeviceArray, mask: import("@cl/array").DeviceArray) => Promise<import("@cl/array").DeviceArray>} compact
 */
function compactJobs(rig, name, compact) {
  return Object.fromEntries(
    Object.entries(sizes).map(([text, size]) => {
      /** @type {import("@cl/array").DeviceArray | undefined} */
      let mask;
      const job = async (/** @type {number} */ count) => {
        const { a } = rig.operands(size);
        mask ??= a.greater(limit);
        const start = now();
        for (let i = 0; i < count; i++) (await compact(a, mask)).release();
        await rig.queue.finish();
        return (now() - start) / count;
      };
      return [`${name}-${text}`, job];
    }),
  );
}
