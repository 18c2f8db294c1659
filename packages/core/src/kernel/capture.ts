/**
 * Capture of a kernel launch in a script that reproduces it, for bug reports and for studying a kernel in isolation.
 */
import { deflateSync } from "node:zlib";

import { checkCString, checkInstance, typeError } from "@cl/base";
import { writeTextAtomically } from "@cl/base/files";

import { StandInBytes } from "../argument/argument-bytes.js";
import { DeviceBuffer, type Place, placeOf } from "../memory/buffer.js";
import { captureScript, numberText, wrapped } from "./capture-script.js";
import { MemFlags } from "../binding/constants.js";
import type { WaitFor } from "../event/event.js";
import { limitsOf } from "../memory/buffer-limits.js";
import { type ElementType, elementTypeName } from "../dtype/host-array.js";
import { isKernelArgument, kernelArgument } from "../argument/kernel-argument.js";
import type { KernelObject } from "./kernel-object.js";
import { type LaunchSizes, writeSizes } from "./kernel-sizes.js";
import { LocalMemory } from "../argument/local-memory.js";
import { CommandQueue } from "../command-queue/command-queue.js";
import { Sampler } from "../sampler/sampler.js";
import { scratchFloat64, scratchInt32 } from "../binding/scratch.js";
import { isSvm, type SvmPointer } from "../svm/svm-pointer.js";

/** Properties of a kernel that a script needs. */
interface CapturedKernel extends Pick<KernelObject, "name" | "program"> {
  readonly numArgs: number;
  readonly argNames: readonly (string | undefined)[];
  readonly argTypes: readonly string[];
}

/** Writes the script of a launch to `path` without launching the kernel. Public API: `Kernel.capture`. */
export async function captureLaunch(
  kernel: CapturedKernel,
  path: string,
  queue: CommandQueue,
  sizes: LaunchSizes,
  args: readonly unknown[],
  /** Arguments after conversion by declared types. */
  adapted: readonly unknown[],
): Promise<void> {
  if (checkCString(path, "path") === "") throw typeError("path", "a file name", path);
  checkInstance(queue, CommandQueue, "queue");
  if (args.length !== kernel.numArgs) {
    throw typeError("args", `${kernel.numArgs} arguments of kernel "${kernel.name}"`, args);
  }
  const { program } = kernel;
  const { device } = queue;
  const sizesText = describeSizes(kernel, sizes, args);
  using memories = new Memories(kernel);
  const texts = adapted.map((value, i) => argumentText(value, i, memories));
  const packed = await memories.read(queue, sizes.waitFor);
  const binary = program.source === undefined ? (await program.fetchBinaries()).get(device) : undefined;
  const script = captureScript({
    kernelName: kernel.name,
    deviceName: device.name,
    source: program.source,
    binary: binary ? pack(binary) : undefined,
    options: program.source === undefined ? "" : program.options(device),
    argTypes: describeTypes(kernel, args),
    memories: packed,
    args: texts,
    sizes: sizesText,
  });
  await writeTextAtomically(path, script);
}

/** The distinct root buffers of the arguments. */
class Memories {
  readonly #kernel: CapturedKernel;
  /** Buffers created over shared virtual memory. */
  readonly #svmBuffers: DeviceBuffer[] = [];
  readonly #roots = new Map<object, { readonly index: number; readonly name: string; readonly root: DeviceBuffer }>();

  constructor(kernel: CapturedKernel) {
    this.#kernel = kernel;
  }

  /** Returns an expression for a buffer that is argument `i`. */
  add(buffer: DeviceBuffer, i: number): string {
    return this.#add(buffer.base ?? buffer, placeOf(buffer), buffer.size, buffer.type, i);
  }

