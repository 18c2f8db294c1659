/** Limits of work-groups on a device. */
import type { Device, Kernel } from "@cl/core";

import type { LocalLimits } from "./local-sizes.js";

/** Returns the limits of a kernel on a device. */
export function limitsOf(kernel: Kernel, device: Device): LocalLimits {
  const { workGroupSize, compileWorkGroupSize, preferredWorkGroupSizeMultiple } = kernel.workGroup(device);
  const required = compileWorkGroupSize.some((size) => size > 0) ? compileWorkGroupSize : undefined;
  return {
    maxGroup: Math.min(workGroupSize, device.maxWorkGroupSize),
    maxSizes: device.maxWorkItemSizes,
    multiple: Math.max(1, preferredWorkGroupSizeMultiple),
    required,
    nonUniform: required === undefined && allowsNonUniform(device, kernel.program.options(device)),
  };
}

/** Returns the limits of any kernel with these build options, which suffice to check a cached size. */
export function deviceLimits(device: Device, options: string): LocalLimits {
  const { maxWorkGroupSize: maxGroup, maxWorkItemSizes: maxSizes } = device;
  return { maxGroup, maxSizes, multiple: 1, nonUniform: allowsNonUniform(device, options) };
}

/** Whether the last group may be smaller: with OpenCL C 2.0 or later on devices that support it. */
function allowsNonUniform(device: Device, options: string): boolean {
  const major = Number(/^OpenCL (\d+)\./.exec(device.version)?.[1] ?? 1);
  if (major < 2 || (major >= 3 && !device.nonUniformWorkGroupSupport)) return false;
  return /-cl-std=CL(C\+\+|[23])/.test(options) && !options.includes("-cl-uniform-work-group-size");
}
