/** The kernels of reductions: cached by operation and layout, and launched with scratch memory between them. */
import type { Allocation, Allocator, CommandQueue, LaunchSizes } from "@cl/core";
import { exactOptions } from "../kernels/exact-options.js";
import type { GeneratedKernel, ProgramText } from "../kernels/generated-program.js";
import { type ProgramCache, programOf } from "../kernels/kernel-cache.js";
import { launchOrdered } from "../kernels/launch.js";
import { Storage } from "../storage/storage.js";
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

/** What kernels are given. */
export interface LaunchArguments {
  /** What is read. */
  readonly reads: readonly Storage[];
  /** The arguments before and after the result: the memory of inputs, and values. */
  readonly memory: readonly Storage["memory"][];
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
  cache: ProgramCache,
  plan: ReductionPlan,
  work: WorkDivision,
  placement: Placement,
): PreparedReduction {
  const { context, device } = queue;
  const { outputs } = placement;
  const local = Math.min(outputs < 64 ? 1 : 64, device.maxWorkGroupSize);
  // A single result is the same whether a second kernel or the last group combines its parts.
  const byGroups = plan.group > 1 && (outputs === 1 || (outputs <= 1024 && work.parts >= 16));
  const program = programOf(context, keyOf(plan), () => textOf(queue, plan), cache);
  const scratchBytes = outputs * work.parts * plan.reduction.accumulatorBytes;
  return {
    reduce: program.kernel("reduce"),
    sizes: { global: work.global, local: work.group },
    finish: plan.combining === "kernel" ? program.kernel(byGroups ? "finish_by_groups" : "finish") : undefined,
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
    const args = argumentsOf(memory, parts, target, values, places);
    launchOrdered(queue, reduce, sizes, args, reads, [target]);
    return;
  }
  const scratch = new Storage(allocator, scratchBytes);
  scratch.retain();
  try {
    launchOrdered(queue, reduce, sizes, argumentsOf(memory, parts, scratch, values, places), reads, [scratch]);
    launchOrdered(queue, finish, finishSizes, [scratch.memory, target.memory, ...values, places], [scratch], [target]);
  } finally {
    scratch.release();
  }
}

/** Returns the arguments of `reduce`. In literals if there are few, since growing an array takes 0.2 of the 2.4 µs of a small sum. */
function argumentsOf(
  memory: LaunchArguments["memory"],
  parts: PartsMemory | undefined,
  result: Storage,
  values: readonly unknown[],
  places: PreparedReduction["places"],
): readonly unknown[] {
  if (memory.length === 0 || memory.length > 2 || values.length > 0) {
    const partArguments = parts === undefined ? [] : [parts.partial, parts.done];
    return [...memory, ...partArguments, result.memory, ...values, places];
  }
  const [first, second] = [memory[0], memory[1]];
  if (parts === undefined) {
    return memory.length === 1 ? [first, result.memory, places] : [first, second, result.memory, places];
  }
  const { partial, done } = parts;
  return memory.length === 1
    ? [first, partial, done, result.memory, places]
    : [first, second, partial, done, result.memory, places];
}

function textOf({ context }: CommandQueue, plan: ReductionPlan): ProgramText {
  const options = "text" in plan.stage ? plan.options : exactOptions(context);
  return { source: () => reductionSource(plan), label: `${plan.reduction.name} of arrays`, options };
}

function keyOf(plan: ReductionPlan): string {
  const { stage, reduction } = plan;
  const mapKey = "text" in stage ? stage.text : `${stage.value.id}:${stage.where?.id ?? ""}`;
  const shape = `${plan.orientation}${plan.kept}/${plan.reduced}/${plan.steps.join("")}/${plan.group}/${plan.width}/${plan.vector}/${plan.wide}/${plan.tile}`;
  return `reduce ${reduction.key}|${plan.target}|${shape}|${plan.short}${plan.combining}|${mapKey}`;
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
