/** Detects old drivers that count the fields of a struct argument as arguments. */
import type { Device, Program } from "@cl/core";
import { type DeviceFacts, factsOf } from "../device/facts.js";
import { isCpu } from "../device/vendor.js";
import { poclVersionOf } from "./pocl-version.js";
import { askKernel, askKernelSync, checkKernelQuestion, type KernelQuestionOptions } from "./small-kernel.js";

/** The driver that has the bug, or false. */
export type StructArgumentBug = "apple" | "pocl" | false;

/**
 * Detects whether the driver counts the fields of a struct that is passed by value as separate arguments. Apple's CPU
 * driver and PoCL up to 0.14 do; PoCL 0.14 is tested with a small kernel.
 */
export async function hasStructArgumentCountBug(
  device: Device,
  options?: KernelQuestionOptions,
): Promise<StructArgumentBug> {
  const checked = checkKernelQuestion(device, options);
  const facts = factsOf(device);
  const known = structArgumentBugOf(facts) ?? results.get(facts);
  return known ?? storeResult(facts, await askKernel(device, structArgumentSource, checked, countArguments));
}

/** Detects the bug and blocks while a kernel is built. See {@link hasStructArgumentCountBug}. */
export function hasStructArgumentCountBugSync(
  device: Device,
  options?: Omit<KernelQuestionOptions, "signal">,
): StructArgumentBug {
  const checked = checkKernelQuestion(device, options);
  const facts = factsOf(device);
  const known = structArgumentBugOf(facts) ?? results.get(facts);
  return known ?? storeResult(facts, askKernelSync(device, structArgumentSource, checked, countArguments));
}

/** Decides by platform; returns `undefined` if a kernel is needed. */
export function structArgumentBugOf(facts: Pick<DeviceFacts, "platform" | "type">): StructArgumentBug | undefined {
  if (facts.platform.name === "Apple") return isCpu(facts) ? "apple" : false;
  const version = poclVersionOf(facts.platform);
  if (version === undefined) return false;
  const [major, minor] = version;
  if (major > 0 || minor > 14) return false;
  return minor <= 13 ? "pocl" : undefined;
}

const results = new WeakMap<DeviceFacts, StructArgumentBug>();

function storeResult(facts: DeviceFacts, count: number): StructArgumentBug {
  const bug = count === 2 ? "pocl" : false;
  results.set(facts, bug);
  return bug;
}

function countArguments(program: Program): number {
  return program.kernel("one_argument").numArgs;
}

const structArgumentSource = `
struct two_longs {
  long first;
  long second;
};

__kernel void one_argument(struct two_longs argument)
{
}
`;
