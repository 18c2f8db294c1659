/** The kernels of scans: cached by their source, and launched with scratch memory between them. */
import { hasParallelWorkItems } from "@cl/characterize";
import type { CommandEvent, CommandQueue, Context, LaunchSizes } from "@cl/core";
import { exactOptions } from "../kernels/exact-options.js";
import type { GeneratedKernel, ProgramText } from "../kernels/generated-program.js";
import { type ProgramCache, programOf, sharedPrograms } from "../kernels/kernel-cache.js";
import { launchOrdered } from "../kernels/launch.js";
import type { Runner } from "../reductions/launch-reduction.js";
import { Storage } from "../storage/storage.js";
import { type GroupShape, groupScanSource, groupShape } from "./group-source.js";
import { aloneScanSource, processorScanSource } from "./processor-source.js";
import { partBytes, type ScanTexts } from "./scan-texts.js";

/** How many elements there are. */
export interface ScanExtent {
  readonly rows: number;
  readonly length: number;
}

/** What kernels are given, and what commands touch. */
export interface ScanArguments {
  /** Memory and values, in the order of the parameters. */
  readonly values: readonly unknown[];
  readonly reads: readonly Storage[];
  readonly writes: readonly Storage[];
  /** Additional events that the first command waits for. */
  readonly waitFor?: readonly CommandEvent[] | undefined;
  /** True if the last command's event is wanted. */
  readonly wantEvent?: boolean | undefined;
}

interface ScanKernels {
  readonly totals: GeneratedKernel;
  readonly parts: GeneratedKernel | undefined;
  readonly items: GeneratedKernel;
}

/** Kernels with all that they are given but memory and values, so that the same scan of other memory is only a launch. */
export interface PreparedScan {
  readonly totals: GeneratedKernel;
  readonly totalSizes: LaunchSizes;
  /** What makes of totals what is before each, where a group does that. */
  readonly parts: GeneratedKernel | undefined;
  readonly partSizes: LaunchSizes;
  readonly items: GeneratedKernel;
  readonly itemSizes: LaunchSizes;
  /** 0 where one pass is enough. */
  readonly scratchBytes: number;
  /** How many parts there are. */
  readonly count: number;
  /** What follows the scratch memory. */
  readonly numbers: readonly (number | bigint)[];
}

/** Makes the kernels of a scan of at least one element, or finds them. `key` tells its texts from others in the cache. */
export function prepareScan(
  queue: CommandQueue,
  cache: ProgramCache,
  key: string,
  texts: () => ScanTexts,
  extent: ScanExtent,
): PreparedScan {
  return hasParallelWorkItems(queue.device)
    ? prepareGroups(queue, cache, key, texts(), extent)
    : prepareChunks(queue, cache, key, texts(), extent);
}

/** Enqueues the kernels. */
export function launchPrepared(
  { queue, allocator }: Runner,
  { totals, totalSizes, parts, partSizes, items, itemSizes, scratchBytes, count, numbers }: PreparedScan,
  { values, reads, writes, waitFor, wantEvent }: ScanArguments,
): CommandEvent | undefined {
  if (scratchBytes === 0) {
    return launchOrdered(queue, items, itemSizes, [...values, null, ...numbers], reads, writes, { waitFor, wantEvent });
  }
  const scratch = new Storage(allocator, scratchBytes);
  scratch.retain();
  try {
    const args = [...values, scratch.memory, ...numbers];
    launchOrdered(queue, totals, totalSizes, args, reads, [scratch], { waitFor });
    if (parts !== undefined) launchOrdered(queue, parts, partSizes, [scratch.memory, count], [], [scratch]);
    return launchOrdered(queue, items, itemSizes, args, [...reads, scratch], writes, { waitFor, wantEvent });
  } finally {
    scratch.release();
  }
}

/** Prepares and enqueues. */
export function launchScan(
  runner: Runner,
  cache: ProgramCache,
  key: string,
  texts: () => ScanTexts,
  extent: ScanExtent,
  given: ScanArguments,
): CommandEvent | undefined {
  return launchPrepared(runner, prepareScan(runner.queue, cache, key, texts, extent), given);
}

/** Elements that are worth a work-item of a processor. */
const chunkLength = 8192;
/** Maximum number of elements that one work-item of a processor scans alone, faster than two launches do. */
const maxAlone = 2 ** 15;

function prepareChunks(
  { device, context }: CommandQueue,
  cache: ProgramCache,
  key: string,
  texts: ScanTexts,
  { rows, length }: ScanExtent,
): PreparedScan {
  const wanted = device.maxComputeUnits * 8;
  const chunks = rows >= wanted ? 1 : Math.max(1, Math.min(Math.ceil(length / chunkLength), Math.ceil(wanted / rows)));
  const pieces = rows * chunks;
  const items = Math.max(1, Math.min(pieces, wanted, Math.ceil((rows * length) / chunkLength)));
  const isOnePass = chunks === 1 && !texts.usesLast;
  const isAlone = chunks > 1 && rows * length <= maxAlone && !texts.usesLast;
  const kernels = isAlone
    ? kernelsOf(context, cache, `${key}|alone`, texts, () => aloneScanSource(texts), { items: "scan_alone" })
    : kernelsOf(context, cache, `${key}|chunks`, texts, () => processorScanSource(texts));
  const sizes = { global: pieces, local: 1 };
  return {
    ...kernels,
    totalSizes: sizes,
    partSizes: sizes,
    itemSizes: { global: isAlone ? 1 : items, local: 1 },
    scratchBytes: isOnePass || isAlone ? 0 : pieces * partBytes(texts, texts.start !== undefined),
    count: pieces,
    numbers: [texts.short ? length : BigInt(length), BigInt(pieces), chunks],
  };
}

function prepareGroups(
  { device, context }: CommandQueue,
  cache: ProgramCache,
  key: string,
  texts: ScanTexts,
  { rows, length }: ScanExtent,
): PreparedScan {
  const shape: GroupShape = groupShape(texts, device.maxWorkGroupSize, rows > 1);
  const { group, each } = shape;
  const size = rows * length;
  const tiles = Math.ceil(size / (group * each));
  const own = `${key}|groups ${group} ${String(shape.rows)}`;
  const kernels = kernelsOf(context, cache, own, texts, () => groupScanSource(texts, shape), { parts: "scan_parts" });
  const isOnePass = tiles === 1 && !texts.usesLast;
  const segments = shape.rows || texts.start !== undefined;
  const sizes = { global: tiles * group, local: group };
  const index = (value: number): number | bigint => (texts.short ? value : BigInt(value));
  return {
    ...kernels,
    totalSizes: sizes,
    partSizes: { global: group, local: group },
    itemSizes: sizes,
    scratchBytes: isOnePass ? 0 : (tiles + 1) * partBytes(texts, segments),
    count: tiles,
    numbers: [index(length), index(size), tiles],
  };
}

function kernelsOf(
  context: Context,
  cache: ProgramCache,
  key: string,
  { name, options }: ScanTexts,
  source: () => string,
  names: { readonly parts?: string; readonly items?: string } = {},
): ScanKernels {
  const text = (): ProgramText => ({
    source,
    label: `${name} of arrays`,
    options: cache === sharedPrograms ? exactOptions(context) : options,
  });
  const program = programOf(context, `scan ${key}`, text, cache);
  return {
    totals: program.kernel("scan_totals"),
    parts: names.parts === undefined ? undefined : program.kernel(names.parts),
    items: program.kernel(names.items ?? "scan_items"),
  };
}
