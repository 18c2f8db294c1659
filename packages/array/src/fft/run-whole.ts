/** Launches of whole-line transforms: on CPUs, for lines of two factors that fit into local memory. */
import { OwnerCache } from "@cl/base";
import { hasParallelWorkItems } from "@cl/characterize";
import {
  type CommandQueue,
  type Context,
  type Device,
  type DeviceBuffer,
  type LaunchSizes,
  LocalMemory,
} from "@cl/core";
import type { GeneratedKernel } from "../kernels/generated-program.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered } from "../kernels/launch.js";
import type { RealType } from "./butterflies-source.js";
import { divided, isProduct, isSmooth, radicesOf } from "./factors.js";
import { laneRadices, lanesOf } from "./lanes-source.js";
import { pairs, storeRoot, tableOf } from "./tables.js";
import { placesOf, storeTwiddles } from "./twiddles.js";
import { wholeBytes, wholeFlags, wholeSource } from "./whole-source.js";
import type { Direction, Place } from "./place.js";

/** Lines behind each other. */
export interface WholeLines {
  readonly real: RealType;
  readonly batch: number;
  /** Complex elements that are transformed: of real lines, pairs. */
  readonly length: number;
  /** Which side is the first half of the spectra of real lines; that has one element more. */
  readonly half?: "source" | "target";
}

/** No line is longer, however much local memory a device says it has: that is to be in the caches of a core. */
const longest = 2 ** 16;

/**
 * The longest line that one core does while others have none. What several launches of all cores cost beyond their work is as
 * much as one core needs for some ten thousand elements: with two cores 65536 take 0.2 ms so, and 0.3 ms in two launches.
 */
function longestAlone({ maxComputeUnits }: Device): number {
  return Math.max(2 ** 14, 2 ** 17 / maxComputeUnits);
}

/** All that does not depend on memory. */
interface Prepared {
  readonly kernel: GeneratedKernel;
  readonly sizes: LaunchSizes;
  readonly local: LocalMemory;
  readonly plan: () => DeviceBuffer;
  readonly table: () => DeviceBuffer;
  readonly parts: readonly [number, number];
  readonly lines: bigint;
}

/** By queue and kind of lines: planning takes longer than the transform of short lines. */
const known = new OwnerCache<CommandQueue, Prepared | null>({ capacity: 256 });

/** Transforms lines in one launch, if they are of a length and a number for which that is good; else it says so. */
export function runWhole(
  queue: CommandQueue,
  lines: WholeLines,
  source: Place,
  target: Place,
  { inverse, scale }: Direction,
): boolean {
  if (hasParallelWorkItems(queue.device)) return false;
  const own = preparedFor(queue, lines);
  if (own === null) return false;
  const flags =
    (inverse ? wholeFlags.changeIn + wholeFlags.changeOut : 0) +
    (lines.half === "source" ? wholeFlags.fromHalf : 0) +
    (lines.half === "target" ? wholeFlags.toHalf : 0);
  const args = [
    source.storage.memory,
    target.storage.memory,
    own.local,
    own.plan(),
    own.table(),
    ...own.parts,
    flags,
    scale,
    own.lines,
    BigInt(source.start),
    BigInt(target.start),
  ];
  launchOrdered(queue, own.kernel, own.sizes, args, [source.storage], [target.storage]);
  return true;
}

function preparedFor(queue: CommandQueue, lines: WholeLines): Prepared | null {
  const key = `${lines.real} ${lines.batch} ${lines.length} ${lines.half === undefined}`;
  return known.get(queue, key, () => {
    const { context, device } = queue;
    const division = divisionOf(device, lines);
    return division === undefined ? null : prepare(context, device, lines, division);
  });
}

/** How a line is divided. */
interface Division {
  readonly lanes: number;
  readonly parts: readonly [number, number];
}

/** The parts of lines that are worth it: each has at least as many elements as vectors have lanes. */
function divisionOf(device: Device, lines: WholeLines): Division | undefined {
  const { real, batch, length, half } = lines;
  const most = batch < device.maxComputeUnits ? Math.min(longest, longestAlone(device)) : longest;
  if (!isSmooth(length) || length > most) return undefined;
  // Short complex lines are as fast in one pass, one in each lane.
  const fewest = half === undefined ? 8 : 4;
  for (let lanes = lanesOf(real); lanes >= fewest; lanes /= 2) {
    const parts = divided(length, lanes, (both) => costOf(both, lanes));
    if (parts !== undefined) {
      return wholeBytes(real, lanes, parts, half !== undefined) > device.localMemSize ? undefined : { lanes, parts };
    }
  }
  return undefined;
}

/** Blocks that begin earlier cost as much as others. */
function costOf(parts: readonly [number, number], lanes: number): number {
  const waste = parts.map((part) => (Math.ceil(part / lanes) * lanes) / part);
  return waste.reduce((sum, one) => sum + one) + Math.log2(Math.max(...parts) / Math.min(...parts)) / 8;
}

function prepare(
  context: Context,
  device: Device,
  { real, batch, length, half }: WholeLines,
  { lanes, parts }: Division,
): Prepared {
  const set = laneRadices.find((radices) => isProduct(length, radices)) as readonly number[];
  const radices = parts.map((part) => radicesOf(part, set));
  const key = radices.join(" ");
  return {
    kernel: kernelOf(context, `fft whole ${real} ${lanes} ${set.join()}`, "transform", () =>
      wholeSource({ real, lanes, radices: set }),
    ),
    sizes: { global: Math.min(batch, device.maxComputeUnits * 8), local: 1 },
    local: new LocalMemory(wholeBytes(real, lanes, parts, half !== undefined)),
    plan: () => tableOf(context, `whole plan ${key}`, () => planOf(radices)),
    table: () =>
      tableOf(context, `whole table ${real} ${lanes} ${key}`, () => rootsOfLine(real, lanes, parts, radices)),
    parts,
    lines: BigInt(batch),
  };
}

/** How both parts are transformed, behind each other. */
function planOf(radices: readonly (readonly number[])[]): Int32Array {
  return Int32Array.from(radices.flatMap((own) => [...placesOf(own)]));
}

/** The roots in the order in which the kernel wants them. */
function rootsOfLine(
  real: RealType,
  lanes: number,
  [first, second]: readonly [number, number],
  radices: readonly (readonly number[])[],
): Float32Array | Float64Array {
  const length = first * second;
  const blocks = Math.ceil(second / lanes);
  const stages = 2 * (first + second);
  const turns = 2 * lanes * first * blocks;
  const table = pairs(real, (stages + turns) / 2 + length + 1);
  storeTwiddles(table.subarray(0, 2 * first), radices[0] as readonly number[], "places");
  storeTwiddles(table.subarray(2 * first, stages), radices[1] as readonly number[], "places");
  const root = new Float64Array(2);
  let at = stages;
  for (let block = 0; block < blocks; block++) {
    const start = Math.min(block * lanes, second - lanes);
    for (let row = 0; row < first; row++, at += 2 * lanes) {
      for (let lane = 0; lane < lanes; lane++) {
        storeRoot(root, 0, row * (start + lane), length);
        table[at + lane] = root[0] as number;
        table[at + lanes + lane] = root[1] as number;
      }
    }
  }
  for (let k = 0; k <= length; k++) {
    storeRoot(root, 0, k, 2 * length);
    table[at + k] = root[0] as number;
    table[at + length + 1 + k] = root[1] as number;
  }
  return table;
}
