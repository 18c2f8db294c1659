/** Pipes: packets that kernels hand to each other in order. */
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

/** How to make a pipe. */
export interface PipeOptions {
  /** Bytes of a packet. */
  readonly packetSize: number;
  /** Most packets that it holds. */
  readonly maxPackets: number;
  /** Flags of `MemFlags`, vendors' own included; `READ_WRITE | HOST_NO_ACCESS` if not said, and OpenCL knows no others. */
  readonly flags?: number;
  /** A name of yours, shown in errors and traces. */
  readonly label?: string;
}

/**
 * A queue of packets on the device: one kernel writes them (`write_only pipe int p`), another reads them. The host only
 * makes it. Needs a device with `pipeSupport`.
 */
export class Pipe extends MemoryObject {
  /** Only for the type checker; there is no such property. */
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

  /** The pipe at an address, made elsewhere in this process. */
  static override fromPointer(context: Context, pointer: bigint, options?: AdoptOptions): Pipe {
    return checkInstance(MemoryObject.fromPointer(context, pointer, options), Pipe, "pointer");
  }

  /** Bytes of a packet. */
  get packetSize(): number {
    return this.#query("packetSize");
  }

  /** Most packets that it holds. */
  get maxPackets(): number {
    return this.#query("maxPackets");
  }

  /** The property list that it was made with; OpenCL defines none for pipes. */
  override get properties(): readonly bigint[] {
    return this.#query("properties");
  }

  /** The raw answer of any query about pipes; `getInfo` asks those about memory objects. */
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
    throw new NotSupportedError("clCreatePipe", `device '${without.name}' has no pipes (its pipeSupport is false)`);
  }
  for (const device of devices) {
    const most = device.pipeMaxPacketSize;
    if (packetSize <= most) continue;
    throw outOfRange(
      `options.packetSize is ${packetSize}, but packets on device '${device.name}' have at most ${most} bytes`,
    );
  }
}

/** OpenCL 2.x devices all have pipes, and only 3.0 asks. */
function hasPipes(device: Device): boolean {
  try {
    return device.pipeSupport;
  } catch (error) {
    if (error instanceof OpenCLError) return device.version.startsWith("OpenCL 2.");
    throw error;
  }
}
