/** Explanations of launch errors: the driver's status alone does not tell which size is wrong. */
import type { Device } from "../platform/device.js";
import { errorPosition, OpenCLError } from "../binding/errors.js";
import { kernelWorkGroupQueries } from "../info/kernel-info.js";
import { ask } from "../info/query.js";
import type { KernelParameters } from "./kernel-parameters.js";
import { type Handle, native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import { scratchFloat64, scratchInt32 } from "../binding/scratch.js";

/** The sizes of a launch after resolving names and functions. */
export interface LaunchShape {
  readonly global: readonly number[];
  readonly local: readonly number[] | undefined;
  readonly offset: readonly number[] | undefined;
}

/** Returns the sizes in the scratch block. */
export function scratchShape(): LaunchShape {
  const dimensions = scratchInt32[0] as number;
  const sizeFlags = scratchInt32[1] as number;
  const from = (at: number): number[] => [...scratchFloat64.subarray(at, at + dimensions)];
  return {
    global: from(1),
    local: (sizeFlags & 1) === 0 ? undefined : from(4),
    offset: (sizeFlags & 2) === 0 ? undefined : from(7),
  };
}

/** Adds what is wrong with the sizes to a driver's error; leaves other errors unchanged. */
export function explainLaunch(error: unknown, shape: LaunchShape, kernel: Handle, device: Device): unknown {
  if (!(error instanceof OpenCLError) || error.routine !== "clEnqueueNDRangeKernel") return error;
  try {
    const reasons = reasonsOf(error.code, shape, kernel, device);
    if (reasons !== undefined) error.message += `: ${reasons.length > 0 ? reasons.join("; ") : describeShape(shape)}`;
  } catch {
    // The queries failed: keep the status only.
  }
  return error;
}

/** Adds the argument's name to an error for which the native side only knows its position. */
export function withArgumentName(error: unknown, parameters: KernelParameters): unknown {
  const position = errorPosition(error);
  if (error instanceof Error && position >= 0 && position < parameters.count) {
    error.message = `${parameters.nameOf(position)}: ${error.message}`;
  }
  return error;
}

/** Returns `undefined` if the sizes are not the cause; an empty list if they are, for an unknown reason. */
function reasonsOf(code: string, shape: LaunchShape, kernel: Handle, device: Device): readonly string[] | undefined {
  switch (code) {
    case "CL_INVALID_WORK_GROUP_SIZE":
      return [...requiredSize(shape, kernel, device), ...indivisible(shape), ...groupTooLarge(shape, kernel, device)];
    case "CL_INVALID_WORK_ITEM_SIZE":
      return [...dimensionTooLarge(shape, device), ...groupTooLarge(shape, kernel, device)];
    case "CL_INVALID_WORK_DIMENSION":
      return [`${shape.global.length} dimensions, but '${device.name}' supports ${device.maxWorkItemDimensions}`];
    case "CL_INVALID_GLOBAL_WORK_SIZE":
    case "CL_INVALID_GLOBAL_OFFSET":
      return idsTooLarge(shape, device);
    case "CL_OUT_OF_RESOURCES":
      return localMemoryTooLarge(kernel, device);
    default:
      return undefined;
  }
}

const axes = ["x", "y", "z"];
const list = (sizes: readonly number[]): string => `[${sizes.join(", ")}]`;
const product = (sizes: readonly number[]): number => sizes.reduce((a, b) => a * b, 1);

function describeShape({ global, local, offset }: LaunchShape): string {
  return `sizes.global is ${list(global)}${local === undefined ? "" : `, sizes.local ${list(local)}`}${offset === undefined ? "" : `, sizes.offset ${list(offset)}`}`;
}

function reader(kernel: Handle, device: Device): (param: number) => Uint8Array {
  return (param) => native.getWorkGroupInfo(kernel, handleOf(device), param);
}

function requiredSize({ local, global }: LaunchShape, kernel: Handle, device: Device): string[] {
  const required = ask(kernelWorkGroupQueries, "compileWorkGroupSize", reader(kernel, device));
  if (!required.some((size) => size > 0)) return [];
  if (local === undefined) {
    return [`the kernel requires sizes.local to be ${list(required)} (reqd_work_group_size), received none`];
  }
  const padded = required.map((_, i) => local[i] ?? 1);
  if (padded.every((size, i) => size === required[i])) return [];
  return [
    `the kernel requires sizes.local to be ${list(required.slice(0, global.length))} (reqd_work_group_size), received ${list(local)}`,
  ];
}

function indivisible({ global, local }: LaunchShape): string[] {
  return (local ?? []).flatMap((size, i) => {
    const items = global[i] as number;
    if (items % size === 0) return [];
    const multiple = Math.ceil(items / size) * size;
    return [
      `sizes.local (${size} in ${axes[i] as string}) does not divide sizes.global (${items}); round it up to ${multiple} and skip the extra work-items in the kernel`,
    ];
  });
}

function groupTooLarge({ local }: LaunchShape, kernel: Handle, device: Device): string[] {
  if (local === undefined) return [];
  const items = product(local);
  const kernelLimit = ask(kernelWorkGroupQueries, "workGroupSize", reader(kernel, device));
  const deviceLimit = device.maxWorkGroupSize;
  const group = `sizes.local ${list(local)} makes groups of ${items} work-items`;
  if (items > deviceLimit) return [`${group}, more than the ${deviceLimit} of '${device.name}'`];
  if (items > kernelLimit) {
    return [`${group}, more than the ${kernelLimit} that this kernel supports on '${device.name}'`];
  }
  return [];
}

function dimensionTooLarge({ local }: LaunchShape, device: Device): string[] {
  const limits = device.maxWorkItemSizes;
  return (local ?? []).flatMap((size, i) =>
    size <= (limits[i] ?? Infinity)
      ? []
      : [`sizes.local is ${size} in ${axes[i] as string}, more than the ${limits[i] as number} of '${device.name}'`],
  );
}

function idsTooLarge({ global, offset }: LaunchShape, device: Device): string[] {
  const limit = 2 ** device.addressBits - 1;
  return global.flatMap((size, i) => {
    const end = size + (offset?.[i] ?? 0);
    return end <= limit
      ? []
      : [`ids up to ${end} in ${axes[i] as string} exceed the ${device.addressBits} address bits of '${device.name}'`];
  });
}

function localMemoryTooLarge(kernel: Handle, device: Device): string[] | undefined {
  const bytes = ask(kernelWorkGroupQueries, "localMemSize", reader(kernel, device));
  if (bytes <= device.localMemSize) return undefined;
  return [
    `the kernel needs ${bytes} bytes of local memory per work-group, more than the ${device.localMemSize} of '${device.name}'`,
  ];
}
