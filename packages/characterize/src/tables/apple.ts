/**
 * Apple silicon GPUs. Source: Metal Feature Set Tables and the Metal Shading Language Specification: a SIMD-group has
 * 32 threads. The banks of threadgroup memory are not documented.
 */
import type { DeviceFacts } from "../device/facts.js";
import type { Hardware } from "./row.js";

export function appleRow(facts: DeviceFacts): Hardware | undefined {
  return /\bApple [AM]\d+\b/i.test(facts.name) ? silicon : undefined;
}

const silicon: Hardware = { family: "Apple silicon", simdGroupSize: 32 };
