// Random numbers from Philox, into existing memory.
import { sized } from "../array/rig.mjs";

/** @param {import("../array/rig.mjs").Rig} rig */
export function randomJobs(rig) {
  return {
    ...sized(rig, "uniform", (size) => numbers(rig, size, "uniform", 0.5, 1 / 3)),
    ...sized(rig, "normal", (size) => numbers(rig, size, "normal", 0, 1)),
  };
}

/**
 * @param {import("../array/rig.mjs").Rig} rig
 * @param {number} size
 * @param {"uniform" | "normal"} name
 * @param {number} mean
 * @param {number} square
 */
function numbers({ xp }, size, name, mean, square) {
  const random = xp.random(1);
  const out = xp.empty([size], { dtype: "float32" });
  const options = { out };
  random[name]([size], options);
  let [sum, squares] = [0, 0];
  for (const value of out.dataSync()) {
    sum += value;
    squares += value * value;
  }
  // Six standard deviations of the mean.
  const tolerance = 6 / Math.sqrt(size);
  if (!(Math.abs(sum / size - mean) < tolerance)) {
    throw new Error(`${name}: expected the mean ${mean}, received ${sum / size}`);
  }
  if (!(Math.abs(squares / size - square) < 1.5 * tolerance)) {
    throw new Error(`${name}: expected the mean square ${square}, received ${squares / size}`);
  }
  return () => random[name]([size], options);
}
