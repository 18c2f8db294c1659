// Products of square matrices of float32, by their extent; the larger ones are for GPUs. A unit ends with a finish.
import { sides } from "../../job.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const products = ["1024", "4096"].map((size) => ({
  name: "matmul",
  size,
  unit: "us",
  kind: "loop",
  environment: "default",
  ...(size === "4096" ? { onRequest: true } : {}),
  // C++ is a program that calls CLBlast.
  sides: sides(`matmul-${size}`, "cpp", "numpy", "cupy"),
  target: [size === "1024" ? { times: 1.3, peer: "cpp" } : { times: 2, peer: "cupy" }],
}));
