// Steps of the flow in examples/lattice-boltzmann in a periodic box, with the same kernels in all peers. A unit is the update of
// one cell: 1000 divided by the nanoseconds are million updates per second.
import { sides } from "../../job.mjs";

/** @typedef {import("../../job.mjs").Job} Job */

/** @type {readonly Job[]} */
export const lattice = [32, 64, 128, 256].map((cells) => ({
  name: "lbm-d3q19",
  size: `${cells}`,
  unit: "ns",
  kind: "loop",
  environment: "default",
  // Takes 1.3 GB per peer.
  ...(cells === 256 ? { onRequest: true } : {}),
  long: cells !== 32,
  // Two steps.
  multiple: 2 * cells ** 3,
  sides: sides(`lbm-d3q19-${cells}`, "cpp"),
  // 0.98 times the updates per second.
  target: { times: 1 / 0.98, peer: "cpp" },
}));
