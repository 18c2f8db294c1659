/** The index space of a launch: given, named after arguments, or computed from them; checked and put where the native call reads it. */
import { outOfRange, rangeError, typeError } from "@cl/base";

import type { WaitFor } from "../event/event.js";
import { beginWrite, isUndisturbed, scratchFloat64, scratchInt32 } from "../binding/scratch.js";

/** One extent: a number, or the name of an integer argument that holds it. */
export type Extent = number | string;
/** One to three extents, x first. */
export type Extents = Extent | readonly Extent[];
/** Arguments by name. */
export type NamedArguments = Readonly<Record<string, unknown>>;

/** Over what a kernel runs. */
export interface LaunchSizes {
  /** Work-items in each dimension: `1024`, `[nx, ny]`, `"n"`, `["nx", "ny"]`, or a function of the arguments by name. */
  readonly global?: Extents | ((args: NamedArguments) => Extents);
  /** Work-items of a group in each dimension; left to the driver if absent. */
  readonly local?: Extents | ((args: NamedArguments) => Extents | null | undefined) | null;
  /** First global id in each dimension. */
  readonly offset?: Extents | ((args: NamedArguments) => Extents | null | undefined) | null;
  /** `global` counts groups, not items, as in CUDA: the global size becomes global times local. */
  readonly globalInGroups?: boolean;
  /** A size of 0 launches nothing, where it otherwise throws. Events and wait lists behave as if it had run. */
  readonly allowEmpty?: boolean;
  /** What the launch waits for. */
  readonly waitFor?: WaitFor;
}

/** Who knows the arguments' names: a kernel's parameters. */
interface NameSource {
  named(args: readonly unknown[]): NamedArguments;
}

const maxExtent = Number.MAX_SAFE_INTEGER;
/** A product beyond this wraps around in drivers, which then run nothing and report success. */
const maxItems = Number.MAX_SAFE_INTEGER;

/**
 * Writes the sizes into the scratch block. Returns false for an empty range that is allowed.
 *
 * The common case, plain numbers, makes no objects: this runs at every launch.
 */
export function writeSizes(sizes: LaunchSizes, source: NameSource, args: readonly unknown[]): boolean {
  let global = sizes.global;
  let local = sizes.local;
  let offset = sizes.offset;
  // As JavaScript gives them, not as they are declared.
  const { globalInGroups, allowEmpty }: { readonly globalInGroups?: unknown; readonly allowEmpty?: unknown } = sizes;
  // All user code before anything is written: it may launch kernels itself.
  if (typeof global === "function") global = global(source.named(args));
  if (typeof local === "function") local = local(source.named(args));
  if (typeof offset === "function") offset = offset(source.named(args));
  const write = beginWrite();
  const hasLocal = local !== undefined && local !== null;
  const hasOffset = offset !== undefined && offset !== null;
  if (global === undefined || global === null) {
    throw typeError("sizes.global", "a number, a name, or an array of one to three of them", global);
  }

  let dimensions = writeExtents(global, 1, "sizes.global", source, args, 0);
  const localDimensions = hasLocal ? writeExtents(local as Extents, 4, "sizes.local", source, args, 0) : 0;
  const offsetDimensions = hasOffset ? writeExtents(offset as Extents, 7, "sizes.offset", source, args, 0) : 0;
  if (!isUndisturbed(write)) return writeSizes(copySizes(sizes, global, local, offset), source, args);
  if (globalInGroups !== undefined && globalInGroups !== false) {
    if (globalInGroups !== true) throw typeError("sizes.globalInGroups", "true or false", globalInGroups);
    if (!hasLocal) throw typeError("sizes.local", "given, because sizes.globalInGroups multiplies by it", local);
    dimensions = multiplyByLocal(dimensions, localDimensions, offsetDimensions);
  } else {
    if (hasLocal && localDimensions !== dimensions) throw dimensionError("sizes.local", localDimensions, dimensions);
    if (hasOffset && offsetDimensions !== dimensions) {
      throw dimensionError("sizes.offset", offsetDimensions, dimensions);
    }
  }
  scratchInt32[0] = dimensions;
  scratchInt32[1] = (hasLocal ? 1 : 0) | (hasOffset ? 2 : 0);

  let items = 1;
  let groupItems = 1;
  for (let i = 0; i < dimensions; i++) {
    items *= scratchFloat64[1 + i] as number;
    if (hasLocal) groupItems *= scratchFloat64[4 + i] as number;
  }
  if (items > maxItems) throw tooMany("sizes.global", 1, dimensions);
  if (groupItems > maxItems) throw tooMany("sizes.local", 4, dimensions);

  for (let i = 0; i < dimensions; i++) {
    const empty = scratchFloat64[1 + i] === 0 || (hasLocal && scratchFloat64[4 + i] === 0);
    if (!empty) continue;
    if (allowEmpty === true) return false;
    if (allowEmpty !== undefined && allowEmpty !== false) {
      throw typeError("sizes.allowEmpty", "true or false", allowEmpty);
    }
    const name = scratchFloat64[1 + i] === 0 ? "sizes.global" : "sizes.local";
    throw rangeError(name, "at least 1 in each dimension (or pass allowEmpty: true)", 0);
  }
  return true;
}

