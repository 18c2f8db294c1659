// Products of square float32 matrices, by extent; the larger ones are for GPUs. A unit ends with a finish.
import { sides } from "../../job.mjs";

/** @type {Readonly<Record<string, number>>} the part of the speed of cuBLAS that ours should reach */
const cuBlasShare = { 1024: 0.8, 2048: 0.9, 4096: 0.95, 8192: 0.95 };

/** @type {readonly import("../../job.mjs").Job[]} */
export const products = ["1024", "2048", "4096", "8192"].map((size) => ({
  name: "matmul",
  size,
  unit: "us",
  kind: "loop",
  environment: "default",
  ...(size === "1024" ? {} : { onRequest: true }),
  // The C++ peer calls CLBlast.
  sides: sides(`matmul-${size}`, "cpp", "numpy", "cupy"),
  target: [
    { times: 1.3, peer: "cpp" },
    { times: 1 / (cuBlasShare[size] ?? 1), peer: "cupy" },
  ],
}));
