// Products of square float32 matrices, by extent; the larger one is for GPUs. A unit ends with a finish.
import { sides } from "../../job.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const products = ["1024", "4096"].map((size) => ({
  name: "matmul",
  size,
  unit: "us",
  kind: "loop",
  environment: "default",
  ...(size === "4096" ? { onRequest: true } : {}),
  // The C++ peer calls CLBlast.
  sides: sides(`matmul-${size}`, "cpp", "numpy", "cupy"),
  target: [size === "1024" ? { times: 1.3, peer: "cpp" } : { times: 2, peer: "cupy" }],
}));
