/** The launches of element-wise expressions: a kernel for each kind of layout of the operands, built when first used. */
import { OwnerCache } from "@cl/base";
import { hasParallelWorkItems, loopWorkItemCount } from "@cl/characterize";
import type { CommandQueue, Context, Device, LaunchSizes } from "@cl/core";
import { type Expression, nodesOf } from "../expression/expression.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { denseSource } from "./dense-source.js";
import { exactOptions } from "./exact-options.js";
import type { GeneratedKernel, ProgramText } from "./generated-program.js";
import { programOf } from "./kernel-cache.js";
import { wholeGroups } from "./launch.js";
import { canStream, denseLoopSource, streamingSource, tiledLoopSource, tileLength } from "./processor-source.js";
import { type ElementwiseText, stridedSource } from "./strided-source.js";
import { LaunchPlans } from "./launch-plans.js";
import { type TransposedAxes, transposedAxes } from "./transposed-axes.js";
import { blockExtents, groupRows, transposedItemsSource, transposedLoopSource } from "./transposed-source.js";
import type { Axes } from "./collapse.js";

/** Returns the plan of expressions for the device of a queue. */
export function planOf(queue: CommandQueue, outputs: readonly Expression[]): ElementwisePlan {
  const key = outputs.length === 1 ? String(outputs[0]?.id) : outputs.map(({ id }) => id).join();
  return plans.get(queue, key, () => new ElementwisePlan(queue, outputs, key));
}

const plans = new OwnerCache<CommandQueue, ElementwisePlan>();

/** A kernel and its launch sizes. */
interface SizedKernel {
  readonly kernel: GeneratedKernel;
  readonly sizes: LaunchSizes;
}

/** A launch with its last argument: the number of elements, or their layout. */
export interface PlannedLaunch extends SizedKernel {
  readonly last: number | Int32Array | BigInt64Array;
}

/** A kernel whose last argument is the number of elements. */
interface DenseKernel extends SizedKernel {
  readonly count: number;
}

/** The launches of element-wise expressions on a queue; made by {@link planOf}. */
export class ElementwisePlan {
  /** The launches by the layouts of the operands: the inputs and the results. */
  readonly launches: LaunchPlans<PlannedLaunch> = new LaunchPlans(64);
  readonly #context: Context;
  readonly #device: Device;
  readonly #text: ElementwiseText;
  /** The numbers of the expressions. */
  readonly #key: string;
  /** True if each work-item loops over many elements. */
  readonly #loops: boolean;
  /** Elements of one work-item of a dense kernel without loops. */
  readonly #width: number;
  /** Bytes of one element of all operands. */
  readonly #bytes: number;
  /** The last launch of the dense kernel: most launches have as many elements as the previous one. */
  #dense: DenseKernel | undefined;

  constructor({ context, device }: CommandQueue, outputs: readonly Expression[], key: string) {
    this.#context = context;
    this.#device = device;
    this.#key = key;
    this.#loops = !hasParallelWorkItems(device);
    const inputs: DTypeName[] = [];
    const scalars: DTypeName[] = [];
    for (const node of nodesOf(outputs)) {
      if (node.kind === "input") inputs[node.index] = node.dtype;
      if (node.kind === "scalar") scalars[node.index] = node.dtype;
    }
    this.#text = { outputs, inputs, scalars };
    const types = [...inputs, ...outputs.map(({ dtype }) => dtype)];
    this.#width = vectorWidth(types);
    this.#bytes = types.reduce((sum, type) => sum + typeNamed(type).itemSize, 0);
  }

  /** Returns the kernel for operands that are contiguous from the start of their memory. At most 2^31 elements. */
  dense(count: number): DenseKernel {
    const last = this.#dense;
    if (last?.count === count) return last;
    this.#dense = { ...(this.#loops ? this.#denseLoop(count) : this.#denseItems(count)), count };
    return this.#dense;
  }

