/** The preferred multiple of work-group sizes. */
import type { Device, Program } from "@cl/core";
import { type DeviceFacts, factsOf } from "../device/facts.js";
import { askKernel, askKernelSync, checkKernelQuestion, type KernelQuestionOptions } from "./small-kernel.js";

/**
 * Returns the number of which work-group sizes should be multiples: the SIMD group size or the driver's preference.
 * Before OpenCL 3.0, most drivers report it only for kernels, so a small kernel is built.
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
  const checked = checkKernelQuestion(device, options);
  return (
    workGroupSizeMultipleOf(factsOf(device)) ??
    askKernel(device, source, checked, (program) => ofKernel(program, device))
  );
}

/** Returns the multiple and blocks while a kernel is built. See {@link reasonableWorkGroupSizeMultiple}. */
export function reasonableWorkGroupSizeMultipleSync(
  device: Device,
  options?: Omit<KernelQuestionOptions, "signal">,
): number {
  const checked = checkKernelQuestion(device, options);
  return (
    workGroupSizeMultipleOf(factsOf(device)) ??
    askKernelSync(device, source, checked, (program) => ofKernel(program, device))
  );
}

/** Returns the multiple if it is known without a kernel. */
export function workGroupSizeMultipleOf(facts: DeviceFacts): number | undefined {
  return facts.warpSizeNv ?? facts.preferredWorkGroupSizeMultiple ?? facts.wavefrontWidthAmd;
}

function ofKernel(program: Program, device: Device): number {
  return program.kernel("store").workGroup(device).preferredWorkGroupSizeMultiple;
}

/** A minimal kernel, since the driver's preference can depend on register use. */
const source = `
__kernel void store(__global float *to)
{
  to[get_global_id(0)] = 0;
}
`;
