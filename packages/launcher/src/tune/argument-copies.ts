/**
 * Copies of the memory that a kernel may write, used during tuning to preserve the user's data. Arguments that share memory
 * also share the copy. Before each run, the copies are restored from the user's data, so that all candidates do the same
 * work.
 */
import { typeError } from "@cl/base";
import {
  type CommandEvent,
  type CommandQueue,
  type Context,
  DeviceBuffer,
  ElementArray,
  type ElementType,
  Image,
  type Kernel,
  type KernelArgument,
  kernelArgument,
  MemObjectType,
  MemoryObject,
  memoryRange,
  SvmAllocation,
  SvmPointer,
} from "@cl/core";

import { argumentUse } from "../kernel/argument-use.js";

export interface TuningArguments {
  /** Arguments of the kernel. */
  readonly args: readonly unknown[];
  /** Enqueues copies of the user's data. */
  restore(queue: CommandQueue): void;
  /** Copies that the kernel may write. */
  readonly outputs: readonly Output[];
}

/** A copy that the kernel may write. */
export interface Output {
  /** Position of the argument. */
  readonly argument: number;
  readonly memory: Copy;
  /** Element type of the original, if any. */
  readonly type: ElementType | undefined;
}

/** A copy of memory or of a part of it. */
export type Copy = DeviceBuffer | SvmPointer | Image;

/** The user's memory behind an argument. */
interface ArgumentMemory {
  readonly memory: DeviceBuffer | SvmPointer | Image | HostData;
  readonly value: unknown;
}

/** Host memory that is passed like a buffer. */
class HostData {
  readonly array: ArrayBufferView;

  constructor(array: ArrayBufferView) {
    this.array = array;
  }
}

/** A copy of a byte range of a store. */
interface Piece {
  readonly store: object;
  readonly start: number;
  readonly end: number;
  readonly copy: DeviceBuffer | SvmAllocation | Image;
}

/** Copies for one tuning. */
export class ArgumentCopies {
  readonly #context: Context;
  readonly #pieces: Piece[] = [];
  readonly #derived: { release(): void }[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  /** Replaces the arguments of a kernel by copies. Memory that no argument writes is not copied. */
  replaceArguments(kernel: Kernel, args: readonly unknown[]): TuningArguments {
    const memories = args.map((value, i) => memoryOf(value, i, kernel));
    const written = new Set(
      memories.flatMap((entry, i) =>
        entry !== undefined && argumentUse(kernel, i).written ? [rangeOf(entry).store] : [],
      ),
    );
    const result = [...args];
    const outputs: Output[] = [];
    const copies: (readonly [target: Copy, source: ArgumentMemory["memory"]])[] = [];
    for (const [i, entry] of memories.entries()) {
      if (entry === undefined || !written.has(rangeOf(entry).store)) continue;
      const memory = this.#copyOf(entry, memories);
      result[i] = wrapCopy(entry.value, memory);
      copies.push([memory, entry.memory]);
      if (argumentUse(kernel, i).written) outputs.push({ argument: i, memory, type: typeOf(entry) });
    }
    const restore = (queue: CommandQueue): void => {
      for (const [target, source] of copies) enqueueCopy(queue, target, source).release();
    };
    return { args: result, restore, outputs };
  }

  /** Returns the copy for one argument, which is large enough for all arguments that share its store. */
  #copyOf(entry: ArgumentMemory, all: readonly (ArgumentMemory | undefined)[]): Copy {
    const range = rangeOf(entry);
    const related = all.flatMap((other) => (other === undefined ? [] : [rangeOf(other)])).filter(sameStore(range));
    const start = Math.min(...related.map((other) => other.start));
    const end = Math.max(...related.map((other) => other.end));
    let piece = this.#pieces.find((known) => known.store === range.store && known.start <= start && known.end >= end);
    if (piece === undefined) {
      piece = { store: range.store, start, end, copy: emptyCopy(this.#context, entry.memory, end - start) };
      this.#pieces.push(piece);
    }
    return this.#partOf(piece.copy, range.start - piece.start, range.end - range.start, typeOf(entry));
  }

  /** Returns a part of a copy with the element type of the original, so that the kernel performs the same checks. */
  #partOf(
    copy: DeviceBuffer | SvmAllocation | Image,
    offset: number,
    bytes: number,
    type: ElementType | undefined,
  ): Copy {
    if (copy instanceof Image) return copy;
    if (copy instanceof SvmAllocation) return copy.part(offset, bytes, type);
    const whole = offset === 0 && bytes === copy.size;
    const part = whole ? copy : copy.subBuffer(offset, bytes);
    if (!whole) this.#derived.push(part);
    if (type === undefined) return part;
    const typed = part.as(type);
    this.#derived.push(typed);
    return typed;
  }