  /**
   * Returns the kernel for operands with the strides of `axes`; its last argument is their layout along the returned
   * axes.
   */
  strided(axes: Axes, count: number): SizedKernel & { readonly axes: Axes } {
    const { inputs, outputs } = this.#text;
    const types = outputs.map(({ dtype }) => dtype);
    const transposed = transposedAxes(axes, inputs, types);
    if (transposed !== undefined) return { ...this.#transposed(transposed, count), axes: transposed.axes };
    return { ...this.#anyhow(axes, count), axes };
  }

  #transposed({ axes, inputs: transposed }: TransposedAxes, count: number): SizedKernel {
    const { short, extents } = axes;
    const [width, height] = extents as readonly [number, number];
    const form = { rank: extents.length, transposed, short };
    const source = this.#loops ? transposedLoopSource : transposedItemsSource;
    const extent = this.#loops ? blockExtents.loops : blockExtents.items;
    const blocks = Math.ceil(width / extent) * Math.ceil(height / extent) * (count / width / height);
    const key = `transposed ${extents.length} ${transposed.join()} ${String(short)}`;
    return {
      kernel: this.#kernel(key, () => source(this.#text, form)),
      sizes: this.#loops
        ? workItems(this.#device, count, blocks)
        : { global: [blocks * extent, groupRows], local: [extent, groupRows] },
    };
  }

  #anyhow(axes: Axes, count: number): SizedKernel {
    const { short } = axes;
    const rank = Math.max(axes.extents.length, 1);
    if (this.#loops) {
      const steps = axes.strides.map(([step = 0]) => (step === 0 || step === 1 || step === -1 ? step : undefined));
      const key = `tiled ${rank} ${steps.join()} ${String(short)}`;
      const tiles = Math.ceil((axes.extents[0] ?? 1) / tileLength) * (count / (axes.extents[0] ?? 1));
      return {
        kernel: this.#kernel(key, () => tiledLoopSource(this.#text, { rank, steps, short })),
        sizes: workItems(this.#device, count, tiles),
      };
    }
    const flat = flatSteps(axes);
    const key = `strided ${rank} ${String(flat)} ${String(short)}`;
    return {
      kernel: this.#kernel(key, () => stridedSource(this.#text, { rank, flat, short })),
      sizes: wholeGroups(this.#device, count),
    };
  }

  #denseLoop(count: number): SizedKernel {
    const streaming = count * this.#bytes > this.#device.globalMemCacheSize && canStream(this.#text);
    return {
      kernel: streaming
        ? this.#kernel("streaming", () => streamingSource(this.#text))
        : this.#kernel("dense", () => denseLoopSource(this.#text)),
      sizes: workItems(this.#device, count),
    };
  }

  #denseItems(count: number): SizedKernel {
    return {
      kernel: this.#kernel("dense", () => denseSource(this.#text, this.#width)),
      sizes: wholeGroups(this.#device, Math.ceil(count / this.#width)),
    };
  }

  #kernel(kind: string, source: () => string): GeneratedKernel {
    const key = `expressions ${this.#key} ${this.#loops ? "loops" : "items"} ${kind}`;
    const label = "an expression of arrays";
    const text = (): ProgramText => ({ source, label, options: exactOptions(this.#context) });
    return programOf(this.#context, key, text).kernel("elementwise");
  }
}

/** Returns the sizes for work-items with loops: enough for all cores, and no more than there is work for. */
function workItems(device: Device, count: number, tiles = Infinity): LaunchSizes {
  const most = loopWorkItemCount(device);
  return { global: Math.max(1, Math.min(most, tiles, Math.ceil(count / tileLength))), local: 1 };
}

/**
 * How many elements a work-item computes at a time: as many as make 16 bytes, with which GPUs reach the limit of their
 * memory.
 */
function vectorWidth(types: readonly DTypeName[]): number {
  if (types.some((type) => type.startsWith("complex"))) return 1;
  return 16 / Math.max(...types.map((type) => typeNamed(type).itemSize));
}

/** Returns the strides if there is at most one axis and each operand is contiguous or a single element. */
function flatSteps({ extents, strides }: Axes): readonly number[] | undefined {
  if (extents.length === 0) return strides.map(() => 0);
  if (extents.length > 1) return undefined;
  const steps = strides.map((list) => list[0] as number);
  return steps.every((step) => step === 0 || step === 1) ? steps : undefined;
}
