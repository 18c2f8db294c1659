/** Of what work-groups' sizes should be multiples. */
import type { Device, Program } from "@cl/core";
import { type DeviceFacts, factsOf } from "../device/facts.js";
import { askKernel, askKernelSync, checkKernelQuestion, type KernelQuestionOptions } from "./small-kernel.js";

/**
 * The number of which sizes of work-groups should be multiples: what runs in lockstep, or what the driver prefers. Before
 * OpenCL 3.0 most drivers only tell it of a kernel; a small one is built then.
 *
 * @example
 * ```ts
 * console.log(await reasonableWorkGroupSizeMultiple(context.devices[0]!)); // such as 32
 * ```
 */
export async function reasonableWorkGroupSizeMultiple(
  device: Device,
  options?: KernelQuestionOptions,
): Promise<number> {
  const how = checkKernelQuestion(device, options);
  return (
    workGroupSizeMultipleOf(factsOf(device)) ?? askKernel(device, source, how, (program) => ofKernel(program, device))
  );
}

/** As {@link reasonableWorkGroupSizeMultiple}, and blocks while a kernel is built. */
export function reasonableWorkGroupSizeMultipleSync(
  device: Device,
  options?: Omit<KernelQuestionOptions, "signal">,
): number {
  const how = checkKernelQuestion(device, options);
  return (
    workGroupSizeMultipleOf(factsOf(device)) ??
    askKernelSync(device, source, how, (program) => ofKernel(program, device))
  );
}

/** What can be told without a kernel. */
export function workGroupSizeMultipleOf(facts: DeviceFacts): number | undefined {
  return facts.warpSizeNv ?? facts.preferredWorkGroupSizeMultiple ?? facts.wavefrontWidthAmd;
}

function ofKernel(program: Program, device: Device): number {
  return program.kernel("store").workGroup(device).preferredWorkGroupSizeMultiple;
}

/** A kernel that does next to nothing: what drivers prefer can depend on registers, which this one leaves free. */
const source = `
__kernel void store(__global float *to)
{
  to[get_global_id(0)] = 0;
}
`;
