// Products of square float32 matrices, by extent; the larger ones are for GPUs. A unit ends with a finish.
import { sides } from "../../job.mjs";

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
    size === "1024" ? { times: 1.3, peer: "cpp" } : { times: size === "2048" ? 1 / 0.9 : 1 / 0.95, peer: "cupy" },
  ],
}));
