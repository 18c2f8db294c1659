/** Bank conflicts in local memory. */
import { checkInstance, checkInteger, rangeError, typeError } from "@cl/base";
import { Device } from "@cl/core";

import { type DeviceFacts, factsOf } from "../device/facts.js";
import { hasOrdinaryLocalMemory } from "../tables/hardware.js";
import { granularity, localMemoryBankCountOf, simultaneousWorkItemsOf } from "./local-memory.js";
import { checkMeasured, type Measured } from "./measured.js";

/** The worst bank conflict of an array in local memory. */
export interface LocalAccessConflict {
  /** Number of words of one bank that are accessed simultaneously, and therefore serialized; 1 means no conflict. */
  readonly multiplicity: number;
  /** Description of the conflict and its remedy; `undefined` without a conflict. */
  readonly explanation: string | undefined;
}

/**
 * Returns the worst bank conflict when adjacent work-items access adjacent elements of an array in local memory, along
 * any axis. `shape` has the fastest axis last. `storedShape` is the padded shape in memory: a tile of 16 × 16 that is
 * stored as 16 × 17 has no conflicts in its columns. As in hardware, fewer work-items access elements wider than a word
 * simultaneously, and work-items that read the same word share one access.
 *
 * Returns `undefined` and emits a {@link CharacterizationWarning} if the device is in no table and has not been
 * measured.
 *
 * @example
 * ```ts
 * const measured = { localMemoryBankCount: 32, simultaneousWorkItemsOnLocalAccess: 32 };
 * const tile = [32, 32];
 * console.log(whyNotLocalAccessConflictFree(context.devices[0]!, 4, tile, undefined, measured)?.multiplicity); // 32
 * console.log(whyNotLocalAccessConflictFree(context.devices[0]!, 4, tile, [32, 33], measured)?.multiplicity); // 1
 * ```
 */
export function whyNotLocalAccessConflictFree(
  device: Device,
  itemSize: number,
  shape: readonly number[],
  storedShape?: readonly number[],
  measured?: Measured,
): LocalAccessConflict | undefined {
  checkInstance(device, Device, "device");
  checkInteger(itemSize, "itemSize", 1);
  const extents = checkShape(shape, "shape");
  const stored = storedShape === undefined ? extents : checkStored(storedShape, extents);
  return localAccessConflictOf(factsOf(device), itemSize, extents, stored, checkMeasured(measured));
}

export function localAccessConflictOf(
  facts: DeviceFacts,
  itemSize: number,
  shape: readonly number[],
  storedShape: readonly number[] = shape,
  measured: Measured = {},
): LocalAccessConflict | undefined {
  if (measured.localMemoryBankCount === undefined && hasOrdinaryLocalMemory(facts)) return noConflict;
  const banks = localMemoryBankCountOf(facts, measured);
  const simultaneous = simultaneousWorkItemsOf(facts, measured);
  if (banks === undefined || simultaneous === undefined) return undefined;
  const access: Access = { itemSize, banks, workItems: workItemsAtOnce(simultaneous, itemSize) };
  const worst = worstAxis(access, shape, storedShape);
  if (worst.multiplicity === 1) return noConflict;
  return { multiplicity: worst.multiplicity, explanation: explain(access, shape, storedShape, worst) };
}

const noConflict: LocalAccessConflict = { multiplicity: 1, explanation: undefined };

/** One simultaneous access of the hardware. */
interface Access {
  readonly itemSize: number;
  readonly banks: number;
  readonly workItems: number;
}

interface WorstAxis {
  readonly axis: number;
  readonly multiplicity: number;
}

/**
 * Returns the number of work-items per access. Elements of two words take two accesses by half of the work-items each.
 */
function workItemsAtOnce(simultaneous: number, itemSize: number): number {
  return Math.max(1, Math.floor(simultaneous / Math.ceil(itemSize / granularity)));
}

