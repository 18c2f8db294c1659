/** The kernels of reductions: cached by operation and layout, and launched with scratch memory between them. */
import { OwnerCache } from "@cl/base";
import type { Allocation, Allocator, CommandQueue, Context, LaunchSizes } from "@cl/core";
import { exactOptions } from "../kernels/exact-options.js";
import { type GeneratedKernel, GeneratedProgram } from "../kernels/generated-program.js";
import { ordered, Storage } from "../storage/storage.js";
import { type PartsMemory, partsMemory } from "./parts-memory.js";
import type { Placement } from "./placement.js";
import type { ReductionPlan } from "./reduction-plan.js";
import { reductionSource } from "./reduction-source.js";
import type { WorkDivision } from "./work-division.js";

/** The queue of a reduction, and the source of its scratch memory. */
export interface Runner {
  readonly queue: CommandQueue;
  readonly allocator: Allocator<Allocation>;
}

/** The kernels of a plan. */
export interface ReductionKernels {
  readonly reduce: GeneratedKernel;
  /** What combines parts: one work-item for each result, or a group. */
  readonly finish: GeneratedKernel | undefined;
  readonly finishByGroups: GeneratedKernel | undefined;
}

/** Kernels by what tells plans apart. */
export class KernelCache extends OwnerCache<Context, ReductionKernels> {}

/** The kernels of reductions that every user of a context shares. */
export const sharedReductions: KernelCache = new KernelCache();

/** What kernels are given. */
export interface LaunchArguments {
  /** The inputs' memory, in their order. */
  readonly memory: readonly Storage["memory"][];
  /** What is read, each once. */
  readonly reads: readonly Storage[];
  /** The other parameters' values. */
  readonly values: readonly unknown[];
  readonly target: Storage;
}

/** Kernels with all that they are given but memory and values, so that the same reduction of other memory is only a launch. */
export interface PreparedReduction {
  readonly reduce: GeneratedKernel;
  readonly sizes: LaunchSizes;
  /** What combines the parts, where there are some. */
  readonly finish: GeneratedKernel | undefined;
  readonly finishSizes: LaunchSizes;
  readonly scratchBytes: number;
  /** Memory for the parts, if the last work-item combines them. */
  readonly parts: PartsMemory | undefined;
  readonly places: Int32Array | BigInt64Array;
}

/** Makes the kernels of a plan, or finds them. */
export function prepare(
  queue: CommandQueue,
  cache: KernelCache,
  plan: ReductionPlan,
  work: WorkDivision,
  placement: Placement,
): PreparedReduction {
  const { context, device } = queue;
  const { reduce, finish, finishByGroups } = kernelsFor(context, cache, plan);
  const { outputs } = placement;
  const local = Math.min(outputs < 64 ? 1 : 64, device.maxWorkGroupSize);
  const byGroups = finishByGroups !== undefined && outputs <= 1024 && work.parts >= 16;
  const scratchBytes = outputs * work.parts * plan.reduction.accumulatorBytes;
  return {
    reduce,
    sizes: { global: work.global, local: work.group },
    finish: byGroups ? finishByGroups : finish,
    finishSizes: byGroups
      ? { global: outputs * work.group, local: work.group }
      : { global: Math.ceil(outputs / local) * local, local },
    scratchBytes,
    parts: plan.combining === "last" ? partsMemory(queue, scratchBytes) : undefined,
    places: placesOf(plan, work, placement),
  };
}

/** Enqueues the kernels. */
export function launchReduction(
  { queue, allocator }: Runner,
  { reduce, sizes, finish, finishSizes, scratchBytes, parts, places }: PreparedReduction,
  { memory, reads, values, target }: LaunchArguments,
): void {
  if (finish === undefined) {
    const between = parts === undefined ? [] : [parts.partial, parts.done];
    enqueue(queue, reduce, sizes, [...memory, ...between, target.memory, ...values, places], reads, target);
    return;
  }
  const scratch = new Storage(allocator, scratchBytes);
  scratch.retain();
  try {
    enqueue(queue, reduce, sizes, [...memory, scratch.memory, ...values, places], reads, scratch);
    enqueue(queue, finish, finishSizes, [scratch.memory, target.memory, ...values, places], [scratch], target);
  } finally {
    scratch.release();
  }
}

function enqueue(
  queue: CommandQueue,
  kernel: GeneratedKernel,
  sizes: LaunchSizes,
  args: readonly unknown[],
  reads: readonly Storage[],
  write: Storage,
): void {
  if (write.ordering.keepsItself(queue) && reads.every(({ ordering }) => ordering.keepsItself(queue))) {
    kernel.ready()?.launch(queue, sizes, ...args);
    return;
  }
  ordered(queue, reads, [write], (waitFor, wantEvent) => {
    const ready = kernel.ready();
    if (wantEvent || waitFor.length > 0) return ready?.enqueue(queue, { ...sizes, waitFor }, ...args);
    ready?.launch(queue, sizes, ...args);
    return undefined;
  });
}

function kernelsFor(context: Context, cache: KernelCache, plan: ReductionPlan): ReductionKernels {
  return cache.get(context, keyOf(plan), () => {
    const { reduction, stage } = plan;
    const options = "text" in stage ? plan.options : exactOptions(context);
    const { name } = reduction;
    const hasFinish = plan.combining === "kernel";
    const text = { source: () => reductionSource(plan), label: `${name} of arrays`, options };
    const program = new GeneratedProgram(context, text);
    return {
      reduce: program.kernel("reduce"),
      finish: hasFinish ? program.kernel("finish") : undefined,
      finishByGroups: hasFinish && plan.group > 1 ? program.kernel("finish_by_groups") : undefined,
    };
  });
}

function keyOf(plan: ReductionPlan): string {
  const { stage, reduction } = plan;
  const mapKey = "text" in stage ? stage.text : `${stage.value.id}:${stage.where?.id ?? ""}`;
  const shape = `${plan.orientation}${plan.kept}/${plan.reduced}/${plan.steps.join("")}/${plan.group}/${plan.width}/${plan.vector}/${plan.wide}/${plan.tile}`;
  return `${reduction.key}|${plan.target}|${shape}|${plan.short}${plan.combining}|${mapKey}`;
}

/** The kernels' `Places`. */
function placesOf(plan: ReductionPlan, work: WorkDivision, placement: Placement): Int32Array | BigInt64Array {
  const { kept, reduced, outputs, count, offsets } = placement;
  const operands = plan.inputs.length + 1;
  const padded = (list: readonly number[] | undefined, length: number, fill: number): readonly number[] =>
    list === undefined || list.length === 0 ? Array.from({ length }, () => fill) : list;
  const strides = (lists: readonly (readonly number[])[], length: number): readonly number[] =>
    Array.from({ length: operands }, (_, k) => padded(lists[k], length, 0)).flat();
  const numbers = [
    outputs,
    count,
    work.parts,
    work.chunk,
    work.batch,
    work.tiles,
    ...offsets,
    ...padded(kept.extents, plan.kept, 1),
    ...strides(kept.strides, plan.kept),
    ...padded(reduced.extents, plan.reduced, 1),
    ...strides(reduced.strides, plan.reduced),
  ];
  return plan.short ? Int32Array.from(numbers) : BigInt64Array.from(numbers, BigInt);
}
