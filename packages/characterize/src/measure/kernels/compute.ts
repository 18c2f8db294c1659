/**
 * Kernels that measure multiply-add operations.
 *
 * With one chain, each step depends on the previous one, which shows how much latency the device hides with many
 * work-items or wide vectors. With eight chains, each work-item has eight independent sequences.
 */
import type { ComputeType } from "../characteristics.js";
import { total } from "./global-memory.js";

/** Number of multiply-adds per work-item. */
const steps = 2048;
const chains = 8;

/** A variant of the kernel. */
export interface ComputeForm {
  readonly width: number;
  readonly chains: number;
  readonly kernel: string;
  /** Number of operations per work-item. */
  readonly operations: number;
}

/** Returns the variants for a type. */
export function computeForms(type: ComputeType): readonly ComputeForm[] {
  const form = (width: number, count: number): ComputeForm => ({
    width,
    chains: count,
    kernel: `${count === 1 ? "chain" : "chains"}_${type}_${width}`,
    operations: 2 * stepsOf(type),
  });
  return [...[1, 2, 4, 8, 16].map((width) => form(width, 1)), ...[1, 4, 8, 16].map((width) => form(width, chains))];
}

/** Returns the source of all variants for a type: `chain_TYPE_N` and `chains_TYPE_N`. */
export function computeSource(type: ComputeType): string {
  return (
    extensionOf(type) +
    computeForms(type)
      .map((form) => kernelOf(type, form))
      .join("\n")
  );
}

/** Integers take half as many steps, since they are slower without a fused multiply-add. */
function stepsOf(type: ComputeType): number {
  return type === "int" ? steps / 2 : steps;
}

function extensionOf(type: ComputeType): string {
  if (type === "double") return "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
  return type === "half" ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : "";
}

function kernelOf(type: ComputeType, form: ComputeForm): string {
  const vector = form.width === 1 ? type : `${type}${form.width}`;
  return form.chains === 1 ? dependent(type, vector, form) : independent(type, vector, form);
}

/** Two values that are computed from each other alternately, so that the compiler cannot simplify the chain. */
function dependent(type: ComputeType, vector: string, { kernel, width }: ComputeForm): string {
  const perRound = 16;
  const step = (a: string, b: string): string => `${a} = ${multiplyAdd(type, b, a, b)};`;
  const round = Array.from({ length: perRound }, (_, i) => (i % 2 === 0 ? step("x", "y") : step("y", "x")));
  return `
  __kernel void ${kernel}(__global ${type} *out, float seed) {
    ${vector} x = (${vector})((${type})seed) + ${ramp(type, vector, width)};
    ${vector} y = (${vector})((${type})get_local_id(0));
    for (int i = 0; i < ${stepsOf(type) / width / perRound}; i++) {
      ${round.join("\n      ")}
    }
    out[get_global_id(0)] = ${total("y", width)};
  }`;
}

/** Several independent values, multiplied by a value that is unknown at compile time. */
function independent(type: ComputeType, vector: string, { kernel, width }: ComputeForm): string {
  const names = Array.from({ length: chains }, (_, i) => `x${i}`);
  const perRound = 2;
  const round = Array.from({ length: perRound }, () => names.map((x) => `${x} = ${multiplyAdd(type, x, a(x), "b")};`));
  return `
  __kernel void ${kernel}(__global ${type} *out, float seed) {
    ${vector} b = (${vector})((${type})seed) + ${ramp(type, vector, width)};
    ${names.map((x, i) => `${vector} ${x} = b + (${vector})((${type})(get_local_id(0) + ${i}));`).join("\n    ")}
    for (int i = 0; i < ${Math.max(1, stepsOf(type) / width / chains / perRound)}; i++) {
      ${round.flat().join("\n      ")}
    }
    ${vector} sum = ${names.join(" + ")};
    out[get_global_id(0)] = ${total("sum", width)};
  }`;

  /** Integers are squared, since a compiler could merge multiplications by a constant. */
  function a(x: string): string {
    return type === "int" ? x : "b";
  }
}

function multiplyAdd(type: ComputeType, a: string, b: string, c: string): string {
  return type === "int" ? `${a} * ${b} + ${c}` : `mad(${a}, ${b}, ${c})`;
}

/** Returns a vector with different elements, so that the compiler cannot remove any of them. */
function ramp(type: ComputeType, vector: string, width: number): string {
  return `(${vector})(${Array.from({ length: width }, (_, i) => `(${type})${i}`).join(", ")})`;
}
