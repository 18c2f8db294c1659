// Random numbers of Philox, into memory that is there.
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
  // Six deviations of a mean, and of one of squares.
  const far = 6 / Math.sqrt(size);
  if (!(Math.abs(sum / size - mean) < far)) throw new Error(`the mean of ${name} is ${sum / size}`);
  if (!(Math.abs(squares / size - square) < 1.5 * far)) throw new Error(`squares of ${name} are ${squares / size}`);
  return () => random[name]([size], options);
}
