// Blocking transfers of 64 MiB, and how long an awaited one blocks the event loop.
import { sides } from "../../job.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const transfers = [
  {
    name: "write-64MiB",
    size: "64 MiB",
    unit: "ms",
    kind: "loop",
    environment: "default",
    sides: sides("write-64MiB", "cpp", "pyopencl"),
    target: { times: 1.05, peer: "cpp" },
  },
  {
    name: "read-64MiB",
    size: "64 MiB",
    unit: "ms",
    kind: "loop",
    environment: "default",
    sides: sides("read-64MiB", "cpp", "pyopencl"),
    target: { times: 1.05, peer: "cpp" },
  },
  {
    // Pinned host memory, which matters for devices with separate memory.
    name: "write-64MiB-pinned",
    size: "64 MiB",
    unit: "ms",
    kind: "loop",
    environment: "default",
    sides: sides("write-64MiB-pinned", "cpp"),
    target: { times: 1.05, peer: "cpp" },
  },
  {
    name: "read-64MiB-pinned",
    size: "64 MiB",
    unit: "ms",
    kind: "loop",
    environment: "default",
    sides: sides("read-64MiB-pinned", "cpp"),
    target: { times: 1.05, peer: "cpp" },
  },
  {
    // The middle half of each row of a square, through a view; C++ copies a rectangle.
    name: "strided-read",
    size: "32 MiB of 64",
    unit: "ms",
    kind: "loop",
    environment: "default",
    sides: sides("strided-read", "cpp"),
    target: { times: 1.1, peer: "cpp" },
  },
  {
    name: "image-write",
    size: "64 MiB",
    unit: "ms",
    kind: "loop",
    environment: "default",
    sides: sides("image-write", "cpp"),
    target: { times: 1.1, peer: "cpp" },
  },
  {
    name: "image-read",
    size: "64 MiB",
    unit: "ms",
    kind: "loop",
    environment: "default",
    sides: sides("image-read", "cpp"),
    target: { times: 1.1, peer: "cpp" },
  },
  {
    // A buffer in memory shared by host and device: a copy without a command.
    name: "coherent-read-4KiB",
    size: "4 KiB",
    unit: "ns",
    kind: "loop",
    environment: "default",
    sides: sides("coherent-read-4KiB"),
    target: { ours: 300 },
  },
  {
    name: "coherent-write-4KiB",
    size: "4 KiB",
    unit: "ns",
    kind: "loop",
    environment: "default",
    sides: sides("coherent-write-4KiB"),
    target: { ours: 300 },
  },
  {
    // The contents of such a buffer without a copy.
    name: "coherent-view-64MiB",
    size: "64 MiB",
    unit: "us",
    kind: "loop",
    environment: "default",
    sides: sides("coherent-view-64MiB"),
    target: { ours: 2 },
  },
  {
    // Longest time between two turns of the event loop during `await queue.read(...)`.
    name: "read-64MiB-stall",
    size: "64 MiB",
    unit: "ms",
    kind: "loop",
    environment: "default",
    count: { full: 1, quick: 1 },
    sides: sides("read-64MiB-stall"),
    target: { ours: 2 },
  },
];
