/**
 * Kernels of multiplications and additions that depend on each other.
 *
 * With one chain, each step waits for the one before: what is measured is how much of the latency the device hides by
 * having many work-items, or wide vectors. Eight chains of a work-item are independent of each other.
 */
import type { ComputeType } from "../characteristics.js";
import { total } from "./global-memory.js";

/** A multiplication and an addition each. */
const steps = 2048;
const chains = 8;

/** A form of the kernel. */
export interface ComputeForm {
  readonly width: number;
  readonly chains: number;
  readonly kernel: string;
  /** Operations of a work-item. */
  readonly operations: number;
}

/** The forms for one type. */
export function computeForms(type: ComputeType): readonly ComputeForm[] {
  const form = (width: number, count: number): ComputeForm => ({
    width,
    chains: count,
    kernel: `${count === 1 ? "chain" : "chains"}_${type}_${width}`,
    operations: 2 * stepsOf(type),
  });
  return [...[1, 2, 4, 8, 16].map((width) => form(width, 1)), ...[1, 4, 8, 16].map((width) => form(width, chains))];
}

/** All forms for one type: `chain_TYPE_N` and `chains_TYPE_N`. */
export function computeSource(type: ComputeType): string {
  return (
    extensionOf(type) +
    computeForms(type)
      .map((form) => kernelOf(type, form))
      .join("\n")
  );
}

/** Integers take half as many: where they have no fused form they are slower. */
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

/** Two values that take turns: neither can be known before the other, so that no compiler can take a shortcut. */
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

/** Several such values that do not depend on each other, multiplied with what only the launch knows. */
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

  /** An integer chain that is multiplied with a constant could be computed in fewer steps; with itself it cannot. */
  function a(x: string): string {
    return type === "int" ? x : "b";
  }
}

function multiplyAdd(type: ComputeType, a: string, b: string, c: string): string {
  return type === "int" ? `${a} * ${b} + ${c}` : `mad(${a}, ${b}, ${c})`;
}

/** Lanes that differ, so that none of them can be left out. */
function ramp(type: ComputeType, vector: string, width: number): string {
  return `(${vector})(${Array.from({ length: width }, (_, i) => `(${type})${i}`).join(", ")})`;
}
