/** What a device and a kernel on it allow of work-groups. */
import type { Device, Kernel } from "@cl/core";

import type { LocalLimits } from "./local-sizes.js";

/** The limits of a kernel on a device. */
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

/** What any kernel that was built with these options may do on a device: enough to judge a size that was found before. */
export function deviceLimits(device: Device, options: string): LocalLimits {
  const { maxWorkGroupSize: maxGroup, maxWorkItemSizes: maxSizes } = device;
  return { maxGroup, maxSizes, multiple: 1, nonUniform: allowsNonUniform(device, options) };
}

/** True if the last group may be smaller: for OpenCL C 2.0 and later, on devices that can do it. */
function allowsNonUniform(device: Device, options: string): boolean {
  const major = Number(/^OpenCL (\d+)\./.exec(device.version)?.[1] ?? 1);
  if (major < 2 || (major >= 3 && !device.nonUniformWorkGroupSupport)) return false;
  return /-cl-std=CL(C\+\+|[23])/.test(options) && !options.includes("-cl-uniform-work-group-size");
}
