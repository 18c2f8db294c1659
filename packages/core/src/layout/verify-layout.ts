/** Comparison of struct layouts with those of device compilers. */
import type { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";
import { OpenCLError } from "../binding/errors.js";
import type { CompilerOptions } from "../program/build-options.js";
import type { CommandQueue } from "../command-queue/command-queue.js";
import { type DeviceLayouts, queryLayouts } from "./query-layout.js";
import { reportedNumbers, expectedNumbers, withReportedLayout } from "./reported-layout.js";
import type { StructType } from "../dtype/struct-type.js";

/** Options for `verifyLayout` and `matchLayout`. */
export interface VerifyLayoutOptions {
  /** Compiler options of the programs that will use the struct; they can affect its layout. */
  readonly options?: CompilerOptions;
  /** Cancels the wait. */
  readonly signal?: AbortSignal;
}

/** Error thrown when a device compiler's struct layout differs from the host's. */
export class StructLayoutError extends OpenCLError {
  /** The struct, or the first nested struct that differs. */
  readonly struct: StructType;
  /** The device. */
  readonly device: Device;

  /** @internal */
  constructor(struct: StructType, device: Device, reported: readonly number[], how = "differently") {
    super(
      "ERR_CL_STRUCT_LAYOUT",
      0,
      "clBuildProgram",
      `'${device.name}' lays out struct ${struct.name} ${how}: ${describeLayout(struct, reported)} on the device, ` +
        `${describeLayout(struct, expectedNumbers(struct))} on the host`,
    );
    this.struct = struct;
    this.device = device;
  }
}

/**
 * Checks with a small kernel that a device compiler uses the same size, alignment and field offsets for a struct and
 * its nested structs. Throws a {@link StructLayoutError} that shows both layouts if they differ. Results are cached per
 * device.
 *
 * @param target - A device, a queue (its device is checked) or a context (all of its devices are checked).
 *
 * @example
 * ```ts
 * await verifyLayout(queue, structType("particle", { position: "float3", mass: "float32" }));
 * ```
 */
export async function verifyLayout(
  target: Device | Context | CommandQueue,
  struct: StructType,
  options?: VerifyLayoutOptions,
): Promise<void> {
  for (const [device, layouts] of await queryLayouts(target, struct, options)) {
    const different = struct.structs.find(
      (inner) => reportedNumbers(inner, layouts).join() !== expectedNumbers(inner).join(),
    );
    if (different !== undefined) throw new StructLayoutError(different, device, reportedNumbers(different, layouts));
  }
}

/**
 * Returns the struct with the size, alignment and field offsets that the device compiler uses: the struct itself if
 * they are the same, as on nearly all devices. Throws a {@link StructLayoutError} if the device reports an impossible
 * layout, or if the devices of a context differ. Results are cached per device.
 *
 * @param target - A device, a queue (its device is used) or a context (all of its devices are used).
 *
 * @example
 * ```ts
 * const deviceStruct = await matchLayout(context, structType("particle", { position: "float3", mass: "float32" }));
 * console.log(deviceStruct.itemSize); // 32
 * ```
 */
export async function matchLayout(
  target: Device | Context | CommandQueue,
  struct: StructType,
  options?: VerifyLayoutOptions,
): Promise<StructType> {
  const [[first, layouts], ...others] = (await queryLayouts(target, struct, options)) as [
    DeviceLayouts,
    ...DeviceLayouts[],
  ];
  const matched = withReportedLayout(struct, layouts, (inner, reported) => {
    throw new StructLayoutError(inner, first, reported, "in an impossible way");
  });
  for (const [device, reported] of others) {
    const different = matched.structs.find(
      (inner) => reportedNumbers(inner, reported).join() !== expectedNumbers(inner).join(),
    );
    if (different !== undefined) throw new StructLayoutError(different, device, reportedNumbers(different, reported));
  }
  return matched;
}

function describeLayout({ fields }: StructType, [bytes, alignment, ...offsets]: readonly number[]): string {
  const places = [...fields.keys()].map((name, i) => `${name} at ${offsets[i]}`).join(", ");
  return `${bytes} bytes, alignment ${alignment}, ${places}`;
}
