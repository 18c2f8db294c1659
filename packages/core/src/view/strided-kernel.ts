/**
 * Kernel for strided copies between buffers that OpenCL commands do not support. Its program is created once per
 * context and does not keep the context alive.
 */
import { type StridedCopy, wrongValue } from "@cl/base";

import { MemFlags } from "../binding/constants.js";
import type { CommandEvent, WaitFor } from "../event/event.js";
import type { DeviceBuffer } from "../memory/buffer.js";
import type { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";
import { Program } from "../kernel/program.js";
import type { CommandQueue } from "../command-queue/command-queue.js";
import { kernelAxes, stridedSource, wordTypes, type WordSize } from "./strided-source.js";

const programs = new WeakMap<Context, Program>();

/** Builds the program without blocking, so that later copies do not block. */
export async function prepareStrided(context: Context, signal: AbortSignal | undefined): Promise<void> {
  if (programs.has(context)) return;
  const program = await new Program(context, stridedSource, { label: "strided copies" }).build(
    signal === undefined ? {} : { signal },
  );
  if (!programs.has(context)) programs.set(context, program);
}

/**
 * Returns the context's program. The first copy in a context waits for the compiler, to preserve the order of commands.
 */
function programOf(context: Context): Program {
  let program = programs.get(context);
  if (program === undefined || program.released) {
    program = new Program(context, stridedSource, { label: "strided copies" }).buildSync();
    programs.set(context, program);
  }
  return program;
}

/** Enqueues the copy. The elements of `from` and `to` must not overlap. */
export function enqueueStrided(
  queue: CommandQueue,
  from: DeviceBuffer,
  to: DeviceBuffer,
  copy: StridedCopy,
  waitFor: WaitFor,
): CommandEvent {
  checkAccess(from, MemFlags.WRITE_ONLY, "write");
  checkAccess(to, MemFlags.READ_ONLY, "read");
  const word = wordSize(copy, from, to);
  const kernel = programOf(queue.context).kernel(`copy_${wordTypes[word]}`);
  const { numbers, columns, rows, others } = axesInWords(copy, word);
  const local = groupFor(columns, rows, queue.device);
  const roundUp = (extent: number, group: number): number => Math.ceil(extent / group) * group;
  const global = [roundUp(columns, local[0]), roundUp(rows, local[1]), others] as const;
  return kernel.enqueue(queue, { global, local, waitFor }, from, to, numbers);
}

/**
 * Returns one of a few work-group sizes: PoCL recompiles a kernel for each size, which takes longer than most copies,
 * and the drivers' choice depends on the extents.
 */
function groupFor(columns: number, rows: number, { maxWorkGroupSize }: Device): readonly [number, number, 1] {
  if (maxWorkGroupSize < groupSize) return [1, 1, 1];
  const wide = rows === 1 ? groupSize : ([4, 16].find((size) => columns <= size) ?? 64);
  return [wide, groupSize / wide, 1];
}

/** On PoCL 3.1 a work-group costs as much as dozens of its items, so that smaller ones take twice as long. */
const groupSize = 256;

/** Throws if kernels may not access the memory: drivers do not enforce access flags. */
function checkAccess(buffer: DeviceBuffer, forbidden: number, only: string): void {
  if ((buffer.flags & forbidden) === 0) return;
  throw wrongValue(
    `this strided copy needs a kernel, but kernels can only ${only} the memory; create the buffer with access "read-write"`,
  );
}

/** Returns the widest word size that divides all strides, offsets and both addresses. */
function wordSize({ run, from, to }: StridedCopy, source: DeviceBuffer, target: DeviceBuffer): WordSize {
  const lengths = [run, from.offset, to.offset, ...from.strides, ...to.strides];
  // Device memory is aligned; host memory may start at any address.
  const hosts = [source, target].map((buffer) => Number(BigInt.asUintN(4, buffer.hostPointer)));
  for (const size of [16, 8, 4, 2] as const) {
    if ([...lengths, ...hosts].every((number) => number % size === 0)) return size;
  }
  return 1;
}

interface KernelAxes {
  readonly numbers: BigInt64Array;
  readonly columns: number;
  readonly rows: number;
  /** Product of the other extents. */
  readonly others: number;
}

function axesInWords({ run, shape, from, to }: StridedCopy, word: number): KernelAxes {
  const words = run / word;
  const inner = words === 1 && shape.length > 0 ? [] : [{ extent: words, from: 1, to: 1 }];
  const outer = shape.map((extent, i) => ({
    extent,
    from: (from.strides[i] as number) / word,
    to: (to.strides[i] as number) / word,
  }));
  const axes = [...outer, ...inner].toReversed();
  if (axes.length === 1) axes.push({ extent: 1, from: 0, to: 0 });
  const numbers = new BigInt64Array(3 + 3 * kernelAxes);
  numbers[0] = BigInt(from.offset / word);
  numbers[1] = BigInt(to.offset / word);
  numbers[2] = BigInt(axes.length);
  for (const [i, axis] of axes.entries()) {
    numbers[3 + i] = BigInt(axis.extent);
    numbers[3 + kernelAxes + i] = BigInt(axis.from);
    numbers[3 + 2 * kernelAxes + i] = BigInt(axis.to);
  }
  return {
    numbers,
    columns: (axes[0] as { extent: number }).extent,
    rows: (axes[1] as { extent: number }).extent,
    others: axes.slice(2).reduce((product, { extent }) => product * extent, 1),
  };
}
