// Overhead per operation.
import { sides } from "../../job.mjs";

/** @typedef {import("../../job.mjs").Job} Job */

/** @type {Pick<Job, "size" | "unit" | "kind" | "environment">} */
const shared = { size: "64", unit: "us", kind: "loop", environment: "basic" };

/** @type {readonly Job[]} */
export const dispatches = [
  // New arrays from a pool, in batches of 500 that end with a finish. C++ uses preallocated memory.
  {
    ...shared,
    name: "dispatch-add",
    multiple: 500,
    sides: sides("dispatch-add", "cpp", "pyopencl", "numpy", "cupy"),
    target: { times: 1 / 8, peer: "pyopencl" },
  },
  {
    ...shared,
    name: "dispatch-fused",
    multiple: 500,
    sides: sides("dispatch-fused", "cpp", "pyopencl", "numpy", "cupy"),
    target: { times: 1 / 20, peer: "pyopencl" },
  },
  // A launch of one's own kernel with two arrays and two scalars, without the driver; `buffers` is the same with buffers.
  {
    ...shared,
    name: "array-argument-null",
    unit: "ns",
    multiple: 500,
    environment: "null",
    sides: { ...sides("array-argument"), buffers: { peer: "ours", job: "buffer-argument" } },
    target: { ours: 130 },
  },
  // 100 additions to 5 elements, then a read.
  {
    ...shared,
    name: "chain-5",
    size: "5",
    sides: sides("chain-5", "numpy", "cupy"),
    target: { times: 2, peer: "numpy" },
  },
  // a[10:20], a view without computation.
  { ...shared, name: "views", unit: "ns", multiple: 1000, sides: sides("views", "pyopencl", "numpy", "cupy") },
  // One a + b, then a wait.
  {
    ...shared,
    name: "small-add",
    size: "1000",
    environment: "default",
    sides: sides("small-add", "cpp", "pyopencl", "numpy", "cupy"),
    target: { times: 1 / 2, peer: "pyopencl" },
  },
];
