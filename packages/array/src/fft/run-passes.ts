/** Transforms of lines whose length is a product of small primes, as passes over memory. */
import { OwnerCache } from "@cl/base";
import { hasParallelWorkItems } from "@cl/characterize";
import type { CommandQueue, Context, Device, DeviceBuffer, LaunchSizes } from "@cl/core";
import type { DTypeName } from "../types/dtype-name.js";
import type { GeneratedKernel } from "../kernels/generated-program.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered } from "../kernels/launch.js";
import type { RealType } from "./butterflies-source.js";
import { halvesOf, isProduct, partsOf, radicesOf } from "./factors.js";
import { groupRadices, groupsSource, type GroupsText, maxInTile } from "./groups-source.js";
import { laneRadices, lanesOf, lanesSource } from "./lanes-source.js";
import { type Lines, type Pass, passesOf, passNumbers } from "./pass.js";
import { runWhole } from "./run-whole.js";
import { rootsOf, strideBits } from "./tables.js";
import { rowsOf, twiddlesOf } from "./twiddles.js";
import type { ArraySource } from "../storage/array-ref.js";
import type { Direction, Place } from "./place.js";

/** The longest line that a work-item of a processor has in its caches. */
const longestLane = 4096;
/** Lines from here on are worth two passes where there are too few of them for the lanes of a vector. */
const worthHalving = 256;
/** Minimum number of adjacent lines in a GPU tile if the transform takes several passes. */
const minLanes = 4;

/** What lines come to, where that is not for their size and the device to say. */
export interface Division {
  /** Whether places are counted in 32 bits. */
  readonly short?: boolean;
  /** Lengths of passes whose product is that of lines. */
  readonly parts?: readonly number[];
}

/**
 * Transforms lines from one place to another, which may be the same. `dtype` is the elements': complex64 or complex128.
 */
export function runPasses(
  xp: ArraySource,
  dtype: "complex64" | "complex128",
  lines: Lines,
  source: Place,
  target: Place,
  { inverse, scale }: Direction,
  { short = isShort(lines, source, target), parts }: Division = {},
): void {
  const { queue } = xp;
  const real = dtype === "complex64" ? "float" : "double";
  const { batch, length, inner } = lines;
  const isWhole = parts === undefined && inner === 1;
  if (isWhole && runWhole(queue, { real, batch, length }, source, target, { inverse, scale })) return;
  const size = batch * length * inner;
  const passes = preparedPasses(queue, real, lines, short, parts);
  using between = passes.length > 1 ? xp.empty([size], { dtype: dtype as DTypeName }) : undefined;
  const middle: Place | undefined = between && { storage: between.operand().storage, start: 0 };
  for (const [k, pass] of passes.entries()) {
    const isLast = k === passes.length - 1;
    const from = k === 0 ? source : (middle ?? source);
    const to = isLast ? target : (middle ?? target);
    using scratch = pass.scratch === 0 ? undefined : xp.empty([pass.scratch], { dtype: "uint8" });
    const written = [to.storage, ...(scratch === undefined ? [] : [scratch.operand().storage])];
    const args = [
      from.storage.memory,
      ...written.map((storage) => storage.memory),
      ...pass.tables(),
      ...pass.numbers,
      (inverse && k === 0 ? 1 : 0) + (inverse && isLast ? 2 : 0),
      isLast ? scale : 1,
      from.start + to.start === 0 ? pass.fromStart : passNumbers(pass.pass, [from.start, to.start], short),
    ];
    launchOrdered(queue, pass.kernel, pass.sizes, args, [from.storage], written);
  }
}

/** A pass with all that does not depend on memory. */
interface PreparedPass {
  readonly pass: Pass;
  readonly kernel: GeneratedKernel;
  readonly sizes: LaunchSizes;
  /** Bytes of scratch memory per work-item. */
  readonly scratch: number;
  /** Tables, which come from a cache that may have dropped them. */
  readonly tables: () => readonly DeviceBuffer[];
  readonly numbers: readonly number[];
  /** The pass for elements at the start of their memory. */
  readonly fromStart: Int32Array | BigInt64Array;
}

type Passes = readonly PreparedPass[];
/** By queue and kind of lines: planning takes longer than the transform of short lines. */
const prepared = new OwnerCache<CommandQueue, Passes>({ capacity: 256 });

/** The passes for lines, and their kernels. */
function preparedPasses(
  queue: CommandQueue,
  real: RealType,
  lines: Lines,
  short: boolean,
  given: readonly number[] | undefined,
): Passes {
  const key = `${real} ${lines.batch} ${lines.length} ${lines.inner} ${short} ${given?.join() ?? ""}`;
  return prepared.get(queue, key, () => {
    const { context, device } = queue;
    const parts = given ?? partsFor(device, lines, real);
    const prepare = hasParallelWorkItems(device) ? prepareGroups : prepareLanes;
    return passesOf(lines, parts).map((pass) => prepare(context, device, pass, real, short));
  });
}

