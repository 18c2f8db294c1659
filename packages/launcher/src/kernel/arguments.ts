/** Splits a kernel's arguments into fixed values and parameters. */
import { checkInteger, checkString, rangeError, typeError, wrongValue } from "@cl/base";
import type { Kernel } from "@cl/core";

import type { KernelLauncherOptions } from "./launcher-types.js";

/** A parameter: its name in launches, and its argument's position. */
export interface Slot {
  readonly name: string;
  readonly index: number;
}

/** Arguments of a launcher. */
export interface ArgumentPlan {
  /** Fixed values by position, with holes for parameters. */
  readonly fixed: readonly unknown[];
  readonly slots: readonly Slot[];
}

/**
 * Returns which arguments are fixed and which are parameters. Names in `iterated` are also parameters. Throws if an argument
 * is missing, duplicated or unknown.
 */
export function planArguments(
  kernel: Kernel,
  { args, parameters }: Pick<KernelLauncherOptions, "args" | "parameters">,
  iterated: readonly string[] = [],
): ArgumentPlan {
  const slots = slotsOf(kernel, parameters, iterated);
  const fixed: unknown[] = Array.from({ length: kernel.numArgs });
  const parameterPositions = new Set(slots.map(({ index }) => index));
  const tuples = tuplesOf(args);
  if (tuples !== undefined) assignByKey(kernel, tuples, parameterPositions, fixed);
  else if (args === undefined || Array.isArray(args)) assignInOrder(kernel, args ?? [], parameterPositions, fixed);
  else assignByKey(kernel, entriesOf(args), parameterPositions, fixed);
  return { fixed, slots };
}

/** Returns `args` if they are `[name, value]` tuples, otherwise `undefined`. Throws if only some of them are. */
export function tuplesOf(args: unknown): readonly (readonly [name: string, value: unknown])[] | undefined {
  if (!Array.isArray(args) || !args.some(isTuple)) return undefined;
  const other = args.findIndex((item) => !isTuple(item));
  if (other < 0) return args as readonly (readonly [string, unknown])[];
  throw typeError(`options.args[${other}]`, "a [name, value] tuple like the others", args[other]);
}

/** Whether a value is a tuple. No argument value is an array that starts with a string. */
function isTuple(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string";
}

function entriesOf(args: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (typeof args === "object" && args !== null) return Object.entries(args);
  throw typeError("options.args", "an array, or an object with a value for each argument", args);
}

function slotsOf(kernel: Kernel, parameters: unknown, iterated: readonly string[]): readonly Slot[] {
  const listed = parameters === undefined ? [] : parameterEntries(parameters);
  const names = new Set(listed.map(([name]) => name));
  const slots = [
    ...listed.map(([name, key]) => ({ name, index: indexOf(kernel, key, `options.parameters.${name}`) })),
    ...iterated
      .filter((name) => !names.has(name))
      .map((name) => ({ name, index: indexOf(kernel, name, `options.iterate.${name}`) })),
  ];
  for (const [i, { name, index }] of slots.entries()) {
    const duplicate = slots.findIndex((other, k) => k < i && (other.index === index || other.name === name));
    if (duplicate < 0) continue;
    const both = `"${slots[duplicate]?.name}" and "${name}"`;
    throw wrongValue(
      `options.parameters must not have ${both} for the same argument: ${describeArgument(kernel, index)}`,
    );
  }
  return slots;
}

function parameterEntries(parameters: unknown): readonly (readonly [name: string, key: unknown])[] {
  if (typeof parameters !== "object" || parameters === null) {
    throw typeError("options.parameters", "an array of names, or an object from names to arguments", parameters);
  }
  return Array.isArray(parameters)
    ? parameters.map((name: unknown, i) => [checkString(name, `options.parameters[${i}]`), name])
    : Object.entries(parameters);
}

function assignInOrder(
  kernel: Kernel,
  args: readonly unknown[],
  parameterPositions: ReadonlySet<number>,
  fixed: unknown[],
): void {
  const remaining = [...fixed.keys()].filter((i) => !parameterPositions.has(i));
  if (args.length !== remaining.length) {
    const list = remaining.map((i) => describeArgument(kernel, i)).join(", ");
    throw wrongValue(
      `options.args must have ${remaining.length} value${remaining.length === 1 ? "" : "s"}${list === "" ? "" : ` (${list})`} for kernel "${kernel.name}", received ${args.length}`,
    );
  }
  for (const [k, i] of remaining.entries()) fixed[i] = args[k];
}

function assignByKey(
  kernel: Kernel,
  args: readonly (readonly [name: string, value: unknown])[],
  parameterPositions: ReadonlySet<number>,
  fixed: unknown[],
): void {
  const assigned = new Set(parameterPositions);
  for (const [key, value] of args) {
    const index = indexOf(kernel, /^\d+$/.test(key) ? Number(key) : key, `options.args.${key}`);
    if (parameterPositions.has(index)) {
      throw wrongValue(
        `options.args.${key} must not be a parameter: ${describeArgument(kernel, index)} is in options.parameters`,
      );
    }
    if (assigned.has(index)) {
      throw wrongValue(`options.args must not have two values for ${describeArgument(kernel, index)}`);
    }
    assigned.add(index);
    fixed[index] = value;
  }
  const missing = [...fixed.keys()].filter((i) => !assigned.has(i)).map((i) => describeArgument(kernel, i));
  if (missing.length > 0) {
    throw wrongValue(
      `options.args must have a value for ${missing.join(", ")} of kernel "${kernel.name}", unless options.parameters has it`,
    );
  }
}

/** Returns the position of an argument given by position or name. */
export function indexOf(kernel: Kernel, key: unknown, name: string): number {
  if (typeof key === "number") return checkInteger(key, name, 0, kernel.numArgs - 1);
  if (typeof key !== "string") throw typeError(name, "the position or the name of an argument", key);
  const index = kernel.argNames.indexOf(key);
  if (index >= 0) return index;
  const known = kernel.argNames.filter((item) => item !== undefined).join(", ");
  throw rangeError(name, `an argument of kernel "${kernel.name}" (${known === "" ? "none has a name" : known})`, key);
}

/** Describes an argument for errors: `argument 1 "x" (float*)`. */
function describeArgument(kernel: Kernel, i: number): string {
  const name = kernel.argNames[i];
  return `argument ${i}${name === undefined ? "" : ` "${name}"`} (${kernel.argTypes[i]})`;
}

/** Sets the fixed arguments, so that invalid values throw before the first launch. */
export function setFixed(kernel: Kernel, { fixed, slots }: ArgumentPlan): void {
  const parameters = new Set(slots.map(({ index }) => index));
  for (const [i, value] of fixed.entries()) if (!parameters.has(i)) kernel.setArg(i, value);
}