  #add(
    root: DeviceBuffer,
    { store, start }: Place,
    size: number,
    elements: ElementType | undefined,
    i: number,
  ): string {
    let found = this.#roots.get(store);
    if (found === undefined) {
      const name = this.#kernel.argNames[i] ?? `argument${i}`;
      found = { index: this.#roots.size, name, root };
      this.#roots.set(store, found);
    }
    const type = elements === undefined ? "" : `, ${elementTypeName(elements)}`;
    return `part(buffers[${found.index}], ${start}, ${size}${type})`;
  }

  /** Returns an expression for shared virtual memory that is argument `i`. */
  addShared(svm: SvmPointer, i: number): string {
    // An unaligned range cannot be a sub-buffer: capture it separately.
    const isUnaligned = svm.byteOffset % limitsOf(svm.context).alignment !== 0;
    const root = isUnaligned ? svm : svm.owner;
    const buffer = root.asBuffer();
    this.#svmBuffers.push(buffer);
    return this.#add(buffer, { store: root, start: isUnaligned ? 0 : svm.byteOffset }, svm.size, svm.type, i);
  }

  /** Releases the buffers created over shared virtual memory. */
  [Symbol.dispose](): void {
    for (const buffer of this.#svmBuffers) buffer.release();
  }

  /** Reads the contents of the buffers. */
  async read(queue: CommandQueue, waitFor: WaitFor): Promise<{ name: string; packed: string }[]> {
    const contents: { name: string; packed: string }[] = [];
    for (const { name, root } of this.#roots.values()) {
      contents.push({ name, packed: pack(await readWhole(queue, root, waitFor)) });
    }
    return contents;
  }
}

async function readWhole(queue: CommandQueue, buffer: DeviceBuffer, waitFor: WaitFor): Promise<Uint8Array> {
  const unreadable = MemFlags.HOST_NO_ACCESS | MemFlags.HOST_WRITE_ONLY;
  if ((buffer.flags & unreadable) === 0) return queue.read(buffer, Uint8Array, { waitFor });
  // The host cannot read it, but the device can copy it.
  using copy = new DeviceBuffer(queue.context, buffer.size);
  using copied = queue.enqueueCopy(copy, buffer, { waitFor });
  return await queue.read(copy, Uint8Array, { waitFor: copied });
}

function argumentText(given: unknown, i: number, memories: Memories): string {
  let value = given;
  if (isKernelArgument(value)) {
    const standIn = value[kernelArgument]();
    if ("memory" in standIn && standIn.byteOffset) {
      throw typeError(`args[${i}]`, "a view at offset 0 of its memory", value);
    }
    if ("bytes" in standIn) value = new StandInBytes(standIn.bytes);
    else if ("local" in standIn) value = standIn.local;
    else value = "sampler" in standIn ? standIn.sampler : standIn.memory;
  }
  if (value instanceof StandInBytes) {
    const { buffer, byteOffset, byteLength } = value.view;
    return `byValue(${wrapped(pack(new Uint8Array(buffer, byteOffset, byteLength)))})`;
  }
  if (value === null) return "null";
  if (typeof value === "number" || typeof value === "bigint") return numberText(value);
  if (value instanceof LocalMemory) return `new LocalMemory(${value.bytes})`;
  if (value instanceof Sampler) return samplerText(value);
  if (value instanceof DeviceBuffer) return memories.add(value as DeviceBuffer, i);
  // The script uses buffers instead; kernels see no difference.
  if (isSvm(value) && value.size > 0) return memories.addShared(value, i);
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    const type = value instanceof DataView ? "Uint8Array" : value.constructor.name;
    // Node.js's Buffer is a Uint8Array.
    return `array(${type === "Buffer" ? "Uint8Array" : type}, ${wrapped(pack(bytes))})`;
  }
  if (
    Array.isArray(value) &&
    value.every((component) => typeof component === "number" || typeof component === "bigint")
  ) {
    return `[${value.map(numberText).join(", ")}]`;
  }
  throw typeError(
    `args[${i}]`,
    "a number, bigint, typed array, LocalMemory, Sampler, DeviceBuffer, SvmAllocation or null to be captured",
    value,
  );
}

function samplerText({ normalizedCoordinates, addressingMode, filterMode }: Sampler): string {
  return `new Sampler(context, ${JSON.stringify({ normalizedCoordinates, addressingMode, filterMode })})`;
}

/** Returns an expression for the types of scalar and struct arguments, which other runtimes may not report. */
function describeTypes(kernel: CapturedKernel, args: readonly unknown[]): string {
  const types = kernel.argTypes.map((type, i) => {
    const struct = /^struct of (\d+) bytes$/.exec(type);
    if (struct !== null) return `{ bytes: ${struct[1]} }`;
    const isScalar = typeof args[i] === "number" || typeof args[i] === "bigint";
    return isScalar && !type.startsWith("(") ? JSON.stringify(type) : "null";
  });
  return `[${types.join(", ")}]`;
}

/** Returns an expression for the sizes as numbers, after resolving names and functions. */
function describeSizes(kernel: CapturedKernel, sizes: LaunchSizes, args: readonly unknown[]): string {
  const full = writeSizes(sizes, kernel.argNames, args);
  const dimensions = scratchInt32[0] as number;
  const sizeFlags = scratchInt32[1] as number;
  const list = (start: number): string => `[${[...scratchFloat64.subarray(start, start + dimensions)].join(", ")}]`;
  const entries = [`global: ${list(1)}`];
  if ((sizeFlags & 1) !== 0) entries.push(`local: ${list(4)}`);
  if ((sizeFlags & 2) !== 0) entries.push(`offset: ${list(7)}`);
  if (!full) entries.push("allowEmpty: true");
  return `{ ${entries.join(", ")} }`;
}

function pack(bytes: Uint8Array): string {
  return deflateSync(bytes).toString("base64");
}
