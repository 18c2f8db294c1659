/** Launches the kernels of shaped-source.ts with launch shapes. */
import { checkInteger, checkOptions, checkSignal } from "@cl/base";
import {
  type CommandQueue,
  type Context,
  type Device,
  DeviceBuffer,
  dtype,
  type Kernel,
  LocalMemory,
  Program,
} from "@cl/core";

import { launchShape } from "./launch-shape.js";
import type { KernelKind, LaunchShape, LoopForm } from "./shape.js";
import { shapedSource, type ShapedSourceOptions } from "./shaped-source.js";

/** Options of {@link ShapedKernels.build}. */
export interface ShapedKernelsOptions extends ShapedSourceOptions {
  /** Aborts the wait. */
  readonly signal?: AbortSignal;
}

/**
 * Element-wise addition, sum and prefix sum, in each form that a {@link LaunchShape} can have. All launches of an
 * object share memory for intermediate results, so they must be on the same in-order queue.
 *
 * @example
 * ```ts
 * const kernels = await ShapedKernels.build(context, { type: "float" });
 * const ones = DeviceBuffer.from(context, new Float32Array(1000).fill(1));
 * const total = DeviceBuffer.from(context, new Float32Array(1));
 * kernels.launchSum(queue, kernels.shape(1000, "reduction"), ones, total);
 * console.log(await queue.read(total, Float32Array)); // Float32Array(1) [ 1000 ]
 * ```
 */
export class ShapedKernels {
  /** Number of items per vector load, in forms that load vectors. */
  readonly vectorWidth: number;
  /** Size of an item in bytes. */
  readonly itemSize: number;
  readonly #program: Program;
  readonly #device: Device;
  readonly #temporaries: DeviceBuffer[] = [];

  private constructor(program: Program, device: Device, itemSize: number, vectorWidth: number) {
    this.#program = program;
    this.#device = device;
    this.itemSize = itemSize;
    this.vectorWidth = vectorWidth;
  }

  /** Builds the kernels for a context's first device. */
  static async build(context: Context, options?: ShapedKernelsOptions): Promise<ShapedKernels> {
    const { signal, ...sourceOptions } = checkOptions(options, ["signal", "type", "vectorWidth"]);
    checkSignal(signal);
    const { type = "float", vectorWidth = 1 } = sourceOptions;
    const program = new Program(context, shapedSource(sourceOptions), { label: "shaped kernels" });
    await program.build(signal === undefined ? {} : { signal });
    return new ShapedKernels(program, context.devices[0] as Device, dtype(type).itemSize, vectorWidth);
  }

  /** Returns the launch shape for these kernels. `forms` restricts the choice of loop forms. */
  shape(n: number, kind: KernelKind, forms?: readonly LoopForm[], maxGroups?: number): LaunchShape {
    return launchShape(this.#device, n, {
      kind,
      itemSize: this.itemSize,
      vectorWidth: this.vectorWidth,
      localBytesPerWorkItem: kind === "elementwise" ? 0 : this.itemSize,
      ...(forms === undefined ? {} : { forms }),
      ...(maxGroups === undefined ? {} : { maxGroups }),
    });
  }

  /** Enqueues `to[i] = a[i] + b[i]`. */
  launchAdd(queue: CommandQueue, shape: LaunchShape, a: DeviceBuffer, b: DeviceBuffer, to: DeviceBuffer): void {
    this.#launch(queue, "add", shape, a, b, to);
  }

  /** Enqueues the sum of all items into `to[0]`. If there are several groups, a second launch adds up their sums. */
  launchSum(queue: CommandQueue, shape: LaunchShape, from: DeviceBuffer, to: DeviceBuffer): void {
    if (shape.groups === 1) {
      this.#launch(queue, "sum", shape, from, to, this.#scratch(shape));
      return;
    }
    const sums = this.#temporary(0, queue.context, shape.groups);
    this.#launch(queue, "sum", shape, from, sums, this.#scratch(shape));
    const last = this.shape(shape.groups, "reduction", undefined, 1);
    this.#launch(queue, "sum", last, sums, to, this.#scratch(last));
  }

  /** Enqueues the inclusive prefix sum: `to[i]` is the sum of `from[0]` to `from[i]`. */
  launchScan(queue: CommandQueue, shape: LaunchShape, from: DeviceBuffer, to: DeviceBuffer): void {
    this.#scan(queue, shape, from, to, 0);
  }

  #scan(queue: CommandQueue, shape: LaunchShape, from: DeviceBuffer, to: DeviceBuffer, depth: number): void {
    if (shape.n === 0) return;
    const tiles = Math.ceil(shape.n / (shape.local * (shape.form === "chunk" ? shape.itemsPerWorkItem : 1)));
    const totals = this.#temporary(depth, queue.context, tiles);
    if (tiles > 1) {
      if (shape.form === "grid-stride") {
        this.#program.kernel("totals_stride").launch(queue, shape, BigInt(shape.n), from, totals, this.#scratch(shape));
      } else {
        this.#launch(queue, "sum", shape, from, totals, this.#scratch(shape));
      }
      this.#scan(queue, this.shape(tiles, "scan"), totals, totals, depth + 1);
    }
    this.#launch(queue, "scan", shape, from, totals, to, this.#scratch(shape));
  }

  #launch(queue: CommandQueue, name: string, shape: LaunchShape, ...args: unknown[]): void {
    const { n, form, itemsPerWorkItem } = shape;
    const kernel: Kernel = this.#program.kernel(`${name}_${form === "grid-stride" ? "stride" : form}`);
    const counts = form === "chunk" ? [BigInt(n), BigInt(itemsPerWorkItem)] : [BigInt(n)];
    kernel.launch(queue, shape, ...counts, ...args);
  }

  #scratch({ local }: LaunchShape): LocalMemory {
    return new LocalMemory(local * this.itemSize);
  }

  /** Returns the memory for intermediate results of one recursion depth, which is reused and grows. */
  #temporary(depth: number, context: Context, items: number): DeviceBuffer {
    const bytes = checkInteger(items * this.itemSize, "bytes");
    let buffer = this.#temporaries[depth];
    if (buffer === undefined || buffer.size < bytes) {
      // A pending launch retains the smaller buffer.
      buffer?.release();
      buffer = new DeviceBuffer(context, Math.max(bytes, 1024));
      this.#temporaries[depth] = buffer;
    }
    return buffer;
  }
}
