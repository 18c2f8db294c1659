/** Native kernels: C functions that the device's threads call as commands of a queue. */
import { byteLengthOf, checkInteger, checkOptions, checkPointer, outOfRange, rangeError, typeError } from "@cl/base";

import { NotSupportedError } from "../binding/errors.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles } from "../event/event.js";
import type { DeviceBuffer } from "../memory/buffer.js";
import { checkBuffer } from "../memory/element-range.js";
import { hostBytes, type HostMemory } from "../dtype/host-array.js";
import { native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import type { QueueBase } from "../queue/queue-base.js";

/** A buffer whose address is passed to a native kernel. */
export interface NativeKernelMemory {
  /** The buffer. */
  readonly buffer: DeviceBuffer;
  /** Offset in the argument block at which the address of the buffer is stored; a multiple of 8 bytes. */
  readonly offset: number;
}

/** Options of a native kernel. */
export interface NativeKernelOptions {
  /** The argument block that the function receives a pointer to. It is copied immediately. */
  readonly arguments?: HostMemory;
  /** Buffers whose addresses are stored in the argument block. */
  readonly memories?: readonly NativeKernelMemory[];
  /** Events that the call waits for. */
  readonly waitFor?: WaitFor;
}

const routine = "clEnqueueNativeKernel";
const addressBytes = 8;

/** Enqueues a call of a C function; see `CommandQueue.enqueueNativeKernel`. */
export function enqueueNativeKernel(
  queue: QueueBase,
  functionPointer: bigint,
  options?: NativeKernelOptions,
): CommandEvent {
  const handle = handleOf(queue);
  checkPointer(functionPointer, "functionPointer");
  if (functionPointer === 0n) throw rangeError("functionPointer", "the address of a C function", functionPointer);
  const checked = checkOptions(options, ["arguments", "memories", "waitFor"]);
  const block = checked.arguments === undefined ? undefined : hostBytes(checked.arguments, "options.arguments", true);
  const [memories, offsets] = memoryList(checked.memories ?? [], block === undefined ? 0 : byteLengthOf(block));
  const waits = waitHandles(checked.waitFor);
  if (!queue.device.hasNativeKernel) {
    throw new NotSupportedError(
      routine,
      `device '${queue.device.name}' does not support native kernels; enqueueHostFunction runs JavaScript functions on any device`,
    );
  }
  return eventOf(native.enqueueNativeKernel(handle, functionPointer, block, memories, offsets, waits), queue);
}

function memoryList(list: unknown, bytes: number): readonly [Int32Array, Int32Array] {
  if (!Array.isArray(list)) throw typeError("options.memories", "an array of { buffer, offset }", list);
  const entries = [...(list as readonly unknown[])].map((entry, i) => memoryOf(entry, `options.memories[${i}]`, bytes));
  const offsets = Int32Array.from(entries, ([, offset]) => offset);
  const duplicate = entries.findIndex(([, offset], i) => offsets.indexOf(offset) !== i);
  if (duplicate >= 0) {
    throw outOfRange(`options.memories[${duplicate}].offset must be unique, received ${offsets[duplicate]} twice`);
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
      `${name}.offset must leave ${addressBytes} bytes for an address in options.arguments of ${bytes} bytes, received ${place}`,
    );
  }
  return [memory, place];
}
