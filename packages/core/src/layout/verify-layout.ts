/** Whether a device's compiler lays out a struct as we do. */
import type { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";
import { OpenCLError } from "../binding/errors.js";
import type { CompilerOptions } from "../program/build-options.js";
import type { CommandQueue } from "../command-queue/command-queue.js";
import { askDevices, type DeviceAnswers } from "./ask-layout.js";
import { answersOf, expectedAnswers, relaid } from "./layout-answers.js";
import type { StructType } from "../dtype/struct-type.js";

/** How to verify a layout. */
export interface VerifyLayoutOptions {
  /** Options of the programs that will use the struct, since they may change what its text means. */
  readonly options?: CompilerOptions;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/** A struct that a device's compiler lays out in another way than we do. */
export class StructLayoutError extends OpenCLError {
  /** The struct; one inside the verified one, if that is where they differ first. */
  readonly struct: StructType;
  /** The device. */
  readonly device: Device;

  /** @internal */
  constructor(struct: StructType, device: Device, answers: readonly number[], how = "in another way") {
    super(
      "ERR_CL_STRUCT_LAYOUT",
      0,
      "clBuildProgram",
      `'${device.name}' lays out struct ${struct.name} ${how}: ${describeAnswers(struct, answers)} there, ` +
        `${describeAnswers(struct, expectedAnswers(struct))} here`,
    );
    this.struct = struct;
    this.device = device;
  }
}

/**
 * Asks a device's compiler for the size, the alignment and the offsets of a struct and those inside it, with a small
 * kernel; throws a {@link StructLayoutError} that shows both layouts where they differ. A device is asked once.
 *
 * @param target - a device, a queue (its device is asked), or a context (all of its devices are)
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
  for (const [device, answers] of await askDevices(target, struct, options)) {
    const different = struct.structs.find((one) => answersOf(one, answers).join() !== expectedAnswers(one).join());
    if (different !== undefined) throw new StructLayoutError(different, device, answersOf(different, answers));
  }
}

/**
 * The struct as a device's compiler lays it out: with its size, its alignment and its offsets, which {@link verifyLayout}
 * only compares. That is the struct itself where the device agrees, as nearly all do. Answers that no layout can have, and
 * devices of one context that disagree, throw a {@link StructLayoutError}. A device is asked once.
 *
 * @param target - a device, a queue (its device is asked), or a context (all of its devices are)
 *
 * @example
 * ```ts
 * const there = await matchLayout(context, structType("particle", { position: "float3", mass: "float32" }));
 * console.log(there.itemSize); // 32
 * ```
 */
export async function matchLayout(
  target: Device | Context | CommandQueue,
  struct: StructType,
  options?: VerifyLayoutOptions,
): Promise<StructType> {
  const [[first, answers], ...others] = (await askDevices(target, struct, options)) as [
    DeviceAnswers,
    ...DeviceAnswers[],
  ];
  const matched = relaid(struct, answers, (one, own) => {
    throw new StructLayoutError(one, first, own, "in a way that cannot be");
  });
  for (const [device, own] of others) {
    const different = matched.structs.find((one) => answersOf(one, own).join() !== expectedAnswers(one).join());
    if (different !== undefined) throw new StructLayoutError(different, device, answersOf(different, own));
  }
  return matched;
}

function describeAnswers({ fields }: StructType, [bytes, alignment, ...offsets]: readonly number[]): string {
  const places = [...fields.keys()].map((name, i) => `${name} at ${offsets[i]}`).join(", ");
  return `${bytes} bytes, alignment ${alignment}, ${places}`;
}
