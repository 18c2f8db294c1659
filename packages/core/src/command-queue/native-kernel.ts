/** Native kernels: C functions that the device's own threads call, as commands of a queue. */
import { byteLengthOf, checkInteger, checkOptions, checkPointer, outOfRange, rangeError, typeError } from "@cl/base";

import { NotSupportedError } from "../binding/errors.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles } from "../event/event.js";
import type { DeviceBuffer } from "../memory/buffer.js";
import { checkBuffer } from "../memory/element-range.js";
import { hostBytes, type HostMemory } from "../dtype/host-array.js";
import { native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import type { QueueBase } from "../queue/queue-base.js";

/** A buffer that a native kernel works on. */
export interface NativeKernelMemory {
  readonly buffer: DeviceBuffer;
  /** Where in the arguments the function finds the address of the buffer's contents; a multiple of 8 bytes. */
  readonly offset: number;
}

/** What a native kernel gets. */
export interface NativeKernelOptions {
  /** The block of memory to which the function gets a pointer; copied at once. */
  readonly arguments?: HostMemory;
  /** Buffers, whose addresses are put into the arguments. */
  readonly memories?: readonly NativeKernelMemory[];
  /** What it waits for. */
  readonly waitFor?: WaitFor;
}

const routine = "clEnqueueNativeKernel";
const addressBytes = 8;

/** Enqueues a call of a C function, `void function(void *arguments)`. */
export function enqueueNativeKernel(
  queue: QueueBase,
  functionPointer: bigint,
  options?: NativeKernelOptions,
): CommandEvent {
  const handle = handleOf(queue);
  checkPointer(functionPointer, "functionPointer");
  if (functionPointer === 0n) throw rangeError("functionPointer", "the address of a C function", functionPointer);
  const given = checkOptions(options, ["arguments", "memories", "waitFor"]);
  const block = given.arguments === undefined ? undefined : hostBytes(given.arguments, "options.arguments", true);
  const [memories, offsets] = memoryList(given.memories ?? [], block === undefined ? 0 : byteLengthOf(block));
  const waits = waitHandles(given.waitFor);
  if (!queue.device.hasNativeKernel) {
    throw new NotSupportedError(
      routine,
      `device '${queue.device.name}' runs no native kernels; enqueueHostFunction runs JavaScript functions on any device`,
    );
  }
  return eventOf(native.enqueueNativeKernel(handle, functionPointer, block, memories, offsets, waits), queue);
}

function memoryList(list: unknown, bytes: number): readonly [Int32Array, Int32Array] {
  if (!Array.isArray(list)) throw typeError("options.memories", "an array of { buffer, offset }", list);
  const entries = [...(list as readonly unknown[])].map((entry, i) => memoryOf(entry, `options.memories[${i}]`, bytes));
  const offsets = Int32Array.from(entries, ([, offset]) => offset);
  const twice = entries.findIndex(([, offset], i) => offsets.indexOf(offset) !== i);
  if (twice >= 0) {
    throw outOfRange(`options.memories[${twice}].offset is that of another memory already: ${offsets[twice]}`);
  }
  return [Int32Array.from(entries, ([buffer]) => buffer), offsets];
}

function memoryOf(entry: unknown, name: string, bytes: number): readonly [number, number] {
  if (typeof entry !== "object" || entry === null) throw typeError(name, "an object { buffer, offset }", entry);
  const { buffer, offset } = entry as Partial<NativeKernelMemory>;
  const memory = handleOf(checkBuffer(buffer as DeviceBuffer, `${name}.buffer`));
  const place = checkInteger(offset, `${name}.offset`, 0, 0x7fffffff);
  if (place % addressBytes !== 0) throw rangeError(`${name}.offset`, `a multiple of ${addressBytes}`, place);
  if (place + addressBytes > bytes) {
    throw outOfRange(
      `${name}.offset is ${place}, where options.arguments of ${bytes} bytes has no room for an address`,
    );
  }
  return [memory, place];
}
