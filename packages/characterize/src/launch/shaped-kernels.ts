/** The kernels of shaped-source.ts, launched as a shape says. */
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

/** What {@link ShapedKernels.build} takes. */
export interface ShapedKernelsOptions extends ShapedSourceOptions {
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/**
 * A sum of two arrays, a sum and running sums, in each form that a {@link LaunchShape} can have. Launches of one object
 * share memory for intermediate results, so they belong on one in-order queue.
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
  /** How many items are loaded at once, where the form can. */
  readonly vectorWidth: number;
  /** Bytes of an item. */
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

  /** Builds them for a context's first device. */
  static async build(context: Context, options?: ShapedKernelsOptions): Promise<ShapedKernels> {
    const { signal, ...what } = checkOptions(options, ["signal", "type", "vectorWidth"]);
    checkSignal(signal);
    const { type = "float", vectorWidth = 1 } = what;
    const program = new Program(context, shapedSource(what), { label: "shaped kernels" });
    await program.build(signal === undefined ? {} : { signal });
    return new ShapedKernels(program, context.devices[0] as Device, dtype(type).itemSize, vectorWidth);
  }

  /** The shape that `launchShape` gives these kernels; `forms` leaves it fewer to choose from. */
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

  /** `to[i] = a[i] + b[i]`. */
  launchAdd(queue: CommandQueue, shape: LaunchShape, a: DeviceBuffer, b: DeviceBuffer, to: DeviceBuffer): void {
    this.#launch(queue, "add", shape, a, b, to);
  }

  /** `to[0]` is the sum of all. A second launch adds up what the groups of the first have. */
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

  /** `to[i]` is the sum of `from[0]` to `from[i]`. */
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

  #launch(queue: CommandQueue, what: string, shape: LaunchShape, ...args: unknown[]): void {
    const { n, form, itemsPerWorkItem } = shape;
    const kernel: Kernel = this.#program.kernel(`${what}_${form === "grid-stride" ? "stride" : form}`);
    const counts = form === "chunk" ? [BigInt(n), BigInt(itemsPerWorkItem)] : [BigInt(n)];
    kernel.launch(queue, shape, ...counts, ...args);
  }

  #scratch({ local }: LaunchShape): LocalMemory {
    return new LocalMemory(local * this.itemSize);
  }

  /** Memory for intermediate results of one depth, which grows and stays. */
  #temporary(depth: number, context: Context, items: number): DeviceBuffer {
    const bytes = checkInteger(items * this.itemSize, "bytes");
    let buffer = this.#temporaries[depth];
    if (buffer === undefined || buffer.size < bytes) {
      // A launch that is under way holds the smaller one itself.
      buffer?.release();
      buffer = new DeviceBuffer(context, Math.max(bytes, 1024));
      this.#temporaries[depth] = buffer;
    }
    return buffer;
  }
}
