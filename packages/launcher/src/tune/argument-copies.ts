/**
 * What a kernel gets while it is tuned instead of the memory that it may write: copies, so that the user's data stay as they
 * are. Arguments that share memory share the copy, too. Before each run the copies get the user's data again, so that all
 * candidates do the same work.
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

/** What a kernel gets, and how it is made ready. */
export interface StandIns {
  /** The arguments. */
  readonly args: readonly unknown[];
  /** Gives the copies the user's data. */
  restore(queue: CommandQueue): void;
  /** The copies that the kernel may write. */
  readonly outputs: readonly Output[];
}

/** A copy that a kernel may write. */
export interface Output {
  /** The position of the argument. */
  readonly argument: number;
  readonly memory: Copy;
  /** The elements of what it is a copy of, where that has a type. */
  readonly type: ElementType | undefined;
}

/** A copy of memory, or a part of one. */
export type Copy = DeviceBuffer | SvmPointer | Image;

/** What a value gives a kernel, where that is memory of the user's. */
interface Reached {
  readonly memory: DeviceBuffer | SvmPointer | Image | HostData;
  readonly value: unknown;
}

/** Host memory that a kernel gets as if it were a buffer. */
class HostData {
  readonly array: ArrayBufferView;

  constructor(array: ArrayBufferView) {
    this.array = array;
  }
}

/** A copy of some bytes of one store. */
interface Piece {
  readonly store: object;
  readonly start: number;
  readonly end: number;
  readonly copy: DeviceBuffer | SvmAllocation | Image;
}

/** The copies of one tuning. */
export class ArgumentCopies {
  readonly #context: Context;
  readonly #pieces: Piece[] = [];
  readonly #parts: { release(): void }[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  /** Stands in for the arguments of a kernel. What is only read stays itself, unless another argument writes it. */
  standIns(kernel: Kernel, args: readonly unknown[]): StandIns {
    const reached = args.map((value, i) => reach(value, i, kernel));
    const written = new Set(
      reached.flatMap((one, i) => (one !== undefined && argumentUse(kernel, i).written ? [rangeOf(one).store] : [])),
    );
    const result = [...args];
    const outputs: Output[] = [];
    const copies: (readonly [target: Copy, source: Reached["memory"]])[] = [];
    for (const [i, one] of reached.entries()) {
      if (one === undefined || !written.has(rangeOf(one).store)) continue;
      const memory = this.#copyOf(one, reached);
      result[i] = standIn(one.value, memory);
      copies.push([memory, one.memory]);
      if (argumentUse(kernel, i).written) outputs.push({ argument: i, memory, type: typeOf(one) });
    }
    const restore = (queue: CommandQueue): void => {
      for (const [target, source] of copies) enqueueCopy(queue, target, source).release();
    };
    return { args: result, restore, outputs };
  }

  /** The copy of what one argument reaches; it has room for all that the arguments reach of that store. */
  #copyOf(one: Reached, all: readonly (Reached | undefined)[]): Copy {
    const own = rangeOf(one);
    const related = all.flatMap((other) => (other === undefined ? [] : [rangeOf(other)])).filter(sameStore(own));
    const start = Math.min(...related.map((range) => range.start));
    const end = Math.max(...related.map((range) => range.end));
    let piece = this.#pieces.find((known) => known.store === own.store && known.start <= start && known.end >= end);
    if (piece === undefined) {
      piece = { store: own.store, start, end, copy: emptyCopy(this.#context, one.memory, end - start) };
      this.#pieces.push(piece);
    }
    return this.#partOf(piece.copy, own.start - piece.start, own.end - own.start, typeOf(one));
  }

  /** The copy with the elements of what it stands for, so that a kernel refuses what it would refuse. */
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
    if (!whole) this.#parts.push(part);
    if (type === undefined) return part;
    const typed = part.as(type);
    this.#parts.push(typed);
    return typed;
  }

  /** Gives all copies back. What still runs keeps them until it ends. */
  release(): void {
    for (const part of this.#parts.splice(0)) part.release();
    for (const { copy } of this.#pieces.splice(0)) copy.release();
  }
}

/** The user's memory that a value gives a kernel; undefined for what is no memory of that kind. */
function reach(value: unknown, i: number, kernel: Kernel): Reached | undefined {
  if (value instanceof DeviceBuffer || value instanceof SvmPointer || value instanceof Image) {
    return { memory: value, value };
  }
  if (value instanceof MemoryObject) {
    if (value.objectType !== MemObjectType.PIPE) return undefined;
    throw typeError(`argument ${i} of kernel "${kernel.name}"`, "no pipe, whose packets cannot be given back", value);
  }
  if (isKernelArgument(value)) {
    const stands = value[kernelArgument]();
    if (!("memory" in stands)) return undefined;
    const { memory, byteOffset = 0 } = stands;
    const whole = memory instanceof SvmAllocation && byteOffset > 0 ? memory.part(byteOffset) : memory;
    const known = whole instanceof DeviceBuffer || whole instanceof SvmPointer || whole instanceof Image;
    return known ? { memory: whole, value } : undefined;
  }
  // Host memory, where the kernel's type is declared so that it takes it.
  const host = value instanceof ElementArray ? value.array : value;
  if (ArrayBuffer.isView(host) && argumentUse(kernel, i).pointer) return { memory: new HostData(host), value };
  return undefined;
}

function isKernelArgument(value: unknown): value is KernelArgument {
  return typeof value === "object" && value !== null && kernelArgument in value;
}

function rangeOf({ memory }: Reached): { readonly store: object; readonly start: number; readonly end: number } {
  if (memory instanceof Image) return { store: memory, start: 0, end: memory.size };
  if (memory instanceof HostData) {
    const { buffer, byteOffset, byteLength } = memory.array;
    return { store: buffer, start: byteOffset, end: byteOffset + byteLength };
  }
  return memoryRange(memory);
}

function typeOf({ memory }: Reached): ElementType | undefined {
  if (memory instanceof DeviceBuffer || memory instanceof SvmPointer) return memory.type;
  if (memory instanceof Image || memory.array instanceof DataView) return undefined;
  return memory.array.constructor as unknown as ElementType;
}

function sameStore({ store }: { readonly store: object }): (range: { readonly store: object }) => boolean {
  return (range) => range.store === store;
}

function emptyCopy(context: Context, of: Reached["memory"], bytes: number): DeviceBuffer | SvmAllocation | Image {
  const label = "a copy for tuning";
  if (of instanceof Image) {
    const array = of.objectType === MemObjectType.IMAGE1D_ARRAY || of.objectType === MemObjectType.IMAGE2D_ARRAY;
    return new Image(context, { format: of.format, shape: of.shape as [number], array, label });
  }
  if (of instanceof SvmPointer) {
    return new SvmAllocation(context, bytes, { kind: of.kind === "coarse" ? "coarse" : "fine-buffer", label });
  }
  return new DeviceBuffer(context, { size: bytes, label });
}

function enqueueCopy(queue: CommandQueue, target: Copy, source: Reached["memory"]): CommandEvent {
  return queue.enqueueCopy(target, source instanceof HostData ? source.array : source);
}

/** The copy as the value that it stands for would be seen: declared types look at shapes and strides. */
function standIn(value: unknown, memory: Copy): unknown {
  if (!isKernelArgument(value) || value instanceof MemoryObject || value instanceof SvmPointer) return memory;
  const { dtype, shape, strides } = value as Partial<Record<"dtype" | "shape" | "strides", unknown>>;
  return { dtype, shape, strides, [kernelArgument]: () => ({ memory }) };
}
