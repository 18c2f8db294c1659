/**
 * The index space of a launch: as numbers, names of arguments or functions; checked and written for the native call.
 */
import { outOfRange, rangeError, typeError } from "@cl/base";

import type { WaitFor } from "../event/event.js";
import { beginWrite, isUndisturbed, scratchFloat64, scratchInt32 } from "../binding/scratch.js";

/** One extent: a number, or the name of an integer argument. */
export type Extent = number | string;
/** One to three extents, x first. */
export type Extents = Extent | readonly Extent[];
/** Arguments by name. */
export type NamedArguments = Readonly<Record<string, unknown>>;

/** The index space of a launch, and the events that it waits for. */
export interface LaunchSizes {
  /**
   * Work-items in each dimension: `1024`, `[nx, ny]`, `"n"`, `["nx", "ny"]`, or a function of the arguments by name.
   */
  readonly global?: Extents | ((args: NamedArguments) => Extents);
  /** Work-items per work-group in each dimension; chosen by the driver if absent. */
  readonly local?: Extents | ((args: NamedArguments) => Extents | null | undefined) | null;
  /**
   * Global offset in each dimension.
   * @defaultValue 0
   */
  readonly offset?: Extents | ((args: NamedArguments) => Extents | null | undefined) | null;
  /**
   * Whether `global` and `offset` count work-groups instead of work-items, as in CUDA. Requires `local`.
   * @defaultValue false
   */
  readonly globalInGroups?: boolean;
  /**
   * Whether a size of 0 launches nothing instead of throwing. Events and wait lists then behave as for a launch.
   * @defaultValue false
   */
  readonly allowEmpty?: boolean;
  /** Events that the launch waits for. */
  readonly waitFor?: WaitFor;
}

/** Names of a kernel's arguments by position; `undefined` for an unknown one. */
type ArgumentNames = readonly (string | undefined)[];

const maxExtent = Number.MAX_SAFE_INTEGER;
/** Drivers overflow on a larger product: they run nothing and report success. */
const maxItems = Number.MAX_SAFE_INTEGER;

/**
 * Writes the sizes into the scratch block. Returns false for an allowed empty range. Does not allocate for plain
 * numbers, because it runs at every launch.
 */
export function writeSizes(sizes: LaunchSizes, names: ArgumentNames, args: readonly unknown[]): boolean {
  let global = sizes.global;
  let local = sizes.local;
  let offset = sizes.offset;
  // Unchecked input, hence `unknown`.
  const { globalInGroups, allowEmpty }: { readonly globalInGroups?: unknown; readonly allowEmpty?: unknown } = sizes;
  // Run all user code before writing: it may launch kernels itself.
  if (typeof global === "function") global = global(argumentsByName(names, args));
  if (typeof local === "function") local = local(argumentsByName(names, args));
  if (typeof offset === "function") offset = offset(argumentsByName(names, args));
  const write = beginWrite();
  const hasLocal = local !== undefined && local !== null;
  const hasOffset = offset !== undefined && offset !== null;
  if (global === undefined || global === null) {
    throw typeError("sizes.global", "a number, a name, or an array of one to three of them", global);
  }

  let dimensions = writeExtents(global, 1, "sizes.global", names, args, 0);
  const localDimensions = hasLocal ? writeExtents(local as Extents, 4, "sizes.local", names, args, 0) : 0;
  const offsetDimensions = hasOffset ? writeExtents(offset as Extents, 7, "sizes.offset", names, args, 0) : 0;
  if (!isUndisturbed(write)) return writeSizes(copySizes(sizes, global, local, offset), names, args);
  if (globalInGroups !== undefined && globalInGroups !== false) {
    if (globalInGroups !== true) throw typeError("sizes.globalInGroups", "true or false", globalInGroups);
    if (!hasLocal) throw typeError("sizes.local", "given when sizes.globalInGroups is true", local);
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

/** Returns the sizes in plain arrays, without getters that could overwrite the scratch block. */
function copySizes(sizes: LaunchSizes, global: unknown, local: unknown, offset: unknown): LaunchSizes {
  const { globalInGroups, allowEmpty } = sizes;
  const copy = (extents: unknown): Extents =>
    (Array.isArray(extents) ? [...(extents as Extent[])] : extents) as Extents;
  return { global: copy(global), local: copy(local), offset: copy(offset), globalInGroups, allowEmpty } as LaunchSizes;
}

function tooMany(name: string, at: number, dimensions: number): RangeError {
  const extents = [...scratchFloat64.subarray(at, at + dimensions)];
  return rangeError(name, "at most 2^53 - 1 work-items in total", extents);
}

function writeExtents(
  extents: Extents,
  at: number,
  name: string,
  names: ArgumentNames,
  args: readonly unknown[],
  min: number,
): number {
  if (typeof extents === "number") {
    scratchFloat64[at] = checkExtent(extents, name, min);
    return 1;
  }
  if (typeof extents === "string") {
    scratchFloat64[at] = checkExtent(namedExtent(extents, name, names, args), name, min);
    return 1;
  }
  if (!Array.isArray(extents)) throw typeError(name, "a number, a name, or an array of one to three of them", extents);
  const { length } = extents as readonly Extent[];
  if (length < 1 || length > 3) throw rangeError(name, "one to three long", extents);
  for (let i = 0; i < length; i++) {
    const extent = (extents as readonly Extent[])[i] as Extent;
    const value = typeof extent === "string" ? namedExtent(extent, `${name}[${i}]`, names, args) : extent;
    // Build the element's name only for errors.
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

function namedExtent(argument: string, name: string, names: ArgumentNames, args: readonly unknown[]): number {
  const position = names.indexOf(argument);
  if (position < 0) {
    const known = names.filter((one) => one !== undefined).join(", ");
    throw rangeError(name, `the name of an argument (${known || "none has a name"})`, argument);
  }
  const value = args[position];
  if (typeof value === "bigint" && value >= 0n && value <= BigInt(maxExtent)) return Number(value);
  if (typeof value !== "number") throw typeError(name, `the name of an argument that is a number`, argument);
  return value;
}

/** Returns the arguments by name, for sizes that are functions of them. */
function argumentsByName(names: ArgumentNames, args: readonly unknown[]): NamedArguments {
  // Object.fromEntries takes 1 µs longer.
  const named: Record<string, unknown> = {};
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    // This name would set the prototype.
    if (name === "__proto__") Object.defineProperty(named, name, { value: args[i], enumerable: true });
    else if (name !== undefined) named[name] = args[i];
  }
  return named;
}

/** Multiplies global sizes and offsets by the local sizes; missing dimensions count as 1, missing offsets as 0. */
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
  return outOfRange(`${name} must have ${expected} dimensions, as sizes.global does, received ${dimensions}`);
}

/** Returns the error for sizes that are not an object. */
export function sizesError(given: unknown): TypeError {
  const missing = given === undefined || given === null;
  return typeError(
    "sizes",
    `an object such as { global: 1024 }${missing ? ", because the kernel has no defaultSizes" : ""}`,
    given,
  );
}
