/** Pipes: FIFO queues that pass packets from one kernel to another. */
import { checkFlags, checkInstance, checkInteger, checkOptions, checkString, outOfRange } from "@cl/base";

import type { AdoptOptions } from "../binding/adopt.js";
import { native } from "../binding/native.js";
import { Adopted, handleOf } from "../binding/resource.js";
import { MemFlags, MemObjectType } from "../binding/constants.js";
import { NotSupportedError, OpenCLError } from "../binding/errors.js";
import { type PipeInfoProperties, pipeQueries } from "../info/memory-info.js";
import { ask } from "../info/query.js";
import { adopters, MemoryObject } from "../memory/memory-object.js";
import { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";

/** Options for creating a pipe. */
export interface PipeOptions {
  /** Size of a packet, in bytes. */
  readonly packetSize: number;
  /** Capacity, in packets. */
  readonly maxPackets: number;
  /**
   * `MemFlags`, including vendor-specific ones. OpenCL defines no others than the default for pipes.
   * @defaultValue `READ_WRITE | HOST_NO_ACCESS`
   */
  readonly flags?: number;
  /** Label shown in errors and traces. */
  readonly label?: string;
}

/**
 * A FIFO queue of packets on the device: one kernel writes them (`write_only pipe int p`), another reads them. The host
 * cannot access them. Requires devices with `pipeSupport`.
 */
export class Pipe extends MemoryObject {
  /** Type-level only; does not exist at run time. */
  declare readonly "~argument": "pipe";

  constructor(context: Context, options: PipeOptions);
  /** @internal */
  constructor(context: Context, adopted: Adopted);
  constructor(context: Context, options: PipeOptions | Adopted) {
    checkInstance(context, Context, "context");
    if (options instanceof Adopted) {
      const { packetSize, maxPackets } = capacityOf(options.handle);
      super(options.handle, context, packetSize * maxPackets, options.label);
      return;
    }
    const { packetSize, maxPackets, flags, label } = checkOptions(options, [
      "packetSize",
      "maxPackets",
      "flags",
      "label",
    ]);
    checkInteger(packetSize, "options.packetSize", 1, 0xffffffff);
    checkInteger(maxPackets, "options.maxPackets", 1, 0xffffffff);
    const bits =
      flags === undefined ? MemFlags.READ_WRITE + MemFlags.HOST_NO_ACCESS : checkFlags(flags, "options.flags");
    const name = label === undefined ? undefined : checkString(label, "options.label");
    const owner = handleOf(context);
    checkDevices(context.devices, packetSize);
    super(native.createPipe(owner, bits, packetSize, maxPackets), context, packetSize * maxPackets, name);
  }

  /** Returns a pipe for an existing `cl_mem`. */
  static override fromPointer(context: Context, pointer: bigint, options?: AdoptOptions): Pipe {
    return checkInstance(MemoryObject.fromPointer(context, pointer, options), Pipe, "pointer");
  }

  /** Size of a packet, in bytes. */
  get packetSize(): number {
    return this.#query("packetSize");
  }

  /** Capacity, in packets. */
  get maxPackets(): number {
    return this.#query("maxPackets");
  }

  /** The property list that the pipe was created with; OpenCL defines no properties for pipes. */
  override get properties(): readonly bigint[] {
    return this.#query("properties");
  }

  /** Returns the raw answer to any pipe query; `getInfo` answers memory object queries. */
  getPipeInfo(param: number): Uint8Array {
    return native.getPipeInfo(handleOf(this), checkInteger(param, "param", 0, 0xffffffff));
  }

  #query<K extends keyof PipeInfoProperties>(name: K): PipeInfoProperties[K] {
    return ask(pipeQueries, name, (param) => this.getPipeInfo(param));
  }

  protected override summary(): string {
    return `${this.maxPackets} packets of ${this.packetSize} bytes`;
  }
}

adopters.set(MemObjectType.PIPE, (context, adopted) => new Pipe(context, adopted));

function capacityOf(handle: number): { readonly packetSize: number; readonly maxPackets: number } {
  const read = (param: number): Uint8Array => native.getPipeInfo(handle, param);
  return { packetSize: ask(pipeQueries, "packetSize", read), maxPackets: ask(pipeQueries, "maxPackets", read) };
}

function checkDevices(devices: readonly Device[], packetSize: number): void {
  const without = devices.find((device) => !hasPipes(device));
  if (without !== undefined) {
    throw new NotSupportedError(
      "clCreatePipe",
      `device '${without.name}' does not support pipes (pipeSupport is false)`,
    );
  }
  for (const device of devices) {
    const limit = device.pipeMaxPacketSize;
    if (packetSize <= limit) continue;
    throw outOfRange(
      `options.packetSize must be at most ${limit} on device '${device.name}' (pipeMaxPacketSize), received ${packetSize}`,
    );
  }
}

/** Returns whether a device supports pipes. All OpenCL 2.x devices do; the query exists since 3.0. */
function hasPipes(device: Device): boolean {
  try {
    return device.pipeSupport;
  } catch (error) {
    if (error instanceof OpenCLError) return device.version.startsWith("OpenCL 2.");
    throw error;
  }
}