function worstAxis(access: Access, shape: readonly number[], stored: readonly number[]): WorstAxis {
  let worst: WorstAxis = { axis: shape.length - 1, multiplicity: 1 };
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const multiplicity = conflictAlong(access, shape, stored, axis);
    if (multiplicity > worst.multiplicity) worst = { axis, multiplicity };
  }
  return worst;
}

/** Returns the maximum number of words in one bank when work-items run along `axis`, and then along slower axes. */
function conflictAlong(access: Access, shape: readonly number[], stored: readonly number[], axis: number): number {
  const words = new Map<number, Set<number>>();
  for (let item = 0; item < access.workItems; item++) {
    const element = elementOf(item, shape, stored, axis);
    if (element === undefined) break;
    const first = Math.floor((element * access.itemSize) / granularity);
    const last = Math.floor(((element + 1) * access.itemSize - 1) / granularity);
    for (let word = first; word <= last; word++) {
      const bank = word % access.banks;
      const bankWords = words.get(bank);
      if (bankWords === undefined) words.set(bank, new Set([word]));
      else bankWords.add(word);
    }
  }
  return Math.max(1, ...[...words.values()].map((bankWords) => bankWords.size));
}

/** Returns the offset of a work-item's element in elements; `undefined` past the end of the array. */
function elementOf(
  item: number,
  shape: readonly number[],
  stored: readonly number[],
  axis: number,
): number | undefined {
  const strides = stridesOf(stored);
  let rest = item;
  let element = 0;
  for (let at = axis; at >= 0; at--) {
    const extent = shape[at] as number;
    element += (rest % extent) * (strides[at] as number);
    rest = Math.floor(rest / extent);
  }
  return rest === 0 ? element : undefined;
}

function stridesOf(stored: readonly number[]): readonly number[] {
  const strides: number[] = [];
  let stride = 1;
  for (let axis = stored.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= stored[axis] as number;
  }
  return strides;
}

function explain(
  access: Access,
  shape: readonly number[],
  stored: readonly number[],
  { axis, multiplicity }: WorstAxis,
): string {
  const problem = `${access.workItems} work-items along axis ${axis} of ${shape.join(" × ")} elements of ${access.itemSize} bytes access up to ${multiplicity} words of one of ${access.banks} banks`;
  const padded = paddedShape(access, shape, stored);
  return padded === undefined ? problem : `${problem}; stored as ${padded.join(" × ")} they would not conflict`;
}

/** Returns the shape with the smallest padding of the fastest axis that avoids all conflicts. */
function paddedShape(
  access: Access,
  shape: readonly number[],
  stored: readonly number[],
): readonly number[] | undefined {
  if (shape.length < 2) return undefined;
  for (let padding = 1; padding <= maxPadding; padding++) {
    const padded = [...stored.slice(0, -1), (stored.at(-1) as number) + padding];
    if (worstAxis(access, shape, padded).multiplicity === 1) return padded;
  }
  return undefined;
}

/** Maximum padding to suggest. */
const maxPadding = 4;

function checkShape(shape: readonly number[], name: string): readonly number[] {
  if (!Array.isArray(shape)) throw typeError(name, "an array of extents", shape);
  if (shape.length === 0) throw rangeError(name, "at least one extent", shape);
  const extents = shape.map((extent: unknown, i) => checkInteger(extent, `${name}[${i}]`, 1));
  checkInteger(
    extents.reduce((product, extent) => product * extent, 1),
    `the number of elements of ${name}`,
    1,
  );
  return extents;
}

function checkStored(storedShape: readonly number[], shape: readonly number[]): readonly number[] {
  const stored = checkShape(storedShape, "storedShape");
  if (stored.length !== shape.length) {
    throw rangeError("storedShape", `an array of ${shape.length} extents, as many as shape has`, storedShape);
  }
  stored.forEach((extent, i) => checkInteger(extent, `storedShape[${i}]`, shape[i]));
  return stored;
}
