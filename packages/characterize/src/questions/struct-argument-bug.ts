/** Old drivers that count the fields of a struct argument as arguments. */
import type { Device, Program } from "@cl/core";
import { type DeviceFacts, factsOf } from "../device/facts.js";
import { isCpu } from "../device/vendor.js";
import { poclVersionOf } from "./pocl-version.js";
import { askKernel, askKernelSync, checkKernelQuestion, type KernelQuestionOptions } from "./small-kernel.js";

/** Whose bug it is, or false. */
export type StructArgumentBug = "apple" | "pocl" | false;

/**
 * Whether the driver counts the fields of a struct that is passed by value as arguments of their own: Apple's on
 * processors, and PoCL's to 0.14, of which the last is asked by a small kernel.
 */
export async function hasStructArgumentCountBug(
  device: Device,
  options?: KernelQuestionOptions,
): Promise<StructArgumentBug> {
  const how = checkKernelQuestion(device, options);
  const facts = factsOf(device);
  const known = structArgumentBugOf(facts) ?? answers.get(facts);
  return known ?? remember(facts, await askKernel(device, structArgumentSource, how, countArguments));
}

/** As {@link hasStructArgumentCountBug}, and blocks while a kernel is built. */
export function hasStructArgumentCountBugSync(
  device: Device,
  options?: Omit<KernelQuestionOptions, "signal">,
): StructArgumentBug {
  const how = checkKernelQuestion(device, options);
  const facts = factsOf(device);
  const known = structArgumentBugOf(facts) ?? answers.get(facts);
  return known ?? remember(facts, askKernelSync(device, structArgumentSource, how, countArguments));
}

/** The rule; undefined where only a kernel can tell. */
export function structArgumentBugOf(facts: Pick<DeviceFacts, "platform" | "type">): StructArgumentBug | undefined {
  if (facts.platform.name === "Apple") return isCpu(facts) ? "apple" : false;
  const version = poclVersionOf(facts.platform);
  if (version === undefined) return false;
  const [major, minor] = version;
  if (major > 0 || minor > 14) return false;
  return minor <= 13 ? "pocl" : undefined;
}

const answers = new WeakMap<DeviceFacts, StructArgumentBug>();

function remember(facts: DeviceFacts, count: number): StructArgumentBug {
  const answer = count === 2 ? "pocl" : false;
  answers.set(facts, answer);
  return answer;
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