/** The same sizes in arrays of our own, in which no getters run code that uses the scratch block. */
function copySizes(sizes: LaunchSizes, global: unknown, local: unknown, offset: unknown): LaunchSizes {
  const { globalInGroups, allowEmpty } = sizes;
  const copy = (extents: unknown): Extents =>
    (Array.isArray(extents) ? [...(extents as Extent[])] : extents) as Extents;
  return { global: copy(global), local: copy(local), offset: copy(offset), globalInGroups, allowEmpty } as LaunchSizes;
}

function tooMany(name: string, at: number, dimensions: number): RangeError {
  const extents = [...scratchFloat64.subarray(at, at + dimensions)];
  return rangeError(name, "at most 2^53 - 1 work-items in all", extents);
}

function writeExtents(
  extents: Extents,
  at: number,
  name: string,
  source: NameSource,
  args: readonly unknown[],
  min: number,
): number {
  if (typeof extents === "number") {
    scratchFloat64[at] = checkExtent(extents, name, min);
    return 1;
  }
  if (typeof extents === "string") {
    scratchFloat64[at] = checkExtent(namedExtent(extents, name, source, args), name, min);
    return 1;
  }
  if (!Array.isArray(extents)) throw typeError(name, "a number, a name, or an array of one to three of them", extents);
  const { length } = extents as readonly Extent[];
  if (length < 1 || length > 3) throw rangeError(name, "one to three long", extents);
  for (let i = 0; i < length; i++) {
    const extent = (extents as readonly Extent[])[i] as Extent;
    const value = typeof extent === "string" ? namedExtent(extent, `${name}[${i}]`, source, args) : extent;
    // The name of the element is only made when it is needed.
    if (!(value >= min && value <= maxExtent && Number.isInteger(value))) checkExtent(value, `${name}[${i}]`, min);
    scratchFloat64[at + i] = value;
  }
  return length;
}

function checkExtent(value: unknown, name: string, min: number): number {
  if (typeof value !== "number") throw typeError(name, "an integer", value);
  if (!(value >= min && value <= maxExtent && Number.isInteger(value))) {
    throw rangeError(name, `an integer of at least ${min}`, value);
  }
  return value;
}

function namedExtent(argument: string, name: string, source: NameSource, args: readonly unknown[]): number {
  const all = source.named(args);
  if (!Object.hasOwn(all, argument)) {
    throw rangeError(name, `the name of an argument (${Object.keys(all).join(", ") || "none has a name"})`, argument);
  }
  const value = all[argument];
  if (typeof value === "bigint" && value >= 0n && value <= BigInt(maxExtent)) return Number(value);
  if (typeof value !== "number") throw typeError(name, `the name of an argument that is a number`, argument);
  return value;
}

/** Pads the shorter with 1 and multiplies; offsets are multiplied too. */
function multiplyByLocal(globalDimensions: number, localDimensions: number, offsetDimensions: number): number {
  const dimensions = Math.max(globalDimensions, localDimensions, offsetDimensions);
  for (let i = 0; i < dimensions; i++) {
    if (i >= globalDimensions) scratchFloat64[1 + i] = 1;
    if (i >= localDimensions) scratchFloat64[4 + i] = 1;
    if (i >= offsetDimensions) scratchFloat64[7 + i] = 0;
    const local = scratchFloat64[4 + i] as number;
    scratchFloat64[1 + i] = checkExtent((scratchFloat64[1 + i] as number) * local, "sizes.global × sizes.local", 0);
    scratchFloat64[7 + i] = checkExtent((scratchFloat64[7 + i] as number) * local, "sizes.offset × sizes.local", 0);
  }
  return dimensions;
}

function dimensionError(name: string, dimensions: number, expected: number): RangeError {
  return outOfRange(
    `${name} must have as many dimensions as sizes.global, which has ${expected}, but it has ${dimensions}`,
  );
}

/** For what is no index space at all. */
export function sizesError(given: unknown): TypeError {
  const missing = given === undefined || given === null;
  return typeError(
    "sizes",
    `an object such as { global: 1024 }${missing ? ", since the kernel has no defaultSizes" : ""}`,
    given,
  );
}