  /** Releases all copies. Running commands keep them until they end. */
  release(): void {
    for (const part of this.#derived.splice(0)) part.release();
    for (const { copy } of this.#pieces.splice(0)) copy.release();
  }
}

/** Returns the user's memory behind an argument; `undefined` for other arguments. */
function memoryOf(value: unknown, i: number, kernel: Kernel): ArgumentMemory | undefined {
  if (value instanceof DeviceBuffer || value instanceof SvmPointer || value instanceof Image) {
    return { memory: value, value };
  }
  if (value instanceof MemoryObject) {
    if (value.objectType !== MemObjectType.PIPE) return undefined;
    throw typeError(
      `argument ${i} of kernel "${kernel.name}"`,
      "an argument other than a pipe, which cannot be restored",
      value,
    );
  }
  if (isKernelArgument(value)) {
    const argument = value[kernelArgument]();
    if (!("memory" in argument)) return undefined;
    const { memory, byteOffset = 0 } = argument;
    const whole = memory instanceof SvmAllocation && byteOffset > 0 ? memory.part(byteOffset) : memory;
    const known = whole instanceof DeviceBuffer || whole instanceof SvmPointer || whole instanceof Image;
    return known ? { memory: whole, value } : undefined;
  }
  // Host memory that the kernel's declared type accepts.
  const host = value instanceof ElementArray ? value.array : value;
  if (ArrayBuffer.isView(host) && argumentUse(kernel, i).pointer) return { memory: new HostData(host), value };
  return undefined;
}

function isKernelArgument(value: unknown): value is KernelArgument {
  return typeof value === "object" && value !== null && kernelArgument in value;
}

function rangeOf({ memory }: ArgumentMemory): { readonly store: object; readonly start: number; readonly end: number } {
  if (memory instanceof Image) return { store: memory, start: 0, end: memory.size };
  if (memory instanceof HostData) {
    const { buffer, byteOffset, byteLength } = memory.array;
    return { store: buffer, start: byteOffset, end: byteOffset + byteLength };
  }
  return memoryRange(memory);
}

function typeOf({ memory }: ArgumentMemory): ElementType | undefined {
  if (memory instanceof DeviceBuffer || memory instanceof SvmPointer) return memory.type;
  if (memory instanceof Image || memory.array instanceof DataView) return undefined;
  return memory.array.constructor as unknown as ElementType;
}

function sameStore({ store }: { readonly store: object }): (range: { readonly store: object }) => boolean {
  return (range) => range.store === store;
}

function emptyCopy(
  context: Context,
  original: ArgumentMemory["memory"],
  bytes: number,
): DeviceBuffer | SvmAllocation | Image {
  const label = "a copy for tuning";
  if (original instanceof Image) {
    const array =
      original.objectType === MemObjectType.IMAGE1D_ARRAY || original.objectType === MemObjectType.IMAGE2D_ARRAY;
    return new Image(context, { format: original.format, shape: original.shape as [number], array, label });
  }
  if (original instanceof SvmPointer) {
    return new SvmAllocation(context, bytes, { kind: original.kind === "coarse" ? "coarse" : "fine-buffer", label });
  }
  return new DeviceBuffer(context, { size: bytes, label });
}

function enqueueCopy(queue: CommandQueue, target: Copy, source: ArgumentMemory["memory"]): CommandEvent {
  return queue.enqueueCopy(target, source instanceof HostData ? source.array : source);
}

/** Wraps a copy with the dtype, shape and strides of the original, which declared types check. */
function wrapCopy(value: unknown, memory: Copy): unknown {
  if (!isKernelArgument(value) || value instanceof MemoryObject || value instanceof SvmPointer) return memory;
  const { dtype, shape, strides } = value as Partial<Record<"dtype" | "shape" | "strides", unknown>>;
  return { dtype, shape, strides, [kernelArgument]: () => ({ memory }) };
}