function isShort({ batch, length, inner }: Lines, source: Place, target: Place): boolean {
  return batch * length * inner + Math.max(source.start, target.start) < 2 ** 30;
}

function partsFor(device: Device, lines: Lines, real: RealType): readonly number[] {
  return hasParallelWorkItems(device)
    ? partsForGroups(lines, maxInTile(real, device.localMemSize))
    : partsForLanes(lines, lanesOf(real));
}

function partsForGroups({ length }: Lines, tile: number): readonly number[] {
  if (length <= tile) return [length];
  return partsOf(length, tile / minLanes, (parts) => Math.max(...parts) / Math.min(...parts));
}

function partsForLanes({ batch, length, inner }: Lines, lanes: number): readonly number[] {
  // Blocks of lanes that are not whole cost as much as whole ones.
  const cost = (parts: readonly number[]): number => {
    const steps = parts.map((part, k) => {
      const others = inner > 1 ? inner : k < parts.length - 1 ? length / part : (parts[0] as number);
      return (Math.ceil(others / lanes) * lanes) / others;
    });
    return steps.reduce((sum, step) => sum + step, 0) + Math.log2(Math.max(...parts) / Math.min(...parts)) / 8;
  };
  const side = inner > 1 ? inner : batch;
  if (length <= longestLane) {
    return side < lanes / 2 && length >= worthHalving ? halvesOf(length, cost) : [length];
  }
  return partsOf(length, longestLane, cost);
}

/** Blocks of lanes of a pass. */
function blocksOf({ lanes, counts: [a, b, c] }: Pass, side: number): number {
  return Math.ceil(lanes / side) * a * b * c;
}

/** Returns the bits of the table index of a pass's twiddle factors; 0 for a pass without any. */
function bitsOf({ order }: Pass): number {
  return order === 0 ? 0 : strideBits(order);
}

function prepareLanes(context: Context, device: Device, pass: Pass, real: RealType, short: boolean): PreparedPass {
  const lanes = lanesOf(real);
  const own = laneRadices.find((radices) => isProduct(pass.length, radices)) as readonly number[];
  const radices = radicesOf(pass.length, own);
  const key = `fft lanes ${real} ${own.join()} ${short}`;
  const chunks = Math.min(blocksOf(pass, lanes), device.maxComputeUnits * 8);
  return {
    pass,
    kernel: kernelOf(context, key, "transform", () => lanesSource({ real, radices: own, short })),
    sizes: { global: chunks, local: 1 },
    scratch: chunks * pass.length * 2 * lanes * (real === "float" ? 4 : 8),
    tables: () => [
      rowsOf(context, radices),
      twiddlesOf(context, real, radices, "places"),
      rootsOf(context, real, Math.max(pass.order, 1)),
    ],
    numbers: [bitsOf(pass), pass.length],
    fromStart: passNumbers(pass, [0, 0], short),
  };
}

function prepareGroups(context: Context, device: Device, pass: Pass, real: RealType, short: boolean): PreparedPass {
  const text = groupsText(device, pass, real, short);
  return {
    pass,
    kernel: kernelOf(context, `fft groups ${JSON.stringify(text)}`, "transform", () => groupsSource(text)),
    sizes: { global: blocksOf(pass, text.lanes) * text.group, local: text.group },
    scratch: 0,
    tables: () => [twiddlesOf(context, real, text.radices, "results"), rootsOf(context, real, Math.max(pass.order, 1))],
    numbers: [bitsOf(pass)],
    fromStart: passNumbers(pass, [0, 0], short),
  };
}

/**
 * Chooses a work-group's tile: enough adjacent lines to access whole memory segments, and few enough that there are
 * many work-groups.
 */
function groupsText(device: Device, pass: Pass, real: RealType, short: boolean): GroupsText {
  const { length } = pass;
  const radices = length === 1 ? [1] : radicesOf(length, groupRadices);
  const most = Math.max(1, 2 ** Math.floor(Math.log2(maxInTile(real, device.localMemSize) / length)));
  const wanted = device.maxComputeUnits * 2;
  const least = pass.laneIn === 1 || pass.laneOut === 1 ? 8 : Math.ceil(1024 / length);
  let lanes = Math.min(most, pass.laneOut === 1 && pass.laneIn === 1 ? 32 : most, powerAbove(pass.lanes));
  while (lanes > least && blocksOf(pass, lanes) < wanted) lanes /= 2;
  const items = Math.ceil((length * lanes) / Math.max(...radices));
  const group = Math.min(256, device.maxWorkGroupSize, Math.max(32, Math.ceil(items / 32) * 32));
  return {
    real,
    length,
    radices,
    lanes,
    group,
    lanesIn: pass.laneIn === 1,
    lanesOut: pass.laneOut === 1,
    turned: pass.order > 0,
    short,
  };
}

function powerAbove(n: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(n, 1)));
}
